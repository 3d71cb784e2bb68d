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

/// A static shape that fits one chunk stays a plain loop, which LLVM sees through.
bool isKnownSmall(linalg::LinalgOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return false;
    count *= range;
  }
  return count <= cpu::minChunk;
}

/// True where every operand is one block of memory in the order of the loops: then they can be one
/// loop.
bool isFlat(linalg::GenericOp op) {
  auto isBlock = [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    return !type ||
           (type.getLayout().isIdentity() && op.getMatchingIndexingMap(&operand).isIdentity());
  };
  return op.getNumLoops() > 1 && !op.hasIndexSemantics() &&
         llvm::all_of(op->getOpOperands(), isBlock);
}

Value collapsed(OpBuilder &b, Location loc, Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return buffer;
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
  return memref::CollapseShapeOp::create(b, loc, buffer, ArrayRef{all});
}

/// The same computation over one dimension.
linalg::GenericOp flatten(RewriterBase &b, linalg::GenericOp op) {
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  for (Value input : op.getDpsInputs())
    inputs.push_back(collapsed(b, op.getLoc(), input));
  for (Value output : op.getDpsInits())
    outputs.push_back(collapsed(b, op.getLoc(), output));
  for (Value operand : op->getOperands())
    maps.push_back(isa<MemRefType>(operand.getType()) ? b.getMultiDimIdentityMap(1)
                                                      : AffineMap::get(1, 0, b.getContext()));
  auto flat = linalg::GenericOp::create(b, op.getLoc(), TypeRange{}, inputs, outputs, maps,
                                        ArrayRef{utils::IteratorType::parallel});
  flat.getRegion().takeBody(op.getRegion());
  b.eraseOp(op);
  return flat;
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
    bool isSmall = isKnownSmall(generic);
    if (isFlat(generic))
      generic = flatten(rewriter, generic);
    rewriter.setInsertionPoint(generic);
    if (isSmall)
      return; // The lowering to plain loops is next.
    (void)linalg::linalgOpToParallelLoops(rewriter, generic);
    rewriter.eraseOp(generic);
  }
};

} // namespace
