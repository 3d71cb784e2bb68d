#include "core/Narrow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace tessera;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {

/// The float32 nearest to a number; whether the two differ; and whether it is farther from zero.
struct Near {
  Value nearest, isOther, isBeyond;
};

Type like(Value value, Type element) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? Type(vector.clone(element)) : element;
}

Value constant(ImplicitLocOpBuilder &b, Type type, TypedAttr value) {
  auto vector = dyn_cast<VectorType>(type);
  return arith::ConstantOp::create(
      b, vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(value))) : value);
}

Near nearFloat(ImplicitLocOpBuilder &b, Value number) {
  Value nearest = arith::TruncFOp::create(b, like(number, b.getF32Type()), number);
  Value again = arith::ExtFOp::create(b, number.getType(), nearest);
  Value left = math::AbsFOp::create(b, again), right = math::AbsFOp::create(b, number);
  return {nearest, arith::CmpFOp::create(b, CmpFPredicate::ONE, again, number),
          arith::CmpFOp::create(b, CmpFPredicate::OGT, left, right)};
}

/// The nearest float32 that still converts back to the integer type. For the largest integers that
/// is the largest such float32, which is also one of the two neighbors.
Value nearestInside(ImplicitLocOpBuilder &b, Value number, bool isSigned) {
  unsigned bits = getElementTypeOrSelf(number.getType()).getIntOrFloatBitWidth();
  Type type = like(number, b.getF32Type());
  Value nearest = isSigned ? Value(arith::SIToFPOp::create(b, type, number))
                           : Value(arith::UIToFPOp::create(b, type, number));
  float largest = std::ldexp(0x1.fffffep-1f, isSigned ? bits - 1 : bits);
  Value last = constant(b, type, b.getF32FloatAttr(largest));
  Value isOutside = arith::CmpFOp::create(b, CmpFPredicate::OGT, nearest, last);
  return arith::SelectOp::create(b, isOutside, last, nearest);
}

Near nearInteger(ImplicitLocOpBuilder &b, Value number, bool isSigned) {
  Type type = number.getType();
  auto compare = [&](CmpIPredicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  };
  Value nearest = nearestInside(b, number, isSigned);
  if (!isSigned) {
    Value again = arith::FPToUIOp::create(b, type, nearest);
    return {nearest, compare(CmpIPredicate::ne, again, number),
            compare(CmpIPredicate::ugt, again, number)};
  }
  Value again = arith::FPToSIOp::create(b, type, nearest);
  Value zero = constant(b, type, b.getZeroAttr(getElementTypeOrSelf(type)));
  Value isNegative = compare(CmpIPredicate::slt, number, zero);
  Value isAbove = compare(CmpIPredicate::sgt, again, number);
  return {nearest, compare(CmpIPredicate::ne, again, number),
          arith::XOrIOp::create(b, isAbove, isNegative)};
}

} // namespace

Value core::roundedToOdd(OpBuilder &builder, Location loc, Value number, bool isSigned) {
  constexpr unsigned exactBits = 24;
  ImplicitLocOpBuilder b(loc, builder);
  Type from = getElementTypeOrSelf(number.getType());
  bool isInteger = isa<IntegerType>(from);
  if (from.isF32())
    return number;
  if (isInteger && from.getIntOrFloatBitWidth() <= exactBits) {
    Type type = like(number, b.getF32Type());
    return isSigned ? Value(arith::SIToFPOp::create(b, type, number))
                    : Value(arith::UIToFPOp::create(b, type, number));
  }
  Near near = isInteger ? nearInteger(b, number, isSigned) : nearFloat(b, number);
  Type word = like(number, b.getI32Type());
  Value bits = arith::BitcastOp::create(b, word, near.nearest);
  Value one = constant(b, word, b.getI32IntegerAttr(1));
  Value less = arith::SubIOp::create(b, bits, one);
  Value inner = arith::SelectOp::create(b, near.isBeyond, less, bits);
  Value odd = arith::OrIOp::create(b, inner, one);
  Value chosen = arith::SelectOp::create(b, near.isOther, odd, bits);
  return arith::BitcastOp::create(b, near.nearest.getType(), chosen);
}
