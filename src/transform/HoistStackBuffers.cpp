#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_HOISTSTACKBUFFERS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Each thread of a parallel loop needs a buffer of its own.
bool isShareable(memref::AllocaOp buffer) {
  for (Operation *parent = buffer->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp())
    if (!isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp>(parent))
      return false;
  return true;
}

/// Whether the buffer, or a part of it, outlives its iteration.
bool isYielded(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    return isa<scf::YieldOp>(user) || llvm::any_of(user->getResults(), [](Value result) {
             return isa<BaseMemRefType>(result.getType()) && isYielded(result);
           });
  });
}

struct HoistStackBuffers final
    : tessera::transform::impl::HoistStackBuffersBase<HoistStackBuffers> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &entry = getOperation().getBody().front();
    SmallVector<memref::AllocaOp> buffers;
    getOperation().walk([&](memref::AllocaOp buffer) {
      if (buffer->getBlock() != &entry && buffer.getType().hasStaticShape() &&
          isShareable(buffer) && !isYielded(buffer))
        buffers.push_back(buffer);
    });
    for (memref::AllocaOp buffer : buffers)
      buffer->moveBefore(&entry, entry.begin());
  }
};

} // namespace
