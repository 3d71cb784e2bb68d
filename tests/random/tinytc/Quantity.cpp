#include "Quantity.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A floating-point format.
struct Format {
  int precision, minExponent, maxExponent;
  double epsilon() const { return std::ldexp(1.0, 1 - precision); }
  double largest() const { return std::ldexp(2 - epsilon(), maxExponent); }
  double smallest() const { return std::ldexp(1.0, minExponent - precision + 1); }
};

Format formatOf(ScalarType part) {
  switch (part) {
  case ScalarType::BF16:
    return {8, -126, 127};
  case ScalarType::F16:
    return {11, -14, 15};
  case ScalarType::F32:
    return {24, -126, 127};
  default:
    return {53, -1022, 1023};
  }
}

/// Rounds to nearest, ties to even.
double rounded(long double value, const Format &format) {
  if (value == 0 || !std::isfinite(value))
    return double(value);
  int exponent = std::max(std::ilogb(value), format.minExponent) - format.precision + 1;
  long double scaled = std::nearbyint(std::ldexp(value, -exponent));
  long double result = std::ldexp(scaled, exponent);
  if (std::fabs(result) > format.largest())
    return std::copysign(infinity, double(value));
  return double(result);
}

/// An unknown number may be anything.
double bounded(double slack) {
  return std::isnan(slack) ? infinity : slack;
}

/// A number that is known except for `slack`, stored in a format.
Real stored(long double value, double slack, const Format &format) {
  double result = rounded(value, format);
  if (slack == 0)
    return {result, 0};
  slack = bounded(slack + format.epsilon() * std::fabs(result) + format.smallest());
  bool mayOverflow = std::fabs(double(value)) + slack >= format.largest();
  return {result, mayOverflow && !std::isnan(result) ? infinity : slack};
}

/// The exponent of the lowest set bit.
int lowestBitOf(double value) {
  constexpr int none = 1 << 20; // Above all exponents; sums of a few do not overflow.
  if (value == 0 || !std::isfinite(value))
    return none;
  int exponent;
  auto bits = int64_t(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
  return exponent - 53 + llvm::countr_zero(uint64_t(bits));
}

} // namespace

//===-- Sums --------------------------------------------------------------===//

ScalarType random::accumulationType(ScalarType type) {
  switch (type) {
  case ScalarType::I8:
  case ScalarType::I16:
    return ScalarType::I32;
  case ScalarType::BF16:
  case ScalarType::F16:
    return ScalarType::F32;
  default:
    return type;
  }
}

void Sum::add(long double term, double termSlack, int bit) {
  value = terms ? value + term : term; // Keeps the sign of a single zero.
  magnitude += std::fabs(term);
  slack = bounded(slack + termSlack);
  lowestBit = terms ? std::min(lowestBit, bit) : bit;
  ++terms;
}

void Sum::add(Real term) {
  add(term.value, term.slack, lowestBitOf(term.value));
}

void Sum::addProduct(Real left, Real right) {
  double slack = std::fabs(left.value) * right.slack + std::fabs(right.value) * left.slack +
                 left.slack * right.slack;
  if (left.slack == 0 && right.slack == 0)
    slack = 0; // Also for infinite factors.
  add((long double)(left.value) * right.value, bounded(slack),
      lowestBitOf(left.value) + lowestBitOf(right.value));
}

void Sum::allowTermsOf(const Sum &other, double factor) {
  if (other.terms == 0 || factor == 0)
    return;
  magnitude += std::fabs(factor) * other.magnitude;
  lowestBit = std::min(lowestBit, lowestBitOf(factor) + other.lowestBit);
  terms += other.terms;
}

Real Sum::result(ScalarType part) const {
  Format format = formatOf(part);
  if (!std::isfinite(magnitude)) // Infinite terms decide, in any order.
    return {double(value), slack == 0 ? 0 : infinity};
  bool isExact = magnitude == 0 || std::ilogb(magnitude) < lowestBit + format.precision;
  bool mayOverflow = magnitude > format.largest();
  if (isExact && !mayOverflow)
    return stored(value, slack, format);
  double rounding = double(terms) * (format.epsilon() * double(magnitude) + format.smallest());
  return stored(value, mayOverflow ? infinity : slack + rounding, format);
}

void QuantitySum::add(const Quantity &term) {
  integer += uint64_t(term.integer);
  re.add(term.re);
  im.add(term.im);
}

void QuantitySum::addProduct(const Quantity &left, const Quantity &right) {
  integer += uint64_t(left.integer) * uint64_t(right.integer);
  re.addProduct(left.re, right.re);
  if (kindOf(type) != NumberKind::Complex)
    return;
  re.addProduct({-left.im.value, left.im.slack}, right.im);
  im.addProduct(left.re, right.im);
  im.addProduct(left.im, right.re);
}

void QuantitySum::addScaled(const QuantitySum &other, const Quantity &factor) {
  addProduct(factor, other.result());
  allowTermsOf(other, factor);
}

void QuantitySum::allowTermsOf(const QuantitySum &other, const Quantity &factor) {
  for (Sum *sum : {&re, &im})
    for (const Sum *part : {&other.re, &other.im})
      for (double number : {factor.re.value, factor.im.value})
        sum->allowTermsOf(*part, number);
}

Quantity QuantitySum::result() const {
  if (kindOf(type) == NumberKind::Integer)
    return Quantity::ofInt(llvm::SignExtend64(integer, 8 * bytesOf(type)));
  Quantity number{0, re.result(partOf(type))};
  if (kindOf(type) == NumberKind::Complex)
    number.im = im.result(partOf(type));
  return number;
}

//===-- Conversion --------------------------------------------------------===//

/// Rounded toward zero; the nearest limit if out of range.
static int64_t truncated(Real number, unsigned bits) {
  auto one = [&](double value) -> int64_t {
    if (std::isnan(value))
      return 0;
    double limit = std::ldexp(1.0, int(bits) - 1);
    if (value >= limit)
      return llvm::maxIntN(bits);
    return value <= -limit ? llvm::minIntN(bits) : int64_t(value);
  };
  int64_t result = one(number.value);
  if (number.slack != 0 && (one(number.value - number.slack) != one(number.value + number.slack)))
    throw Unclear{"an integer of an inexact number"};
  return result;
}

Quantity random::convert(const Quantity &number, ScalarType from, ScalarType to) {
  if (from == to)
    return number;
  if (kindOf(to) == NumberKind::Integer) {
    unsigned bits = 8 * bytesOf(to);
    return Quantity::ofInt(kindOf(from) == NumberKind::Integer
                               ? llvm::SignExtend64(uint64_t(number.integer), bits)
                               : truncated(number.re, bits));
  }
  Format format = formatOf(partOf(to));
  if (kindOf(from) == NumberKind::Integer)
    return {0, {rounded((long double)(number.integer), format), 0}};
  return {0, stored(number.re.value, number.re.slack, format),
          stored(number.im.value, number.im.slack, format)};
}

Quantity random::numberOf(const Literal &literal, const Type &type) {
  if (type.kind == Type::Bool)
    return Quantity::ofInt(literal.integer);
  if (kindOf(type.scalar) == NumberKind::Integer)
    return Quantity::ofInt(llvm::SignExtend64(uint64_t(literal.integer), 8 * bytesOf(type.scalar)));
  Format format = formatOf(partOf(type.scalar));
  return {0, {rounded(literal.real, format), 0}, {rounded(literal.imag, format), 0}};
}

//===-- Arithmetic --------------------------------------------------------===//

static Quantity integerBinary(BinaryOp op, int64_t left, int64_t right, unsigned bits) {
  auto wrapped = [&](uint64_t value) { return Quantity::ofInt(llvm::SignExtend64(value, bits)); };
  auto l = uint64_t(left), r = uint64_t(right);
  bool divides = op == BinaryOp::Div || op == BinaryOp::Rem;
  bool shifts = op == BinaryOp::Shl || op == BinaryOp::Shr;
  if (divides && right == 0)
    throw Undefined{"a division by zero"};
  if (shifts && (right < 0 || right >= bits))
    throw Undefined{"a shift by too many bits"};
  switch (op) {
  case BinaryOp::Add:
    return wrapped(l + r);
  case BinaryOp::Sub:
    return wrapped(l - r);
  case BinaryOp::Mul:
    return wrapped(l * r);
  case BinaryOp::Div:
    return right == -1 ? wrapped(-l) : wrapped(uint64_t(left / right));
  case BinaryOp::Rem:
    return right == -1 ? wrapped(0) : wrapped(uint64_t(left % right));
  case BinaryOp::Min:
    return Quantity::ofInt(std::min(left, right));
  case BinaryOp::Max:
    return Quantity::ofInt(std::max(left, right));
  case BinaryOp::Shl:
    return wrapped(l << r);
  case BinaryOp::Shr:
    return Quantity::ofInt(left >> right);
  case BinaryOp::And:
    return Quantity::ofInt(left & right);
  case BinaryOp::Or:
    return Quantity::ofInt(left | right);
  case BinaryOp::Xor:
    return Quantity::ofInt(left ^ right);
  }
  llvm_unreachable("no such operation");
}

/// The effect of the inputs' slack.
static double divisionSlack(Real left, Real right) {
  if (left.slack == 0 && right.slack == 0)
    return 0;
  double least = std::fabs(right.value) - right.slack;
  return least > 0
             ? bounded((left.slack + std::fabs(left.value / right.value) * right.slack) / least)
             : infinity;
}

/// One operation rounds once, so it has no slack of its own.
static Real realBinary(BinaryOp op, Real left, Real right, ScalarType type) {
  Format format = formatOf(type);
  double l = left.value, r = right.value, slack = left.slack + right.slack;
  switch (op) {
  case BinaryOp::Add:
    return stored(l + r, slack, format);
  case BinaryOp::Sub:
    return stored(l - r, slack, format);
  case BinaryOp::Mul:
    slack = slack == 0
                ? 0
                : std::fabs(l) * right.slack + std::fabs(r) * left.slack + left.slack * right.slack;
    return stored(l * r, slack, format);
  case BinaryOp::Div:
    return stored(l / r, divisionSlack(left, right), format);
  case BinaryOp::Rem:
    if (slack != 0)
      throw Unclear{"a remainder of an inexact number"};
    return stored(std::fmod(l, r), 0, format);
  case BinaryOp::Min:
    return {std::fmin(l, r), std::max(left.slack, right.slack)};
  case BinaryOp::Max:
    return {std::fmax(l, r), std::max(left.slack, right.slack)};
  default:
    llvm_unreachable("no operation of floats");
  }
}

/// By the definition, with slack for any other method.
static Quantity divideComplex(const Quantity &left, const Quantity &right, ScalarType type) {
  Format format = formatOf(partOf(type));
  double norm = right.re.value * right.re.value + right.im.value * right.im.value;
  double re = (left.re.value * right.re.value + left.im.value * right.im.value) / norm;
  double im = (left.im.value * right.re.value - left.re.value * right.im.value) / norm;
  double size = std::hypot(left.re.value, left.im.value), divisor = std::sqrt(norm);
  double slack = left.re.slack + left.im.slack, divisorSlack = right.re.slack + right.im.slack;
  double least = divisor - divisorSlack;
  bool isTame = std::isfinite(re) && std::isfinite(im) && least > 0;
  double total = isTame ? (slack + size / divisor * divisorSlack) / least +
                              8 * format.epsilon() * size / divisor
                        : infinity;
  return {0, stored(re, bounded(total), format), stored(im, bounded(total), format)};
}

Quantity random::binary(BinaryOp op, const Quantity &left, const Quantity &right, ScalarType type) {
  if (kindOf(type) == NumberKind::Integer)
    return integerBinary(op, left.integer, right.integer, 8 * bytesOf(type));
  if (kindOf(type) == NumberKind::Float)
    return {0, realBinary(op, left.re, right.re, type)};
  if (op == BinaryOp::Div)
    return divideComplex(left, right, type);
  if (op != BinaryOp::Mul)
    return {0, realBinary(op, left.re, right.re, partOf(type)),
            realBinary(op, left.im, right.im, partOf(type))};
  QuantitySum product(type);
  product.addProduct(left, right);
  return product.result();
}

/// The exponential, within a few units in the last place.
static Real exponential(Real power, ScalarType part) {
  constexpr double ulps = 8;
  Format format = formatOf(part);
  double value = std::exp(power.value);
  double slack = value * (std::expm1(power.slack) + ulps * format.epsilon()) + format.smallest();
  if (std::isinf(power.value) || std::isnan(power.value))
    slack = power.slack == 0 ? 0 : infinity;
  return stored(value, bounded(slack), format);
}

static Quantity exponentialOf(const Quantity &power, ScalarType type) {
  if (kindOf(type) == NumberKind::Float)
    return {0, exponential(power.re, type)};
  ScalarType part = partOf(type);
  Real size = exponential(power.re, part);
  double epsilon = 8 * formatOf(part).epsilon();
  Sum re, im;
  re.addProduct(size, {std::cos(power.im.value), power.im.slack + epsilon});
  im.addProduct(size, {std::sin(power.im.value), power.im.slack + epsilon});
  return {0, re.result(part), im.result(part)};
}

static Quantity absolute(const Quantity &operand, ScalarType type) {
  if (kindOf(type) == NumberKind::Integer)
    return operand.integer < 0 ? integerBinary(BinaryOp::Sub, 0, operand.integer, 8 * bytesOf(type))
                               : operand;
  if (kindOf(type) == NumberKind::Float)
    return {0, {std::fabs(operand.re.value), operand.re.slack}};
  Format format = formatOf(partOf(type));
  double value = std::hypot(operand.re.value, operand.im.value);
  double slack = operand.re.slack + operand.im.slack + 4 * format.epsilon() * value;
  return {0, stored(value, bounded(slack), format)};
}

Quantity random::unary(UnaryOp op, const Quantity &operand, ScalarType type) {
  switch (op) {
  case UnaryOp::Abs:
    return absolute(operand, type);
  case UnaryOp::Neg:
    if (kindOf(type) == NumberKind::Integer)
      return integerBinary(BinaryOp::Sub, 0, operand.integer, 8 * bytesOf(type));
    return {0, {-operand.re.value, operand.re.slack}, {-operand.im.value, operand.im.slack}};
  case UnaryOp::Not:
    return Quantity::ofInt(~operand.integer);
  case UnaryOp::Conj:
    return {0, operand.re, {-operand.im.value, operand.im.slack}};
  case UnaryOp::Im:
    return {0, operand.im};
  case UnaryOp::Re:
    return {0, operand.re};
  case UnaryOp::Exp:
  case UnaryOp::NativeExp:
    return exponentialOf(operand, type);
  }
  llvm_unreachable("no such operation");
}

//===-- Comparison --------------------------------------------------------===//

template <typename T> static bool holds(CompareOp op, T left, T right) {
  switch (op) {
  case CompareOp::Equal:
    return left == right;
  case CompareOp::NotEqual:
    return left != right;
  case CompareOp::Greater:
    return left > right;
  case CompareOp::GreaterEqual:
    return left >= right;
  case CompareOp::Less:
    return left < right;
  case CompareOp::LessEqual:
    return left <= right;
  }
  llvm_unreachable("no such comparison");
}

static bool compareReals(CompareOp op, Real left, Real right) {
  double slack = left.slack + right.slack;
  bool isApart = std::fabs(left.value - right.value) > slack;
  if (slack != 0 && !isApart)
    throw Unclear{"a comparison of inexact numbers"};
  return holds(op, left.value, right.value);
}

bool random::compare(CompareOp op, const Quantity &left, const Quantity &right, ScalarType type) {
  if (kindOf(type) == NumberKind::Integer)
    return holds(op, left.integer, right.integer);
  if (kindOf(type) == NumberKind::Float)
    return compareReals(op, left.re, right.re);
  bool isEqual = compareReals(CompareOp::Equal, left.re, right.re) &&
                 compareReals(CompareOp::Equal, left.im, right.im);
  return isEqual == (op == CompareOp::Equal);
}

Quantity random::identityOf(SubgroupOp::Op op, ScalarType type) {
  if (op == SubgroupOp::Add)
    return {};
  bool isMax = op == SubgroupOp::Max;
  if (kindOf(type) == NumberKind::Float)
    return Quantity::ofReal(isMax ? -infinity : infinity);
  unsigned bits = 8 * bytesOf(type);
  return Quantity::ofInt(isMax ? llvm::minIntN(bits) : llvm::maxIntN(bits));
}

//===-- Memory ------------------------------------------------------------===//

static const llvm::fltSemantics &semanticsOf(ScalarType part) {
  switch (part) {
  case ScalarType::BF16:
    return llvm::APFloat::BFloat();
  case ScalarType::F16:
    return llvm::APFloat::IEEEhalf();
  case ScalarType::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

static void encodeReal(double value, ScalarType part, char *bytes) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semanticsOf(part), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  uint64_t bits = number.bitcastToAPInt().getZExtValue();
  memcpy(bytes, &bits, bytesOf(part));
}

static double decodeReal(const char *bytes, ScalarType part) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, bytesOf(part));
  llvm::APFloat number(semanticsOf(part), llvm::APInt(8 * bytesOf(part), bits));
  return number.convertToDouble();
}

void random::encode(const Quantity &number, ScalarType type, char *bytes) {
  if (kindOf(type) == NumberKind::Integer) {
    memcpy(bytes, &number.integer, bytesOf(type));
    return;
  }
  ScalarType part = partOf(type);
  encodeReal(number.re.value, part, bytes);
  if (kindOf(type) == NumberKind::Complex)
    encodeReal(number.im.value, part, bytes + bytesOf(part));
}

Quantity random::decode(const char *bytes, ScalarType type) {
  if (kindOf(type) == NumberKind::Integer) {
    uint64_t bits = 0;
    memcpy(&bits, bytes, bytesOf(type));
    return Quantity::ofInt(llvm::SignExtend64(bits, 8 * bytesOf(type)));
  }
  ScalarType part = partOf(type);
  Quantity number = Quantity::ofReal(decodeReal(bytes, part));
  if (kindOf(type) == NumberKind::Complex)
    number.im.value = decodeReal(bytes + bytesOf(part), part);
  return number;
}

static bool agrees(Real expected, double found) {
  if (std::isinf(expected.slack))
    return true;
  if (std::isnan(expected.value))
    return std::isnan(found);
  return expected.value == found || std::fabs(expected.value - found) <= expected.slack;
}

bool random::agrees(const Quantity &expected, const Quantity &found, ScalarType type) {
  if (kindOf(type) == NumberKind::Integer)
    return expected.integer == found.integer;
  return ::agrees(expected.re, found.re.value) &&
         (kindOf(type) == NumberKind::Float || ::agrees(expected.im, found.im.value));
}

std::string random::text(const Quantity &number, ScalarType type) {
  if (kindOf(type) == NumberKind::Integer)
    return std::to_string(number.integer);
  char buffer[128];
  auto print = [&](Real part) {
    snprintf(buffer, sizeof buffer, part.slack == 0 ? "%.17g" : "%.17g +- %.3g", part.value,
             part.slack);
    return std::string(buffer);
  };
  return kindOf(type) == NumberKind::Float ? print(number.re)
                                           : "[" + print(number.re) + ", " + print(number.im) + "]";
}
