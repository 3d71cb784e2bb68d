#include "lang/tinytc/Constants.h"
#include "llvm/ADT/APSInt.h"
#include <cmath>

using namespace tessera;
using namespace tessera::tinytc;
using llvm::APFloat;
using llvm::APInt;

//===-- Numbers -----------------------------------------------------------===//

std::optional<APInt> tinytc::compute(BinaryOp op, const APInt &left, const APInt &right) {
  bool divides = op == BinaryOp::Div || op == BinaryOp::Rem;
  bool shifts = op == BinaryOp::Shl || op == BinaryOp::Shr;
  if ((divides && right.isZero()) || (shifts && right.uge(left.getBitWidth())))
    return std::nullopt;
  switch (op) {
  case BinaryOp::Add:
    return left + right;
  case BinaryOp::Sub:
    return left - right;
  case BinaryOp::Mul:
    return left * right;
  case BinaryOp::Div:
    return left.sdiv(right);
  case BinaryOp::Rem:
    return left.srem(right);
  case BinaryOp::Min:
    return llvm::APIntOps::smin(left, right);
  case BinaryOp::Max:
    return llvm::APIntOps::smax(left, right);
  case BinaryOp::Shl:
    return left.shl(right);
  case BinaryOp::Shr:
    return left.ashr(right);
  case BinaryOp::And:
    return left & right;
  case BinaryOp::Or:
    return left | right;
  case BinaryOp::Xor:
    return left ^ right;
  }
  llvm_unreachable("no such operation");
}

std::optional<APFloat> tinytc::compute(BinaryOp op, APFloat left, const APFloat &right) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  bool areZeros = left.isZero() && right.isZero();
  switch (op) {
  case BinaryOp::Add:
    left.add(right, nearest);
    return left;
  case BinaryOp::Sub:
    left.subtract(right, nearest);
    return left;
  case BinaryOp::Mul:
    left.multiply(right, nearest);
    return left;
  case BinaryOp::Div:
    left.divide(right, nearest);
    return left;
  case BinaryOp::Min:
    return areZeros ? std::nullopt : std::optional(llvm::minnum(left, right));
  case BinaryOp::Max:
    return areZeros ? std::nullopt : std::optional(llvm::maxnum(left, right));
  default:
    return std::nullopt;
  }
}

//===-- Literals ----------------------------------------------------------===//

static const llvm::fltSemantics &semanticsOf(ScalarType type) {
  switch (partOf(type)) {
  case ScalarType::BF16:
    return APFloat::BFloat();
  case ScalarType::F16:
    return APFloat::IEEEhalf();
  case ScalarType::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

static APInt integerOf(const Literal &literal, const Type &type) {
  unsigned bits = type.kind == Type::Bool ? 1 : 8 * bytesOf(type.scalar);
  return APInt(bits, literal.integer, /*isSigned=*/true, /*implicitTrunc=*/true);
}

/// nullopt for -2^63, which has no literal.
static std::optional<Literal> literalOf(const APInt &value) {
  if (value.getBitWidth() == 1)
    return Literal{Literal::Bool, int64_t(value.getZExtValue())};
  bool isWritable = value.getBitWidth() < 64 || !value.isMinSignedValue();
  return isWritable ? std::optional(Literal{Literal::Integer, value.getSExtValue()}) : std::nullopt;
}

/// The number of a literal, rounded to the type.
static APFloat rounded(double number, const Type &type) {
  APFloat value(number);
  bool losesInfo;
  value.convert(semanticsOf(type.scalar), APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

static std::optional<Literal> literalOf(const std::optional<APFloat> &value) {
  if (!value || !value->isFinite())
    return std::nullopt;
  return Literal{Literal::Float, 0, value->convertToDouble()};
}

std::optional<Literal> tinytc::compute(BinaryOp op, const Literal &left, const Literal &right,
                                       const Type &type) {
  if (left.kind == Literal::Complex)
    return std::nullopt;
  if (left.kind == Literal::Float)
    return literalOf(compute(op, rounded(left.real, type), rounded(right.real, type)));
  std::optional<APInt> value = compute(op, integerOf(left, type), integerOf(right, type));
  return value ? literalOf(*value) : std::nullopt;
}

std::optional<Literal> tinytc::compute(UnaryOp op, const Literal &operand, const Type &type) {
  bool isFloat = operand.kind == Literal::Float;
  switch (op) {
  case UnaryOp::Neg:
    if (operand.kind == Literal::Complex)
      return Literal{Literal::Complex, 0, -operand.real, -operand.imag};
    return isFloat ? std::optional(Literal{Literal::Float, 0, -operand.real})
                   : literalOf(-integerOf(operand, type));
  case UnaryOp::Abs:
    if (operand.kind == Literal::Complex)
      return std::nullopt;
    return isFloat ? std::optional(Literal{Literal::Float, 0, std::abs(operand.real)})
                   : literalOf(integerOf(operand, type).abs());
  case UnaryOp::Not:
    return literalOf(~integerOf(operand, type));
  case UnaryOp::Conj:
    return Literal{Literal::Complex, 0, operand.real, -operand.imag};
  case UnaryOp::Re:
    return Literal{Literal::Float, 0, operand.real};
  case UnaryOp::Im:
    return Literal{Literal::Float, 0, operand.imag};
  default:
    return std::nullopt;
  }
}

static std::optional<double> exactly(double number, const Type &to) {
  APFloat value = rounded(number, to);
  bool isSame = value.isFinite() && value.convertToDouble() == number;
  return isSame ? std::optional(number) : std::nullopt;
}

/// nullopt if the number is not an integer of the type.
static std::optional<Literal> toInteger(double number, const Type &to) {
  llvm::APSInt value(8 * bytesOf(to.scalar), /*isUnsigned=*/false);
  bool isExact = false;
  APFloat(number).convertToInteger(value, APFloat::rmTowardZero, &isExact);
  return isExact ? literalOf(value) : std::nullopt;
}

std::optional<Literal> tinytc::convert(const Literal &literal, const Type &from, const Type &to) {
  NumberKind kind = kindOf(to.scalar);
  if (literal.kind == Literal::Integer && kind == NumberKind::Integer)
    return literalOf(integerOf({Literal::Integer, integerOf(literal, from).getSExtValue()}, to));
  bool isInteger = literal.kind == Literal::Integer;
  double number =
      isInteger ? double(literal.integer) : rounded(literal.real, from).convertToDouble();
  constexpr int64_t mostExact = int64_t(1) << 53;
  if (isInteger && std::abs(double(literal.integer)) > mostExact)
    return std::nullopt;
  if (kind == NumberKind::Integer)
    return toInteger(number, to);
  std::optional<double> re = exactly(number, to);
  std::optional<double> im =
      exactly(isInteger ? 0 : rounded(literal.imag, from).convertToDouble(), to);
  if (!re || !im)
    return std::nullopt;
  return Literal{kind == NumberKind::Float ? Literal::Float : Literal::Complex, 0, *re, *im};
}
