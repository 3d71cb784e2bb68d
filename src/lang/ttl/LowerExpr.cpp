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
    loweredLeft = {link, value}; // For the next link.
  }
  loweredLeft = {};
  return {value, {}};
}

/// Computes an index in 64 bits from the start: a value that overflows `int` is outside any matrix.
/// With --checked, the overflow itself is the error, so `int` is used.
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

/// Whether the expression and its operands are computed in 64 bits.
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

/// The offset of a slice. An empty one may begin after the last element, but MLIR's slices may not,
/// so its offset is 0.
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
  // Without a check the size stays negative, so that the allocation fails with a named error.
  std::string name = "the slice `" + program.excerpt(self.range) + "`";
  Location named = NameLoc::get(builder.getStringAttr(name), loc);
  result.value = partOf(named, base.value, offsets, sizes);
  if (base.written)
    result.written = partOf(loc, base.written, offsets, sizes);
  return result;
}

/// A slice; one without elements is a new tensor, because MLIR's slices must begin inside their
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
