#include "Printed.h"
#include "lang/weld/Lower.h"
#include "lang/weld/ir/PrintSource.h"
#include "lang/weld/transform/Passes.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace tessera::weld;

namespace {

using Visit = llvm::function_ref<void(llvm::StringRef, const std::string &)>;

/// Prints the text if it has changed.
class Printer {
public:
  explicit Printer(Visit visit) : visit(visit) {}

  void note(llvm::StringRef pass, mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    ir::printSource(module, out);
    if (text != last)
      visit(pass, text);
    last = text;
  }

private:
  Visit visit;
  std::string last;
};

struct Instrumentation final : mlir::PassInstrumentation {
  explicit Instrumentation(Printer &printer) : printer(printer) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (auto module = op->getParentOfType<mlir::ModuleOp>())
      printer.note(pass->getArgument(), module);
  }

  Printer &printer;
};

} // namespace

void random::forEachPrinted(const Program &program, Visit visit) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = lowerToDialect(program, context);
  Printer printer(visit);
  printer.note("", *module);
  mlir::PassManager pm(&context);
  pm.addInstrumentation(std::make_unique<Instrumentation>(printer));
  transform::addWeldPasses(pm, 2);
  if (failed(pm.run(*module)))
    visit("a pass fails", "");
}
