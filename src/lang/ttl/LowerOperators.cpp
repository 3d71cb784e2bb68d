#include "lang/ttl/Constant.h"
#include "lang/ttl/Lower.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ttl;

Value Lowering::isTrue(const Expr &expr) {
  Location loc = locationOf(expr.range);
  Value value = lower(expr);
  // If the value is a comparison widened to `int`, use the comparison itself.
  if (auto widened = value.getDefiningOp<arith::ExtUIOp>();
      widened && widened.getIn().getType().isInteger(1))
    return widened.getIn();
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, constantInt(loc, 0));
}

Value Lowering::lowerUnary(const Unary &unary, const Expr &self) {
  Location loc = locationOf(self.range);
  if (unary.op == UnaryOp::Not) {
    Value truth = isTrue(*unary.operand);
    Value flipped = arith::XOrIOp::create(builder, loc, truth,
                                          arith::ConstantIntOp::create(builder, loc, 1, 1));
    return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), flipped);
  }
  Value operand = lower(*unary.operand);
  if (operand.getType().isF32())
    return arith::NegFOp::create(builder, loc, operand);
  checkNegatable(builder, loc, operand, {}, "-({0}) overflows `int`");
  return arith::SubIOp::create(builder, loc, constantInt(loc, 0), operand);
}

Value Lowering::lowerBinary(const Binary &binary, const Expr &self) {
  Location loc = locationOf(self.range);
  switch (classOf(binary.op)) {
  case OpClass::MatMul:
    return lowerMatMul(binary, self);
  case OpClass::SizeOf:
    return lowerSizeOf(binary, self);
  case OpClass::Comparison:
    return lowerComparison(binary, loc);
  case OpClass::Logic:
    return lowerLogic(binary, loc);
  default:
    break;
  }
  if (self.type.isMatrix())
    return lowerElementwise(binary, self);
  Value lhs = lower(*binary.lhs), rhs = lower(*binary.rhs);
  return scalarOp(builder, loc, binary.op, lhs, rhs);
}

Value Lowering::lowerMatMul(const Binary &op, const Expr &self) {
  Value lhs = lowerRead(*op.lhs), rhs = lowerRead(*op.rhs);
  Location loc = locationOf(self.range);
  checkSameSize(loc, lhs, rhs, 1, 0, "inner sizes of `#` differ: {0} and {1}", "ttl.checked.5");
  if (options.checked && self.type.element == ttl::Type::Int)
    return checkedMatMul(loc, lhs, rhs);
  return core::matmul(builder, loc, lhs, rhs);
}

Value Lowering::lowerSizeOf(const Binary &op, const Expr &self) {
  Location loc = locationOf(self.range);
  Value matrix = lower(*op.lhs);
  int64_t rank = op.lhs->type.rank();
  if (auto dim = constantValue(*op.rhs))
    return toInt(loc, tensor::DimOp::create(builder, loc, matrix, *dim));
  // A chain of selects, because a dimension number beyond the rank must not read outside the
  // memref's descriptor.
  Value wanted = lowerNumber(*op.rhs);
  checkDimension(loc, wanted, rank);
  Value size = tensor::DimOp::create(builder, loc, matrix, 0);
  for (int64_t dim = 1; dim < rank; ++dim) {
    Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, wanted,
                                         core::constantIndex(builder, loc, dim));
    size = arith::SelectOp::create(builder, loc, isThis,
                                   tensor::DimOp::create(builder, loc, matrix, dim), size);
  }
  return toInt(loc, size);
}

/// A size that one side knows statically is preferred [ttl.arith.10].
static SmallVector<OpFoldResult> commonSizes(OpBuilder &b, Location loc, ArrayRef<Value> matrices) {
  SmallVector<OpFoldResult> sizes = core::sizesOf(b, loc, matrices.front());
  auto other = cast<RankedTensorType>(matrices.back().getType());
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (isa<Value>(size) && !other.isDynamicDim(dim))
      size = b.getIndexAttr(other.getDimSize(dim));
  return sizes;
}

Value Lowering::lowerElementwise(const Binary &op, const Expr &self) {
  Location loc = locationOf(self.range);
  Value lhs = lowerRead(*op.lhs), rhs = lowerRead(*op.rhs);
  bool leftIsMatrix = isa<RankedTensorType>(lhs.getType()),
       rightIsMatrix = isa<RankedTensorType>(rhs.getType());
  SmallVector<Value> matrices;
  if (leftIsMatrix)
    matrices.push_back(lhs);
  if (rightIsMatrix)
    matrices.push_back(rhs);
  if (matrices.size() == 2)
    checkShapes(loc, lhs, rhs);
  return core::elementwise(builder, loc, matrices, commonSizes(builder, loc, matrices),
                           elementType(self.type.element),
                           [&](OpBuilder &b, Location at, ValueRange elements) {
                             Value left = leftIsMatrix ? elements.front() : lhs;
                             Value right = rightIsMatrix ? elements.back() : rhs;
                             return scalarOp(b, at, op.op, left, right);
                           });
}

/// A divisor of zero ends the program in every mode; INT_MIN / -1 wraps [ttl.checked.10].
Value Lowering::divideInts(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  APInt divisor;
  bool isConstant = matchPattern(rhs, m_ConstantInt(&divisor));
  if (isConstant && !divisor.isZero() && !divisor.isAllOnes())
    return arith::DivSIOp::create(b, loc, lhs, rhs);
  Value zero = constantInt(b, loc, 0), one = constantInt(b, loc, 1),
        minusOne = constantInt(b, loc, -1);
  Value isZero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rhs, zero);
  trapIf(b, isZero, loc, "division of {0} by zero", "ttl.checked.10", lhs);
  // The trap does not return, but the operations below must be defined in any case.
  Value isMinusOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rhs, minusOne);
  Value isSpecial = arith::OrIOp::create(b, loc, isZero, isMinusOne);
  Value safe = arith::SelectOp::create(b, loc, isSpecial, one, rhs);
  Value quotient = arith::DivSIOp::create(b, loc, lhs, safe);
  checkNegatable(b, loc, lhs, isMinusOne, "{0} / -1 overflows `int`");
  Value negated = arith::SubIOp::create(b, loc, zero, lhs);
  return arith::SelectOp::create(b, loc, isMinusOne, negated, quotient);
}

Value Lowering::scalarOp(OpBuilder &b, Location loc, BinaryOp op, Value lhs, Value rhs) {
  bool isFloat = lhs.getType().isF32();
  if (!isFloat && op == BinaryOp::Div)
    return divideInts(b, loc, lhs, rhs);
  if (!isFloat && options.checked)
    return checkedInt(b, loc, op, lhs, rhs);
  switch (op) {
  case BinaryOp::Add:
    return isFloat ? Value(arith::AddFOp::create(b, loc, lhs, rhs))
                   : arith::AddIOp::create(b, loc, lhs, rhs);
  case BinaryOp::Sub:
    return isFloat ? Value(arith::SubFOp::create(b, loc, lhs, rhs))
                   : arith::SubIOp::create(b, loc, lhs, rhs);
  case BinaryOp::Mul:
    return isFloat ? Value(arith::MulFOp::create(b, loc, lhs, rhs))
                   : arith::MulIOp::create(b, loc, lhs, rhs);
  default:
    return arith::DivFOp::create(b, loc, lhs, rhs);
  }
}

namespace {
struct Predicates {
  arith::CmpIPredicate ofInt;
  arith::CmpFPredicate ofFloat;
};
} // namespace

/// NaN compares false with everything, except by `!=` [ttl.type.4].
static Predicates predicatesOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Less:
    return {arith::CmpIPredicate::slt, arith::CmpFPredicate::OLT};
  case BinaryOp::Greater:
    return {arith::CmpIPredicate::sgt, arith::CmpFPredicate::OGT};
  case BinaryOp::LessEqual:
    return {arith::CmpIPredicate::sle, arith::CmpFPredicate::OLE};
  case BinaryOp::GreaterEqual:
    return {arith::CmpIPredicate::sge, arith::CmpFPredicate::OGE};
  case BinaryOp::Equal:
    return {arith::CmpIPredicate::eq, arith::CmpFPredicate::OEQ};
  default:
    return {arith::CmpIPredicate::ne, arith::CmpFPredicate::UNE};
  }
}

Value Lowering::lowerComparison(const Binary &op, Location loc) {
  Value lhs = lower(*op.lhs), rhs = lower(*op.rhs);
  auto [ofInt, ofFloat] = predicatesOf(op.op);
  Value truth = lhs.getType().isF32()
                    ? Value(arith::CmpFOp::create(builder, loc, ofFloat, lhs, rhs))
                    : arith::CmpIOp::create(builder, loc, ofInt, lhs, rhs);
  return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), truth);
}

/// Both operands are evaluated [ttl.logic].
Value Lowering::lowerLogic(const Binary &op, Location loc) {
  Value lhs = isTrue(*op.lhs), rhs = isTrue(*op.rhs);
  Value truth = op.op == BinaryOp::And ? Value(arith::AndIOp::create(builder, loc, lhs, rhs))
                                       : arith::OrIOp::create(builder, loc, lhs, rhs);
  return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), truth);
}
