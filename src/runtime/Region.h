/// Memory that goes all at once: values of a run are never freed one by one.
#ifndef TESSERA_RUNTIME_REGION_H
#define TESSERA_RUNTIME_REGION_H

#include "runtime/Generated.h"

namespace tessera::runtime {

/// Stands in front of the memory that a region got in one piece.
struct alignas(64) Chunk {
  Chunk *next, *previous;
  int64_t bytes; ///< Behind it.
  bool isOwn;    ///< For one piece of memory alone.
};

} // namespace tessera::runtime

/// The region itself lives in its first chunk, the last of the list. What is small is cut from the
/// front of `at ... end`, what is large has a chunk of its own.
struct tessera_region {
  tessera::runtime::Chunk *chunks;
  char *at, *end;
  int64_t bytes; ///< Taken since the last reset.
};

namespace tessera::runtime {

/// 64-byte alignment for what may hold a vector of the processor's, 16 for the rest.
inline void *allocate(tessera_region &region, int64_t bytes, const tessera_site *site) {
  return tessera_rt_region_alloc(&region, bytes, site);
}

/// Frees memory that nobody needs any more, if it is large.
void release(tessera_region &region, void *memory, int64_t bytes);

} // namespace tessera::runtime

#endif
