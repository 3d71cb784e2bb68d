/// Reductions, in any order and grouping [tc.reduce.6]. Compiled with -ffp-contract=off.
#include "Number.h"
#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

Number random::identityOf(Reduction reduction, Scalar type) {
  double infinity = std::numeric_limits<double>::infinity();
  bool isMax = reduction == Reduction::Max;
  if (reduction == Reduction::Add || reduction == Reduction::Mul)
    return {.integer = reduction == Reduction::Mul, .real = double(reduction == Reduction::Mul)};
  if (isFloating(type))
    return Number::ofFloat(isMax ? -infinity : infinity);
  if (type == Scalar::Bool)
    return Number::ofInt(!isMax);
  bool isSigned = kindOf(type) == ScalarKind::Signed;
  int64_t least = isSigned ? int64_t(uint64_t(1) << (bitsOf(type) - 1)) : 0;
  return Number::ofInt(wrapped(isMax ? least : int64_t(~uint64_t(least)), type));
}

/// A reduction of one value is that value.
void Accumulator::start(Reduction newReduction, Scalar newType, const Number &value) {
  reduction = newReduction;
  type = newType;
  total = identityOf(reduction, type);
  add(value);
}

/// The exponent of the lowest set bit.
static int lowestBitOf(double value) {
  int exponent;
  double mantissa = std::frexp(value, &exponent);
  int64_t bits = int64_t(std::ldexp(mantissa, 53));
  return exponent - 53 + __builtin_ctzll(uint64_t(bits));
}

static int numBitsOf(double value) {
  return std::ilogb(value) - lowestBitOf(value) + 1;
}

void Accumulator::add(const Number &value) {
  bool isMinMax = reduction == Reduction::Min || reduction == Reduction::Max;
  if (isMinMax) {
    total = smallerOrLarger(reduction == Reduction::Max, type, total, value);
    return;
  }
  bool isSum = reduction == Reduction::Add;
  total = arithmetic(isSum ? BinaryOp::Add : BinaryOp::Mul, type, total, value);
  if (!isFloating(type))
    return;
  ++count;
  double size = std::fabs(value.real);
  hasNaN |= std::isnan(size);
  hasInfinite |= std::isinf(size);
  errors += value.error + value.unrounded;
  if (!std::isfinite(size) || size + value.error == 0) {
    upper *= size;
    return;
  }
  magnitude += size;
  upper *= size + value.error;
  grown *= std::fmax(1, size + value.error);
  shrunk *= std::fmin(1, size);
  if (size == 0)
    return;
  lowestBit = std::min(lowestBit, lowestBitOf(size));
  bits += numBitsOf(size);
}

Number Accumulator::sum() const {
  double bound = magnitude + errors;
  if (!(bound < largestOf(type) / 4) || (errors > 0 && (hasNaN || hasInfinite)))
    return Number::unknown();
  if (hasNaN || hasInfinite)
    return Number::ofFloat(total.real);
  int precision = type == Scalar::F64 ? 53 : 24;
  bool isExact = errors == 0 && magnitude <= std::ldexp(1, lowestBit + precision);
  if (isExact)
    return Number::ofFloat(total.real);
  double roundings = 2 * double(count + 1) * roundoffOf(type) * bound;
  return Number::ofFloat(total.real, errors + roundings + tiniestOf(type));
}

Number Accumulator::product() const {
  double normal = type == Scalar::F64 ? 0x1p-1022 : 0x1p-126;
  if (hasNaN || hasInfinite || !(grown < largestOf(type) / 4) || !(shrunk > normal * 4))
    return Number::unknown();
  if (errors == 0 && bits <= (type == Scalar::F64 ? 53 : 24))
    return Number::ofFloat(total.real);
  double size = std::fabs(total.real);
  double roundings = 2 * double(count + 1) * roundoffOf(type) * upper;
  return Number::ofFloat(total.real, std::fabs(upper - size) + 2 * roundings + tiniestOf(type));
}

Number Accumulator::result() const {
  if (!isFloating(type) || reduction == Reduction::Min || reduction == Reduction::Max)
    return total;
  return reduction == Reduction::Add ? sum() : product();
}
