/// The order of values of any type.
#include "runtime/Table.h"
#include "runtime/Type.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

constexpr int32_t unordered = 2;

template <typename T> int32_t compareAs(const void *left, const void *right) {
  T a, b;
  memcpy(&a, left, sizeof(T));
  memcpy(&b, right, sizeof(T));
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : unordered;
}

int32_t compareBools(const void *left, const void *right) {
  bool a = *static_cast<const char *>(left), b = *static_cast<const char *>(right);
  return a - b;
}

int32_t compareScalars(tessera_kind kind, const void *left, const void *right) {
  switch (kind) {
  case TESSERA_KIND_BOOL:
    return compareBools(left, right);
  case TESSERA_KIND_I8:
    return compareAs<int8_t>(left, right);
  case TESSERA_KIND_I16:
    return compareAs<int16_t>(left, right);
  case TESSERA_KIND_I32:
    return compareAs<int32_t>(left, right);
  case TESSERA_KIND_I64:
    return compareAs<int64_t>(left, right);
  case TESSERA_KIND_U8:
    return compareAs<uint8_t>(left, right);
  case TESSERA_KIND_U16:
    return compareAs<uint16_t>(left, right);
  case TESSERA_KIND_U32:
    return compareAs<uint32_t>(left, right);
  case TESSERA_KIND_U64:
    return compareAs<uint64_t>(left, right);
  case TESSERA_KIND_F32:
    return compareAs<float>(left, right);
  default:
    return compareAs<double>(left, right);
  }
}

/// The same as a total order: a NaN, which is unordered with itself, is greater than all numbers.
int32_t orderScalars(tessera_kind kind, const void *left, const void *right) {
  int32_t order = compareScalars(kind, left, right);
  auto isNan = [&](const void *value) { return compareScalars(kind, value, value) == unordered; };
  return order == unordered ? isNan(left) - isNan(right) : order;
}

/// Most vectors differ in their first bytes.
int32_t compareBytes(const tessera_vector &left, const tessera_vector &right) {
  int64_t count = left.count < right.count ? left.count : right.count;
  int order = count ? memcmp(left.data, right.data, count) : 0;
  if (order == 0)
    return (left.count > right.count) - (left.count < right.count);
  return order < 0 ? -1 : 1;
}

/// The first difference between two values, by an order of scalars.
template <int32_t (*order)(tessera_kind, const void *, const void *)> struct Whole {
  static int32_t vectors(Type element, const tessera_vector &left, const tessera_vector &right) {
    if (element.kind() == TESSERA_KIND_U8)
      return compareBytes(left, right);
    int64_t size = element.size();
    for (int64_t index = 0; index < left.count && index < right.count; ++index)
      if (int32_t found =
              values(element, at(left.data, index * size), at(right.data, index * size)))
        return found;
    return (left.count > right.count) - (left.count < right.count);
  }

  static int32_t structs(Type type, const void *left, const void *right) {
    for (int32_t part = 0; part < type.numParts(); ++part) {
      int64_t offset = type.offset(part);
      if (int32_t found = values(type.part(part), at(left, offset), at(right, offset)))
        return found;
    }
    return 0;
  }

  static int32_t values(Type type, const void *left, const void *right) {
    if (type.isScalar())
      return order(type.kind(), left, right);
    if (type.kind() == TESSERA_KIND_STRUCT)
      return structs(type, left, right);
    return vectors(type.part(0), vectorAt(left), vectorAt(right));
  }
};

} // namespace

int32_t tessera_rt_compare(const int32_t *type, const void *left, const void *right) {
  return Whole<compareScalars>::values(Type(type), left, right);
}

int32_t tessera_rt_order(const int32_t *type, const void *left, const void *right) {
  return Whole<orderScalars>::values(Type(type), left, right);
}
