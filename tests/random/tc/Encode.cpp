/// Converts arrays to bytes, and compares bytes with the expected values.
#include "Compare.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <cstring>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

static const llvm::fltSemantics &semanticsOf(Scalar type) {
  return type == Scalar::F16    ? llvm::APFloat::IEEEhalf()
         : type == Scalar::BF16 ? llvm::APFloat::BFloat()
         : type == Scalar::F32  ? llvm::APFloat::IEEEsingle()
                                : llvm::APFloat::IEEEdouble();
}

static uint64_t bitsOfNumber(const Number &number, Scalar type) {
  if (!isFloating(type))
    return uint64_t(number.integer);
  llvm::APFloat value(number.real);
  bool losesInfo;
  value.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

static double realOf(uint64_t bits, Scalar type) {
  llvm::APFloat value(semanticsOf(type), llvm::APInt(bitsOf(type), bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

std::string random::encoded(const Array &array) {
  size_t size = bitsOf(array.type) / 8;
  std::string bytes(array.elements.size() * size, 0);
  for (size_t i = 0; i < array.elements.size(); ++i) {
    uint64_t bits = bitsOfNumber(array.elements[i], array.type);
    memcpy(&bytes[i * size], &bits, size);
  }
  return bytes;
}

static bool fits(const Number &expected, uint64_t bits, Scalar type) {
  if (!isFloating(type)) {
    uint64_t mask = ~uint64_t(0) >> (64 - bitsOf(type));
    return ((uint64_t(expected.integer) ^ bits) & mask) == 0;
  }
  double found = realOf(bits, type);
  if (!expected.isKnown())
    return true;
  if (std::isnan(expected.real) || std::isinf(expected.real))
    return std::isnan(expected.real) ? std::isnan(found) : found == expected.real;
  return std::fabs(found - expected.real) <= expected.error * 1.01;
}

/// "(1, 2)": the indices as in the program.
static std::string placeOf(const Box &box, size_t offset) {
  std::string text;
  for (size_t i = box.size(); i-- > 0; offset /= size_t(box[i].size()))
    text = std::to_string(box[i].lower + int64_t(offset % size_t(box[i].size()))) +
           (text.empty() ? "" : ", ") + text;
  return "(" + text + ")";
}

static std::string textOf(const Number &number, Scalar type) {
  if (!isFloating(type))
    return std::to_string(number.integer);
  return llvm::formatv("{0:e9} within {1:e2}", number.real, number.error);
}

std::string random::difference(const Array &expected, const char *bytes) {
  size_t size = bitsOf(expected.type) / 8;
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    uint64_t bits = 0;
    memcpy(&bits, bytes + i * size, size);
    if (fits(expected.elements[i], bits, expected.type))
      continue;
    Number found = isFloating(expected.type) ? Number::ofFloat(realOf(bits, expected.type))
                                             : Number::ofInt(wrapped(int64_t(bits), expected.type));
    return llvm::formatv("differs at {0}: expected {1}, found {2}", placeOf(expected.box, i),
                         textOf(expected.elements[i], expected.type), textOf(found, expected.type));
  }
  return "";
}
