/// Numbers: every scalar type in its own width and precision.
#include "Value.h"
#include <cfenv>
#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double epsilonOf(Scalar type) {
  return type == Scalar::F32 ? std::numeric_limits<float>::epsilon()
                             : std::numeric_limits<double>::epsilon();
}

double rounded(double value, Scalar type) {
  return type == Scalar::F32 ? double(float(value)) : value;
}

/// Double rounding from f64 to f32 is harmless for + - * /: f64 has more than twice the bits.
Value floating(Scalar type, double exact, double slack) {
  double value = rounded(exact, type);
  if (slack == 0)
    return Value::ofFloat(value);
  if (!std::isfinite(value) || !std::isfinite(slack))
    return Value::ofFloat(value, infinity);
  double tiny = type == Scalar::F32 ? std::numeric_limits<float>::denorm_min()
                                    : std::numeric_limits<double>::denorm_min();
  return Value::ofFloat(value, slack + epsilonOf(type) * std::fabs(value) + tiny);
}

double slackOfQuotient(const Value &a, const Value &b) {
  if (a.slack == 0 && b.slack == 0)
    return 0;
  if (std::fabs(b.real) <= 2 * b.slack)
    return infinity;
  double ratio = std::fabs(a.real / b.real);
  return 2 * (a.slack + ratio * b.slack) / std::fabs(b.real);
}

double slackOfProduct(const Value &a, const Value &b) {
  if (a.slack == 0 && b.slack == 0)
    return 0;
  return std::fabs(a.real) * b.slack + std::fabs(b.real) * a.slack + a.slack * b.slack;
}

Value floatBinary(Scalar type, BinaryOp op, const Value &a, const Value &b) {
  switch (op) {
  case BinaryOp::Add:
    return floating(type, a.real + b.real, a.slack + b.slack);
  case BinaryOp::Sub:
    return floating(type, a.real - b.real, a.slack + b.slack);
  case BinaryOp::Mul:
    return floating(type, a.real * b.real, ::slackOfProduct(a, b));
  case BinaryOp::Div:
    return floating(type, a.real / b.real, slackOfQuotient(a, b));
  default: // The result of an uncertain operand may be anything.
    return floating(type, std::fmod(a.real, b.real), a.slack + b.slack > 0 ? infinity : 0);
  }
}

int64_t divided(Scalar type, BinaryOp op, int64_t a, int64_t b) {
  if (b == 0)
    throw Failure{"DivisionByZero"};
  bool isQuotient = op == BinaryOp::Div;
  if (!isSigned(type))
    return int64_t(isQuotient ? uint64_t(a) / uint64_t(b) : uint64_t(a) % uint64_t(b));
  if (b == -1) // The smallest number wraps.
    return isQuotient ? int64_t(0 - uint64_t(a)) : 0;
  return isQuotient ? a / b : a % b;
}

int64_t intBinary(Scalar type, BinaryOp op, int64_t a, int64_t b) {
  switch (op) {
  case BinaryOp::Add:
    return int64_t(uint64_t(a) + uint64_t(b));
  case BinaryOp::Sub:
    return int64_t(uint64_t(a) - uint64_t(b));
  case BinaryOp::Mul:
    return int64_t(uint64_t(a) * uint64_t(b));
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return divided(type, op, a, b);
  case BinaryOp::BitAnd:
    return a & b;
  case BinaryOp::BitOr:
    return a | b;
  default:
    return a ^ b;
  }
}

/// IEEE's minimum and maximum: NaN wins, and -0.0 is smaller than 0.0.
Value floatExtreme(const Value &a, const Value &b, bool wantsLarger) {
  double slack = std::max(a.slack, b.slack);
  if (std::isnan(a.real) || std::isnan(b.real))
    return Value::ofFloat(std::numeric_limits<double>::quiet_NaN(), slack);
  bool aIsSmaller = a.real < b.real || (a.real == b.real && std::signbit(a.real));
  return Value::ofFloat((aIsSmaller != wantsLarger ? a : b).real, slack);
}

int intOrder(Scalar type, int64_t a, int64_t b) {
  if (a == b)
    return 0;
  bool isLess = isSigned(type) ? a < b : uint64_t(a) < uint64_t(b);
  return isLess ? -1 : 1;
}

int floatOrder(const Value &a, const Value &b) {
  double slack = a.slack + b.slack;
  // Equal exact values are certainly equal; all others must be far enough apart.
  if (slack > 0 && !(std::fabs(a.real - b.real) > 2 * slack))
    throw Unclear{"a comparison hangs on the last digits of a float"};
  if (std::isnan(a.real) || std::isnan(b.real))
    return unordered;
  return a.real < b.real ? -1 : a.real > b.real ? 1 : 0;
}

double realOf(Scalar type, int64_t integer, Scalar to) {
  if (to == Scalar::F32) // Directly: through a double it would be rounded twice.
    return isSigned(type) ? double(float(integer)) : double(float(uint64_t(integer)));
  return isSigned(type) ? double(integer) : double(uint64_t(integer));
}

int64_t saturated(double value, Scalar to) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  unsigned bits = widthOf(to);
  double limit = std::ldexp(1.0, int(isSigned(to) ? bits - 1 : bits));
  if (value >= limit)
    return isSigned(to) ? int64_t((uint64_t(1) << (bits - 1)) - 1) : wrapped(-1, to);
  if (isSigned(to))
    return value <= -limit ? wrapped(int64_t(uint64_t(1) << (bits - 1)), to) : int64_t(value);
  return value <= 0 ? 0 : int64_t(uint64_t(value));
}

Value castFloat(Scalar to, const Value &a) {
  if (isFloat(to))
    return floating(to, a.real, a.slack);
  double low = a.real - a.slack, high = a.real + a.slack;
  auto convert = [&](double value) {
    return to == Scalar::Bool ? int64_t(value != 0) : saturated(value, to);
  };
  if (a.slack > 0 && (!std::isfinite(a.slack) || convert(low) != convert(high) ||
                      (to == Scalar::Bool && low <= 0 && high >= 0)))
    throw Unclear{"a cast hangs on the last digits of a float"};
  return Value::ofInt(convert(a.real));
}

using MathFunction = double (*)(double);
MathFunction functionOf(Builtin function) {
  switch (function) {
#define TESSERA_CASE(Name, name)                                                                   \
  case Builtin::Name:                                                                              \
    return [](double x) { return std::name(x); };
    TESSERA_CASE(Exp, exp)
    TESSERA_CASE(Log, log)
    TESSERA_CASE(Sqrt, sqrt)
    TESSERA_CASE(Sin, sin)
    TESSERA_CASE(Cos, cos)
    TESSERA_CASE(Tan, tan)
    TESSERA_CASE(Asin, asin)
    TESSERA_CASE(Acos, acos)
    TESSERA_CASE(Atan, atan)
    TESSERA_CASE(Sinh, sinh)
    TESSERA_CASE(Cosh, cosh)
    TESSERA_CASE(Tanh, tanh)
    TESSERA_CASE(Erf, erf)
#undef TESSERA_CASE
  default:
    llvm_unreachable("no mathematical function");
  }
}

constexpr double mathUlps = 8;

/// A few units in the last place, also if the function is steep near an inexact argument.
Value approximate(Scalar type, double value, double slack) {
  if (std::isnan(value) || (std::isinf(value) && slack == 0))
    return Value::ofFloat(value, slack);
  double tiny =
      type == Scalar::F32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  double error = mathUlps * epsilonOf(type) * std::max(std::fabs(value), tiny);
  return Value::ofFloat(rounded(value, type), slack + error);
}

/// The number of bits in a float's fraction, and the value of the lowest.
struct Digits {
  int64_t count = 0, lowest = INT32_MAX, exponent = 0;
};
Digits digitsOf(double value) {
  if (value == 0 || !std::isfinite(value))
    return {};
  int exponent = 0;
  auto fraction = uint64_t(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
  int64_t zeros = llvm::countr_zero(fraction);
  return {53 - zeros, exponent - 53 + zeros, std::abs(exponent) + 1};
}

} // namespace

bool random::isFloat(Scalar type) {
  return type == Scalar::F32 || type == Scalar::F64;
}

bool random::isSigned(Scalar type) {
  return kindOf(type) == ScalarKind::Signed;
}

unsigned random::widthOf(Scalar type) {
  return type == Scalar::Bool ? 1 : bitsOf(type);
}

int64_t random::wrapped(int64_t integer, Scalar type) {
  unsigned unused = 64 - widthOf(type);
  uint64_t top = uint64_t(integer) << unused;
  return isSigned(type) ? int64_t(top) >> unused : int64_t(top >> unused);
}

Value random::binary(Scalar type, BinaryOp op, const Value &a, const Value &b) {
  if (isFloat(type))
    return floatBinary(type, op, a, b);
  return Value::ofInt(wrapped(intBinary(type, op, a.integer, b.integer), type));
}

Value random::add(Scalar type, const Value &a, const Value &b) {
  return binary(type, BinaryOp::Add, a, b);
}

Value random::multiply(Scalar type, const Value &a, const Value &b) {
  return binary(type, BinaryOp::Mul, a, b);
}

Value random::smaller(Scalar type, const Value &a, const Value &b) {
  if (isFloat(type))
    return floatExtreme(a, b, false);
  return intOrder(type, a.integer, b.integer) <= 0 ? a : b;
}

Value random::larger(Scalar type, const Value &a, const Value &b) {
  if (isFloat(type))
    return floatExtreme(a, b, true);
  return intOrder(type, a.integer, b.integer) >= 0 ? a : b;
}

Value random::combined(Scalar type, Combine combine, const Value &a, const Value &b) {
  switch (combine) {
  case Combine::Add:
    return add(type, a, b);
  case Combine::Mul:
    return multiply(type, a, b);
  case Combine::Min:
    return smaller(type, a, b);
  case Combine::Max:
    return larger(type, a, b);
  }
  llvm_unreachable("four operators");
}

Value random::negated(Scalar type, const Value &a) {
  if (isFloat(type))
    return Value::ofFloat(-a.real, a.slack);
  return Value::ofInt(wrapped(int64_t(0 - uint64_t(a.integer)), type));
}

Value random::power(Scalar type, const Value &a, const Value &b) {
  if (isFloat(type)) {
    double slack = a.slack + b.slack > 0 ? infinity : 0;
    return approximate(type, std::pow(a.real, b.real), slack);
  }
  if (isSigned(type) && b.integer < 0)
    throw Failure{"DivisionByZero"};
  uint64_t result = 1, factor = uint64_t(a.integer);
  for (uint64_t rest = uint64_t(b.integer); rest; rest >>= 1, factor *= factor)
    if (rest & 1)
      result *= factor;
  return Value::ofInt(wrapped(int64_t(result), type));
}

Value random::mathFunction(Scalar type, Builtin function, const Value &a) {
  double value = functionOf(function)(a.real);
  if (function == Builtin::Sqrt && a.slack == 0) // Rounding twice is harmless here, too.
    return Value::ofFloat(rounded(value, type));
  return approximate(type, rounded(value, type), a.slack > 0 ? infinity : 0);
}

Value random::cast(Scalar to, Scalar from, const Value &a) {
  if (to == from)
    return a;
  if (isFloat(from))
    return castFloat(to, a);
  if (isFloat(to))
    return Value::ofFloat(realOf(from, a.integer, to));
  return Value::ofInt(to == Scalar::Bool ? a.integer != 0 : wrapped(a.integer, to));
}

bool random::compares(BinaryOp op, int order) {
  switch (op) {
  case BinaryOp::Equal:
    return order == 0;
  case BinaryOp::NotEqual:
    return order != 0;
  case BinaryOp::Less:
    return order == -1;
  case BinaryOp::LessEqual:
    return order == -1 || order == 0;
  case BinaryOp::Greater:
    return order == 1;
  default:
    return order == 1 || order == 0;
  }
}

int random::order(const Type &type, const Value &a, const Value &b) {
  if (type.kind == Type::Scalar)
    return isFloat(type.scalar) ? floatOrder(a, b) : intOrder(type.scalar, a.integer, b.integer);
  bool isStruct = type.kind == Type::Struct;
  size_t common = std::min(a.elements().size(), b.elements().size());
  for (size_t i = 0; i < common; ++i)
    if (int decided = order(*type.parts[isStruct ? i : 0], a.field(i), b.field(i)))
      return decided;
  return intOrder(Scalar::I64, int64_t(a.elements().size()), int64_t(b.elements().size()));
}

int random::keyOrder(const Type &type, const Value &a, const Value &b) {
  if (type.kind == Type::Scalar && isFloat(type.scalar)) {
    int decided = floatOrder(a, b);
    return decided == unordered ? int(std::isnan(a.real)) - int(std::isnan(b.real)) : decided;
  }
  if (type.kind == Type::Scalar)
    return intOrder(type.scalar, a.integer, b.integer);
  size_t common = std::min(a.elements().size(), b.elements().size());
  for (size_t i = 0; i < common; ++i)
    if (int decided =
            keyOrder(*type.parts[type.kind == Type::Struct ? i : 0], a.field(i), b.field(i)))
      return decided;
  return intOrder(Scalar::I64, int64_t(a.elements().size()), int64_t(b.elements().size()));
}

// Accumulators.

Value Accumulator::identity(Scalar type, Combine combine) {
  bool isMin = combine == Combine::Min;
  if (combine == Combine::Add || combine == Combine::Mul)
    return cast(type, Scalar::I32, Value::ofInt(combine == Combine::Mul));
  if (isFloat(type))
    return Value::ofFloat(isMin ? infinity : -infinity);
  return Value::ofInt(saturated(isMin ? infinity : -infinity, type));
}

Accumulator Accumulator::from(Scalar type, Combine combine, const Value &initial) {
  Accumulator accumulator(type, combine, initial);
  accumulator.track(initial);
  return accumulator;
}

void Accumulator::merge(const Value &term) {
  value = combined(type, combine, value, term);
  track(term);
}

void Accumulator::track(const Value &term) {
  if (!isFloat(type))
    return;
  ++numTerms;
  Digits digits = digitsOf(term.real);
  numBits += digits.count;
  exponents += digits.exponent;
  lowestBit = std::min(lowestBit, digits.lowest);
  if (std::isfinite(term.real))
    sumOfSizes += std::fabs(term.real);
  hasNegativeZero |= term.real == 0 && std::signbit(term.real);
  slack += term.slack;
  if (term.slack > 0)
    relativeSlack +=
        std::fabs(term.real) > 2 * term.slack ? 2 * term.slack / std::fabs(term.real) : infinity;
}

double Accumulator::slackOfSum() const {
  double largest =
      type == Scalar::F32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  int bits = type == Scalar::F32 ? 24 : 53;
  if (sumOfSizes > largest / 2 && numTerms > 1)
    return infinity;
  if (sumOfSizes == 0) // Which zero it is depends on the initial value.
    return slack + (hasNegativeZero ? std::numeric_limits<double>::denorm_min() : 0);
  bool isExact = numTerms <= 2 || sumOfSizes <= std::ldexp(1.0, int(lowestBit) + bits);
  return slack + (isExact ? 0 : double(numTerms) * epsilonOf(type) * sumOfSizes);
}

double Accumulator::slackOfProduct() const {
  int bits = type == Scalar::F32 ? 24 : 53, range = type == Scalar::F32 ? 120 : 1000;
  if (numTerms <= 2 && relativeSlack == 0)
    return 0;
  if (exponents > range || std::isinf(relativeSlack))
    return infinity;
  double rounding = numBits <= bits ? 0 : double(numTerms) * epsilonOf(type);
  return std::fabs(value.real) * (relativeSlack + rounding);
}

Value Accumulator::result() const {
  Value result = value;
  if (isFloat(type) && combine == Combine::Add)
    result.slack = slackOfSum();
  if (isFloat(type) && combine == Combine::Mul)
    result.slack = slackOfProduct();
  return result;
}
