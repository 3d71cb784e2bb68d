#include "transform/Sizes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace tessera::transform;

SizeTerm SizeAnalysis::termOf(OpFoldResult size) {
  if (auto constant = getConstantIntValue(size))
    return {{}, *constant};
  auto value = cast<Value>(size);
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    if (auto index = dim.getConstantIndex())
      return sizeOf(dim.getSource(), *index);
  return {value, -1};
}

SizeTerm SizeAnalysis::sizeOf(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return {{}, type.getDimSize(dim)};
  if (auto result = dyn_cast<OpResult>(tensor))
    return sizeOfResult(result, dim);
  if (auto loop = dyn_cast_or_null<scf::ForOp>(tensor.getParentBlock()->getParentOp())) {
    solve(loop);
    auto found = assumed.find({tensor, dim});
    if (found != assumed.end())
      return found->second;
  }
  return {tensor, dim};
}

SizeTerm SizeAnalysis::sizeOfResult(OpResult result, int64_t dim) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto cast = dyn_cast<tensor::CastOp>(op);
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    return sizeOf(cast.getSource(), dim);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return termOf(empty.getMixedSizes()[dim]);
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return sizeOf(insert.getDest(), dim);
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (slice && slice.getSourceType().getRank() == slice.getType().getRank())
    return termOf(slice.getMixedSizes()[dim]);
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return sizeOf(style.getDpsInitOperand(number)->get(), dim);
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && isKept(loop, number, dim))
    return sizeOf(loop.getInitArgs()[number], dim);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    auto yielded = [&](Region &region) {
      return sizeOf(region.front().getTerminator()->getOperand(number), dim);
    };
    SizeTerm first = yielded(op->getRegion(0));
    if (llvm::all_of(op->getRegions(), [&](Region &region) { return yielded(region) == first; }))
      return first;
  }
  return {result, dim};
}

/// Assumes that every carried size is kept, then withdraws assumptions that the loop's body
/// contradicts, until none is left: the largest consistent set of facts.
void SizeAnalysis::solve(scf::ForOp loop) {
  // Outer loops first: an inner loop must not be queried while its own facts are only assumptions.
  if (auto outer = loop->getParentOfType<scf::ForOp>())
    solve(outer);
  if (!solved.insert(loop).second)
    return;
  SmallVector<Key> keys;
  for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        keys.push_back({argument, dim});
        assumed[keys.back()] = sizeOf(init, dim);
      }
  auto contradicts = [&](Key key) {
    auto entry = assumed.find(key);
    if (entry == assumed.end())
      return false;
    SizeTerm term = entry->second;
    unsigned number = cast<BlockArgument>(key.first).getArgNumber() - 1;
    return sizeOf(loop.getYieldedValues()[number], key.second) != term;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Key key : keys)
      if (contradicts(key))
        changed |= assumed.erase(key);
    // Inner loops were solved under the assumptions just withdrawn.
    if (changed)
      loop.getBody()->walk([&](scf::ForOp inner) { solved.erase(inner); });
  }
}

bool SizeAnalysis::isKept(scf::ForOp loop, unsigned carried, int64_t dim) {
  solve(loop);
  Value argument = loop.getRegionIterArg(carried);
  return !cast<RankedTensorType>(argument.getType()).isDynamicDim(dim) ||
         assumed.contains({argument, dim});
}

bool SizeAnalysis::isKept(scf::ForOp loop, unsigned carried) {
  auto type = dyn_cast<RankedTensorType>(loop.getRegionIterArg(carried).getType());
  return type && llvm::all_of(llvm::seq<int64_t>(0, type.getRank()),
                              [&](int64_t dim) { return isKept(loop, carried, dim); });
}
