#include "lang/tinytc/transform/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tessera::tinytc::transform {
#define GEN_PASS_DEF_SIMPLIFYVIEWS
#include "lang/tinytc/transform/Passes.h.inc"
} // namespace tessera::tinytc::transform

using namespace mlir;
using namespace tessera::tinytc::ir;
using namespace tessera::tinytc;

//===-- Numbers that may be known -----------------------------------------===//

static std::optional<int64_t> numberOf(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attr).getInt();
  return constantInt(cast<Value>(value));
}

static Value asValue(PatternRewriter &rewriter, Location loc, OpFoldResult value) {
  if (auto known = dyn_cast<Value>(value))
    return known;
  return ConstantOp::create(rewriter, loc, rewriter.getIndexAttr(*numberOf(value)));
}

static OpFoldResult combine(PatternRewriter &rewriter, Location loc, Binary function,
                            OpFoldResult left, OpFoldResult right) {
  std::optional<int64_t> a = numberOf(left), b = numberOf(right);
  int64_t result;
  bool overflows = a && b &&
                   (function == Binary::Add ? llvm::AddOverflow(*a, *b, result)
                                            : llvm::MulOverflow(*a, *b, result));
  if (a && b && !overflows && result >= 0)
    return rewriter.getIndexAttr(result);
  int64_t neutral = function == Binary::Add ? 0 : 1;
  if (a == neutral || b == neutral)
    return a == neutral ? right : left;
  return BinaryOp::create(rewriter, loc, function, asValue(rewriter, loc, left),
                          asValue(rewriter, loc, right))
      .getResult();
}

/// The size of a mode: a number if it is known, otherwise an operation.
static OpFoldResult sizeAt(PatternRewriter &rewriter, Location loc, Value memref, int64_t mode) {
  int64_t size = cast<MemrefType>(memref.getType()).size(mode);
  if (size != dynamic)
    return rewriter.getIndexAttr(size);
  return SizeOp::create(rewriter, loc, rewriter.getIndexType(), memref, mode).getResult();
}

//===-- Views of views ----------------------------------------------------===//

static LogicalResult composeSubviews(SubviewOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<SubviewOp>();
  if (!inner)
    return failure();
  SmallVector<OpFoldResult> offsets = inner.mixedOffsets(), sizes = inner.mixedSizes();
  SmallVector<OpFoldResult> outerOffsets = op.mixedOffsets(), outerSizes = op.mixedSizes();
  for (auto [outer, mode] : llvm::enumerate(inner.keptModes())) {
    offsets[mode] = combine(rewriter, op.getLoc(), Binary::Add, offsets[mode], outerOffsets[outer]);
    sizes[mode] = outerSizes[outer];
  }
  rewriter.replaceOpWithNewOp<SubviewOp>(op, op.getType(), inner.getOperand(), offsets, sizes);
  return success();
}

static bool isSizeOf(OpFoldResult size, Value memref, int64_t mode) {
  int64_t known = cast<MemrefType>(memref.getType()).size(mode);
  if (known != dynamic)
    return numberOf(size) == known;
  auto value = dyn_cast<Value>(size);
  auto asked = value ? value.getDefiningOp<SizeOp>() : SizeOp();
  return asked && asked.getOperand() == memref && int64_t(asked.getMode()) == mode;
}

static LogicalResult dropWholeSubview(SubviewOp op, PatternRewriter &rewriter) {
  if (op.getType() != op.getOperand().getType())
    return failure();
  for (auto [mode, offset, size] : llvm::enumerate(op.mixedOffsets(), op.mixedSizes()))
    if (numberOf(offset) != 0 || !isSizeOf(size, op.getOperand(), mode))
      return failure();
  rewriter.replaceOp(op, op.getOperand());
  return success();
}

/// A `fuse` of an `expand` restores the mode.
static LogicalResult dropFuseOfExpand(FuseOp op, PatternRewriter &rewriter) {
  auto expand = op.getOperand().getDefiningOp<ExpandOp>();
  if (!expand || op.getFrom() != expand.getMode() ||
      int64_t(op.getTo()) != int64_t(expand.getMode()) + expand.numFactors() - 1 ||
      expand.getOperand().getType() != op.getType())
    return failure();
  rewriter.replaceOp(op, expand.getOperand());
  return success();
}

/// An `expand` of a `fuse` restores the modes if the factors are their sizes.
static LogicalResult dropExpandOfFuse(ExpandOp op, PatternRewriter &rewriter) {
  auto fuse = op.getOperand().getDefiningOp<FuseOp>();
  if (!fuse || fuse.getFrom() != op.getMode() || fuse.getOperand().getType() != op.getType() ||
      int64_t(fuse.getTo()) != int64_t(op.getMode()) + op.numFactors() - 1)
    return failure();
  for (auto [index, factor] : llvm::enumerate(op.mixedFactors()))
    if (!isSizeOf(factor, fuse.getOperand(), fuse.getFrom() + index))
      return failure();
  rewriter.replaceOp(op, fuse.getOperand());
  return success();
}

//===-- Sizes of views ----------------------------------------------------===//

static LogicalResult forwardSize(SizeOp op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  int64_t mode = op.getMode();
  Operation *view = op.getOperand().getDefiningOp();
  OpFoldResult size;
  if (auto subview = dyn_cast_or_null<SubviewOp>(view)) {
    size = subview.mixedSizes()[subview.keptModes()[mode]];
  } else if (auto expand = dyn_cast_or_null<ExpandOp>(view)) {
    int64_t first = expand.getMode(), last = first + expand.numFactors() - 1;
    if (mode >= first && mode <= last)
      size = expand.mixedFactors()[mode - first];
    else
      size = sizeAt(rewriter, loc, expand.getOperand(), mode < first ? mode : mode - last + first);
  } else if (auto fuse = dyn_cast_or_null<FuseOp>(view)) {
    int64_t first = fuse.getFrom(), last = fuse.getTo(), shift = mode > first ? last - first : 0;
    size = sizeAt(rewriter, loc, fuse.getOperand(), mode + shift);
    for (int64_t other = first + 1; mode == first && other <= last; ++other)
      size = combine(rewriter, loc, Binary::Mul, size,
                     sizeAt(rewriter, loc, fuse.getOperand(), other));
  } else {
    return failure();
  }
  rewriter.replaceOp(op, asValue(rewriter, loc, size));
  return success();
}

namespace {

struct SimplifyViews : transform::impl::SimplifyViewsBase<SimplifyViews> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(composeSubviews);
    patterns.add(dropWholeSubview);
    patterns.add(dropFuseOfExpand);
    patterns.add(dropExpandOfFuse);
    patterns.add(forwardSize);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
