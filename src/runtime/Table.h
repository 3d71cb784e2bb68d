/// A hash table that keeps the order of insertion: see Note [Places] in Table.cpp.
#ifndef TESSERA_RUNTIME_TABLE_H
#define TESSERA_RUNTIME_TABLE_H

#include "runtime/Region.h"
#include "runtime/Type.h"
#include <cstring>

struct tessera_pairs;

/// Generated code knows the first members and keeps them in registers: weld/transform/Layout.h.
struct tessera_table {
  int64_t size;
  uint8_t *tags; ///< For each place; 0 if it is free. The search for a key begins at place hash &
                 ///< mask and ends at a free one.
  int64_t mask;
  char *places;      ///< In merged tables: entries, or values if places are direct.
  int64_t numDirect; ///< If all keys are small numbers, each is the number of its place.
  char *entries; ///< In the order in which keys first occurred; in merged tables, after a settle.
  uint32_t *numbers; ///< In other tables: the number of the entry for each place.
  int64_t isDivided; ///< Loops partition their pairs before they merge: Parts.cpp.
  int64_t room;      ///< In merged tables: with fewer entries, generated code adds one itself.
  uint32_t *order;   ///< In merged tables: the places of keys, as they first occurred.
  int64_t capacity;  ///< The capacity of `entries`.
  const int32_t *entry;
  tessera_region *region;
  tessera_pairs *pairs; ///< The pairs of a chunk of such a loop.
  int64_t orderCapacity;
  bool isMerged;
  bool isOfNumbers; ///< Merged, with keys that are integers of 8 bytes in total: places may be
                    ///< direct.
};

namespace tessera::runtime {

/// Spreads 64 bits; generated code has the same function. Lower bits of a product depend on lower
/// bits, upper ones on upper bits: keys in equal steps of any size need both. 0 stays 0.
inline uint64_t mix(uint64_t bits) {
  auto product = static_cast<unsigned __int128>(bits) * 0xa0761d6478bd642f;
  return uint64_t(product) ^ uint64_t(product >> 64);
}

/// The address may be unaligned.
inline uint64_t wordAt(const void *memory) {
  uint64_t word;
  memcpy(&word, memory, sizeof word);
  return word;
}

uint64_t hashKey(Type type, const void *key);
/// A merged table for this many keys, which are not small numbers.
tessera_table *createHashed(const int32_t *entry, tessera_region *region, int64_t capacity,
                            const tessera_site *site);
/// The mark of a key's place; generated code has the same function.
inline uint8_t tagOf(uint64_t hash) {
  return uint8_t(hash >> 32) | 0x80;
}
/// The value of all bytes of a direct place that is free; generated code has the same constant.
constexpr int freeByte = 0xa5;
/// Adds all entries to a merged table. Without `isSearched`, they cannot be found by key.
void replaceEntries(tessera_table &table, char *entries, int64_t count, bool isSearched,
                    const tessera_site *site);

/// Makes the table, in place, one that is only searched.
void indexEntries(tessera_table &table, const tessera_site *site);

/// Generated code has the same function for keys without pointers.
uint64_t hashBytes(const void *bytes, int64_t count, uint64_t seed);

/// The address may be unaligned: arguments need not be aligned.
inline tessera_vector vectorAt(const void *memory) {
  tessera_vector vector;
  memcpy(&vector, memory, sizeof vector);
  return vector;
}

} // namespace tessera::runtime

#endif
