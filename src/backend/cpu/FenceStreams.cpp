#include "backend/cpu/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_FENCESTREAMS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

using LLVM::LLVMFuncOp;

/// Tuned loops are called often, and only by functions that are not tuned loops.
bool isKernel(LLVMFuncOp function) {
  ArrayAttr told = function.getPassthroughAttr();
  return told && llvm::is_contained(told, StringAttr::get(function.getContext(), cpu::kernelAttr));
}

/// Whether the function, or tuned loops that it calls, writes past the caches.
bool isStreaming(LLVMFuncOp function) {
  SymbolTableCollection symbols;
  auto isStream = [&](Operation *op) {
    if (auto store = dyn_cast<LLVM::StoreOp>(op))
      return store.getNontemporal();
    auto call = dyn_cast<LLVM::CallOp>(op);
    auto callee = call && call.getCalleeAttr()
                      ? symbols.lookupNearestSymbolFrom<LLVMFuncOp>(call, call.getCalleeAttr())
                      : LLVMFuncOp();
    return callee && isKernel(callee) && isStreaming(callee);
  };
  return function
      .walk([&](Operation *op) {
        return isStream(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct FenceStreams final : cpu::impl::FenceStreamsBase<FenceStreams> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVMFuncOp>())
      if (!isKernel(function) && isStreaming(function))
        function.walk([](LLVM::ReturnOp end) {
          OpBuilder b(end);
          LLVM::CallIntrinsicOp::create(b, end.getLoc(), b.getStringAttr("llvm.x86.sse.sfence"),
                                        ValueRange{});
        });
  }
};

} // namespace
