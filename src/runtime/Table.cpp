#include "runtime/Parts.h"
#include "runtime/ThreadState.h"

using namespace tessera::runtime;

namespace {

constexpr int64_t minSlots = 16, sparseSlots = 16384, maxEntries = int64_t(1) << 31;
/// Iterations for each key of a piece: otherwise adding pieces up takes longer than filling them.
constexpr int64_t iterationsPerKey = 64;
/// Iterations of the first piece that tell whether there are many keys.
constexpr int64_t minDivided = 65536;
/// Keys are small while they are less than so many times the entries, and some more.
constexpr int64_t minDirect = 64, directPerEntry = 8, entriesAhead = 512;
constexpr uint64_t maxDirect = uint64_t(1) << 31;

Type keyType(const tessera_table &table) {
  return Type(table.entry).part(0);
}

int64_t entryBytes(const tessera_table &table) {
  return Type(table.entry).size();
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

/// Whether keys are compared as one number: generated code has the same rule.
bool isOfIntegers(Type type) {
  if (type.isScalar())
    return type.kind() < TESSERA_KIND_F32;
  for (int32_t part = 0; part < type.numParts(); ++part)
    if (!isOfIntegers(type.part(part)))
      return false;
  return type.kind() == TESSERA_KIND_STRUCT;
}

/// What `direct` is asked for; other keys have no place in it.
uint64_t wordOf(const tessera_table &table, const void *key) {
  uint64_t word = 0;
  memcpy(&word, key, keyType(table).size());
  return word;
}

char *directAt(const tessera_table &table, uint64_t word) {
  return table.direct + word * entryBytes(table);
}

bool isDirect(const tessera_table &table, uint64_t word) {
  return word < uint64_t(directPerEntry * (table.size + entriesAhead)) && word < maxDirect;
}

/// Room for keys up to this one. The first place says that it is not taken by a key that is not 0.
void growDirect(tessera_table &table, uint64_t word, const tessera_site *site) {
  int64_t old = table.numDirect, count = old ? old : minDirect, bytes = entryBytes(table);
  while (uint64_t(count) <= word)
    count *= 2;
  table.direct = static_cast<char *>(
      tessera_rt_region_grow(table.region, table.direct, old * bytes, count * bytes, site));
  memset(table.direct + old * bytes, 0, (count - old) * bytes);
  if (!old)
    *table.direct = 1;
  table.numDirect = count;
}

void noteOrder(tessera_table &table, int64_t index, uint64_t word, const tessera_site *site) {
  if (index >= table.orderCapacity) {
    int64_t capacity = index * 2 + minDirect;
    table.order = static_cast<uint32_t *>(tessera_rt_region_grow(
        table.region, table.order, table.orderCapacity * 4, capacity * 4, site));
    table.orderCapacity = capacity;
  }
  table.order[index] = word;
}

/// All keys are small: their entries move.
void enterDirect(tessera_table &table, const tessera_site *site) {
  growDirect(table, table.largest, site);
  for (int64_t index = 0; index < table.size; ++index) {
    char *entry = entryAt(table, index);
    uint64_t word = wordOf(table, entry);
    memcpy(directAt(table, word), entry, entryBytes(table));
    noteOrder(table, index, word, site);
  }
  table.slots = newSlots(table, minSlots, site);
  table.mask = minSlots - 1;
  table.numHashed = 0;
}

/// Most searches end where they begin, which a processor can foresee: in a small table nearly all
/// do, in others two slots of five are taken at most.
bool areFull(int64_t slots, int64_t entries) {
  return slots < sparseSlots ? entries * 16 > slots : entries * 5 > slots * 2;
}

void reserve(tessera_table &table, int64_t count, const tessera_site *site) {
  while (areFull(table.mask + 1, count) && table.mask < maxEntries)
    table.mask = table.mask * 2 + 1;
  table.slots = newSlots(table, table.mask + 1, site);
  table.numHashed = 0;
}

/// An entry that slots do not know yet.
void note(tessera_table &table, int64_t index) {
  const char *key = entryAt(table, index);
  place(table, uint64_t(hashKey(keyType(table), key)) << 32 | uint32_t(index + 1));
  ++table.numHashed;
}

/// A key has come that is not small; it is once there are more.
void leaveDirect(tessera_table &table, uint64_t word, const tessera_site *site) {
  tessera_rt_table_settle(&table, site);
  table.largest = word;
  table.numDirect = 0;
  reserve(table, table.size, site);
  for (int64_t index = 0; index < table.size; ++index)
    note(table, index);
}

char *addDirectly(tessera_table &table, uint64_t word, const void *key, const tessera_site *site) {
  char *entry = directAt(table, word);
  memcpy(entry, key, keyType(table).size());
  noteOrder(table, table.size++, word, site);
  return entry;
}

char *addToSlots(tessera_table &table, const void *key, const tessera_site *site) {
  if (table.size == table.capacity)
    growEntries(table, site);
  char *entry = entryAt(table, table.size++);
  memset(entry, 0, entryBytes(table));
  memcpy(entry, key, keyType(table).size());
  while (areFull(table.mask + 1, table.numHashed + 1))
    growSlots(table, site);
  note(table, table.size - 1);
  return entry;
}

/// Whether keys have turned out to be small. This is asked whenever they have doubled.
bool wantsDirect(tessera_table &table, uint64_t word) {
  table.largest = word > table.largest ? word : table.largest;
  bool hasDoubled = (table.size & (table.size - 1)) == 0;
  return hasDoubled && isDirect(table, table.largest);
}

char *addNumber(tessera_table &table, const void *key, const tessera_site *site) {
  uint64_t word = wordOf(table, key);
  if (!table.numDirect && wantsDirect(table, word))
    enterDirect(table, site);
  if (!table.numDirect)
    return addToSlots(table, key, site);
  if (word >= uint64_t(table.numDirect) && !isDirect(table, word)) {
    leaveDirect(table, word, site);
    return addToSlots(table, key, site);
  }
  if (word >= uint64_t(table.numDirect))
    growDirect(table, word, site);
  return addDirectly(table, word, key, site);
}

} // namespace

uint32_t tessera::runtime::hashKey(Type type, const void *key) {
  return type.holdsNoPointers() ? hashBytes(key, type.size(), 0) : hashOf(type, key, 0);
}

void tessera::runtime::replaceEntries(tessera_table &table, char *entries, int64_t count,
                                      bool isSearched, const tessera_site *site) {
  table.entries = entries;
  table.size = table.capacity = count;
  table.isDivided = table.numDirect = 0;
  table.largest = maxDirect;
  if (!isSearched)
    return;
  reserve(table, count, site);
  for (int64_t index = 0; index < count; ++index)
    note(table, index);
}

tessera_table *tessera_rt_table_create(const int32_t *entry, tessera_region *region,
                                       int64_t capacity, const tessera_site *site) {
  int64_t slots = minSlots;
  while (areFull(slots, capacity) && slots < maxEntries)
    slots *= 2;
  auto *table = static_cast<tessera_table *>(allocate(*region, sizeof(tessera_table), site));
  *table = {};
  table->mask = slots - 1;
  table->capacity = slots / 2;
  table->entry = entry;
  table->region = region;
  table->slots = newSlots(*table, slots, site);
  table->entries =
      static_cast<char *>(allocate(*region, table->capacity * Type(entry).size(), site));
  return table;
}

tessera_table *tessera_rt_table_create_merged(const int32_t *entry, tessera_region *region,
                                              int64_t capacity, const tessera_site *site) {
  tessera_table *table = tessera_rt_table_create(entry, region, capacity, site);
  Type key = keyType(*table);
  table->isForMerges = key.size() <= 8 && isOfIntegers(key);
  return table;
}

void *tessera_rt_table_find(const tessera_table *table, const void *key) {
  if (!table || !table->size)
    return nullptr;
  Type type = keyType(*table);
  if (table->numDirect) {
    uint64_t word = wordOf(*table, key);
    bool isThere = word < uint64_t(table->numDirect) && areEqual(type, directAt(*table, word), key);
    return isThere ? directAt(*table, word) : nullptr;
  }
  uint64_t slot = *findSlot(*table, key, hashKey(type, key));
  return slot ? entryAt(*table, uint32_t(slot) - 1) : nullptr;
}

void *tessera_rt_table_add(tessera_table *table, const void *key, const tessera_site *site) {
  if (table->pairs)
    return collect(*table, key, site);
  return table->isForMerges ? addNumber(*table, key, site) : addToSlots(*table, key, site);
}

void *tessera_rt_table_insert(tessera_table *table, const void *key, const tessera_site *site) {
  void *entry = tessera_rt_table_find(table, key);
  return entry ? entry : tessera_rt_table_add(table, key, site);
}

void tessera_rt_table_settle(tessera_table *table, const tessera_site *site) {
  if (!table->numDirect)
    return;
  int64_t bytes = entryBytes(*table);
  if (table->capacity < table->size) {
    table->entries = static_cast<char *>(allocate(*table->region, table->size * bytes, site));
    table->capacity = table->size;
  }
  for (int64_t index = 0; index < table->size; ++index)
    memcpy(entryAt(*table, index), directAt(*table, table->order[index]), bytes);
}

int64_t tessera_rt_table_divide(tessera_table *table, int64_t iterations, int64_t strategy) {
  bool hasManyKeys = iterations >= minDivided && table->size * 2 > iterations;
  bool isWanted = strategy == TESSERA_PARTITIONED || (strategy == TESSERA_ADAPTIVE && hasManyKeys);
  table->isDivided = isWanted && keyType(*table).holdsNoPointers();
  int64_t wanted = strategy == TESSERA_ADAPTIVE ? table->size * iterationsPerKey : 0;
  return table->isDivided || wanted < iterations ? iterations : wanted;
}

tessera_table *tessera_rt_table_piece(const tessera_table *table, tessera_region *region,
                                      const tessera_site *site) {
  bool areInSlots = !table->isDivided && !table->numDirect;
  tessera_table *piece =
      tessera_rt_table_create_merged(table->entry, region, areInSlots ? table->size : 0, site);
  if (table->isDivided)
    makeCollector(*piece, site);
  else if (table->numDirect)
    growDirect(*piece, table->numDirect - 1, site);
  return piece;
}
