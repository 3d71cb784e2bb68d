#include "transform/KeepInitials.h"
#include "core/Build.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "transform/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::transform {
#define GEN_PASS_DEF_KEEPINITIALS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Whether it is known that the body runs for each element of the result.
bool runsForEachElement(linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return llvm::all_of(
      reduced, [&](unsigned dim) { return !ShapedType::isDynamic(sizes[dim]) && sizes[dim] > 0; });
}

/// Whether one of the ranges that the operation reduces over is empty.
Value hasNothingToReduce(linalg::GenericOp op, OpBuilder &b) {
  SmallVector<Range> ranges =
      cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, op.getLoc());
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  Value zero = core::constantIndex(b, op.getLoc(), 0), isEmpty;
  for (unsigned dim : reduced) {
    Value size = getValueOrCreateConstantIndexOp(b, op.getLoc(), ranges[dim].size);
    Value isZero = arith::CmpIOp::create(b, op.getLoc(), arith::CmpIPredicate::eq, size, zero);
    isEmpty = isEmpty ? arith::OrIOp::create(b, op.getLoc(), isEmpty, isZero) : isZero;
  }
  return isEmpty;
}

/// Where there is nothing to reduce, the result is the initial value, even if the body does not
/// read it, as in a product with a factor of 0.
struct KeepInitials : OpRewritePattern<linalg::GenericOp> {
  explicit KeepInitials(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/10) {}

  static bool isUnread(linalg::GenericOp op, OpOperand &init) {
    return !op.payloadUsesValueFromOperand(&init) && !init.get().getDefiningOp<tensor::EmptyOp>();
  }

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 || runsForEachElement(op))
      return failure();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      if (!isUnread(op, init))
        continue;
      keep(op, init, rewriter);
      return success();
    }
    return failure();
  }

  static void keep(linalg::GenericOp op, OpOperand &init, PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value initial = init.get();
    Type element = getElementTypeOrSelf(initial.getType());
    rewriter.setInsertionPoint(op);
    SmallVector<OpFoldResult> sizes = core::sizesOf(rewriter, loc, initial);
    Value isEmpty = hasNothingToReduce(op, rewriter);
    Value unset = core::empty(rewriter, loc, sizes, element);
    rewriter.modifyOpInPlace(op, [&] { init.set(unset); });
    rewriter.setInsertionPointAfter(op);
    Value reduced = op.getTiedOpResult(&init);
    Value kept = core::elementwise(rewriter, loc, {initial, reduced}, sizes, element,
                                   [&](OpBuilder &b, Location at, ValueRange elements) -> Value {
                                     return arith::SelectOp::create(b, at, isEmpty, elements[0],
                                                                    elements[1]);
                                   });
    rewriter.replaceAllUsesExcept(reduced, kept, kept.getDefiningOp());
  }
};

struct KeepInitialsPass final : transform::impl::KeepInitialsBase<KeepInitialsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    transform::populateKeepInitials(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void transform::populateKeepInitials(RewritePatternSet &patterns) {
  patterns.add<KeepInitials>(patterns.getContext());
}
