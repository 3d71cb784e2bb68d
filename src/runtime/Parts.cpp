/// Dictionaries with many keys: see Note [Parts].
#include "runtime/Parts.h"
#include "runtime/ThreadState.h"

using namespace tessera::runtime;

namespace {

constexpr int64_t numParts = tessera_parts_count, pairsPerBlock = 256;
/// How many consecutive pairs are looked at together, and into how many tasks all pairs are
/// divided, when the parts are joined.
constexpr int64_t window = 4096, numSegments = 16;

} // namespace

/// Some pairs of one part, each followed by its number.
struct tessera_block {
  tessera_block *next;
  int64_t count;
  const tessera_pairs *owner;

  char *pairs() { return reinterpret_cast<char *>(this + 1); }
};

/// What a chunk has merged.
struct tessera_pairs {
  char *next[numParts], *end[numParts]; ///< The free memory in the last blocks.
  tessera_block *first[numParts], *last[numParts];
  int64_t bytes; ///< The size of a pair.
  int64_t count;
  int64_t before; ///< The number of pairs in earlier chunks.
};

/// The pairs of one part; then its entries, in the order in which keys first occurred, and the
/// numbers of their first pairs.
struct Part {
  tessera_block *blocks;
  int64_t numPairs;
  char *entries;
  int64_t size;
  int64_t *firsts;
  tessera_region *region;
};

struct tessera_parts {
  Part parts[numParts];
  const int32_t *entry;
  int64_t numPairs, pairBytes;
};

namespace {

int64_t entryBytes(const tessera_table &table) {
  return Type(table.entry).size();
}

/// Adds a pair with its number.
int64_t pairBytes(const tessera_table &table) {
  return (entryBytes(table) + 7 & -8) + 8;
}

int64_t &numberIn(char *pair, int64_t bytes) {
  return *reinterpret_cast<int64_t *>(pair + bytes - 8);
}

/// Returns its first pair.
[[gnu::noinline]] char *addBlock(tessera_table &table, int64_t part, const tessera_site *site) {
  tessera_pairs &pairs = *table.pairs;
  int64_t bytes = pairsPerBlock * pairs.bytes;
  auto *block =
      static_cast<tessera_block *>(allocate(*table.region, sizeof(tessera_block) + bytes, site));
  *block = {nullptr, pairsPerBlock, &pairs};
  (pairs.last[part] ? pairs.last[part]->next : pairs.first[part]) = block;
  pairs.last[part] = block;
  pairs.end[part] = block->pairs() + bytes;
  return block->pairs();
}

/// The entries of a table as pairs.
tessera_pairs *pairsOf(tessera_table &table, tessera_region *region, const tessera_site *site) {
  tessera_table pairs = table;
  pairs.region = region;
  makeCollector(pairs, site);
  int64_t bytes = entryBytes(table);
  for (int64_t index = 0; index < table.size; ++index) {
    char *entry = table.entries + index * bytes;
    memcpy(collect(pairs, entry, site), entry, bytes);
  }
  return pairs.pairs;
}

/// Numbers the pairs after those of earlier chunks.
void link(tessera_parts &parts, tessera_block *(&ends)[numParts], tessera_pairs &pairs) {
  pairs.before = parts.numPairs;
  parts.numPairs += pairs.count;
  for (int64_t part = 0; part < numParts; ++part) {
    if (!pairs.first[part])
      continue;
    pairs.last[part]->count = (pairs.next[part] - pairs.last[part]->pairs()) / pairs.bytes;
    for (tessera_block *block = pairs.first[part]; block; block = block->next)
      parts.parts[part].numPairs += block->count;
    (ends[part] ? ends[part]->next : parts.parts[part].blocks) = pairs.first[part];
    ends[part] = pairs.last[part];
  }
}

/// Usually one word, for which a call would cost more than the comparison.
bool areEqualBytes(const char *left, const char *right, int64_t count) {
  return count == 8 ? wordAt(left) == wordAt(right) : !memcmp(left, right, count);
}

/// How many keys of the part first occurred before the pair with this number.
int64_t countBefore(const Part &part, int64_t number) {
  int64_t low = 0, high = part.size;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (part.firsts[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Puts the keys of all parts into the order in which they first occurred.
struct Joining {
  tessera_parts &parts;
  char *to;
  int64_t bytes;

  static void run(void *memory, int64_t lo, int64_t hi) {
    for (int64_t segment = lo; segment < hi; ++segment)
      static_cast<Joining *>(memory)->joinSegment(segment);
  }

  void joinSegment(int64_t segment) {
    int64_t begin = parts.numPairs * segment / numSegments;
    int64_t end = parts.numPairs * (segment + 1) / numSegments;
    int64_t cursors[numParts], done = 0;
    for (int64_t part = 0; part < numParts; ++part)
      done += cursors[part] = countBefore(parts.parts[part], begin);
    char *at = to + done * bytes;
    for (; begin < end; begin += window)
      at = joinWindow(begin, end < begin + window ? end : begin + window, cursors, at);
  }

  char *joinWindow(int64_t begin, int64_t end, int64_t *cursors, char *at) {
    const char *entries[window] = {};
    for (int64_t index = 0; index < numParts; ++index) {
      const Part &part = parts.parts[index];
      int64_t cursor = cursors[index];
      for (; cursor < part.size && part.firsts[cursor] < end; ++cursor)
        entries[part.firsts[cursor] - begin] = part.entries + cursor * bytes;
      cursors[index] = cursor;
    }
    int64_t count = 0;
    for (int64_t index = 0; index < end - begin; ++index) {
      entries[count] = entries[index];
      count += entries[index] != nullptr;
    }
    return copyAll(entries, count, at);
  }

  char *copyAll(const char *const *entries, int64_t count, char *at) {
    if (bytes == 16) {
      for (int64_t index = 0; index < count; ++index, at += 16)
        memcpy(at, entries[index], 16);
      return at;
    }
    for (int64_t index = 0; index < count; ++index, at += bytes)
      memcpy(at, entries[index], bytes);
    return at;
  }
};

} // namespace

void tessera::runtime::makeCollector(tessera_table &table, const tessera_site *site) {
  table.pairs = static_cast<tessera_pairs *>(allocate(*table.region, sizeof(tessera_pairs), site));
  memset(table.pairs, 0, sizeof(tessera_pairs));
  table.pairs->bytes = pairBytes(table);
}

char *tessera::runtime::collect(tessera_table &table, const void *key, const tessera_site *site) {
  Type type = Type(table.entry).part(0);
  tessera_pairs &pairs = *table.pairs;
  bool isWord = type.size() == 8;
  uint64_t word = isWord ? wordAt(key) : 0;
  uint64_t hash = isWord ? mix(word) : hashKey(type, key);
  int64_t part = uint32_t(hash) >> 24;
  char *pair = pairs.next[part];
  if (pair == pairs.end[part])
    pair = addBlock(table, part, site);
  pairs.next[part] = pair + pairs.bytes;
  if (isWord)
    memcpy(pair, &word, 8);
  else
    memcpy(pair, key, type.size());
  numberIn(pair, pairs.bytes) = pairs.count++;
  return pair;
}

tessera_parts *tessera_rt_parts_create(char *pieces, int64_t stride, int64_t count,
                                       tessera_region *region, const tessera_site *site) {
  auto *parts = static_cast<tessera_parts *>(allocate(*region, sizeof(tessera_parts), site));
  memset(parts, 0, sizeof(tessera_parts));
  tessera_block *ends[numParts] = {};
  for (int64_t index = 0; index < count; ++index) {
    tessera_table *piece;
    memcpy(&piece, pieces + index * stride, sizeof piece);
    parts->entry = piece->entry;
    parts->pairBytes = pairBytes(*piece);
    link(*parts, ends, piece->pairs ? *piece->pairs : *pairsOf(*piece, region, site));
  }
  return parts;
}

tessera_block *tessera_rt_parts_next(const tessera_parts *parts, int64_t part, tessera_block *block,
                                     tessera_vector *pairs) {
  block = block ? block->next : parts->parts[part].blocks;
  if (block)
    *pairs = {block->pairs(), block->count};
  return block;
}

tessera_table *tessera_rt_parts_table(const tessera_parts *parts, int64_t part,
                                      tessera_region *region, const tessera_site *site) {
  return createHashed(parts->entry, region, parts->parts[part].numPairs / 2, site);
}

void tessera_rt_parts_finish(tessera_parts *parts, int64_t number, tessera_table *table,
                             const tessera_site *site) {
  Part &part = parts->parts[number];
  int64_t found = 0, bytes = parts->pairBytes, entry = entryBytes(*table);
  part.size = table->size;
  part.region = tessera_rt_region_create(site);
  part.entries = static_cast<char *>(allocate(*part.region, part.size * entry, site));
  part.firsts = static_cast<int64_t *>(allocate(*part.region, (part.size + 1) * 8, site));
  table->entries = part.entries;
  table->capacity = part.size;
  tessera_rt_table_settle(table, site);
  int64_t keyBytes = Type(table->entry).part(0).size();
  for (tessera_block *block = part.blocks; block; block = block->next)
    for (int64_t index = 0; index < block->count && found < part.size; ++index) {
      char *pair = block->pairs() + index * bytes;
      part.firsts[found] = block->owner->before + numberIn(pair, bytes);
      found += areEqualBytes(pair, part.entries + found * entry, keyBytes);
    }
  tessera_rt_region_free(table->region);
}

void tessera_rt_parts_join(tessera_parts *parts, tessera_table *table, int64_t isSearched,
                           const tessera_site *site) {
  int64_t count = 0, bytes = entryBytes(*table);
  for (const Part &part : parts->parts)
    count += part.size;
  Joining joining{*parts, static_cast<char *>(allocate(*table->region, count * bytes, site)),
                  bytes};
  tessera_rt_parallel_for(Joining::run, &joining, numSegments, 1);
  for (const Part &part : parts->parts)
    tessera_rt_region_free(part.region);
  replaceEntries(*table, joining.to, count, isSearched, site);
}

// Note [Parts]
//
// A table that is larger than the caches costs a miss or two for each merge. So if the first chunk
// of a loop finds many keys, the others merge nothing: they put their pairs of key and value, by
// the hash of the key, into one of 256 parts. The keys of a part are few enough for a table in the
// second-level cache. Each part is filled by one thread, chunk by chunk, so that sums are added in
// the order of the program. Pairs have numbers: a key's position in the dictionary is that of its
// first pair, which is the pair whose key equals the next entry of the part's table.
