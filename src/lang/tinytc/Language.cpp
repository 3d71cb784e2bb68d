#include "lang/Language.h"
#include "lang/tinytc/Boundary.h"
#include "lang/tinytc/Check.h"
#include "lang/tinytc/Format.h"
#include "lang/tinytc/Lower.h"
#include "lang/tinytc/Parser.h"
#include "lang/tinytc/PrintTree.h"
#include "lang/tinytc/ir/PrintSource.h"
#include "lang/tinytc/transform/Passes.h"
#include "lang/tinytc/transform/ToCore.h"
#include "mlir/Pass/PassManager.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

namespace {

Checked checkProgram(const SourceFile &file, const LanguageOptions &options,
                     DiagnosticEngine &diagnostics) {
  std::shared_ptr<Program> program = parse(file, options, diagnostics);
  Checked checked;
  checked.isCorrect = check(*program, options, diagnostics);
  if (checked.isCorrect) {
    warnOfDivergence(*program, options, diagnostics);
    for (const Function *function : program->functions)
      checked.functions.push_back(signatureOf(*function));
  }
  checked.program = std::move(program);
  return checked;
}

mlir::OwningOpRef<mlir::ModuleOp>
lowerProgram(const Checked &checked, const LanguageOptions &options, mlir::MLIRContext &context) {
  auto module = lowerToDialect(*static_cast<const Program *>(checked.program.get()), context,
                               options.entry.empty() ? "*" : options.entry);
  if (options.checked)
    module->getOperation()->setAttr(checkedAttr, mlir::UnitAttr::get(&context));
  return module;
}

void printProgram(const Checked &checked, llvm::raw_ostream &out) {
  printTree(*static_cast<const Program *>(checked.program.get()), out);
}

const DiagnosticKind diagnosticTable[] = {
#define TINYTC_DIAGNOSTIC(name, severity, rule, text) {#name, rule, Severity::severity, text},
#define TINYTC_DEVICE_DIAGNOSTIC(name, rule, text) {#name, rule, Severity::Error, text, true},
#include "lang/tinytc/Diagnostics.def"
};

const LanguageDialect dialect = {
    .addPasses = transform::addTinytcPasses,
    .addLowering = [](mlir::OpPassManager &pm) { pm.addPass(createLowerToCore()); },
    .passes = transform::tinytcPasses,
    .print = ir::printSource,
};

const StringRef standards[] = {"union", "seed", "legacy"};
const StringRef otherExtensions[] = {".ir"};

#include "lang/tinytc/Rules.inc" // tinytcRules: docs/languages/tinytc.md

} // namespace

namespace tessera {
extern const Language tinytcLanguage;
const Language tinytcLanguage = {
    .name = "tinytc",
    .extension = ".tinytc",
    .otherExtensions = otherExtensions,
    .summary = "tinytc: kernels for batches of small tensors, on work-groups and subgroups",
    .standards = standards,
    .diagnostics = diagnosticTable,
    .rules = StringRef(reinterpret_cast<const char *>(tinytcRules), sizeof(tinytcRules)),
    .registerDialects =
        [](mlir::DialectRegistry &registry) { registry.insert<ir::TinytcDialect>(); },
    .check = checkProgram,
    .lower = lowerProgram,
    .printTree = printProgram,
    .format = tinytc::format,
    .hasDefinitions = true,
    .dialect = &dialect,
};
} // namespace tessera
