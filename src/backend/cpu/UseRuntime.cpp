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
    rename("lgamma", "tessera_rt_lgamma");
    rename("lgammaf", "tessera_rt_lgammaf");
    auto function = [&](StringRef name) {
      return getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name);
    };
    if (auto alloc = function("tessera_rt_alloc"))
      alloc.setResultAttr(0, "llvm.noalias", UnitAttr::get(&getContext()));
    for (StringRef name : cpu::libraryFunctions())
      if (auto pure = function(name); pure && pure.isExternal())
        describePure(pure);
    // Constants may come from inlined code, but stand outside any function: no place for a
    // debugger.
    for (auto constant : getOperation().getOps<LLVM::GlobalOp>())
      constant->setLoc(UnknownLoc::get(&getContext()));
    // Nothing but the entries is visible: LLVM may change and drop the rest at will.
    for (auto internal : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!internal.isExternal())
        internal.setLinkage(LLVM::Linkage::Internal);
  }

  /// Calls may be moved, merged and dropped. That C's set errno is nobody's business here.
  void describePure(LLVM::LLVMFuncOp function) {
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(&getContext(), {none, none, none, none, none, none}));
    function.setWillReturn(true);
    function.setNoUnwind(true);
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
