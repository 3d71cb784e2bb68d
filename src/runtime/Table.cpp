#include "runtime/Table.h"
#include "runtime/ThreadState.h"

using namespace tessera::runtime;

namespace {

constexpr int64_t minSlots = 16, sparseSlots = 16384, maxEntries = int64_t(1) << 31;
/// Keys are small while they are less than so many times the entries, and some more.
constexpr int64_t minDirect = 64, directPerEntry = 8, entriesAhead = 512;

Type keyType(const tessera_table &table) {
  return Type(table.entry).part(0);
}

int64_t entryBytes(const tessera_table &table) {
  return Type(table.entry).size();
}

uint32_t hashKey(Type type, const void *key) {
  return type.holdsNoPointers() ? hashBytes(key, type.size(), 0) : hashOf(type, key, 0);
}

bool areEqual(Type type, const void *left, const void *right) {
  return type.holdsNoPointers() ? !memcmp(left, right, type.size())
                                : areEqualKeys(type, left, right);
}

char *entryAt(const tessera_table &table, int64_t index) {
  return table.entries + index * entryBytes(table);
}

/// The slot of the key, or the empty one where it belongs.
uint64_t *findSlot(const tessera_table &table, const void *key, uint32_t hash) {
  Type type = keyType(table);
  for (uint64_t position = hash;; ++position) {
    uint64_t &slot = table.slots[position & table.mask];
    if (!slot)
      return &slot;
    if (slot >> 32 == hash && areEqual(type, entryAt(table, uint32_t(slot) - 1), key))
      return &slot;
  }
}

uint64_t *newSlots(tessera_table &table, int64_t count, const tessera_site *site) {
  auto *slots = static_cast<uint64_t *>(allocate(*table.region, count * 8, site));
  memset(slots, 0, count * 8);
  return slots;
}

void place(tessera_table &table, uint64_t filled) {
  uint64_t position = filled >> 32;
  while (table.slots[position & table.mask])
    ++position;
  table.slots[position & table.mask] = filled;
}

void growSlots(tessera_table &table, const tessera_site *site) {
  uint64_t *old = table.slots;
  int64_t oldCount = table.mask + 1;
  table.slots = newSlots(table, oldCount * 2, site);
  table.mask = oldCount * 2 - 1;
  for (int64_t index = 0; index < oldCount; ++index)
    if (old[index])
      place(table, old[index]);
}

void growEntries(tessera_table &table, const tessera_site *site) {
  int64_t bytes = entryBytes(table), capacity = table.capacity * 2;
  if (table.size >= maxEntries)
    trapAt(site, "out of memory: a dictionary of more than %lld entries", (long long)maxEntries);
  table.entries = static_cast<char *>(tessera_rt_region_grow(
      table.region, table.entries, table.capacity * bytes, capacity * bytes, site));
  table.capacity = capacity;
}

/// What `direct` is asked for; keys of more bytes have no place in it.
uint64_t wordOf(Type type, const void *key) {
  if (!type.holdsNoPointers() || type.size() > 8)
    return ~uint64_t(0);
  uint64_t word = 0;
  memcpy(&word, key, type.size());
  return word;
}

char *findDirectly(const tessera_table &table, const void *key) {
  if (!table.numDirect)
    return nullptr;
  uint64_t word = wordOf(keyType(table), key);
  uint32_t number = word < uint64_t(table.numDirect) ? table.direct[word] : 0;
  return number ? entryAt(table, number - 1) : nullptr;
}

void growDirect(tessera_table &table, uint64_t word, const tessera_site *site) {
  int64_t count = table.numDirect ? table.numDirect : minDirect;
  while (uint64_t(count) <= word)
    count *= 2;
  table.direct = static_cast<uint32_t *>(allocate(*table.region, count * 4, site));
  table.numDirect = count;
  memset(table.direct, 0, count * 4);
  for (int64_t index = 0; index < table.size; ++index) {
    uint64_t other = wordOf(keyType(table), entryAt(table, index));
    if (other < uint64_t(count))
      table.direct[other] = index + 1;
  }
}

/// Of the last entry.
void noteDirectly(tessera_table &table, const void *key, const tessera_site *site) {
  uint64_t word = wordOf(keyType(table), key);
  if (word < uint64_t(table.numDirect))
    table.direct[word] = table.size;
  else if (word < uint64_t(directPerEntry * (table.size + entriesAhead)))
    growDirect(table, word, site);
}

/// Most searches end where they begin, which a processor can foresee: in a small table nearly all
/// do, in others two slots of five are taken at most.
bool areFull(int64_t slots, int64_t entries) {
  return slots < sparseSlots ? entries * 16 > slots : entries * 5 > slots * 2;
}

char *append(tessera_table &table, const void *key, const tessera_site *site) {
  if (table.size == table.capacity)
    growEntries(table, site);
  char *entry = entryAt(table, table.size++);
  memset(entry, 0, entryBytes(table));
  memcpy(entry, key, keyType(table).size());
  return entry;
}

} // namespace

tessera_table *tessera_rt_table_create(const int32_t *entry, tessera_region *region,
                                       int64_t capacity, const tessera_site *site) {
  int64_t slots = minSlots;
  while (areFull(slots, capacity) && slots < maxEntries)
    slots *= 2;
  auto *table = static_cast<tessera_table *>(allocate(*region, sizeof(tessera_table), site));
  *table = {0, nullptr, nullptr, slots - 1, slots / 2, entry, region, nullptr, 0};
  table->slots = newSlots(*table, slots, site);
  table->entries =
      static_cast<char *>(allocate(*region, table->capacity * Type(entry).size(), site));
  return table;
}

void *tessera_rt_table_find(const tessera_table *table, const void *key) {
  if (!table || !table->size)
    return nullptr;
  if (char *entry = findDirectly(*table, key))
    return entry;
  uint64_t slot = *findSlot(*table, key, hashKey(keyType(*table), key));
  return slot ? entryAt(*table, uint32_t(slot) - 1) : nullptr;
}

void *tessera_rt_table_insert(tessera_table *table, const void *key, const tessera_site *site) {
  if (char *entry = findDirectly(*table, key))
    return entry;
  uint32_t hash = hashKey(keyType(*table), key);
  uint64_t *slot = findSlot(*table, key, hash);
  if (*slot)
    return entryAt(*table, uint32_t(*slot) - 1);
  while (areFull(table->mask + 1, table->size + 1)) {
    growSlots(*table, site);
    slot = findSlot(*table, key, hash);
  }
  char *entry = append(*table, key, site);
  *slot = uint64_t(hash) << 32 | uint32_t(table->size);
  noteDirectly(*table, key, site);
  return entry;
}
