#include "transform/Destinations.h"
#include "transform/Passes.h"

using namespace mlir;
using namespace tessera::transform;

namespace tessera::transform {
#define GEN_PASS_DEF_SPLITLOOPSTATE
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// The use of `carried` as the destination from which the yielded value is built, if any.
OpOperand *rootOf(Value yielded, Value carried) {
  OpOperand *use = nullptr;
  while (yielded != carried) {
    use = destinationUse(yielded);
    if (!use)
      return nullptr;
    yielded = use->get();
  }
  return use;
}

/// Whether a part of the new value is computed from the old one and could be computed in place.
bool isComputedFrom(Value carried, Operation *writer) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(writer);
  auto part = insert ? insert.getSource().getDefiningOp<linalg::LinalgOp>() : linalg::LinalgOp();
  return part && part.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>() &&
         llvm::any_of(part.getDpsInputs(), [&](Value input) {
           return isa<TensorType>(input.getType()) && mayShare(input, carried);
         });
}

/// Whether the old value is read while, or after, the new one overwrites it.
bool isReadLater(Value carried, OpOperand &root) {
  Operation *writer = root.getOwner();
  return isComputedFrom(carried, writer) || llvm::any_of(carried.getUses(), [&](OpOperand &use) {
           if (&use == &root)
             return false;
           Operation *reader = writer->getBlock()->findAncestorOpInBlock(*use.getOwner());
           return !reader || !reader->isBeforeInBlock(writer);
         });
}

/// for (x = x0) { y = f(x) written over x; yield y }
/// => for (x = x0, w = x0) { y = f(x) written over w; yield y, y }
/// Both always hold the same value, in two buffers.
void split(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<OpOperand *> roots;
  SmallVector<unsigned> numbers;
  for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!isa<RankedTensorType>(carried.getType()))
      continue;
    OpOperand *root = rootOf(loop.getYieldedValues()[number], carried);
    if (!root || !isReadLater(carried, *root))
      continue;
    roots.push_back(root);
    numbers.push_back(number);
  }
  if (roots.empty())
    return;
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits;
  for (unsigned number : numbers) {
    Value init = loop.getInitArgs()[number];
    auto type = cast<RankedTensorType>(init.getType());
    inits.push_back(bufferization::AllocTensorOp::create(rewriter, loop.getLoc(), type,
                                                         ValueRange{}, /*copy=*/init));
  }
  auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
    SmallVector<Value> values;
    for (auto [number, root, spare] : llvm::zip(numbers, roots, added)) {
      root->set(spare);
      values.push_back(loop.getYieldedValues()[number]);
    }
    return values;
  };
  (void)loop.replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
                                         yields);
}

struct SplitLoopState final : tessera::transform::impl::SplitLoopStateBase<SplitLoopState> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      split(rewriter, loop);
  }
};

} // namespace
