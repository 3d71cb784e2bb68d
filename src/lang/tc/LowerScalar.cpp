/// Scalars: their types, conversions and arithmetic.
#include "core/Narrow.h"
#include "lang/tc/Lower.h"
#include "lang/tc/Promote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

Type tc::storageType(Scalar scalar, MLIRContext &context) {
  if (scalar == Scalar::F16)
    return Float16Type::get(&context);
  if (scalar == Scalar::BF16)
    return BFloat16Type::get(&context);
  if (scalar == Scalar::F32)
    return Float32Type::get(&context);
  if (scalar == Scalar::F64)
    return Float64Type::get(&context);
  return IntegerType::get(&context, bitsOf(scalar));
}

Type tc::computeType(Scalar scalar, MLIRContext &context) {
  if (scalar == Scalar::Bool)
    return IntegerType::get(&context, 1);
  if (isFloat(scalar) && bitsOf(scalar) == 16)
    return Float32Type::get(&context);
  return storageType(scalar, context);
}

static Value constantOf(OpBuilder &b, Location loc, Type type, double value) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(floatType, value));
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, int64_t(value)));
}

static Value isNotZero(OpBuilder &b, Location loc, Value value) {
  Value zero = constantOf(b, loc, value.getType(), 0);
  if (isa<FloatType>(value.getType()))
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, value, zero);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
}

Value tc::fromStorage(OpBuilder &b, Location loc, Value value, Scalar type) {
  Type wanted = computeType(type, *b.getContext());
  if (value.getType() == wanted)
    return value;
  if (type == Scalar::Bool)
    return isNotZero(b, loc, value);
  return arith::ExtFOp::create(b, loc, wanted, value);
}

Value tc::toStorage(OpBuilder &b, Location loc, Value value, Scalar type) {
  Type wanted = storageType(type, *b.getContext());
  if (value.getType() == wanted)
    return value;
  if (type == Scalar::Bool)
    return arith::ExtUIOp::create(b, loc, wanted, value);
  return arith::TruncFOp::create(b, loc, wanted, value);
}

//===- Conversions ----------------------------------------------------------------------------===//

static Value floatToFloat(OpBuilder &b, Location loc, Value value, Type to) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), bits = to.getIntOrFloatBitWidth();
  if (from < bits)
    return arith::ExtFOp::create(b, loc, to, value);
  return from > bits ? Value(arith::TruncFOp::create(b, loc, to, value)) : value;
}

static Value intToInt(OpBuilder &b, Location loc, Value value, Scalar from, Type to) {
  unsigned bits = value.getType().getIntOrFloatBitWidth(), wanted = to.getIntOrFloatBitWidth();
  if (bits > wanted)
    return arith::TruncIOp::create(b, loc, to, value);
  if (bits == wanted)
    return value;
  if (kindOf(from) == ScalarKind::Signed)
    return arith::ExtSIOp::create(b, loc, to, value);
  return arith::ExtUIOp::create(b, loc, to, value);
}

/// Truncates towards zero. A value beyond the ends of the type gives the nearest end, NaN gives 0.
static Value floatToInt(OpBuilder &b, Location loc, Value value, Scalar to) {
  bool isSigned = kindOf(to) == ScalarKind::Signed;
  unsigned bits = bitsOf(to);
  Type from = value.getType(), type = IntegerType::get(b.getContext(), bits);
  double low = isSigned ? -std::ldexp(1.0, bits - 1) : 0;
  double high = std::ldexp(1.0, isSigned ? bits - 1 : bits); // The first that does not fit.
  auto compare = [&](arith::CmpFPredicate predicate, double with) -> Value {
    return arith::CmpFOp::create(b, loc, predicate, value, constantOf(b, loc, from, with));
  };
  Value tooLow = compare(arith::CmpFPredicate::ULE, low); // NaN counts as too low for now.
  Value tooHigh = compare(arith::CmpFPredicate::OGE, high);
  Value isOutside = arith::OrIOp::create(b, loc, tooLow, tooHigh);
  Value inside = arith::SelectOp::create(b, loc, isOutside, constantOf(b, loc, from, 0), value);
  Value converted = isSigned ? Value(arith::FPToSIOp::create(b, loc, type, inside))
                             : Value(arith::FPToUIOp::create(b, loc, type, inside));
  auto end = [&](llvm::APInt value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  auto least = isSigned ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits);
  auto most = isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  converted = arith::SelectOp::create(b, loc, tooHigh, end(most), converted);
  Value isLow = compare(arith::CmpFPredicate::OLE, low);
  return arith::SelectOp::create(b, loc, isLow, end(least), converted);
}

Value tc::convertScalar(OpBuilder &b, Location loc, Value value, Scalar from, Scalar to) {
  Type wanted = computeType(to, *b.getContext());
  if (from == to)
    return value;
  if (to == Scalar::Bool)
    return isNotZero(b, loc, value);
  if (isFloat(from) && isFloat(to))
    return floatToFloat(b, loc, value, wanted);
  if (isFloat(from))
    return floatToInt(b, loc, value, to);
  if (!isFloat(to))
    return intToInt(b, loc, value, from, wanted);
  if (kindOf(from) == ScalarKind::Signed)
    return arith::SIToFPOp::create(b, loc, wanted, value);
  return arith::UIToFPOp::create(b, loc, wanted, value);
}

Value tc::roundToHalf(OpBuilder &b, Location loc, Value value, Scalar from, Scalar to) {
  Type wanted = storageType(to, *b.getContext());
  if (from == Scalar::F64 && to == Scalar::F16)
    return arith::TruncFOp::create(b, loc, wanted, value);
  // An integer that is inexact in float32 is infinite as a half.
  Value single = to == Scalar::F16
                     ? convertScalar(b, loc, value, from, Scalar::F32)
                     : core::roundedToOdd(b, loc, value, kindOf(from) == ScalarKind::Signed);
  return arith::TruncFOp::create(b, loc, wanted, single);
}

//===- Arithmetic -----------------------------------------------------------------------------===//

/// Quotient or remainder, rounded towards minus infinity. By zero: 0. The least integer by -1
/// wraps.
static Value divideInts(OpBuilder &b, Location loc, bool isRemainder, bool isSigned, Value lhs,
                        Value rhs) {
  Type type = rhs.getType();
  Value zero = constantOf(b, loc, type, 0), one = constantOf(b, loc, type, 1);
  auto equals = [&](Value a, Value with) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, a, with);
  };
  Value isZero = equals(rhs, zero);
  Value divisor = arith::SelectOp::create(b, loc, isZero, one, rhs), quotient;
  if (!isSigned)
    quotient = arith::DivUIOp::create(b, loc, lhs, divisor);
  else {
    Value isMinusOne = equals(divisor, constantOf(b, loc, type, -1));
    Value safe = arith::SelectOp::create(b, loc, isMinusOne, one, divisor);
    Value floor = arith::FloorDivSIOp::create(b, loc, lhs, safe);
    Value negated = arith::SubIOp::create(b, loc, zero, lhs);
    quotient = arith::SelectOp::create(b, loc, isMinusOne, negated, floor);
  }
  Value result = quotient;
  if (isRemainder) {
    Value product = arith::MulIOp::create(b, loc, quotient, divisor);
    result = arith::SubIOp::create(b, loc, lhs, product);
  }
  return arith::SelectOp::create(b, loc, isZero, zero, result);
}

/// The remainder has the sign of the divisor, as for integers.
static Value floatRemainder(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Value remainder = arith::RemFOp::create(b, loc, lhs, rhs);
  Value zero = constantOf(b, loc, lhs.getType(), 0);
  auto isNegative = [&](Value value) -> Value {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, value, zero);
  };
  Value differ = arith::XOrIOp::create(b, loc, isNegative(remainder), isNegative(rhs));
  Value isNonZero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, remainder, zero);
  Value shifts = arith::AndIOp::create(b, loc, differ, isNonZero);
  Value shifted = arith::AddFOp::create(b, loc, remainder, rhs);
  return arith::SelectOp::create(b, loc, shifts, shifted, remainder);
}

static Value floatArithmetic(OpBuilder &b, Location loc, BinaryOp op, Value lhs, Value rhs) {
  switch (op) {
  case BinaryOp::Add:
    return arith::AddFOp::create(b, loc, lhs, rhs);
  case BinaryOp::Sub:
    return arith::SubFOp::create(b, loc, lhs, rhs);
  case BinaryOp::Mul:
    return arith::MulFOp::create(b, loc, lhs, rhs);
  case BinaryOp::Div:
    return arith::DivFOp::create(b, loc, lhs, rhs);
  default:
    return floatRemainder(b, loc, lhs, rhs);
  }
}

Value tc::lowerArithmetic(OpBuilder &b, Location loc, BinaryOp op, Scalar type, Value lhs,
                          Value rhs) {
  if (isFloat(type))
    return floatArithmetic(b, loc, op, lhs, rhs);
  switch (op) {
  case BinaryOp::Add:
    return arith::AddIOp::create(b, loc, lhs, rhs);
  case BinaryOp::Sub:
    return arith::SubIOp::create(b, loc, lhs, rhs);
  case BinaryOp::Mul:
    return arith::MulIOp::create(b, loc, lhs, rhs);
  default:
    return divideInts(b, loc, op == BinaryOp::Mod, kindOf(type) == ScalarKind::Signed, lhs, rhs);
  }
}

Value tc::lowerMinMax(OpBuilder &b, Location loc, bool isMax, Scalar type, Value lhs, Value rhs) {
  if (isFloat(type))
    return isMax ? Value(arith::MaximumFOp::create(b, loc, lhs, rhs))
                 : Value(arith::MinimumFOp::create(b, loc, lhs, rhs));
  if (kindOf(type) == ScalarKind::Signed)
    return isMax ? Value(arith::MaxSIOp::create(b, loc, lhs, rhs))
                 : Value(arith::MinSIOp::create(b, loc, lhs, rhs));
  return isMax ? Value(arith::MaxUIOp::create(b, loc, lhs, rhs))
               : Value(arith::MinUIOp::create(b, loc, lhs, rhs));
}

TypedAttr tc::identityOf(Reduction reduction, Scalar type, MLIRContext &context) {
  Builder b(&context);
  Type storage = storageType(type, context);
  bool isLeast = reduction == Reduction::Max; // No value is less.
  if (auto floatType = dyn_cast<FloatType>(storage)) {
    double infinity = std::numeric_limits<double>::infinity();
    double value = reduction == Reduction::Add   ? 0
                   : reduction == Reduction::Mul ? 1
                                                 : (isLeast ? -infinity : infinity);
    return b.getFloatAttr(floatType, value);
  }
  unsigned bits = bitsOf(type);
  if (reduction == Reduction::Add || reduction == Reduction::Mul)
    return b.getIntegerAttr(storage, reduction == Reduction::Mul);
  if (type == Scalar::Bool)
    return b.getIntegerAttr(storage, isLeast ? 0 : 1);
  if (kindOf(type) == ScalarKind::Signed)
    return b.getIntegerAttr(storage, isLeast ? llvm::APInt::getSignedMinValue(bits)
                                             : llvm::APInt::getSignedMaxValue(bits));
  return b.getIntegerAttr(storage, isLeast ? llvm::APInt::getMinValue(bits)
                                           : llvm::APInt::getMaxValue(bits));
}
