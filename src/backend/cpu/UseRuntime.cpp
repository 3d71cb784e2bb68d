#include "backend/cpu/Passes.h"
#include "core/Build.h"
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
    placeAllocations();
    rename("free", "tessera_rt_dealloc");
    rename("lgamma", "tessera_rt_lgamma");
    rename("lgammaf", "tessera_rt_lgammaf");
    auto function = [&](StringRef name) {
      return getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name);
    };
    for (StringRef name : cpu::libraryFunctions())
      if (auto pure = function(name); pure && pure.isExternal())
        describePure(pure);
    // Constants may come from inlined code but are outside any function, where debug locations are
    // invalid.
    for (auto constant : getOperation().getOps<LLVM::GlobalOp>())
      constant->setLoc(UnknownLoc::get(&getContext()));
    // Only entries are visible, so LLVM may change and drop everything else.
    for (auto internal : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!internal.isExternal())
        internal.setLinkage(LLVM::Linkage::Internal);
  }

  /// Replaces malloc by the runtime's, which takes a site: just a constant unless memory runs out.
  void placeAllocations() {
    auto malloc = getOperation().lookupSymbol<LLVM::LLVMFuncOp>("malloc");
    if (!malloc)
      return;
    core::Sites sites(getOperation());
    llvm::DenseMap<Location, int64_t> known;
    OpBuilder b(malloc);
    LLVM::LLVMFuncOp alloc = declareAlloc(b);
    auto uses = SymbolTable::getSymbolUses(malloc, getOperation());
    for (SymbolTable::SymbolUse use : *uses) {
      auto call = cast<LLVM::CallOp>(use.getUser());
      auto [found, isNew] = known.try_emplace(call.getLoc(), 0);
      if (isNew)
        found->second = sites.add({call.getLoc(), nameOf(call.getLoc()), ""});
      b.setInsertionPoint(call);
      Value site = LLVM::ConstantOp::create(b, call.getLoc(), b.getI64Type(), found->second);
      auto placed = LLVM::CallOp::create(b, call.getLoc(), alloc,
                                         ValueRange{call.getArgOperands().front(), site});
      call.replaceAllUsesWith(placed);
      call.erase();
    }
    malloc.erase();
    sites.attach();
  }

  /// The front end's name for the value in that memory, or "".
  static StringRef nameOf(Location loc) {
    auto named = loc->findInstanceOf<NameLoc>();
    return named ? named.getName().getValue() : "";
  }

  LLVM::LLVMFuncOp declareAlloc(OpBuilder &b) {
    Type i64 = b.getI64Type(), pointer = LLVM::LLVMPointerType::get(&getContext());
    auto alloc = LLVM::LLVMFuncOp::create(b, b.getUnknownLoc(), cpu::allocateFunction,
                                          LLVM::LLVMFunctionType::get(pointer, {i64, i64}));
    alloc.setResultAttr(0, "llvm.noalias", b.getUnitAttr());
    return alloc;
  }

  /// Calls may be moved, merged and dropped; we ignore that C's functions set errno.
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
