/// A hash table that keeps the order of insertion: see Note [Places] in Table.cpp.
#ifndef TESSERA_RUNTIME_TABLE_H
#define TESSERA_RUNTIME_TABLE_H

#include "runtime/Region.h"
#include "runtime/Type.h"
#include <cstring>

struct tessera_pairs;

/// Generated code knows the first members, and keeps them in registers: weld/transform/Layout.h.
struct tessera_table {
  int64_t size;
  uint8_t *tags; ///< Of each place: 0 where it is free. The search for a key begins at the place
                 ///< with the number hash & mask, and ends at one that is free.
  int64_t mask;
  char *places;      ///< Of merged tables: entries, or values where places are direct.
  int64_t numDirect; ///< Where all keys are small numbers, each is the number of its place.
  char *entries;     ///< In the order in which keys came; of merged tables behind a settle.
  uint32_t *numbers; ///< Of other tables: the number of the entry, for each place.
  int64_t isDivided; ///< Loops divide their pairs, and then merge: Parts.cpp.
  int64_t room;      ///< Of merged tables: with fewer entries, generated code adds one itself.
  uint32_t *order;   ///< Of merged tables: the places of keys, as they came.
  int64_t capacity;  ///< Of `entries`.
  const int32_t *entry;
  tessera_region *region;
  tessera_pairs *pairs; ///< Of a chunk of such a loop: where its pairs are.
  int64_t orderCapacity;
  bool isMerged;
  bool isOfNumbers; ///< Merged, and keys are integers of 8 bytes together: may be direct.
};

namespace tessera::runtime {

/// Spreads 64 bits; generated code has the same. Lower bits of a product depend on lower bits,
/// upper ones on upper bits: keys in equal steps, whatever these are, need both. 0 stays 0.
inline uint64_t mix(uint64_t bits) {
  auto product = static_cast<unsigned __int128>(bits) * 0xa0761d6478bd642f;
  return uint64_t(product) ^ uint64_t(product >> 64);
}

/// May stand anywhere.
inline uint64_t wordAt(const void *memory) {
  uint64_t word;
  memcpy(&word, memory, sizeof word);
  return word;
}

uint64_t hashKey(Type type, const void *key);
/// A merged table for so many keys, which are not small numbers.
tessera_table *createHashed(const int32_t *entry, tessera_region *region, int64_t capacity,
                            const tessera_site *site);
/// What the place of a key is marked with; generated code has the same.
inline uint8_t tagOf(uint64_t hash) {
  return uint8_t(hash >> 32) | 0x80;
}
/// All bytes of direct places that are free; generated code has the same.
constexpr int freeByte = 0xa5;
/// Gives a merged table all its entries. Without `isSearched`, they are not found by their keys.
void replaceEntries(tessera_table &table, char *entries, int64_t count, bool isSearched,
                    const tessera_site *site);

/// Makes the table one whose entries alone are searched, as they stand.
void indexEntries(tessera_table &table, const tessera_site *site);

/// Generated code has the same for keys without pointers.
uint64_t hashBytes(const void *bytes, int64_t count, uint64_t seed);

/// May stand anywhere: arguments need not be aligned.
inline tessera_vector vectorAt(const void *memory) {
  tessera_vector vector;
  memcpy(&vector, memory, sizeof vector);
  return vector;
}

} // namespace tessera::runtime

#endif
