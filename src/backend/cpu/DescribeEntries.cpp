#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "core/Build.h"
#include "core/Entry.h"
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
      if (function->hasAttr(core::buffersAttr) && function->hasAttr(core::entryAttr)) {
        entries.push_back(describeProgram(function));
      } else if (function->hasAttr(core::entryAttr)) {
        entries.push_back(describe(function));
        function->setAttr("llvm.emit_c_interface", UnitAttr::get(&getContext()));
      }
    getOperation()->setAttr(cpu::entriesAttr, ArrayAttr::get(&getContext(), entries));
  }

  /// Describes an entry in buffer form, which C calls directly.
  Attribute describeProgram(func::FuncOp function) {
    NamedAttrList entry;
    entry.set("name", function->getAttr(core::entryAttr));
    entry.set("symbol", function.getSymNameAttr());
    entry.set("place", core::describe({function.getLoc(), "", ""}));
    if (Attribute kernel = function->getAttr(core::kernelAttr)) {
      entry.set("kernel", kernel);
    } else {
      entry.set("types", function->getAttr(core::typesAttr));
      entry.set("names", namesOf(function));
      if (function->hasAttr(core::callsOutAttr))
        entry.set("callsOut", UnitAttr::get(&getContext()));
    }
    return entry.getDictionary(&getContext());
  }

  /// The names of the arguments; handwritten modules may have none.
  static Attribute namesOf(func::FuncOp function) {
    auto names = function->getAttrOfType<ArrayAttr>(core::namesAttr);
    return names ? names : ArrayAttr::get(function.getContext(), {});
  }

  Attribute describe(func::FuncOp function) {
    Builder b(&getContext());
    SmallVector<Attribute> parameters, results;
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      parameters.push_back(describe(b, core::entryParameter(function, index), ""));
    for (unsigned index = 0; index < function.getNumResults(); ++index)
      results.push_back(describe(b, core::entryResult(function, index), "result"));
    return b.getDictionaryAttr(
        {b.getNamedAttr("name", function->getAttr(core::entryAttr)),
         b.getNamedAttr("symbol", function.getSymNameAttr()),
         b.getNamedAttr("place", core::describe({function.getLoc(), "", ""})),
         b.getNamedAttr("parameters", b.getArrayAttr(parameters)),
         b.getNamedAttr("results", b.getArrayAttr(results))});
  }

  /// `element` is the type that callers see, which MLIR's type alone does not determine.
  static Attribute describe(Builder &b, const core::EntryValue &value, StringRef otherName) {
    std::string element = value.element ? core::name(*value.element) : "";
    SmallVector<NamedAttribute> row{
        b.getNamedAttr("name", b.getStringAttr(value.name.empty() ? otherName : value.name)),
        b.getNamedAttr("type", TypeAttr::get(value.type)),
        b.getNamedAttr("element", b.getStringAttr(element))};
    if (!value.sizes.empty())
      row.push_back(b.getNamedAttr("sizes", b.getStrArrayAttr(value.sizes)));
    if (value.isInitial)
      row.push_back(b.getNamedAttr("initial", b.getUnitAttr()));
    return b.getDictionaryAttr(row);
  }
};

} // namespace
