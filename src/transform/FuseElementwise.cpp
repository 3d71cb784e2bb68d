#include "core/Contraction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "transform/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::transform {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Nothing but its operand in another order, or in a wider type.
bool isRead(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1)
    return false;
  Block &body = *op.getBody();
  Value yielded = body.getTerminator()->getOperand(0);
  Operation *last = yielded.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(last))
    yielded = last->getOperand(0);
  return yielded == body.getArgument(0);
}

bool isWidening(linalg::GenericOp op) {
  return op.getBody()->getOperations().size() > 1;
}

/// Such an operation updates what it begins with; part of another, it would do so again and again.
bool readsResult(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInitsMutable(),
                      [&](OpOperand &init) { return op.payloadUsesValueFromOperand(&init); });
}

/// Fusion copies both bodies. A chain of operations whose body grew with each of them would take
/// quadratic time, and an operation this long spends none on reading its operands.
bool isTooLong(linalg::LinalgOp producer, linalg::LinalgOp consumer) {
  constexpr size_t longestBody = 256;
  return producer.getBlock()->getOperations().size() + consumer.getBlock()->getOperations().size() >
         longestBody;
}

/// A contraction uses each element many times: what it reads is computed before, once. What only
/// reads can be part of it, as far as it stays a contraction.
bool mayFuse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  if (!producer || !producer->hasOneUse())
    return false;
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (auto op = dyn_cast<linalg::LinalgOp>(producer);
      op && consumer && (readsResult(op) || isTooLong(op, consumer)))
    return false;
  std::optional<core::Contraction> contraction =
      consumer ? core::matchContraction(consumer) : std::nullopt;
  if (!contraction)
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(producer);
  unsigned number = operand->getOperandNumber();
  return generic && number < core::Result && isRead(generic) &&
         (!isWidening(generic) || contraction->widenings[number] == core::Widening::None);
}

struct FuseElementwise final : transform::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, mayFuse);
    tensor::populateBubbleUpExpandShapePatterns(patterns);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    context->getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(patterns);
    linalg::populateConstantFoldLinalgOperations(patterns, mayFuse);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns),
                                GreedyRewriteConfig().setUseTopDownTraversal());
  }
};

} // namespace
