#include "lang/tc/Promote.h"

using namespace tessera;

static Scalar wider(Scalar a, Scalar b) {
  return bitsOf(a) >= bitsOf(b) ? a : b;
}

static Scalar promoteFloats(Scalar a, Scalar b) {
  bool areDifferentHalves = a != b && bitsOf(a) == bitsOf(b);
  return areDifferentHalves ? Scalar::F32 : wider(a, b);
}

static Scalar signedOf(unsigned bits) {
  switch (bits) {
  case 8:
    return Scalar::I8;
  case 16:
    return Scalar::I16;
  case 32:
    return Scalar::I32;
  default:
    return Scalar::I64;
  }
}

Scalar tc::promote(Scalar a, Scalar b) {
  if (a == b)
    return a;
  if (a == Scalar::Bool || b == Scalar::Bool)
    return a == Scalar::Bool ? b : a;
  if (isFloat(a) && isFloat(b))
    return promoteFloats(a, b);
  if (isFloat(a) || isFloat(b))
    return isFloat(a) ? a : b;
  if (kindOf(a) == kindOf(b))
    return wider(a, b);
  return signedOf(std::max(bitsOf(a), bitsOf(b)));
}

Scalar tc::arithmeticType(Scalar type) {
  return type == Scalar::Bool ? Scalar::I32 : type;
}

bool tc::convertsTo(Scalar from, Scalar to) {
  return promote(from, to) == to;
}
