/// Values as bytes without pointers, and copies of everything that a value points to.
#include "runtime/Table.h"
#include "runtime/ThreadState.h"

using namespace tessera::runtime;

namespace {

/// Scalars are written as they are in memory; only a bool is true for any byte but 0.
bool isPlain(Type type) {
  return type.isScalar() && type.kind() != TESSERA_KIND_BOOL;
}

tessera_table *tableAt(const void *memory) {
  tessera_table *table;
  memcpy(&table, memory, sizeof table);
  return table;
}

/// The entries of a dictionary, which may be null if it is empty.
tessera_vector entriesAt(const void *memory) {
  tessera_table *table = tableAt(memory);
  return table ? tessera_vector{table->entries, table->size} : tessera_vector{nullptr, 0};
}

tessera_vector elementsAt(Type type, const void *memory) {
  return type.kind() == TESSERA_KIND_VECTOR ? vectorAt(memory) : entriesAt(memory);
}

/// The fewest bytes that a value of this type takes.
int64_t leastBytes(Type type) {
  if (type.isScalar())
    return type.size();
  if (type.kind() != TESSERA_KIND_STRUCT)
    return 8;
  int64_t bytes = 0;
  for (int32_t part = 0; part < type.numParts(); ++part)
    bytes += leastBytes(type.part(part));
  return bytes;
}

int64_t bytesOf(Type type, const void *value) {
  if (type.isScalar())
    return type.size();
  int64_t bytes = 0;
  if (type.kind() == TESSERA_KIND_STRUCT) {
    for (int32_t part = 0; part < type.numParts(); ++part)
      bytes += bytesOf(type.part(part), at(value, type.offset(part)));
    return bytes;
  }
  tessera_vector elements = elementsAt(type, value);
  Type element = type.part(0);
  if (element.holdsNoPointers())
    return 8 + elements.count * leastBytes(element);
  for (int64_t index = 0; index < elements.count; ++index)
    bytes += bytesOf(element, at(elements.data, index * element.size()));
  return 8 + bytes;
}

char *write(char *out, Type type, const void *value);

char *writeElements(char *out, Type element, const tessera_vector &elements) {
  memcpy(out, &elements.count, 8);
  out += 8;
  int64_t size = element.size();
  if (isPlain(element)) {
    if (elements.count)
      memcpy(out, elements.data, elements.count * size);
    return out + elements.count * size;
  }
  for (int64_t index = 0; index < elements.count; ++index)
    out = write(out, element, at(elements.data, index * size));
  return out;
}

char *write(char *out, Type type, const void *value) {
  if (type.kind() == TESSERA_KIND_BOOL) {
    *out = *static_cast<const char *>(value) != 0;
    return out + 1;
  }
  if (type.isScalar()) {
    memcpy(out, value, type.size());
    return out + type.size();
  }
  if (type.kind() != TESSERA_KIND_STRUCT)
    return writeElements(out, type.part(0), elementsAt(type, value));
  for (int32_t part = 0; part < type.numParts(); ++part)
    out = write(out, type.part(part), at(value, type.offset(part)));
  return out;
}

/// Every read is checked.
class Reader {
public:
  Reader(const tessera_vector &bytes, tessera_region &region, const tessera_site *site)
      : next(static_cast<const char *>(bytes.data)), left(bytes.count), total(bytes.count),
        region(region), site(site) {
    if (site)
      room = *site;
    room.message = "OutOfMemory";
    room.rule = nullptr;
  }

  void read(Type type, void *value) {
    if (type.isScalar()) {
      memcpy(value, take(type.size()), type.size());
      if (type.kind() == TESSERA_KIND_BOOL)
        *static_cast<char *>(value) = *static_cast<char *>(value) != 0;
    } else if (type.kind() == TESSERA_KIND_STRUCT) {
      memset(value, 0, type.size());
      for (int32_t part = 0; part < type.numParts(); ++part)
        read(type.part(part), at(value, type.offset(part)));
    } else if (type.kind() == TESSERA_KIND_VECTOR) {
      tessera_vector vector = readVector(type.part(0));
      memcpy(value, &vector, sizeof vector);
    } else {
      tessera_table *table = readTable(type);
      memcpy(value, &table, sizeof table);
    }
  }

  void finish() {
    if (left)
      trapAt(site, "%lld of %lld bytes are left after the value", (long long)left,
             (long long)total);
  }

private:
  const char *take(int64_t bytes) {
    if (bytes > left)
      trapAt(site, "the bytes end after %lld, but %lld more are needed", (long long)total,
             (long long)(bytes - left));
    const char *taken = next;
    next += bytes;
    left -= bytes;
    return taken;
  }

  int64_t readCount(Type element) {
    int64_t count, least = leastBytes(element);
    memcpy(&count, take(8), 8);
    if (count < 0 || (least && count > left / least))
      trapAt(site, "a count of %lld, but %lld bytes are left", (long long)count, (long long)left);
    return count;
  }

  tessera_vector readVector(Type element) {
    int64_t count = readCount(element), size = element.size();
    char *data = static_cast<char *>(allocate(region, count * size, &room));
    if (isPlain(element) && count)
      memcpy(data, take(count * size), count * size);
    for (int64_t index = 0; !isPlain(element) && index < count; ++index)
      read(element, data + index * size);
    return {data, count};
  }

  tessera_table *readTable(Type type) {
    Type entry = type.part(0);
    int64_t count = readCount(entry);
    auto *table = tessera_rt_table_create(entry.table(), &region, count, &room);
    void *key = allocate(region, entry.part(0).size(), &room);
    for (int64_t index = 0; index < count; ++index) {
      read(entry.part(0), key);
      canonicalize(entry.part(0), key);
      void *value = tessera_rt_table_insert(table, key, &room);
      if (table->size == index)
        trapAt(site, "entry %lld repeats the key of an earlier one", (long long)index);
      read(entry.part(1), value);
    }
    return table;
  }

  const char *next;
  int64_t left, total;
  tessera_region &region;
  const tessera_site *site;
  tessera_site room{}; ///< The same site, for lack of memory.
};

void copy(Type type, void *value, tessera_region &region, const tessera_site *site);

void copyElements(Type element, char *data, int64_t count, tessera_region &region,
                  const tessera_site *site) {
  for (int64_t index = 0; !element.holdsNoPointers() && index < count; ++index)
    copy(element, data + index * element.size(), region, site);
}

void copyVector(Type element, void *value, tessera_region &region, const tessera_site *site) {
  tessera_vector vector = vectorAt(value);
  int64_t bytes = vector.count * element.size();
  auto *data = static_cast<char *>(allocate(region, bytes, site));
  if (bytes)
    memcpy(data, vector.data, bytes);
  vector.data = data;
  memcpy(value, &vector, sizeof vector);
  copyElements(element, data, vector.count, region, site);
}

template <typename T>
T *copyArray(const T *from, int64_t count, tessera_region &region, const tessera_site *site) {
  auto *to = static_cast<T *>(allocate(region, count * sizeof(T), site));
  if (count)
    memcpy(to, from, count * sizeof(T));
  return to;
}

void copyTable(void *value, tessera_region &region, const tessera_site *site) {
  tessera_table *old = tableAt(value);
  if (!old)
    return;
  Type entry(old->entry);
  tessera_table *table = copyArray(old, 1, region, site);
  table->region = &region;
  table->entries = copyArray(old->entries, old->size * entry.size(), region, site);
  table->capacity = old->size;
  table->order = nullptr;
  table->orderCapacity = 0;
  memcpy(value, &table, sizeof table);
  copyElements(entry, table->entries, table->size, region, site);
  if (!old->numDirect)
    return indexEntries(*table, site);
  table->numbers = nullptr;
  table->tags = copyArray(old->tags, old->numDirect, region, site);
  table->places = copyArray(old->places, old->numDirect * entry.part(1).size(), region, site);
}

void copy(Type type, void *value, tessera_region &region, const tessera_site *site) {
  if (type.holdsNoPointers())
    return;
  if (type.kind() == TESSERA_KIND_VECTOR)
    return copyVector(type.part(0), value, region, site);
  if (type.kind() == TESSERA_KIND_DICTIONARY)
    return copyTable(value, region, site);
  for (int32_t part = 0; part < type.numParts(); ++part)
    copy(type.part(part), at(value, type.offset(part)), region, site);
}

} // namespace

void tessera_rt_serialize(const int32_t *type, const void *value, tessera_region *region,
                          const tessera_site *site, tessera_vector *bytes) {
  bytes->count = bytesOf(Type(type), value);
  bytes->data = allocate(*region, bytes->count, site);
  write(static_cast<char *>(bytes->data), Type(type), value);
}

void tessera_rt_deserialize(const int32_t *type, const tessera_vector *bytes,
                            tessera_region *region, const tessera_site *site, void *value) {
  Reader reader(*bytes, *region, site);
  reader.read(Type(type), value);
  reader.finish();
}

void tessera_rt_copy(const int32_t *type, void *value, tessera_region *region,
                     const tessera_site *site) {
  copy(Type(type), value, *region, site);
}
