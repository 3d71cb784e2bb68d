/// A hash table that keeps the order of insertion: a dense array of entries, and slots that refer
/// to them.
#ifndef TESSERA_RUNTIME_TABLE_H
#define TESSERA_RUNTIME_TABLE_H

#include "runtime/Region.h"
#include "runtime/Type.h"
#include <cstring>

struct tessera_pairs;

/// Generated code knows the first members, and keeps them in registers. A slot is 0, or holds the
/// hash in its upper half and 1 + the number of the entry in its lower; the search for a key begins
/// at the slot with the number hash & mask, and ends at a slot that is 0.
struct tessera_table {
  int64_t size;
  char *entries; ///< Behind tessera_rt_table_settle, where there is `direct`.
  uint64_t *slots;
  int64_t mask;
  /// Where all keys are small numbers, their entries in the order of keys, in place of slots: a key
  /// is there where its entry has it.
  char *direct;
  int64_t numDirect;
  int64_t isDivided; ///< Loops divide their pairs, and then merge: Parts.cpp.
  int64_t capacity;  ///< Of `entries`.
  int64_t numHashed; ///< Slots that are not 0.
  const int32_t *entry;
  tessera_region *region;
  tessera_pairs *pairs; ///< Of a chunk of such a loop: where its pairs are.
  uint32_t *order;      ///< Of the entries in `direct`: how keys came.
  int64_t orderCapacity;
  uint64_t largest; ///< Of the keys that slots have.
  bool isForMerges; ///< Keys are integers of 8 bytes together, and may be `direct`.
};

namespace tessera::runtime {

/// Spreads 64 bits; generated code has the same. The upper bits of a product depend on all bits:
/// they become the lower ones, by which slots are chosen.
inline uint64_t mix(uint64_t bits) {
  return __builtin_bswap64(bits * 0x9e3779b97f4a7c15);
}

/// Of a key, as slots hold it.
uint32_t hashKey(Type type, const void *key);
/// Gives the table all its entries. Without `isSearched`, they are not found by their keys.
void replaceEntries(tessera_table &table, char *entries, int64_t count, bool isSearched,
                    const tessera_site *site);

uint64_t hashBytes(const void *bytes, int64_t count, uint64_t seed);

/// May stand anywhere: arguments need not be aligned.
inline tessera_vector vectorAt(const void *memory) {
  tessera_vector vector;
  memcpy(&vector, memory, sizeof vector);
  return vector;
}

} // namespace tessera::runtime

#endif
