/// Sorts elements by one of their scalars: vqsort sorts these keys, together with the numbers of
/// their elements if elements are more than a key.
#include "runtime/Region.h"
#include "runtime/Type.h"
#include "runtime/VectorSort.h"
#include <cstring>
#include <limits>

using namespace tessera::runtime;

namespace {

/// The layout of generated code's table.
struct Order {
  int32_t kind, isDescending, elementBytes, keyOffset;
};

template <typename T> T read(const void *from) {
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}

int64_t bytesOf(int32_t kind) {
  switch (kind) {
  case TESSERA_KIND_BOOL:
  case TESSERA_KIND_I8:
  case TESSERA_KIND_U8:
    return 1;
  case TESSERA_KIND_I16:
  case TESSERA_KIND_U16:
    return 2;
  case TESSERA_KIND_I32:
  case TESSERA_KIND_U32:
  case TESSERA_KIND_F32:
    return 4;
  default:
    return 8;
  }
}

//===-- Elements that are keys --------------------------------------------===//

/// to[i] = from[i] ^ flipped.
template <typename Bits> void flip(const void *from, void *to, int64_t count, Bits flipped) {
  for (int64_t i = 0; i < count; ++i) {
    Bits bits = read<Bits>(at(from, i * sizeof(Bits))) ^ flipped;
    memcpy(at(to, i * sizeof(Bits)), &bits, sizeof bits);
  }
}

/// The bits to flip so that the order is that of ascending signed integers.
template <typename Bits> Bits flipped(const Order &order) {
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  bool isUnsigned = order.kind >= TESSERA_KIND_U8 && order.kind <= TESSERA_KIND_U64;
  return (isUnsigned ? sign : 0) ^ (order.isDescending ? Bits(-1) : 0);
}

/// The bits of a float as a number that compares as the float does, and back again.
template <typename Int> Int ranked(Int bits) {
  constexpr Int magnitude = std::numeric_limits<Int>::max();
  return bits < 0 ? bits ^ magnitude : bits;
}

/// Whether no key is NaN.
template <typename Float, typename Int>
bool rankFloats(const void *from, Int *to, int64_t count, Int flipped) {
  int64_t numNaN = 0;
  for (int64_t i = 0; i < count; ++i) {
    Float key = read<Float>(at(from, i * sizeof(Float)));
    numNaN += key != key;
    to[i] = ranked(read<Int>(&key)) ^ flipped;
  }
  return numNaN == 0;
}

/// Zeros of both signs are equal but differ in bits: they keep their original order.
template <typename Float> void restoreZeros(const void *from, Float *sorted, int64_t count) {
  int64_t low = 0, high = count;
  Float sign = count && sorted[0] > sorted[count - 1] ? -1 : 1;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (sign * sorted[middle] < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (int64_t i = 0; low < count && sorted[low] == 0; ++i)
    if (Float key = read<Float>(at(from, i * sizeof(Float))); key == 0)
      sorted[low++] = key;
}

/// Sorts as integers: vqsort pads vectors with the largest number, which is finite.
template <typename Float, typename Int>
bool sortFloats(const Order &order, const void *from, void *to, int64_t count,
                void (*sort)(Int *, int64_t)) {
  Int flipped = order.isDescending ? -1 : 0, *ranks = static_cast<Int *>(to);
  if (!rankFloats<Float>(from, ranks, count, flipped))
    return false;
  sort(ranks, count);
  for (int64_t i = 0; i < count; ++i)
    ranks[i] = ranked(Int(ranks[i] ^ flipped));
  restoreZeros(from, static_cast<Float *>(to), count);
  return true;
}

template <typename Int, typename Bits>
bool sortInts(const Order &order, const void *from, void *to, int64_t count,
              void (*sort)(Int *, int64_t)) {
  flip(from, to, count, flipped<Bits>(order));
  sort(static_cast<Int *>(to), count);
  if (flipped<Bits>(order))
    flip(to, to, count, flipped<Bits>(order));
  return true;
}

/// Sorts by counting how often each key occurs.
template <typename Bits>
bool sortSmall(const Order &order, const void *from, void *to, int64_t count) {
  constexpr int64_t numValues = int64_t(1) << (8 * sizeof(Bits));
  static_assert(numValues <= 256);
  int64_t counts[numValues] = {};
  // The bits to flip so that the order is that of ascending unsigned integers.
  Bits flips = Bits(flipped<Bits>(order) ^ (Bits(1) << (8 * sizeof(Bits) - 1)));
  for (int64_t i = 0; i < count; ++i) {
    Bits bits = read<Bits>(at(from, i * sizeof(Bits)));
    bits = order.kind == TESSERA_KIND_BOOL ? Bits(bits != 0) : bits;
    ++counts[Bits(bits ^ flips)];
  }
  char *next = static_cast<char *>(to);
  for (int64_t value = 0; value < numValues; ++value) {
    memset(next, Bits(Bits(value) ^ flips), counts[value]);
    next += counts[value];
  }
  return true;
}

bool sortKeys(const Order &order, const void *from, void *to, int64_t count) {
  const VectorSort &sorts = vectorSort();
  switch (order.kind) {
  case TESSERA_KIND_F32:
    return sortFloats<float>(order, from, to, count, sorts.i32);
  case TESSERA_KIND_F64:
    return sortFloats<double>(order, from, to, count, sorts.i64);
  case TESSERA_KIND_I32:
  case TESSERA_KIND_U32:
    return sortInts<int32_t, uint32_t>(order, from, to, count, sorts.i32);
  case TESSERA_KIND_I64:
  case TESSERA_KIND_U64:
    return sortInts<int64_t, uint64_t>(order, from, to, count, sorts.i64);
  default:
    return sortSmall<uint8_t>(order, from, to, count);
  }
}

//===-- Elements that have more than a key --------------------------------===//

/// An integer that compares as the float does; zeros of both signs have the same integer.
uint64_t rankOfFloat(double key) {
  constexpr uint64_t sign = uint64_t(1) << 63;
  uint64_t bits = read<uint64_t>(&(key = key == 0 ? 0 : key));
  return bits & sign ? ~bits : bits | sign;
}

/// The same for keys of every type.
uint64_t rankOf(int32_t kind, const char *key) {
  constexpr uint64_t sign = uint64_t(1) << 63;
  switch (kind) {
  case TESSERA_KIND_BOOL:
    return *key != 0;
  case TESSERA_KIND_I8:
    return int64_t(read<int8_t>(key)) ^ sign;
  case TESSERA_KIND_I16:
    return int64_t(read<int16_t>(key)) ^ sign;
  case TESSERA_KIND_I32:
    return int64_t(read<int32_t>(key)) ^ sign;
  case TESSERA_KIND_I64:
    return read<int64_t>(key) ^ sign;
  case TESSERA_KIND_U8:
    return read<uint8_t>(key);
  case TESSERA_KIND_U16:
    return read<uint16_t>(key);
  case TESSERA_KIND_U32:
    return read<uint32_t>(key);
  case TESSERA_KIND_F32:
    return rankOfFloat(read<float>(key));
  case TESSERA_KIND_F64:
    return rankOfFloat(read<double>(key));
  default:
    return read<uint64_t>(key);
  }
}

bool isNaN(int32_t kind, const char *key) {
  if (kind == TESSERA_KIND_F32)
    return read<float>(key) != read<float>(key);
  return kind == TESSERA_KIND_F64 && read<double>(key) != read<double>(key);
}

bool numberKeys(const Order &order, const void *from, int64_t count, NumberedKey *keys) {
  uint64_t flips = order.isDescending ? ~uint64_t(0) : 0;
  const char *key = at(from, order.keyOffset);
  for (int64_t i = 0; i < count; ++i, key += order.elementBytes) {
    if (isNaN(order.kind, key))
      return false;
    keys[i] = {uint64_t(i), rankOf(order.kind, key) ^ flips};
  }
  return true;
}

bool sortElements(const Order &order, const void *from, void *to, int64_t count,
                  NumberedKey *keys) {
  if (!numberKeys(order, from, count, keys))
    return false;
  vectorSort().numbered(keys, count);
  char *next = static_cast<char *>(to);
  for (int64_t i = 0; i < count; ++i, next += order.elementBytes)
    memcpy(next, at(from, keys[i].number * order.elementBytes), order.elementBytes);
  return true;
}

} // namespace

int32_t tessera_rt_sort(const int32_t *words, const void *from, void *to, int64_t count,
                        tessera_region *scratch, const tessera_site *site) {
  if (count == 0)
    return true; // There may be no memory at all.
  Order order = read<Order>(words);
  bool isKey = order.elementBytes == bytesOf(order.kind) && bytesOf(order.kind) != 2;
  if (isKey)
    return sortKeys(order, from, to, count);
  int64_t bytes = count * int64_t(sizeof(NumberedKey));
  auto *keys = static_cast<NumberedKey *>(allocate(*scratch, bytes, site));
  return sortElements(order, from, to, count, keys);
}
