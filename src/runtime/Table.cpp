#include "runtime/Chunks.h"
#include "runtime/Parts.h"
#include "runtime/ThreadState.h"

using namespace tessera::runtime;

namespace {

constexpr int64_t minPlaces = 16, maxEntries = int64_t(1) << 31;
/// Tables of at most this many bytes are kept very sparse, or sparse: they stay in the
/// second-level, or third-level, cache.
constexpr int64_t verySparseBytes = 256 << 10, sparseBytes = 5 << 20;
/// The least number of iterations for each key of a piece: with fewer, adding pieces up takes
/// longer than filling them.
constexpr int64_t iterationsPerKey = 64;
/// The iterations of the first piece that suffice to show whether there are many keys, and how many
/// are many: tables with so many keys do not fit into the caches.
constexpr int64_t minDivided = 65536, manyKeys = 1 << 19;
/// Keys are small while they are less than this many times the number of entries, plus a constant.
constexpr int64_t minDirect = 64, directPerEntry = 8, entriesAhead = 512;
constexpr uint64_t maxDirect = uint64_t(1) << 31;

Type keyType(const tessera_table &table) {
  return Type(table.entry).part(0);
}

int64_t entryBytes(const tessera_table &table) {
  return Type(table.entry).size();
}

int64_t valueOffset(const tessera_table &table) {
  return Type(table.entry).offset(1);
}

int64_t valueBytes(const tessera_table &table) {
  return Type(table.entry).part(1).size();
}

void setWord(char *to, uint64_t word) {
  memcpy(to, &word, sizeof word);
}

/// Usually one or two words, which need no call. A third case would make the compiler merge all
/// into a call.
void copyBytes(char *to, const char *from, int64_t count) {
  if (count != 8 && count != 16) {
    memcpy(to, from, count);
    return;
  }
  setWord(to, wordAt(from));
  if (count == 16)
    setWord(to + 8, wordAt(from + 8));
}

void clearBytes(char *to, int64_t count) {
  if (count == 8)
    setWord(to, 0);
  else
    memset(to, 0, count);
}

bool areEqual(Type type, const void *left, const void *right) {
  return type.holdsNoPointers() ? !memcmp(left, right, type.size())
                                : areEqualKeys(type, left, right);
}

char *entryIn(const tessera_table &table, uint64_t place) {
  int64_t bytes = entryBytes(table);
  return table.isMerged ? table.places + place * bytes
                        : table.entries + table.numbers[place] * bytes;
}

/// The key as a number, which is the number of its place if places are direct.
uint64_t wordOf(const tessera_table &table, const void *key) {
  int64_t bytes = keyType(table).size();
  if (bytes == 8)
    return wordAt(key);
  uint64_t word = 0;
  memcpy(&word, key, bytes);
  return word;
}

char *valueAt(const tessera_table &table, uint64_t word) {
  return table.places + word * valueBytes(table);
}

//===-- Places by hashes --------------------------------------------------===//

/// Most searches end where they begin, which a processor can predict: in a small table nearly all
/// do; in others at most one place of five is taken, or two if the table is large, because then
/// memory costs more than mispredictions.
int64_t mostEntries(const tessera_table &table, int64_t places) {
  int64_t bytes = places * entryBytes(table);
  if (bytes < verySparseBytes)
    return places / 16;
  return bytes < sparseBytes ? places / 5 : places * 2 / 5;
}

/// All bytes of free places are 0, which is a valid key for the first place; so this place is
/// marked differently.
void clearPlaces(const tessera_table &table, int64_t count) {
  memset(table.places, 0, count * entryBytes(table));
  Type key = keyType(table);
  if (!key.holdsNoPointers() || key.size() == 0)
    return;
  do
    ++*table.places;
  while (hashKey(key, table.places) % minPlaces == 0);
}

/// Allocates free places, at least as many as entries need.
void makePlaces(tessera_table &table, int64_t count, int64_t entries, const tessera_site *site) {
  while (mostEntries(table, count) < entries && count < maxEntries)
    count *= 2;
  table.mask = count - 1;
  table.tags = static_cast<uint8_t *>(allocate(*table.region, count, site));
  memset(table.tags, 0, count);
  if (!table.isMerged) {
    table.numbers = static_cast<uint32_t *>(allocate(*table.region, count * 4, site));
    return;
  }
  table.places = static_cast<char *>(allocate(*table.region, count * entryBytes(table), site));
  clearPlaces(table, count);
}

/// Called whenever something that limits the room has changed.
void setRoom(tessera_table &table) {
  int64_t most = table.pairs       ? 0
                 : table.numDirect ? maxEntries
                                   : mostEntries(table, table.mask + 1);
  table.room = most < table.orderCapacity ? most : table.orderCapacity;
}

/// Takes a free place for a key with this hash. For keys without pointers, generated code does the
/// same, and searches like tessera_rt_table_find: see `search` in LowerDictionaries.cpp. Both work
/// on the same tables, so change both together; searches-of-runtime-and-program.weld finds keys of
/// each with the other.
uint64_t takePlace(tessera_table &table, uint64_t hash) {
  uint64_t place = hash & table.mask;
  while (table.tags[place])
    place = (place + 1) & table.mask;
  table.tags[place] = tagOf(hash);
  return place;
}

void growOrder(tessera_table &table, int64_t capacity, const tessera_site *site) {
  table.order = static_cast<uint32_t *>(tessera_rt_region_grow(
      table.region, table.order, table.orderCapacity * 4, capacity * 4, site));
  table.orderCapacity = capacity;
}

void noteOrder(tessera_table &table, int64_t index, uint64_t place, const tessera_site *site) {
  if (index >= table.orderCapacity)
    growOrder(table, index * 2 + minDirect, site);
  table.order[index] = place;
}

/// A place for the entry with this number, which is copied from elsewhere.
void placeEntry(tessera_table &table, int64_t index, const char *entry, const tessera_site *site) {
  uint64_t place = takePlace(table, hashKey(keyType(table), entry));
  if (!table.isMerged) {
    table.numbers[place] = index;
    return;
  }
  copyBytes(entryIn(table, place), entry, entryBytes(table));
  noteOrder(table, index, place, site);
}

/// Frees the previous places of the table.
void releasePlaces(const tessera_table &old) {
  int64_t count = old.mask + 1;
  release(*old.region, old.tags, count);
  if (old.isMerged)
    release(*old.region, old.places, count * entryBytes(old));
  else
    release(*old.region, old.numbers, count * 4);
}

/// Enough places for this many entries.
void growPlaces(tessera_table &table, int64_t entries, const tessera_site *site) {
  tessera_table old = table;
  makePlaces(table, (table.mask + 1) * 2, entries, site);
  for (int64_t index = 0; index < table.size; ++index)
    placeEntry(table, index,
               old.isMerged ? entryIn(old, old.order[index])
                            : old.entries + index * entryBytes(old),
               site);
  releasePlaces(old);
  setRoom(table);
}

/// Finds places for all entries, in order.
void findPlaces(tessera_table &table, const tessera_site *site) {
  makePlaces(table, minPlaces, table.size + 1, site);
  for (int64_t index = 0; index < table.size; ++index)
    placeEntry(table, index, table.entries + index * entryBytes(table), site);
  setRoom(table);
}

void growEntries(tessera_table &table, const tessera_site *site) {
  int64_t bytes = entryBytes(table), capacity = table.capacity * 2;
  table.entries = static_cast<char *>(tessera_rt_region_grow(
      table.region, table.entries, table.capacity * bytes, capacity * bytes, site));
  table.capacity = capacity;
}

/// Returns the value, which is zero.
char *addToPlaces(tessera_table &table, const void *key, const tessera_site *site) {
  if (table.size >= maxEntries)
    trapAt(site, "%sa dictionary of more than %lld entries", outOfMemory(site),
           (long long)maxEntries);
  if (mostEntries(table, table.mask + 1) <= table.size)
    growPlaces(table, table.size + 1, site);
  if (!table.isMerged && table.size == table.capacity)
    growEntries(table, site);
  uint64_t place = takePlace(table, hashKey(keyType(table), key));
  if (table.isMerged)
    noteOrder(table, table.size, place, site);
  else
    table.numbers[place] = table.size;
  ++table.size;
  setRoom(table);
  char *entry = entryIn(table, place);
  clearBytes(entry, entryBytes(table));
  copyBytes(entry, static_cast<const char *>(key), keyType(table).size());
  return entry + valueOffset(table);
}

//===-- Direct places -----------------------------------------------------===//

/// Whether keys are compared as one number; generated code uses the same rule.
bool isOfIntegers(Type type) {
  if (type.isScalar())
    return type.kind() < TESSERA_KIND_F32;
  for (int32_t part = 0; part < type.numParts(); ++part)
    if (!isOfIntegers(type.part(part)))
      return false;
  return type.kind() == TESSERA_KIND_STRUCT;
}

bool isSmall(const tessera_table &table, uint64_t word) {
  return word < uint64_t(directPerEntry * (table.size + entriesAhead)) && word < maxDirect;
}

/// Makes room for keys up to this one.
void growDirect(tessera_table &table, uint64_t word, const tessera_site *site) {
  int64_t old = table.numDirect, count = old ? old : minDirect, bytes = valueBytes(table);
  while (uint64_t(count) <= word)
    count *= 2;
  auto grow = [&](void *memory, int64_t bytes) {
    return tessera_rt_region_grow(table.region, old ? memory : nullptr, old * bytes, count * bytes,
                                  site);
  };
  table.places = static_cast<char *>(grow(table.places, bytes));
  memset(table.places + old * bytes, freeByte, (count - old) * bytes);
  table.tags = static_cast<uint8_t *>(grow(table.tags, 1));
  memset(table.tags + old, 0, count - old);
  table.numDirect = count;
}

/// All keys are small, and none is larger than this one: moves their values.
void enterDirect(tessera_table &table, uint64_t largest, const tessera_site *site) {
  tessera_table old = table;
  growDirect(table, largest, site);
  for (int64_t index = 0; index < table.size; ++index) {
    const char *entry = entryIn(old, old.order[index]);
    uint64_t word = wordOf(table, entry);
    copyBytes(valueAt(table, word), entry + valueOffset(table), valueBytes(table));
    table.tags[word] = 1;
    table.order[index] = word;
  }
  releasePlaces(old);
}

/// Handles a key that is not small; once there are more entries, it may be.
void leaveDirect(tessera_table &table, const tessera_site *site) {
  tessera_rt_table_settle(&table, site);
  tessera_table old = table;
  table.numDirect = 0;
  findPlaces(table, site);
  release(*table.region, old.tags, old.numDirect);
  release(*table.region, old.places, old.numDirect * valueBytes(old));
}

char *addDirectly(tessera_table &table, uint64_t word, const tessera_site *site) {
  noteOrder(table, table.size++, word, site);
  setRoom(table);
  table.tags[word] = 1;
  char *value = valueAt(table, word);
  clearBytes(value, valueBytes(table));
  return value;
}

/// The largest key, including this one; as soon as a key is not small, the search ends with it.
uint64_t largestKey(const tessera_table &table, uint64_t word) {
  uint64_t largest = word;
  for (int64_t index = 0; index < table.size && isSmall(table, largest); ++index) {
    uint64_t other = wordOf(table, entryIn(table, table.order[index]));
    largest = other > largest ? other : largest;
  }
  return largest;
}

/// Decides whether keys are small for the first key, and again whenever the room is used up.
char *addNumber(tessera_table &table, const void *key, const tessera_site *site) {
  uint64_t word = wordOf(table, key);
  if (!table.numDirect && (table.size == 0 || table.size == table.orderCapacity))
    if (uint64_t largest = largestKey(table, word); isSmall(table, largest))
      enterDirect(table, largest, site);
  if (!table.numDirect)
    return addToPlaces(table, key, site);
  if (word >= uint64_t(table.numDirect) && !isSmall(table, word)) {
    leaveDirect(table, site);
    return addToPlaces(table, key, site);
  }
  if (word >= uint64_t(table.numDirect))
    growDirect(table, word, site);
  return addDirectly(table, word, site);
}

/// Whether the limit leaves memory for the pairs of all iterations. Does not consider how much of
/// it is in use: that depends on other threads, but the order of sums must not.
bool fitPairs(const tessera_table &table, int64_t iterations) {
  constexpr int64_t parts = 8, hashBytes = 8;
  int64_t limit = memoryLimit();
  return limit <= 0 || iterations < limit / parts / (entryBytes(table) + hashBytes);
}

tessera_table *newTable(const int32_t *entry, tessera_region *region, const tessera_site *site) {
  auto *table = static_cast<tessera_table *>(allocate(*region, sizeof(tessera_table), site));
  *table = {};
  table->entry = entry;
  table->region = region;
  return table;
}

} // namespace

uint64_t tessera::runtime::hashKey(Type type, const void *key) {
  if (type.holdsNoPointers() && type.size() == 8)
    return mix(wordAt(key));
  return type.holdsNoPointers() ? hashBytes(key, type.size(), 0) : hashOf(type, key, 0);
}

void tessera::runtime::replaceEntries(tessera_table &table, char *entries, int64_t count,
                                      bool isSearched, const tessera_site *site) {
  table.entries = entries;
  table.size = table.capacity = count;
  table.isDivided = table.numDirect = table.room = 0;
  table.order = nullptr;
  table.orderCapacity = 0;
  if (isSearched)
    findPlaces(table, site);
}

void tessera::runtime::indexEntries(tessera_table &table, const tessera_site *site) {
  table.isMerged = false;
  table.places = nullptr;
  table.order = nullptr;
  table.orderCapacity = 0;
  findPlaces(table, site);
}

tessera_table *tessera_rt_table_create(const int32_t *entry, tessera_region *region,
                                       int64_t capacity, const tessera_site *site) {
  tessera_table *table = newTable(entry, region, site);
  table->capacity = capacity > minPlaces ? capacity : minPlaces;
  table->entries =
      static_cast<char *>(allocate(*region, table->capacity * entryBytes(*table), site));
  makePlaces(*table, minPlaces, capacity, site);
  return table;
}

tessera_table *tessera_rt_table_create_merged(const int32_t *entry, tessera_region *region,
                                              int64_t capacity, const tessera_site *site) {
  tessera_table *table = newTable(entry, region, site);
  Type key = keyType(*table);
  table->isOfNumbers = key.size() <= 8 && isOfIntegers(key);
  table->isMerged = true;
  makePlaces(*table, minPlaces, capacity, site);
  growOrder(*table, capacity > minDirect ? capacity : minDirect, site);
  return table;
}

tessera_table *tessera::runtime::createHashed(const int32_t *entry, tessera_region *region,
                                              int64_t capacity, const tessera_site *site) {
  tessera_table *table = tessera_rt_table_create_merged(entry, region, capacity, site);
  setRoom(*table);
  return table;
}

void *tessera_rt_table_find(const tessera_table *table, const void *key) {
  if (!table || !table->size)
    return nullptr;
  if (table->numDirect) {
    uint64_t word = wordOf(*table, key);
    bool isThere = word < uint64_t(table->numDirect) && table->tags[word];
    return isThere ? valueAt(*table, word) : nullptr;
  }
  Type type = keyType(*table);
  uint64_t hash = hashKey(type, key), place = hash & table->mask;
  for (; table->tags[place]; place = (place + 1) & table->mask)
    if (table->tags[place] == tagOf(hash) && areEqual(type, entryIn(*table, place), key))
      return entryIn(*table, place) + valueOffset(*table);
  return nullptr;
}

void *tessera_rt_table_add(tessera_table *table, const void *key, const tessera_site *site) {
  if (table->pairs)
    return collect(*table, key, site) + valueOffset(*table);
  return table->isOfNumbers ? addNumber(*table, key, site) : addToPlaces(*table, key, site);
}

void *tessera_rt_table_insert(tessera_table *table, const void *key, const tessera_site *site) {
  void *value = tessera_rt_table_find(table, key);
  return value ? value : tessera_rt_table_add(table, key, site);
}

void tessera_rt_table_settle(tessera_table *table, const tessera_site *site) {
  if (!table->order)
    return;
  int64_t bytes = entryBytes(*table), size = table->size;
  if (table->capacity < size) {
    table->entries = static_cast<char *>(allocate(*table->region, size * bytes, site));
    table->capacity = size;
  }
  char *entry = table->entries;
  if (!table->numDirect) {
    for (int64_t index = 0; index < size; ++index, entry += bytes)
      copyBytes(entry, entryIn(*table, table->order[index]), bytes);
    return;
  }
  int64_t offset = valueOffset(*table), keyBytes = keyType(*table).size();
  int64_t value = valueBytes(*table);
  if (keyBytes + value < bytes)
    memset(entry, 0, size * bytes);
  for (int64_t index = 0; index < size; ++index, entry += bytes) {
    uint64_t word = table->order[index];
    copyBytes(entry, reinterpret_cast<const char *>(&word), keyBytes);
    copyBytes(entry + offset, table->places + word * value, value);
  }
}

/// Pieces with many more keys than the first one keep finding new keys, and each may find different
/// ones; otherwise all pieces have the same keys.
void tessera_rt_table_expect(tessera_table *table, const void *others, int64_t bytes, int64_t count,
                             const tessera_site *site) {
  int64_t sum = 0, largest = table->size;
  for (int64_t index = 0; index < count; ++index) {
    const tessera_table *other;
    memcpy(&other, static_cast<const char *>(others) + index * bytes, sizeof other);
    sum += other->size;
    largest = std::max(largest, other->size);
  }
  int64_t expected = largest > 2 * table->size ? sum + table->size : largest;
  if (!table->isMerged || table->numDirect || mostEntries(*table, table->mask + 1) >= expected)
    return;
  growPlaces(*table, expected, site);
  if (table->orderCapacity < expected)
    growOrder(*table, expected, site);
  setRoom(*table);
}

int64_t tessera_rt_table_divide(tessera_table *table, int64_t iterations, int64_t all,
                                int64_t strategy) {
  // Among n keys out of many, n * n / (2 * many) have occurred before.
  double found = iterations, repeated = found - double(table->size);
  bool hasManyKeys = iterations >= minDivided && found * found > 2 * repeated * manyKeys;
  bool isWanted = strategy == TESSERA_PARTITIONED || (strategy == TESSERA_ADAPTIVE && hasManyKeys);
  table->isDivided = isWanted && keyType(*table).holdsNoPointers() && fitPairs(*table, all);
  int64_t wanted = strategy == TESSERA_ADAPTIVE ? table->size * iterationsPerKey : 0;
  return table->isDivided || wanted < iterations || all <= iterations
             ? iterations
             : evenChunk(all - iterations, wanted, all);
}

tessera_table *tessera_rt_table_piece(const tessera_table *table, tessera_region *region,
                                      const tessera_site *site) {
  bool isHashed = !table->isDivided && !table->numDirect;
  tessera_table *piece =
      tessera_rt_table_create_merged(table->entry, region, isHashed ? table->size : 0, site);
  if (table->isDivided)
    makeCollector(*piece, site);
  else if (table->numDirect)
    growDirect(*piece, table->numDirect - 1, site);
  setRoom(*piece);
  return piece;
}

// Note [Places]
//
// Merges look for a key and change its value, once per iteration of a loop. So the entries of a
// merged table are where their hashes say, in an array of places of which some are free, and the
// table keeps the places in the order in which keys first occurred; `settle` brings entries into
// this order. A byte for each place says whether it is taken and contains some bits of the hash:
// usually enough to know that a key is missing, from an array that fits into a cache. Generated
// code compares the key with that in the first place before it reads the byte, since free places
// hold keys that are never searched for there, and then with those in the following places up to
// one that looks free; it also adds keys itself while there is room.
//
// If keys are small numbers, the number of a key's place is the key, and places have only values.
// Few values look like free places, so the byte is rarely read.
//
// Other tables, whose entries may move together, have the numbers of entries in their places.
