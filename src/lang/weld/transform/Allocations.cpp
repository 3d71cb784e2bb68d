#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/Layout.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

static bool allocatesItself(Operation *op) {
  if (auto builder = dyn_cast<ir::NewBuilderOp>(op))
    return !isa<ir::MergerType>(builder.getType());
  return isa<ir::MakeVecOp, ir::SortOp, ir::SerializeOp, ir::DeserializeOp>(op);
}

bool weld::allocates(Region &region) {
  return region
      .walk([](Operation *op) {
        return allocatesItself(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool weld::keepsPointers(Type builder) {
  return holdsPointers(cast<ir::BuilderType>(builder).getMergeType());
}

namespace {

/// Follows a builder from one use to the next.
class Follower {
public:
  explicit Follower(ir::ForOp loop) : loop(loop) {}

  /// Returns false if it has other uses. Both branches of an `if` lead to the same value.
  bool follow(Value builder) {
    if (!seen.insert(builder).second)
      return true;
    for (OpOperand &use : builder.getUses())
      if (!followUse(use))
        return false;
    return true;
  }

  SmallVector<ir::MergeOp> merges;

private:
  bool followUse(OpOperand &use) {
    Operation *user = use.getOwner();
    unsigned index = use.getOperandNumber();
    if (auto merge = dyn_cast<ir::MergeOp>(user)) {
      merges.push_back(merge);
      return follow(merge.getResult());
    }
    if (auto inner = dyn_cast<ir::ForOp>(user)) {
      index -= inner.getIterators().size();
      return follow(inner.builderArguments()[index]) && follow(inner.getResult(index));
    }
    if (!isa<ir::YieldOp>(user))
      return false;
    auto choice = dyn_cast<ir::IfOp>(user->getParentOp());
    return choice ? follow(choice.getResult(index)) : true;
  }

  ir::ForOp loop;
  llvm::DenseSet<Value> seen;
};

} // namespace

std::optional<SmallVector<ir::MergeOp>> weld::mergesInto(ir::ForOp loop, unsigned builder) {
  Follower follower(loop);
  if (!follower.follow(loop.builderArguments()[builder]))
    return std::nullopt;
  return follower.merges;
}
