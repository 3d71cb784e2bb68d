/// A hash table that keeps the order of insertion: a dense array of entries, and slots that refer
/// to them.
#ifndef TESSERA_RUNTIME_TABLE_H
#define TESSERA_RUNTIME_TABLE_H

#include "runtime/Region.h"
#include "runtime/Type.h"
#include <cstring>

/// Generated code knows most members. A slot is 0, or holds the hash in its upper half
/// and 1 + the number of the entry in its lower; the search for a key begins at the slot with the
/// number hash & mask, and ends at a slot that is 0.
struct tessera_table {
  int64_t size;
  char *entries;
  uint64_t *slots;
  int64_t mask;
  int64_t capacity; ///< Of `entries`.
  const int32_t *entry;
  tessera_region *region;
  /// Of keys whose bytes are a small number: 1 + the number of the entry at that place, or 0 where
  /// the slots know more.
  uint32_t *direct;
  int64_t numDirect;
};

namespace tessera::runtime {

/// Spreads 64 bits; generated code has the same.
inline uint64_t mix(uint64_t bits) {
  bits *= 0x9e3779b97f4a7c15;
  bits ^= bits >> 32;
  bits *= 0xd6e8feb86659fd93;
  return bits ^ bits >> 32;
}

uint64_t hashBytes(const void *bytes, int64_t count, uint64_t seed);

/// May stand anywhere: arguments need not be aligned.
inline tessera_vector vectorAt(const void *memory) {
  tessera_vector vector;
  memcpy(&vector, memory, sizeof vector);
  return vector;
}

} // namespace tessera::runtime

#endif
