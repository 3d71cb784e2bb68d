/// Simplifies branches and loops whose conditions or bounds are known.
#include "lang/tinytc/ir/Dialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tessera::tinytc::ir;

/// Replaces the operation by its region, whose arguments become these values.
static void inlineRegion(PatternRewriter &rewriter, Operation *op, Region &region,
                         ValueRange arguments) {
  Block &block = region.front();
  auto yield = cast<YieldOp>(block.getTerminator());
  SmallVector<Value> results(yield.getValues());
  rewriter.eraseOp(yield);
  SmallVector<Value> replaced;
  for (Value result : results) {
    auto argument = dyn_cast<BlockArgument>(result);
    bool isOwn = argument && argument.getOwner() == &block;
    replaced.push_back(isOwn ? arguments[argument.getArgNumber()] : result);
  }
  rewriter.inlineBlockBefore(&block, op, arguments);
  rewriter.replaceOp(op, replaced);
}

static LogicalResult takeKnownBranch(IfOp op, PatternRewriter &rewriter) {
  std::optional<int64_t> condition = constantInt(op.getCondition());
  if (!condition)
    return failure();
  if (*condition || op.hasElse())
    inlineRegion(rewriter, op, *condition ? op.getThenRegion() : op.getElseRegion(), {});
  else
    rewriter.eraseOp(op);
  return success();
}

static LogicalResult dropEmptyElse(IfOp op, PatternRewriter &rewriter) {
  if (!op.hasElse() || op.getNumResults() || !llvm::hasSingleElement(op.getElseRegion().front()))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { rewriter.eraseBlock(&op.getElseRegion().front()); });
  return success();
}

static LogicalResult takeKnownLoop(ForOp op, PatternRewriter &rewriter) {
  std::optional<int64_t> number = op.numIterations();
  if (!number || *number > 1)
    return failure();
  if (*number == 0) {
    rewriter.replaceOp(op, op.getInitials());
    return success();
  }
  SmallVector<Value> arguments{op.getFrom()};
  llvm::append_range(arguments, op.getInitials());
  inlineRegion(rewriter, op, op.getBody(), arguments);
  return success();
}

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(takeKnownBranch);
  patterns.add(dropEmptyElse);
}

void ForOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(takeKnownLoop);
}
