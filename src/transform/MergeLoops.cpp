#include "core/Contraction.h"
#include "core/Scatter.h"
#include "mlir/IR/IRMapping.h"
#include "transform/Passes.h"
#include "transform/RowGroups.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::transform;

namespace tessera::transform {
#define GEN_PASS_DEF_MERGELOOPS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// The results of one operation; more would need too many registers.
constexpr unsigned maxResults = 4;

bool isCandidate(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumLoops() > 0 && !core::matchContraction(op) &&
         !core::matchScatter(op);
}

/// Whether both read one element of the same tensor per iteration, and so have the same iterations.
bool readAlike(linalg::GenericOp first, linalg::GenericOp second) {
  for (OpOperand *operand : first.getDpsInputOperands())
    for (OpOperand *other : second.getDpsInputOperands()) {
      AffineMap map = first.getMatchingIndexingMap(operand);
      if (operand->get() == other->get() && map.isPermutation() &&
          map == second.getMatchingIndexingMap(other))
        return true;
    }
  return false;
}

/// Whether the second uses the first's results only for the element computed in the same iteration;
/// `count` is the number of such operands.
bool readsOnlyOwnElements(linalg::GenericOp first, linalg::GenericOp second, unsigned &count) {
  for (OpOperand &operand : second->getOpOperands()) {
    auto result = dyn_cast<OpResult>(operand.get());
    if (!result || result.getOwner() != first)
      continue;
    OpOperand *init = first.getDpsInitOperand(result.getResultNumber());
    if (!second.isDpsInput(&operand) || !first.getMatchingIndexingMap(init).isIdentity() ||
        !second.getMatchingIndexingMap(&operand).isIdentity())
      return false;
    ++count;
  }
  return true;
}

bool mayMerge(linalg::GenericOp first, linalg::GenericOp second) {
  if (first.getNumLoops() != second.getNumLoops() ||
      first.getNumResults() + second.getNumResults() > maxResults)
    return false;
  // Outside a row, a sum would keep threads from sharing the intermediate results.
  bool isInRow = first->getParentOfType<scf::ForallOp>() != nullptr;
  bool areAlike = first.getIteratorTypesArray() == second.getIteratorTypesArray() &&
                  first.getNumReductionLoops() > 0;
  unsigned numShared = 0;
  return (isInRow || areAlike) && readsOnlyOwnElements(first, second, numShared) &&
         (numShared > 0 || readAlike(first, second)) && canBeTogether({first, second});
}

/// A loop is a reduction if either operation reduces over it, even if it indexes the other's
/// results.
SmallVector<utils::IteratorType> loopsOf(linalg::GenericOp first, linalg::GenericOp second) {
  SmallVector<utils::IteratorType> loops = first.getIteratorTypesArray();
  for (auto [loop, other] : llvm::zip(loops, second.getIteratorTypesArray()))
    loop = other == utils::IteratorType::reduction ? other : loop;
  return loops;
}

class Merge {
public:
  Merge(linalg::GenericOp first, linalg::GenericOp second)
      : first(first), second(second), b(second) {}

  linalg::GenericOp run() {
    SmallVector<Operation *> dependents = dependentsBetween({first, second});
    for (linalg::GenericOp op : {first, second})
      for (OpOperand *operand : op.getDpsInputOperands())
        if (operand->get().getDefiningOp() != first)
          add(op, *operand, inputs);
    for (linalg::GenericOp op : {first, second})
      for (OpOperand &operand : op.getDpsInitsMutable())
        add(op, operand, outputs);
    auto both = linalg::GenericOp::create(b, second.getLoc(), TypeRange(ValueRange(outputs)),
                                          inputs, outputs, maps, loopsOf(first, second));
    fill(both);
    SmallVector<Value> old(first.getResults());
    llvm::append_range(old, second.getResults());
    for (auto [before, now] : llvm::zip(old, both.getResults()))
      before.replaceAllUsesWith(now);
    for (Operation *op : llvm::reverse(dependents))
      op->moveAfter(both);
    second.erase();
    first.erase();
    return both;
  }

private:
  void add(linalg::GenericOp op, OpOperand &operand, SmallVector<Value> &values) {
    values.push_back(operand.get());
    maps.push_back(op.getMatchingIndexingMap(&operand));
    arguments.push_back(op.getMatchingBlockArgument(&operand));
  }

  void fill(linalg::GenericOp both) {
    SmallVector<Type> types;
    SmallVector<Location> places(arguments.size(), second.getLoc());
    for (BlockArgument argument : arguments)
      types.push_back(argument.getType());
    Block *body = b.createBlock(&both.getRegion(), {}, types, places);
    IRMapping mapping;
    for (auto [argument, own] : llvm::zip(arguments, body->getArguments()))
      mapping.map(argument, own);
    SmallVector<Value> yielded = copy(first, mapping);
    for (OpOperand *operand : second.getDpsInputOperands())
      if (auto result = dyn_cast<OpResult>(operand->get()); result && result.getOwner() == first)
        mapping.map(second.getMatchingBlockArgument(operand), yielded[result.getResultNumber()]);
    llvm::append_range(yielded, copy(second, mapping));
    linalg::YieldOp::create(b, second.getLoc(), yielded);
  }

  SmallVector<Value> copy(linalg::GenericOp op, IRMapping &mapping) {
    for (Operation &inner : op.getBody()->without_terminator())
      b.clone(inner, mapping);
    SmallVector<Value> yielded;
    for (Value value : op.getBody()->getTerminator()->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
    return yielded;
  }

  linalg::GenericOp first, second;
  OpBuilder b;
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> arguments;
};

/// Tries the nearest first, so that fewer operations move.
void mergeInto(SmallVector<linalg::GenericOp> &earlier, linalg::GenericOp op) {
  for (unsigned index = earlier.size(); index-- > 0;)
    if (mayMerge(earlier[index], op)) {
      op = Merge(earlier[index], op).run();
      earlier.erase(earlier.begin() + index);
    }
  earlier.push_back(op);
}

struct MergeLoops final : transform::impl::MergeLoopsBase<MergeLoops> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      SmallVector<linalg::GenericOp> earlier;
      for (auto op : llvm::make_early_inc_range(block->getOps<linalg::GenericOp>()))
        if (isCandidate(op))
          mergeInto(earlier, op);
    }
  }
};

} // namespace
