#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_REUSEOPERANDS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

bool isElementwise(linalg::GenericOp op) {
  return op.getNumDpsInits() == 1 && op.getNumLoops() == op.getNumParallelLoops() &&
         !op.hasIndexSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// Whether nothing reads the operand after the operation, so that the result may take its buffer. A
/// live operand would be copied first.
bool isLastUse(Value value, Operation *op) {
  if (value.getParentBlock() != op->getBlock())
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    return here == op || (here && here->isBeforeInBlock(op));
  });
}

/// An operand of the result's type that is indexed like the result.
Value reusableOperand(linalg::GenericOp op) {
  Value result = op.getResult(0);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value value = operand->get();
    bool isOwn = isa<BlockArgument>(value) || value.getDefiningOp<DestinationStyleOpInterface>() ||
                 value.getDefiningOp<scf::ForOp>() || value.getDefiningOp<tensor::InsertOp>();
    if (isOwn && value.getType() == result.getType() && isLastUse(value, op) &&
        op.getMatchingIndexingMap(operand).isIdentity())
      return value;
  }
  return {};
}

/// Bufferization compares all values that may share a buffer pairwise, so chains are bounded.
constexpr unsigned longestChain = 32;

struct ReuseOperands final : tessera::transform::impl::ReuseOperandsBase<ReuseOperands> {
  void runOnOperation() override {
    llvm::DenseMap<Value, unsigned> chains; // The number of values that share a buffer so far.
    getOperation().walk([&](linalg::GenericOp op) {
      if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 || !isElementwise(op))
        return;
      if (!op.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>())
        return;
      Value operand = reusableOperand(op);
      unsigned length = operand ? chains.lookup(operand) + 1 : longestChain;
      if (length == longestChain)
        return;
      op.getDpsInitOperand(0)->set(operand);
      chains[op.getResult(0)] = length;
    });
  }
};

} // namespace
