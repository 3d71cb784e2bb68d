#include "core/Contraction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "transform/KeepInitials.h"
#include "transform/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::transform {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Whether the operation only reorders or widens its operand.
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

/// Whether the operation updates its initial value; fused into another, it would do so repeatedly.
bool readsResult(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInitsMutable(),
                      [&](OpOperand &init) { return op.payloadUsesValueFromOperand(&init); });
}

/// Fusion copies both bodies. If the body grew with each operation of a chain, that would take
/// quadratic time; and for an operation this long, reading its operands hardly matters.
bool isTooLong(linalg::LinalgOp producer, linalg::LinalgOp consumer) {
  constexpr size_t longestBody = 256;
  return producer.getBlock()->getOperations().size() + consumer.getBlock()->getOperations().size() >
         longestBody;
}

/// Whether a contraction uses each element once, as a dot product does.
bool usesElementsOnce(const core::Contraction &contraction) {
  return llvm::all_of(contraction.roles, [](core::LoopRole role) {
    return role == core::LoopRole::Batch || role == core::LoopRole::Depth;
  });
}

/// Other contractions use each element many times, so what they read is computed once, in advance.
/// Producers that only read can be fused as long as the result is still a contraction.
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
  if (!contraction || usesElementsOnce(*contraction))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(producer);
  unsigned number = operand->getOperandNumber();
  return generic && number < core::Result && isRead(generic) &&
         (!isWidening(generic) || contraction->widenings[number] == core::Widening::None);
}

/// An unread operand that supplies the sizes of loops no other operand has; they begin with the
/// sizes of `init`.
Value sizesOf(tensor::EmptyOp init, RewriterBase &rewriter) {
  rewriter.setInsertionPointAfter(init);
  return tensor::EmptyOp::create(rewriter, init.getLoc(), init.getMixedSizes(),
                                 rewriter.getI8Type());
}

/// Adds an unread operand that is indexed like the result.
linalg::GenericOp withSizes(linalg::GenericOp op, Value sizes, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs.push_back(sizes);
  maps.push_back(maps.back());
  auto result = linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                                          op.getOutputs(), maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), result.getRegion(), result.getRegion().end());
  result.getBody()->insertArgument(inputs.size() - 1, rewriter.getI8Type(), op.getLoc());
  return result;
}

/// Linalg derives the sizes of an operation's loops from its operands: a body such as `i > 0 ?
/// A(i-1) : 0` that reads no operand of these sizes cannot be fused into a sum unless another
/// operand has them.
struct FuseWithoutSizes : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  static bool isCandidate(OpOperand &operand, linalg::GenericOp consumer,
                          linalg::GenericOp producer) {
    return producer && mayFuse(&operand) && producer.getNumResults() == 1 &&
           producer.getNumParallelLoops() == producer.getNumLoops() &&
           producer.getIndexingMapsArray().back().isPermutation() &&
           consumer.getMatchingIndexingMap(&operand).isPermutation() &&
           producer.getDpsInits().front().getDefiningOp<tensor::EmptyOp>() &&
           !linalg::areElementwiseOpsFusable(&operand);
  }

  static FailureOr<linalg::ElementwiseOpFusionResult>
  fuse(OpOperand &operand, linalg::GenericOp producer, PatternRewriter &rewriter) {
    auto init = producer.getDpsInits().front().getDefiningOp<tensor::EmptyOp>();
    linalg::GenericOp sized = withSizes(producer, sizesOf(init, rewriter), rewriter);
    auto read = [&](Value value) {
      rewriter.modifyOpInPlace(operand.getOwner(), [&] { operand.set(value); });
    };
    read(sized.getResult(0));
    if (linalg::areElementwiseOpsFusable(&operand)) {
      rewriter.setInsertionPoint(operand.getOwner());
      return linalg::fuseElementwiseOps(rewriter, &operand);
    }
    read(producer.getResult(0));
    rewriter.eraseOp(sized);
    return failure();
  }

  LogicalResult matchAndRewrite(linalg::GenericOp consumer,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *operand : consumer.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!isCandidate(*operand, consumer, producer))
        continue;
      auto fused = fuse(*operand, producer, rewriter);
      if (failed(fused))
        continue;
      rewriter.replaceOp(consumer,
                         fused->fusedOp->getResults().take_back(consumer.getNumResults()));
      return success();
    }
    return failure();
  }
};

struct FuseElementwise final : transform::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
    transform::populateKeepInitials(patterns);
    patterns.add<FuseWithoutSizes>(context);
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
