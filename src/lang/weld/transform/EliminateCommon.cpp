#include "lang/weld/transform/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_ELIMINATECOMMON
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

static bool isEqualOp(Operation *a, Operation *b);

/// Builders without other uses are equal if they were made in the same way.
static bool isEqualValue(Value a, Value b) {
  if (a == b)
    return true;
  auto first = dyn_cast<OpResult>(a), second = dyn_cast<OpResult>(b);
  if (!first || !second || !isa<BuilderType>(a.getType()) || !a.hasOneUse() || !b.hasOneUse() ||
      first.getResultNumber() != second.getResultNumber())
    return false;
  return isa<NewBuilderOp, MergeOp, ForOp>(first.getOwner()) &&
         first.getOwner()->getNumResults() == 1 && isEqualOp(first.getOwner(), second.getOwner());
}

static bool isEqualOp(Operation *a, Operation *b) {
  llvm::DenseMap<Value, Value> inside; // From values in a's regions to those in b's.
  auto isEqual = [&](Value x, Value y) {
    auto known = inside.find(x);
    return success(known != inside.end() ? known->second == y : isEqualValue(x, y));
  };
  auto note = [&](Value x, Value y) { inside[x] = y; };
  return OperationEquivalence::isEquivalentTo(a, b, isEqual, note,
                                              OperationEquivalence::IgnoreLocations);
}

/// Ignores operands that are builders.
static llvm::hash_code hashOf(Operation *op) {
  auto hash = [](Value value) -> llvm::hash_code {
    return isa<BuilderType>(value.getType()) ? hash_value(value.getType()) : hash_value(value);
  };
  return OperationEquivalence::computeHash(op, hash, OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

/// Candidates are values, because builders are compared only as part of their results. MLIR's pass
/// handles operations without effects.
static bool isCandidate(Operation *op) {
  if (op->getNumResults() != 1 || isBuilderLike(op->getResult(0).getType()) ||
      !isa<WeldDialect>(op->getDialect()) || callsForeign(op))
    return false;
  return isa<ResultOp>(op) || !isMemoryEffectFree(op);
}

/// A redundant builder, from the operation that makes it to its result.
static void eraseChain(Operation *op) {
  SmallVector<Value> builders;
  for (Value operand : op->getOperands())
    if (isa<BuilderType>(operand.getType()))
      builders.push_back(operand);
  op->erase();
  for (Value builder : builders)
    if (builder.use_empty() && builder.getDefiningOp())
      eraseChain(builder.getDefiningOp());
}

namespace {

struct EliminateCommon : transform::impl::EliminateCommonBase<EliminateCommon> {
  void runOnOperation() override {
    gone.clear();
    DominanceInfo dominance(getOperation());
    llvm::DenseMap<size_t, SmallVector<Operation *>> known;
    SmallVector<Operation *> candidates;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isCandidate(op))
        candidates.push_back(op);
    });
    for (Operation *op : candidates) {
      if (gone.contains(op))
        continue;
      SmallVector<Operation *> &alike = known[hashOf(op)];
      Operation *earlier = findEqual(op, alike, dominance);
      if (!earlier) {
        alike.push_back(op);
        continue;
      }
      op->getResult(0).replaceAllUsesWith(earlier->getResult(0));
      noteGone(op);
      eraseChain(op);
    }
  }

private:
  Operation *findEqual(Operation *op, ArrayRef<Operation *> alike, DominanceInfo &dominance) const {
    for (Operation *earlier : alike)
      if (!gone.contains(earlier) && dominance.properlyDominates(earlier, op) &&
          (isa<ResultOp>(op) ? isEqualResult(earlier, op) : isEqualOp(earlier, op)))
        return earlier;
    return nullptr;
  }

  static bool isEqualResult(Operation *a, Operation *b) {
    return !callsForeign(a) && isEqualValue(a->getOperand(0), b->getOperand(0)) &&
           !callsForeignBefore(a->getOperand(0));
  }

  static bool callsForeignBefore(Value builder) {
    Operation *op = builder.getDefiningOp();
    if (!op)
      return false;
    if (callsForeign(op))
      return true;
    return llvm::any_of(op->getOperands(), [](Value operand) {
      return isa<BuilderType>(operand.getType()) && callsForeignBefore(operand);
    });
  }

  void noteGone(Operation *op) {
    op->walk([&](Operation *inner) { gone.insert(inner); });
    for (Value operand : op->getOperands())
      if (isa<BuilderType>(operand.getType()) && operand.getDefiningOp())
        noteGone(operand.getDefiningOp());
  }

  /// Erased operations and all that they contained, which are no longer candidates.
  llvm::DenseSet<Operation *> gone;
};

} // namespace
