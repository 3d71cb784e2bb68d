#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_HOISTSTACKBUFFERS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

struct HoistStackBuffers final
    : tessera::transform::impl::HoistStackBuffersBase<HoistStackBuffers> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &entry = getOperation().getBody().front();
    SmallVector<memref::AllocaOp> buffers;
    getOperation().walk([&](memref::AllocaOp buffer) {
      if (buffer->getBlock() != &entry && buffer.getType().hasStaticShape())
        buffers.push_back(buffer);
    });
    for (memref::AllocaOp buffer : buffers)
      buffer->moveBefore(&entry, entry.begin());
  }
};

} // namespace
