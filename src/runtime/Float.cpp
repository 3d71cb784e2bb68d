/// Conversions by arithmetic in double, which represents every value of the narrow formats exactly.
#include "runtime/Float.h"
#include <cmath>
#include <cstring>

using namespace tessera::runtime;

namespace {

struct NarrowFormat {
  int exponentBits, fractionBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int maxExponentField() const { return (1 << exponentBits) - 1; }
};

constexpr NarrowFormat half{5, 10}, bfloat{8, 7};

double decode(NarrowFormat format, uint16_t bits) {
  int field = bits >> format.fractionBits & format.maxExponentField();
  int fraction = bits & ((1 << format.fractionBits) - 1);
  double magnitude;
  if (field == format.maxExponentField())
    magnitude = fraction ? NAN : INFINITY;
  else if (field == 0)
    magnitude = ldexp(fraction, 1 - format.bias() - format.fractionBits);
  else
    magnitude =
        ldexp(fraction + (1 << format.fractionBits), field - format.bias() - format.fractionBits);
  return bits >> 15 ? -magnitude : magnitude;
}

uint16_t encode(NarrowFormat format, double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t infinity = format.maxExponentField() << format.fractionBits;
  if (std::isnan(value))
    return sign | infinity | 1 << (format.fractionBits - 1);
  if (std::isinf(value))
    return sign | infinity;
  int exponent = value == 0 ? 1 - format.bias() : ilogb(value);
  if (exponent < 1 - format.bias())
    exponent = 1 - format.bias();
  // In units of the last place; a carry out of the fraction increments the exponent by itself.
  double units = nearbyint(ldexp(fabs(value), format.fractionBits - exponent));
  if (exponent > format.bias())
    return sign | infinity;
  int field = exponent + format.bias() - 1;
  return sign | uint16_t((field << format.fractionBits) + int(units));
}

template <typename T> T load(const void *element) {
  T value;
  memcpy(&value, element, sizeof value);
  return value;
}

NarrowFormat formatOf(tessera_dtype dtype) {
  return dtype.code == TESSERA_BFLOAT ? bfloat : half;
}

} // namespace

double tessera::runtime::loadFloat(tessera_dtype dtype, const void *element) {
  if (dtype.bits == 64)
    return load<double>(element);
  if (dtype.bits == 32)
    return load<float>(element);
  return decode(formatOf(dtype), load<uint16_t>(element));
}

void tessera::runtime::storeFloat(tessera_dtype dtype, double value, void *element) {
  float single = value;
  uint16_t bits = dtype.bits == 16 ? encode(formatOf(dtype), value) : 0;
  if (dtype.bits == 64)
    memcpy(element, &value, sizeof value);
  else if (dtype.bits == 32)
    memcpy(element, &single, sizeof single);
  else
    memcpy(element, &bits, sizeof bits);
}
