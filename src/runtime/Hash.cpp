/// Hashes of keys, and equality of keys.
#include "runtime/Table.h"
#include "runtime/Type.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

/// A scalar as 64 bits that are the same for equal keys.
template <typename Float, typename Bits> uint64_t canonicalFloat(const void *value) {
  Float number;
  memcpy(&number, value, sizeof(Float));
  if (number != number)
    number = __builtin_nan("");
  number = number == 0 ? 0 : number;
  Bits bits;
  memcpy(&bits, &number, sizeof(Bits));
  return bits;
}

uint64_t canonical(Type type, const void *value) {
  if (type.kind() == TESSERA_KIND_F32)
    return canonicalFloat<float, uint32_t>(value);
  if (type.kind() == TESSERA_KIND_F64)
    return canonicalFloat<double, uint64_t>(value);
  uint64_t bits = 0;
  memcpy(&bits, value, type.size());
  return type.kind() == TESSERA_KIND_BOOL ? bits != 0 : bits;
}

/// Integers of a vector are hashed as bytes.
bool isPlain(Type type) {
  return type.isScalar() && type.kind() != TESSERA_KIND_BOOL && type.kind() < TESSERA_KIND_F32;
}

uint64_t hashVector(Type element, const tessera_vector &vector, uint64_t seed) {
  seed = mix(seed ^ uint64_t(vector.count));
  int64_t size = element.size();
  if (isPlain(element))
    return hashBytes(vector.data, vector.count * size, seed);
  for (int64_t index = 0; index < vector.count; ++index)
    seed = hashOf(element, at(vector.data, index * size), seed);
  return seed;
}

bool areEqualVectors(Type element, const tessera_vector &left, const tessera_vector &right) {
  if (left.count != right.count)
    return false;
  int64_t size = element.size();
  if (isPlain(element))
    return left.count == 0 || !memcmp(left.data, right.data, left.count * size);
  for (int64_t index = 0; index < left.count; ++index)
    if (!areEqualKeys(element, at(left.data, index * size), at(right.data, index * size)))
      return false;
  return true;
}

} // namespace

uint64_t tessera::runtime::hashBytes(const void *bytes, int64_t count, uint64_t seed) {
  for (; count >= 8; count -= 8, bytes = at(bytes, 8)) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    seed = mix(seed ^ word);
  }
  if (count <= 0)
    return seed;
  uint64_t word = 0;
  memcpy(&word, bytes, count);
  return mix(seed ^ word);
}

uint64_t tessera::runtime::hashOf(Type type, const void *value, uint64_t seed) {
  if (type.isScalar())
    return mix(seed ^ canonical(type, value));
  if (type.kind() == TESSERA_KIND_VECTOR)
    return hashVector(type.part(0), vectorAt(value), seed);
  for (int32_t part = 0; part < type.numParts(); ++part)
    seed = hashOf(type.part(part), at(value, type.offset(part)), seed);
  return seed;
}

void tessera::runtime::canonicalize(Type type, void *key) {
  if (type.isScalar()) {
    uint64_t bits = canonical(type, key);
    memcpy(key, &bits, type.size());
  }
  for (int32_t part = 0; type.kind() == TESSERA_KIND_STRUCT && part < type.numParts(); ++part)
    canonicalize(type.part(part), at(key, type.offset(part)));
}

bool tessera::runtime::areEqualKeys(Type type, const void *left, const void *right) {
  if (type.isScalar())
    return canonical(type, left) == canonical(type, right);
  if (type.kind() == TESSERA_KIND_VECTOR)
    return areEqualVectors(type.part(0), vectorAt(left), vectorAt(right));
  for (int32_t part = 0; part < type.numParts(); ++part) {
    int64_t offset = type.offset(part);
    if (!areEqualKeys(type.part(part), at(left, offset), at(right, offset)))
      return false;
  }
  return true;
}
