/// Expressions as positions in memory, in 64 bits.
#include "lang/tc/Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

/// The stored index of one dimension. Where it is not known to be in range it is clamped: the value
/// read is then some element's [tc.index.2].
Value BodyLowering::position(const Apply &read, unsigned dimension, Location loc) {
  SizeContext &sizes = parent.function.inferred.sizes;
  SizeValues &sizeValues = parent.function.sizes;
  const tc::Range &stored = parent.frame.tensors.find(read.tensor)->second[dimension];
  Value index = lowerIndex(*read.arguments[dimension]);
  if (stored.lower.constant() != 0)
    index = arith::SubIOp::create(builder, loc, index, sizeValues.value(stored.lower));
  auto unproved = parent.frame.unproved.find(&read);
  if (unproved == parent.frame.unproved.end() || !llvm::is_contained(unproved->second, dimension))
    return index;
  Size last = sizes.sub(sizes.sub(stored.upper, stored.lower), sizes.constant(1));
  index = arith::MinSIOp::create(builder, loc, index, sizeValues.value(last));
  return arith::MaxSIOp::create(builder, loc, index, core::constantIndex(builder, loc, 0));
}

/// In 64 bits, in which wide int32 values are computed [tc.size.8].
Value BodyLowering::lowerIndex(const Expr &expr) {
  Location loc = locationOf(expr.range);
  Type indexType = builder.getIndexType();
  if (expr.isWide() || expr.type == Scalar::I64) {
    if (Value size = sizeValue(expr, builder.getI64Type()))
      return arith::IndexCastOp::create(builder, loc, indexType, size);
    if (Value value = std::visit([&](const auto &node) { return indexOf(node, loc); }, expr.node))
      return value;
  }
  // Not by `lower`, which would call this function for wide values.
  Value value = std::visit([&](const auto &node) { return lower(node, expr); }, expr.node);
  return kindOf(*expr.type) == ScalarKind::Signed
             ? Value(arith::IndexCastOp::create(builder, loc, indexType, value))
             : Value(arith::IndexCastUIOp::create(builder, loc, indexType, value));
}

Value BodyLowering::indexOf(const Paren &paren, Location) {
  return lowerIndex(*paren.inner);
}

Value BodyLowering::indexOf(const Reference &reference, Location loc) {
  if (reference.variable)
    return variableValue(*reference.variable, loc);
  return reference.let && reference.let->value->isWide() ? valueOf(*reference.let) : Value();
}

Value BodyLowering::indexOf(const Cast &cast, Location) {
  bool isKept = cast.operand->type == Scalar::I32 || cast.operand->type == Scalar::I64;
  return isKept ? lowerIndex(*cast.operand) : Value();
}

Value BodyLowering::indexOf(const Unary &unary, Location loc) {
  return arith::SubIOp::create(builder, loc, core::constantIndex(builder, loc, 0),
                               lowerIndex(*unary.operand));
}

Value BodyLowering::indexOf(const Binary &binary, Location loc) {
  Value lhs = lowerIndex(*binary.lhs), rhs = lowerIndex(*binary.rhs);
  return lowerArithmetic(builder, loc, binary.op, Scalar::I64, lhs, rhs);
}

Value BodyLowering::indexOf(const Apply &apply, Location loc) {
  if (apply.tensor)
    return {};
  Value a = lowerIndex(*apply.arguments[0]), b = lowerIndex(*apply.arguments[1]);
  return lowerMinMax(builder, loc, *apply.builtin == Builtin::max, Scalar::I64, a, b);
}

Value BodyLowering::indexOf(const Conditional &conditional, Location loc) {
  return select(conditional, builder.getIndexType(), loc,
                [&](const Expr &arm) { return lowerIndex(arm); });
}
