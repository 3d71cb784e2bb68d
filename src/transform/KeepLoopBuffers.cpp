#include "transform/Destinations.h"
#include "transform/Passes.h"
#include "transform/Sizes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_KEEPLOOPBUFFERS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

void keepBuffers(scf::ForOp loop) {
  tessera::transform::SizeAnalysis sizes;
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  OpBuilder builder(yield);
  for (auto [index, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value yielded = yield.getOperand(index);
    if (!isa<RankedTensorType>(carried.getType()) || tessera::transform::destinationOf(yielded) == carried || !sizes.isKept(loop, index))
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
