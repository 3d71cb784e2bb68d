#include "lang/ttl/Constant.h"
#include "lang/ttl/Lower.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ttl;

Value Lowering::constantInt(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 32);
}

Value Lowering::toInt(Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
}

Value Lowering::castTo(Location loc, Value value, mlir::Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

Value Lowering::lower(const Expr &expr) {
  return lowerBinding(expr).value;
}

Value Lowering::lowerRead(const Expr &expr) {
  Binding binding = lowerBinding(expr);
  checkWritten(locationOf(expr.range), binding);
  return binding.value;
}

Lowering::Binding Lowering::lowerBinding(const Expr &expr) {
  const Expr &bare = expr.bare();
  if (&bare == loweredLeft.first)
    return {std::exchange(loweredLeft, {}).second, {}};
  Location loc = locationOf(bare.range);
  if (auto *literal = bare.as<IntLiteral>())
    return {constantInt(loc, literal->value), {}};
  if (auto *literal = bare.as<FloatLiteral>())
    return {
        arith::ConstantFloatOp::create(builder, loc, builder.getF32Type(), APFloat(literal->value)),
        {}};
  if (auto *reference = bare.as<Reference>())
    return bindings[reference->variable];
  if (auto *call = bare.as<Call>())
    return lowerCall(*call, loc);
  if (auto *slice = bare.as<Slice>())
    return lowerSlice(*slice, bare);
  if (auto *list = bare.as<List>())
    return {lowerList(*list, bare), {}};
  if (auto *unary = bare.as<Unary>())
    return {lowerUnary(*unary, bare), {}};
  Value value;
  for (const Expr *link : chainOf(bare)) {
    value = lowerBinary(*link->as<Binary>(), *link);
    loweredLeft = {link, value}; // The next one asks for it.
  }
  loweredLeft = {};
  return {value, {}};
}

/// An index is computed in 64 bits from the start: whatever overflows `int` on the way is outside
/// any matrix. With --checked the overflow itself is the error, so `int` is kept.
Value Lowering::lowerIndex(const Expr &expr) {
  const Expr &bare = expr.bare();
  if (&bare == loweredLeftIndex.first)
    return std::exchange(loweredLeftIndex, {}).second;
  Location loc = locationOf(bare.range);
  if (auto constant = constantValue(bare))
    return core::constantIndex(builder, loc, *constant);
  if (isIndexOperator(bare))
    return lowerIndexChain(bare);
  Value value = lower(bare);
  if (Value index = indexOf.lookup(value))
    return index;
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
}

/// Whether it is computed in 64 bits, and so are its operands.
bool Lowering::isIndexOperator(const Expr &expr) const {
  auto *binary = expr.as<Binary>();
  return binary && !options.checked && !constantValue(expr) &&
         (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub ||
          binary->op == BinaryOp::Mul);
}

Value Lowering::lowerIndexChain(const Expr &expr) {
  auto chain = chainOf(expr);
  auto isOther = [&](const Expr *link) { return !isIndexOperator(*link); };
  auto first = std::find_if(chain.rbegin(), chain.rend(), isOther).base();
  for (const Expr *link : llvm::make_range(first, chain.end())) {
    auto *binary = link->as<Binary>();
    Location loc = locationOf(link->range);
    Value lhs = lowerIndex(*binary->lhs), rhs = lowerIndex(*binary->rhs);
    Value value = binary->op == BinaryOp::Add ? Value(arith::AddIOp::create(builder, loc, lhs, rhs))
                  : binary->op == BinaryOp::Sub
                      ? Value(arith::SubIOp::create(builder, loc, lhs, rhs))
                      : arith::MulIOp::create(builder, loc, lhs, rhs);
    loweredLeftIndex = {link, value};
  }
  return std::exchange(loweredLeftIndex, {}).second;
}

Value Lowering::lowerNumber(const Expr &expr) {
  if (!mayOverflow(expr))
    return lowerIndex(expr);
  return arith::IndexCastOp::create(builder, locationOf(expr.range), builder.getIndexType(),
                                    lower(expr));
}

/// `a ... b`; with --std=reference also an `int`, which counts from 0.
Lowering::Bounds Lowering::lowerRange(const Expr &expr) {
  if (expr.type.kind == ttl::Type::Int)
    return {core::constantIndex(builder, locationOf(expr.range), 0), lowerNumber(expr)};
  auto *range = expr.bare().as<Binary>();
  Value begin = lowerNumber(*range->lhs);
  return {begin, lowerNumber(*range->rhs)};
}

Lowering::Binding Lowering::lowerCall(const Call &call, Location loc) {
  SmallVector<Value> arguments, masks;
  FunctionType type = functionType(*call.function);
  for (auto [index, parameter] : llvm::enumerate(call.function->parameters)) {
    const Expr &argument = *call.arguments[index];
    Binding binding = lowerBinding(argument);
    Location at = locationOf(argument.range);
    if (auto tensor = dyn_cast<RankedTensorType>(type.getInput(index)))
      checkStaticSizes(at, binding.value, tensor);
    arguments.push_back(castTo(at, binding.value, type.getInput(index)));
    if (isPartial(parameter.variable))
      masks.push_back(flagsOf(at, binding, maskType(parameter.type)));
  }
  llvm::append_range(arguments, masks);
  if (options.checked) {
    std::string name = call.function->name.text.str();
    core::callRuntime(builder, *module, loc, "tessera_rt_push_call",
                      sites.number(builder, {loc, name, "ttl.checked.13"}));
  }
  auto op =
      func::CallOp::create(builder, loc, symbolOf(*call.function), type.getResults(), arguments);
  if (options.checked)
    core::callRuntime(builder, *module, loc, "tessera_rt_pop_call", {});
  Binding result;
  if (op.getNumResults() > 0)
    result.value = op.getResult(0);
  if (op.getNumResults() > 1)
    result.written = op.getResult(1);
  return result;
}

/// An empty slice may begin behind the last element, which MLIR's own slices may not: it begins at
/// 0.
OpFoldResult Lowering::sliceOffset(Location loc, Value begin, Value length) {
  APInt constant;
  bool isFine = matchPattern(begin, m_Zero()) ||
                (matchPattern(length, m_ConstantInt(&constant)) && !constant.isZero());
  if (isFine)
    return getAsOpFoldResult(begin);
  Value zero = core::constantIndex(builder, loc, 0);
  Value isEmpty = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, length, zero);
  return getAsOpFoldResult(builder.createOrFold<arith::SelectOp>(loc, isEmpty, zero, begin));
}

/// One element, or a part that keeps its rank: an `int` index gives size 1 [ttl.slice].
Lowering::Binding Lowering::lowerSlice(const Slice &slice, const Expr &self) {
  Binding base = lowerBinding(*slice.base);
  Location loc = locationOf(self.range);
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<Value> indices;
  for (auto [dim, index] : llvm::enumerate(slice.indices)) {
    Location at = locationOf(index->range);
    if (index->type.kind == ttl::Type::Int) {
      Value position = lowerIndex(*index);
      checkIndex(at, position, base.value, dim);
      indices.push_back(position);
      offsets.push_back(getAsOpFoldResult(position));
      sizes.push_back(builder.getIndexAttr(1));
      continue;
    }
    auto *range = index->bare().as<Binary>();
    Value begin = lowerIndex(*range->lhs);
    Bounds bounds{begin, lowerIndex(*range->rhs)};
    checkRange(at, bounds, base.value, dim);
    Value length = builder.createOrFold<arith::SubIOp>(at, bounds.end, bounds.begin);
    offsets.push_back(sliceOffset(at, bounds.begin, length));
    sizes.push_back(getAsOpFoldResult(length));
  }
  if (self.type.isScalar()) {
    if (base.written)
      checkElementWritten(loc, base.written, indices);
    return {tensor::ExtractOp::create(builder, loc, base.value, indices), {}};
  }
  Binding result;
  // Named, for want of a check: whoever asks for its memory sees that there is less than none.
  std::string name = "the slice `" + program.excerpt(self.range) + "`";
  Location named = NameLoc::get(builder.getStringAttr(name), loc);
  result.value = partOf(named, base.value, offsets, sizes);
  if (base.written)
    result.written = partOf(loc, base.written, offsets, sizes);
  return result;
}

/// A slice; one without elements is made anew, because MLIR's slices must begin inside their
/// source.
Value Lowering::partOf(Location loc, Value base, ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(base.getType());
  bool isEmpty = llvm::is_contained(type.getShape(), 0) ||
                 llvm::any_of(sizes, [](OpFoldResult size) { return isZeroInteger(size); });
  if (isEmpty)
    return core::empty(builder, loc, sizes, type.getElementType());
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, base, offsets, sizes, strides);
}

Value Lowering::lowerList(const List &list, const Expr &self) {
  Location loc = locationOf(self.range);
  auto type = cast<RankedTensorType>(typeOf(self.type));
  SmallVector<Value> elements;
  for (const Expr *element : list.elements)
    elements.push_back(lower(*element));
  SmallVector<Attribute> constants;
  for (Value element : elements)
    if (auto constant = element.getDefiningOp<arith::ConstantOp>())
      constants.push_back(constant.getValue());
  if (constants.size() == elements.size())
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, constants));
  return tensor::FromElementsOp::create(builder, loc, type, elements);
}

Value Lowering::isTrue(const Expr &expr) {
  Location loc = locationOf(expr.range);
  Value value = lower(expr);
  // A comparison that was widened to `int` is used as it was.
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
  // A chain of selects: a dimension number beyond the rank must not read outside the descriptor.
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

/// Sizes known statically on either side win [ttl.arith.10].
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
