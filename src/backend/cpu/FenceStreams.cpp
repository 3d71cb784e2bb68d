#include "backend/cpu/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tessera::cpu {
#define GEN_PASS_DEF_FENCESTREAMS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

bool isStreaming(LLVM::LLVMFuncOp function) {
  return function
      .walk([](LLVM::StoreOp store) {
        return store.getNontemporal() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct FenceStreams final : tessera::cpu::impl::FenceStreamsBase<FenceStreams> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (isStreaming(function))
        function.walk([](LLVM::ReturnOp end) {
          OpBuilder b(end);
          LLVM::CallIntrinsicOp::create(b, end.getLoc(), b.getStringAttr("llvm.x86.sse.sfence"),
                                        ValueRange{});
        });
  }
};

} // namespace
