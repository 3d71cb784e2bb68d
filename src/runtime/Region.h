/// Memory that is freed all at once: values of a run are never freed individually.
#ifndef TESSERA_RUNTIME_REGION_H
#define TESSERA_RUNTIME_REGION_H

#include "runtime/Generated.h"

namespace tessera::runtime {

/// Precedes a piece of memory of a region.
struct alignas(64) Chunk {
  Chunk *next, *previous;
  int64_t bytes; ///< The size of the memory after it.
  bool isOwn;    ///< Holds a single allocation.
};

} // namespace tessera::runtime

/// The region itself is in its first chunk, the last of the list. Small allocations are cut from
/// the front of `at ... end`; large ones have their own chunk.
struct tessera_region {
  tessera::runtime::Chunk *chunks;
  char *at, *end;
  int64_t bytes; ///< Allocated since the last reset.
};

namespace tessera::runtime {

/// Aligned to 64 bytes if it may hold a vector register, otherwise to 16.
inline void *allocate(tessera_region &region, int64_t bytes, const tessera_site *site) {
  return tessera_rt_region_alloc(&region, bytes, site);
}

/// Frees memory that is no longer needed, if it is large.
void release(tessera_region &region, void *memory, int64_t bytes);

} // namespace tessera::runtime

#endif
