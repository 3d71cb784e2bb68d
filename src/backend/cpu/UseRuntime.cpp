#include "backend/cpu/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_USERUNTIME
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

struct UseRuntime final : cpu::impl::UseRuntimeBase<UseRuntime> {
  void runOnOperation() override {
    rename("malloc", "tessera_rt_alloc");
    rename("free", "tessera_rt_dealloc");
    auto function = [&](StringRef name) {
      return getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name);
    };
    if (auto alloc = function("tessera_rt_alloc"))
      alloc.setResultAttr(0, "llvm.noalias", UnitAttr::get(&getContext()));
    // Constants may come from inlined code, but stand outside any function: no place for a
    // debugger.
    for (auto constant : getOperation().getOps<LLVM::GlobalOp>())
      constant->setLoc(UnknownLoc::get(&getContext()));
    // Nothing but the entries is visible: LLVM may change and drop the rest at will.
    for (auto internal : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!internal.isExternal())
        internal.setLinkage(LLVM::Linkage::Internal);
  }

  void rename(StringRef from, StringRef to) {
    auto function = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(from);
    if (!function)
      return;
    (void)SymbolTable::replaceAllSymbolUses(function, StringAttr::get(&getContext(), to),
                                            getOperation());
    function.setSymName(to);
  }
};

} // namespace
