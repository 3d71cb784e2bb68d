#include "backend/cpu/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_PARALLELLOOPS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

bool isIndependent(linalg::LinalgOp op) {
  return op.getNumLoops() > 0 && op.getNumParallelLoops() == op.getNumLoops() &&
         op.hasPureBufferSemantics();
}

/// Static shapes that fit one chunk stay plain loops, which LLVM can analyze.
bool isKnownSmall(linalg::LinalgOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return false;
    count *= range;
  }
  return count <= cpu::minChunk;
}

struct ParallelLoops final : cpu::impl::ParallelLoopsBase<ParallelLoops> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isIndependent(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      lower(rewriter, op);
  }

  void lower(RewriterBase &rewriter, linalg::LinalgOp op) {
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic)
      generic = *linalg::generalizeNamedOp(rewriter, op);
    rewriter.setInsertionPoint(generic);
    if (isKnownSmall(generic))
      return; // Left to the lowering to plain loops.
    (void)linalg::linalgOpToParallelLoops(rewriter, generic);
    rewriter.eraseOp(generic);
  }
};

} // namespace
