/// The compiler prints the same program: as a tree, as a dialect after any pass, and formatted.
#include "Compare.h"
#include "lang/tinytc/Format.h"
#include "lang/tinytc/Lower.h"
#include "lang/tinytc/PrintTree.h"
#include "lang/tinytc/ir/PrintSource.h"
#include "lang/tinytc/transform/Passes.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

static std::string treeOf(const std::string &text) {
  Parsed parsed(text);
  if (!parsed.isCorrect)
    return parsed.errors();
  std::string tree;
  llvm::raw_string_ostream out(tree);
  printTree(*parsed.program, out);
  return tree;
}

static std::string formatted(const std::string &text) {
  SourceFile file("program.tinytc", text);
  DiagnosticEngine diagnostics;
  return format(file, diagnostics).value_or("");
}

static std::string sourceOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ir::printSource(module, out);
  return text;
}

/// From text to the dialect and back.
static std::string throughDialect(const std::string &text) {
  Parsed parsed(text);
  if (!parsed.isCorrect)
    return parsed.errors();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  return sourceOf(*lowerToDialect(*parsed.program, context));
}

namespace {

/// Collects each text that differs from the previous one.
struct Texts final : mlir::PassInstrumentation {
  using Visit = llvm::function_ref<void(llvm::StringRef, const std::string &)>;
  explicit Texts(Visit visit) : visit(visit) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
    note(pass->getArgument(), module ? module : op->getParentOfType<mlir::ModuleOp>());
  }
  void note(llvm::StringRef pass, mlir::ModuleOp module) {
    std::string text = sourceOf(module);
    if (text != last)
      visit(pass, text);
    last = std::move(text);
  }

  Visit visit;
  std::string last;
};

} // namespace

static void forEachPass(const Program &program, Texts::Visit visit) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = lowerToDialect(program, context);
  auto texts = std::make_unique<Texts>(visit);
  texts->note("", *module);
  mlir::PassManager pm(&context);
  pm.addInstrumentation(std::move(texts));
  transform::addTinytcPasses(pm, {});
  if (failed(pm.run(*module)))
    visit("a pass that fails", "");
}

std::string random::optimized(const Program &program) {
  std::string last;
  forEachPass(program, [&](llvm::StringRef, const std::string &text) { last = text; });
  return last;
}

std::string random::comparePrinted(const Parsed &parsed, const std::string &text) {
  std::string once = formatted(text), twice = formatted(once), tree = treeOf(text);
  if (once != twice)
    return "formatting again changes\n" + once + "to\n" + twice;
  if (treeOf(once) != tree)
    return "formatting changes the meaning\n" + once;
  if (treeOf(tree) != tree)
    return "the printed tree is another\n" + tree + "than\n" + treeOf(tree);
  std::string problem;
  forEachPass(*parsed.program, [&](llvm::StringRef pass, const std::string &printed) {
    std::string again = problem.empty() ? throughDialect(printed) : printed;
    if (again != printed)
      problem = "printed after `" + pass.str() + "`, it is another\n" + printed + "than\n" + again;
  });
  return problem;
}
