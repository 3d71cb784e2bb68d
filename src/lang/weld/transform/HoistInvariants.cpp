#include "lang/weld/transform/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

/// Whether everything that an operation uses stands outside of the loop, or in `moved`.
static bool isInvariant(Operation *op, Operation *loop, const llvm::SetVector<Operation *> &moved) {
  return !op->walk([&](Operation *inner) {
              for (Value operand : inner->getOperands()) {
                Operation *owner = operand.getParentBlock()->getParentOp();
                bool isInside = loop->isAncestor(owner) && !op->isAncestor(owner);
                Operation *def = operand.getDefiningOp();
                if (isInside && def != op && !(def && moved.contains(def)))
                  return WalkResult::interrupt();
              }
              return WalkResult::advance();
            }).wasInterrupted();
}

static bool isTotal(Operation *op) {
  bool isFree =
      !mayFail(op) && !op->walk([](IterateOp) { return WalkResult::interrupt(); }).wasInterrupted();
  return isFree && !op->hasTrait<OpTrait::IsTerminator>();
}

/// Builders move only as a whole: from the fresh one to its result.
static bool isBuilder(Operation *op) {
  return llvm::any_of(op->getResultTypes(), isBuilderLike);
}

/// The operations that make the value of `result`, if they are all invariant and each builder is
/// used by the next alone.
static bool collectChain(ResultOp result, Operation *loop, llvm::SetVector<Operation *> &moved) {
  SmallVector<Operation *> chain{result};
  Value builder = result.getTarget();
  while (true) {
    Operation *op = builder.getDefiningOp();
    if (!op || op->getBlock() != result->getBlock() || op->getNumResults() != 1 ||
        !builder.hasOneUse() || !isTotal(op))
      return false;
    chain.push_back(op);
    if (isa<NewBuilderOp>(op))
      break;
    if (auto merge = dyn_cast<MergeOp>(op))
      builder = merge.getTarget();
    else if (auto inner = dyn_cast<ForOp>(op))
      builder = inner.getBuilders()[0];
    else
      return false;
  }
  llvm::SetVector<Operation *> all = moved;
  for (Operation *op : llvm::reverse(chain)) {
    if (!isInvariant(op, loop, all))
      return false;
    all.insert(op);
  }
  moved = std::move(all);
  return true;
}

static void hoistFrom(Operation *loop) {
  llvm::SetVector<Operation *> moved;
  for (Operation &op : loop->getRegion(0).front()) {
    if (auto result = dyn_cast<ResultOp>(op))
      collectChain(result, loop, moved);
    else if (!isBuilder(&op) && isTotal(&op) && isInvariant(&op, loop, moved))
      moved.insert(&op);
  }
  for (Operation *op : moved)
    op->moveBefore(loop);
}

namespace {

struct HoistInvariants : transform::impl::HoistInvariantsBase<HoistInvariants> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) { // Inner loops first.
      if (isa<ForOp, IterateOp>(op))
        hoistFrom(op);
    });
  }
};

} // namespace
