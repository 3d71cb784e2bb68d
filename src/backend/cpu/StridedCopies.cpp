#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_STRIDEDCOPIES
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Large copies are divided among threads.
bool isSmall(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.hasStaticShape() && type.getNumElements() <= cpu::minChunk;
}

bool isBlock(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
}

struct StridedCopies final : cpu::impl::StridedCopiesBase<StridedCopies> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp op) { copies.push_back(op); });
    for (memref::CopyOp copy : copies) {
      bool isPlain = isBlock(copy.getSource()) && isBlock(copy.getTarget());
      if (isPlain && isSmall(copy.getSource()))
        continue;
      OpBuilder builder(copy);
      linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
      copy.erase();
    }
  }
};

} // namespace
