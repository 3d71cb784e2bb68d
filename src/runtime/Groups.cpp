/// Groups: keys are numbered; values are kept in order with the number of their key, and at the end
/// sorted by it, in a stable way.
#include "runtime/Table.h"

using namespace tessera::runtime;

struct tessera_groups {
  tessera_table *keys; ///< Entries are those of the result, but their vectors only have counts.
  uint32_t *numbers;   ///< The key of each value.
  char *values;
  int64_t size, capacity, valueBytes, countOffset;
};

namespace {

void grow(tessera_groups &groups, const tessera_site *site) {
  tessera_region *region = groups.keys->region;
  int64_t capacity = groups.capacity ? groups.capacity * 2 : 16, bytes = groups.valueBytes;
  groups.values = static_cast<char *>(
      tessera_rt_region_grow(region, groups.values, groups.size * bytes, capacity * bytes, site));
  groups.numbers = static_cast<uint32_t *>(
      tessera_rt_region_grow(region, groups.numbers, groups.size * 4, capacity * 4, site));
  groups.capacity = capacity;
}

int64_t &countIn(const tessera_groups &groups, char *entry) {
  return *reinterpret_cast<int64_t *>(entry + groups.countOffset);
}

/// The number of this key, which may be new.
char *entryFor(tessera_groups &groups, const void *key, const tessera_site *site) {
  void *value = tessera_rt_table_insert(groups.keys, key, site);
  return at(value, -Type(groups.keys->entry).offset(1));
}

char *entryAt(const tessera_table &table, int64_t index) {
  return table.entries + index * Type(table.entry).size();
}

uint32_t numberOf(const tessera_groups &groups, const char *entry) {
  return (entry - groups.keys->entries) / Type(groups.keys->entry).size();
}

void push(tessera_groups &groups, uint32_t number, const void *value, const tessera_site *site) {
  if (groups.size == groups.capacity)
    grow(groups, site);
  groups.numbers[groups.size] = number;
  memcpy(groups.values + groups.size * groups.valueBytes, value, groups.valueBytes);
  ++groups.size;
}

/// The entries point to their parts of `values`, which are still empty.
void divide(tessera_groups &groups, char *values) {
  for (int64_t index = 0; index < groups.keys->size; ++index) {
    char *entry = entryAt(*groups.keys, index);
    auto *vector = reinterpret_cast<tessera_vector *>(entry + groups.countOffset - 8);
    vector->data = values;
    values += vector->count * groups.valueBytes;
    vector->count = 0;
  }
}

} // namespace

tessera_groups *tessera_rt_groups_create(const int32_t *entry, tessera_region *region,
                                         const tessera_site *site) {
  auto *groups = static_cast<tessera_groups *>(allocate(*region, sizeof(tessera_groups), site));
  Type type(entry);
  *groups = {tessera_rt_table_create(entry, region, 0, site),
             nullptr,
             nullptr,
             0,
             0,
             type.part(1).part(0).size(),
             type.offset(1) + 8};
  return groups;
}

void tessera_rt_groups_add(tessera_groups *groups, const void *key, const void *value,
                           const tessera_site *site) {
  char *entry = entryFor(*groups, key, site);
  ++countIn(*groups, entry);
  push(*groups, numberOf(*groups, entry), value, site);
}

void tessera_rt_groups_append(tessera_groups *groups, const tessera_groups *other,
                              const tessera_site *site) {
  tessera_region *region = groups->keys->region;
  auto *numbers = static_cast<uint32_t *>(allocate(*region, other->keys->size * 4, site));
  for (int64_t index = 0; index < other->keys->size; ++index) {
    char *theirs = entryAt(*other->keys, index);
    char *entry = entryFor(*groups, theirs, site);
    countIn(*groups, entry) += countIn(*other, theirs);
    numbers[index] = numberOf(*groups, entry);
  }
  for (int64_t index = 0; index < other->size; ++index)
    push(*groups, numbers[other->numbers[index]], other->values + index * other->valueBytes, site);
}

tessera_table *tessera_rt_groups_finish(tessera_groups *groups, const tessera_site *site) {
  int64_t bytes = groups->valueBytes;
  auto *values = static_cast<char *>(allocate(*groups->keys->region, groups->size * bytes, site));
  divide(*groups, values);
  for (int64_t index = 0; index < groups->size; ++index) {
    char *entry = entryAt(*groups->keys, groups->numbers[index]);
    int64_t &count = countIn(*groups, entry);
    char *begin = *reinterpret_cast<char **>(entry + groups->countOffset - 8);
    memcpy(begin + count++ * bytes, groups->values + index * bytes, bytes);
  }
  return groups->keys;
}
