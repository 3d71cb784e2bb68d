#include "compiler/Snapshot.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tessera;

namespace {

struct Instrumentation final : PassInstrumentation {
  explicit Instrumentation(Snapshot &snapshot) : snapshot(snapshot) {}
  void runAfterPass(Pass *pass, Operation *op) override { snapshot.note(pass, op); }

  Snapshot &snapshot;
};

} // namespace

std::unique_ptr<PassInstrumentation> Snapshot::instrument() {
  return std::make_unique<Instrumentation>(*this);
}

void Snapshot::note(Pass *pass, Operation *op) {
  StringRef name = pass->getArgument();
  if (!name.empty() && !llvm::is_contained(seen, name)) // Pass adaptors have no name.
    seen.push_back(name.str());
  if (name != wanted || isWhole)
    return;
  if (auto module = dyn_cast<ModuleOp>(op)) {
    isWhole = true;
    if (!copy)
      copy = module.clone();
    return;
  }
  if (!copy)
    copy = op->getParentOfType<ModuleOp>().clone();
  copyFunction(op);
}

void Snapshot::copyFunction(Operation *function) {
  StringAttr name = SymbolTable::getSymbolName(function);
  Operation *old = name ? SymbolTable::lookupSymbolIn(*copy, name) : nullptr;
  if (!old || !copied.insert(name.getValue()).second)
    return;
  OpBuilder(old).clone(*function);
  old->erase();
}
