#include "lang/tc/Operands.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

void OperandFinder::visit(const Expr &expr, bool isGuarded) {
  auto *reference = expr.as<Reference>();
  if (reference && reference->let && seen.insert({reference->let, isGuarded}).second)
    visit(*reference->let->value, isGuarded);
  for (auto [number, child] : llvm::enumerate(childrenOf(expr)))
    visit(*child, isGuarded || tc::isGuarded(expr, number));
  if (auto *apply = expr.as<Apply>(); apply && apply->tensor && apply->tensor->rank)
    addRead(*apply, isGuarded);
}

void OperandFinder::addRead(const Apply &read, bool isGuarded) {
  SmallVector<Walk> walks;
  for (auto [dimension, argument] : llvm::enumerate(read.arguments)) {
    std::optional<Walk> walk = walkOf(read, dimension, *argument);
    if (!walk || startsAtEnd(read, dimension, *walk) ||
        (isGuarded && !staysInside(read, dimension, *walk)))
      return;
    walks.push_back(*walk);
  }
  keep(read, walks);
}

std::optional<OperandFinder::Walk> OperandFinder::walkOf(const Apply &read, unsigned dimension,
                                                         const Expr &index) {
  std::optional<Affine> affine = affineOf(index, statement, frame, function.inferred);
  if (!affine)
    return std::nullopt;
  MLIRContext *context = function.builder.getContext();
  Walk walk{getAffineConstantExpr(0, context), affine->offset, sizes.constant(1)};
  for (auto [number, coefficient] : llvm::enumerate(affine->coefficients)) {
    if (coefficient < 0)
      return std::nullopt;
    Size factor = sizes.constant(coefficient);
    const tc::Range &range = variables[number];
    walk.index = walk.index + getAffineDimExpr(number, context) * coefficient;
    walk.offset = sizes.add(walk.offset, sizes.mul(factor, range.lower));
    Size last = sizes.sub(sizes.sub(range.upper, range.lower), sizes.constant(1));
    walk.size = sizes.add(walk.size, sizes.mul(factor, last));
  }
  const tc::Range &stored = frame.tensors.find(read.tensor)->second[dimension];
  walk.offset = sizes.sub(walk.offset, stored.lower);
  return walk;
}

/// Whether the part begins where the tensor ends: nothing is read then, but no slice can begin
/// there.
bool OperandFinder::startsAtEnd(const Apply &read, unsigned dimension, const Walk &walk) {
  const tc::Range &stored = frame.tensors.find(read.tensor)->second[dimension];
  Size extent = sizes.sub(stored.upper, stored.lower);
  return sizes.isAtMost(extent, walk.offset).value_or(false);
}

bool OperandFinder::staysInside(const Apply &read, unsigned dimension, const Walk &walk) {
  const tc::Range &stored = frame.tensors.find(read.tensor)->second[dimension];
  Size end = sizes.add(walk.offset, walk.size), extent = sizes.sub(stored.upper, stored.lower);
  return sizes.isAtMost(sizes.constant(0), walk.offset).value_or(false) &&
         sizes.isAtMost(end, extent).value_or(false);
}

void OperandFinder::keep(const Apply &read, ArrayRef<Walk> walks) {
  SmallVector<AffineExpr> indices;
  for (const Walk &walk : walks)
    indices.push_back(walk.index);
  auto map = AffineMap::get(variables.size(), 0, indices, function.builder.getContext());
  Value part = partOf(read, walks);
  for (Operand &operand : operands)
    if (operand.part == part && operand.map == map)
      return operand.reads.push_back(&read);
  operands.push_back({part, map, {&read}});
}

/// Exactly the part that the loops iterate over, so that every index begins at 0.
Value OperandFinder::partOf(const Apply &read, ArrayRef<Walk> walks) {
  Value tensor = values.lookup(read.tensor);
  const Shape &stored = frame.tensors.find(read.tensor)->second;
  bool isAll = true;
  SmallVector<OpFoldResult> offsets, extents;
  for (auto [walk, range] : llvm::zip(walks, stored)) {
    Size extent = sizes.max(walk.size, sizes.constant(0));
    isAll &= walk.offset == sizes.constant(0) && extent == sizes.sub(range.upper, range.lower);
    offsets.push_back(function.sizes.fold(walk.offset));
    extents.push_back(function.sizes.fold(extent));
  }
  if (isAll)
    return tensor;
  for (const Part &known : parts)
    if (known.tensor == tensor && known.offsets == offsets && known.extents == extents)
      return known.value;
  SmallVector<OpFoldResult> strides(walks.size(), function.builder.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(function.builder, tensor.getLoc(), tensor, offsets,
                                              extents, strides);
  parts.push_back({tensor, offsets, extents, part});
  return part;
}

bool OperandFinder::isTold(unsigned loop) const {
  AffineExpr counter = getAffineDimExpr(loop, function.builder.getContext());
  return llvm::any_of(operands, [&](const Operand &operand) {
    return operand.map.getResultPosition(counter).has_value();
  });
}

std::optional<Operand> OperandFinder::lengthsOfOthers(Location loc) {
  OpBuilder &b = function.builder;
  Sizes lengths;
  SmallVector<AffineExpr> counters;
  for (unsigned loop = statement.indices.size(); loop < variables.size(); ++loop) {
    if (isTold(loop))
      continue;
    const tc::Range &range = variables[loop];
    lengths.push_back(
        function.sizes.fold(sizes.max(sizes.sub(range.upper, range.lower), sizes.constant(0))));
    counters.push_back(getAffineDimExpr(loop, b.getContext()));
  }
  if (counters.empty())
    return std::nullopt;
  return Operand{core::empty(b, loc, lengths, b.getI8Type()),
                 AffineMap::get(variables.size(), 0, counters, b.getContext())};
}
