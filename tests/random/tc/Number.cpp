/// Compiled with -ffp-contract=off: every operation here is rounded separately.
#include "Number.h"
#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

static constexpr double infinity = std::numeric_limits<double>::infinity();

Number Number::unknown() {
  return ofFloat(0, infinity);
}

//===- Types ------------------------------------------------------------------------------------===

bool random::isFloating(Scalar type) {
  return kindOf(type) == ScalarKind::Float;
}

bool random::isHalf(Scalar type) {
  return type == Scalar::F16 || type == Scalar::BF16;
}

double random::roundoffOf(Scalar type) {
  return type == Scalar::F64 ? 0x1p-53 : 0x1p-24;
}

double random::tiniestOf(Scalar type) {
  return type == Scalar::F64 ? 0x1p-1074 : 0x1p-149;
}

double random::largestOf(Scalar type) {
  return type == Scalar::F64 ? std::numeric_limits<double>::max()
                             : std::numeric_limits<float>::max();
}

int64_t random::wrapped(int64_t value, Scalar type) {
  switch (type) {
  case Scalar::I8:
    return int8_t(value);
  case Scalar::I16:
    return int16_t(value);
  case Scalar::I32:
    return int32_t(value);
  case Scalar::U8:
    return uint8_t(value);
  case Scalar::U16:
    return uint16_t(value);
  case Scalar::U32:
    return uint32_t(value);
  case Scalar::Bool:
    return value != 0;
  default:
    return value;
  }
}

double random::computed(double value, Scalar type) {
  return type == Scalar::F64 ? value : double(float(value));
}

/// Rounds to a float with this many bits, whose normal numbers begin at 2^lowest.
static double rounded(long double value, int numBits, int lowest, double largest) {
  if (!std::isfinite(value) || value == 0)
    return double(value);
  double unit = std::ldexp(1, std::max(std::ilogb(value), lowest) - numBits + 1);
  double result = double(std::nearbyint(value / unit) * unit);
  return std::fabs(result) > largest ? std::copysign(infinity, result) : result;
}

static double narrowed(long double value, Scalar type) {
  if (type == Scalar::F16)
    return rounded(value, 11, -14, 65504);
  if (type == Scalar::BF16)
    return rounded(value, 8, -126, 0x1.fep127);
  return computed(double(value), type);
}

/// Rounds both ends of the possible range.
Number random::stored(const Number &value, Scalar type) {
  if (!isFloating(type))
    return value;
  Number result = Number::ofFloat(narrowed(value.real, type));
  if (value.isExact())
    return result;
  double low = narrowed(value.real - value.error, type),
         high = narrowed(value.real + value.error, type);
  bool isFinite = std::isfinite(low) && std::isfinite(high);
  result.error =
      isFinite ? std::max(high - result.real, result.real - low) : Number::unknown().error;
  return result;
}

//===- Conversions ------------------------------------------------------------------------------===

static double asReal(const Number &value, Scalar type) {
  if (isFloating(type))
    return value.real;
  return kindOf(type) == ScalarKind::Signed ? double(value.integer)
                                            : double(uint64_t(value.integer));
}

/// Rounds an integer once, to the type used for the computation.
static double realOfInteger(const Number &value, Scalar from, Scalar to) {
  if (to == Scalar::F64)
    return asReal(value, from);
  return kindOf(from) == ScalarKind::Signed ? float(value.integer) : float(uint64_t(value.integer));
}

/// Truncates towards zero; beyond the limits, gives the nearest limit [tc.own.10].
static int64_t integerOf(double value, Scalar to) {
  if (std::isnan(value))
    return 0;
  bool isSigned = kindOf(to) == ScalarKind::Signed;
  int bits = bitsOf(to);
  double end = std::ldexp(1, isSigned ? bits - 1 : bits);
  if (value >= end)
    return isSigned ? int64_t(~uint64_t(0) >> (65 - bits)) : int64_t(~uint64_t(0) >> (64 - bits));
  if (value <= (isSigned ? -end : 0))
    return isSigned ? wrapped(int64_t(uint64_t(1) << (bits - 1)), to) : 0;
  return isSigned ? int64_t(value) : int64_t(uint64_t(value));
}

static std::optional<Number> fromFloat(const Number &value, Scalar to) {
  auto as = [&](double real) { return to == Scalar::Bool ? real != 0 : integerOf(real, to); };
  double low = value.real - value.error, high = value.real + value.error;
  bool mayBeZero = low <= 0 && 0 <= high;
  bool isClear = value.isExact() ||
                 (value.isKnown() && as(low) == as(high) && !(to == Scalar::Bool && mayBeZero));
  return isClear ? std::optional(Number::ofInt(as(value.real))) : std::nullopt;
}

std::optional<Number> random::convert(const Number &value, Scalar from, Scalar to) {
  if (from == to)
    return value;
  if (isFloating(from) && isFloating(to)) {
    bool isNarrower = to != Scalar::F64 && from == Scalar::F64;
    return isNarrower ? stored(value, Scalar::F32) : value;
  }
  if (isFloating(from))
    return fromFloat(value, to);
  if (isFloating(to))
    return Number::ofFloat(realOfInteger(value, from, to));
  return Number::ofInt(wrapped(value.integer, to));
}

/// A long double holds every integer.
Number random::castToHalf(const Number &value, Scalar from, Scalar to) {
  if (isFloating(from))
    return stored(value, to);
  bool isSigned = kindOf(from) == ScalarKind::Signed;
  return Number::ofFloat(narrowed(
      isSigned ? (long double)(value.integer) : (long double)(uint64_t(value.integer)), to));
}

//===- Comparisons ------------------------------------------------------------------------------===

template <typename T> static bool compared(BinaryOp op, T a, T b) {
  switch (op) {
  case BinaryOp::Less:
    return a < b;
  case BinaryOp::Greater:
    return a > b;
  case BinaryOp::LessEqual:
    return a <= b;
  case BinaryOp::GreaterEqual:
    return a >= b;
  case BinaryOp::Equal:
    return a == b;
  default:
    return a != b;
  }
}

std::optional<bool> random::compare(BinaryOp op, Scalar type, const Number &lhs,
                                    const Number &rhs) {
  if (kindOf(type) == ScalarKind::Signed)
    return compared(op, lhs.integer, rhs.integer);
  if (!isFloating(type))
    return compared(op, uint64_t(lhs.integer), uint64_t(rhs.integer));
  bool isClear =
      (lhs.isExact() && rhs.isExact()) || std::fabs(lhs.real - rhs.real) > lhs.error + rhs.error;
  return isClear ? std::optional(compared(op, lhs.real, rhs.real)) : std::nullopt;
}

Number random::smallerOrLarger(bool isMax, Scalar type, const Number &lhs, const Number &rhs) {
  if (isFloating(type) && (std::isnan(lhs.real) || std::isnan(rhs.real)))
    return Number::unknown(); // tc.op.10
  if (std::optional<bool> isLess = compare(BinaryOp::Less, type, lhs, rhs)) {
    Number result = *isLess == isMax ? rhs : lhs;
    result.unrounded = 0;
    return result;
  }
  double real = isMax ? std::fmax(lhs.real, rhs.real) : std::fmin(lhs.real, rhs.real);
  return Number::ofFloat(real, std::max(lhs.error, rhs.error));
}

//===- Arithmetic -------------------------------------------------------------------------------===

/// Finishes a float operation: infinite and undefined results are certain only if the operands are.
static Number finished(double real, double error, Scalar type) {
  if (error == 0)
    return Number::ofFloat(real);
  error += roundoffOf(type) * (std::fabs(real) + error) * 2 + tiniestOf(type);
  bool isFinite = std::isfinite(real) && std::fabs(real) + error < largestOf(type);
  return isFinite ? Number::ofFloat(real, error) : Number::unknown();
}

static Number sumOf(const Number &a, const Number &b, double sign, Scalar type) {
  double real = computed(a.real + sign * b.real, type);
  return finished(real, a.error + b.error + a.unrounded + b.unrounded, type);
}

static Number productOf(const Number &a, const Number &b, Scalar type) {
  double product = a.real * b.real, real = computed(product, type);
  double error = std::fabs(a.real) * b.error + std::fabs(b.real) * a.error + a.error * b.error;
  Number result = finished(real, std::isnan(error) ? infinity : error, type);
  bool isExact = type == Scalar::F64 ? std::fma(a.real, b.real, -product) == 0 : product == real;
  if (!isExact && std::isfinite(real))
    result.unrounded = roundoffOf(type) * std::fabs(real) + tiniestOf(type);
  return result;
}

/// The sign of a zero is not tracked, so division by it may give either infinity.
static Number quotientOf(const Number &a, const Number &b, Scalar type) {
  if (std::fabs(b.real) <= b.error)
    return std::isnan(a.real) && a.isExact() && b.isExact() ? a : Number::unknown();
  double real = computed(a.real / b.real, type);
  double error = (a.error + std::fabs(real) * b.error) / (std::fabs(b.real) - b.error);
  return finished(real, std::isnan(error) ? infinity : error, type);
}

/// It has the sign of the divisor, like integer remainders.
static Number floatRemainder(const Number &a, const Number &b, Scalar type) {
  if (!a.isExact() || !b.isExact())
    return Number::unknown();
  double remainder = std::fmod(a.real, b.real);
  if (remainder != 0 && (remainder < 0) != (b.real < 0))
    remainder = computed(remainder + b.real, type);
  return Number::ofFloat(remainder);
}

static Number floatArithmetic(BinaryOp op, Scalar type, const Number &a, const Number &b) {
  if (!a.isKnown() || !b.isKnown())
    return Number::unknown();
  switch (op) {
  case BinaryOp::Add:
    return sumOf(a, b, 1, type);
  case BinaryOp::Sub:
    return sumOf(a, b, -1, type);
  case BinaryOp::Mul:
    return productOf(a, b, type);
  case BinaryOp::Div:
    return quotientOf(a, b, type);
  default:
    return floatRemainder(a, b, type);
  }
}

/// Rounded towards minus infinity; division by zero gives 0 [tc.expr.6, tc.own.7].
static int64_t floorQuotient(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return int64_t(-uint64_t(a));
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t integerArithmetic(BinaryOp op, Scalar type, uint64_t a, uint64_t b) {
  bool isSigned = kindOf(type) == ScalarKind::Signed;
  switch (op) {
  case BinaryOp::Add:
    return int64_t(a + b);
  case BinaryOp::Sub:
    return int64_t(a - b);
  case BinaryOp::Mul:
    return int64_t(a * b);
  case BinaryOp::Div:
    return isSigned ? floorQuotient(int64_t(a), int64_t(b)) : int64_t(b ? a / b : 0);
  default:
    if (b == 0)
      return 0;
    return isSigned ? int64_t(a - uint64_t(floorQuotient(int64_t(a), int64_t(b))) * b)
                    : int64_t(a % b);
  }
}

Number random::arithmetic(BinaryOp op, Scalar type, const Number &lhs, const Number &rhs) {
  if (isFloating(type))
    return floatArithmetic(op, type, lhs, rhs);
  return Number::ofInt(wrapped(integerArithmetic(op, type, lhs.integer, rhs.integer), type));
}

Number random::negated(const Number &value, Scalar type) {
  if (!isFloating(type))
    return Number::ofInt(wrapped(int64_t(-uint64_t(value.integer)), type));
  Number result = value;
  result.real = -value.real;
  return result;
}
