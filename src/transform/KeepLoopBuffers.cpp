#include "transform/Passes.h"
#include "transform/Sizes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_KEEPLOOPBUFFERS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// The value whose buffer `value` is written into, following destinations upwards as far as they go.
Value destinationOf(Value value) {
  for (;;) {
    Operation *op = value.getDefiningOp();
    auto result = dyn_cast<OpResult>(value);
    if (auto insert = dyn_cast_or_null<tensor::InsertOp>(op))
      value = insert.getDest();
    else if (auto style = dyn_cast_or_null<DestinationStyleOpInterface>(op))
      value = style.getDpsInitOperand(result.getResultNumber())->get();
    else if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
      value = loop.getInitArgs()[result.getResultNumber()];
    else
      return value;
  }
}

void keepBuffers(scf::ForOp loop) {
  tessera::transform::SizeAnalysis sizes;
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  OpBuilder builder(yield);
  for (auto [index, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value yielded = yield.getOperand(index);
    if (!isa<RankedTensorType>(carried.getType()) || destinationOf(yielded) == carried || !sizes.isKept(loop, index))
      continue;
    auto copy = bufferization::MaterializeInDestinationOp::create(builder, yielded.getLoc(), carried.getType(),
                                                                  yielded, carried);
    yield.setOperand(index, copy.getResult());
  }
}

struct KeepLoopBuffers final : tessera::transform::impl::KeepLoopBuffersBase<KeepLoopBuffers> {
  void runOnOperation() override { getOperation().walk(keepBuffers); }
};

} // namespace
