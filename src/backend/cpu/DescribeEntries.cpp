#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_DESCRIBEENTRIES
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

struct DescribeEntries final : cpu::impl::DescribeEntriesBase<DescribeEntries> {
  void runOnOperation() override {
    SmallVector<Attribute> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(core::entryAttr)) {
        entries.push_back(describe(function));
        function->setAttr("llvm.emit_c_interface", UnitAttr::get(&getContext()));
      }
    getOperation()->setAttr(cpu::entriesAttr, ArrayAttr::get(&getContext(), entries));
  }

  Attribute describe(func::FuncOp function) {
    Builder b(&getContext());
    SmallVector<Attribute> parameters, results;
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      auto name = function.getArgAttrOfType<StringAttr>(index, core::nameAttr);
      parameters.push_back(
          b.getDictionaryAttr({b.getNamedAttr("name", name ? name : b.getStringAttr("")),
                               b.getNamedAttr("type", TypeAttr::get(type))}));
    }
    for (Type type : function.getResultTypes())
      results.push_back(TypeAttr::get(type));
    return b.getDictionaryAttr({b.getNamedAttr("name", function->getAttr(core::entryAttr)),
                                b.getNamedAttr("symbol", function.getSymNameAttr()),
                                b.getNamedAttr("parameters", b.getArrayAttr(parameters)),
                                b.getNamedAttr("results", b.getArrayAttr(results))});
  }
};

} // namespace
