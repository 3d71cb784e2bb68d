/// The text of a missing key in an error message.
#include "runtime/Format.h"
#include "runtime/Table.h"
#include "runtime/ThreadState.h"

using namespace tessera::runtime;

namespace {

/// The text of a key, cut off after this many characters.
class KeyText {
public:
  void add(Type type, const void *value) {
    if (type.isScalar())
      return addScalar(type, value);
    if (type.kind() == TESSERA_KIND_VECTOR)
      return addVector(type.part(0), vectorAt(value));
    add("[");
    for (int32_t part = 0; part < type.numParts() && !isFull(); ++part) {
      add(part ? ", " : "");
      add(type.part(part), at(value, type.offset(part)));
    }
    add("]");
  }
  const char *str() {
    if (isFull())
      memcpy(text + capacity, "...", 4);
    return text;
  }

private:
  static constexpr size_t capacity = 120;

  bool isFull() const { return size > capacity; }
  void add(const char *more) { add(more, strlen(more)); }
  void add(const char *more, size_t count) {
    size_t room = isFull() ? 0 : capacity - size;
    if (size_t copied = count < room ? count : room)
      memcpy(text + size, more, copied);
    size += count;
  }

  void addScalar(Type type, const void *value) {
    static constexpr uint8_t codes[] = {TESSERA_BOOL, TESSERA_INT,   TESSERA_INT,  TESSERA_INT,
                                        TESSERA_INT,  TESSERA_UINT,  TESSERA_UINT, TESSERA_UINT,
                                        TESSERA_UINT, TESSERA_FLOAT, TESSERA_FLOAT};
    auto write = [](void *self, const char *more, size_t count) {
      static_cast<KeyText *>(self)->add(more, count);
    };
    tessera_dtype dtype{codes[type.kind()], uint8_t(8 * type.size()), 1};
    formatElement({write, this}, dtype, value);
  }

  void addVector(Type element, const tessera_vector &vector) {
    const auto *bytes = static_cast<const char *>(vector.data);
    bool isText = element.kind() == TESSERA_KIND_I8 || element.kind() == TESSERA_KIND_U8;
    for (int64_t index = 0; isText && index < vector.count && index <= int64_t(capacity); ++index)
      isText = bytes[index] >= ' ' && bytes[index] <= '~' && bytes[index] != '"';
    add(isText ? "\"" : "[");
    if (isText)
      add(bytes, vector.count);
    for (int64_t index = 0; !isText && index < vector.count && !isFull(); ++index) {
      add(index ? ", " : "");
      add(element, bytes + index * element.size());
    }
    add(isText ? "\"" : "]");
  }

  char text[capacity + 4] = {};
  size_t size = 0;
};

} // namespace

void tessera_rt_trap_key(const tessera_site *site, const int32_t *type, const void *key) {
  KeyText text;
  text.add(Type(type), key);
  trapAt(site, "the dictionary has no key %s", text.str());
}
