#include "lang/Language.h"
#include "lang/weld/Boundary.h"
#include "lang/weld/Check.h"
#include "lang/weld/Format.h"
#include "lang/weld/Lower.h"
#include "lang/weld/Parser.h"
#include "lang/weld/PrintTree.h"
#include "lang/weld/ir/PrintSource.h"
#include "lang/weld/transform/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/ProgramStack.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

namespace {

constexpr llvm::StringLiteral languageName = "weld";
constexpr llvm::StringLiteral mainName = "main";

/// Phases recurse over the tree, and long programs are deep [weld.limit.1]: each line is inside the
/// `let` of the line before.
void onDeepStack(llvm::function_ref<void()> phase) {
  constexpr unsigned bytesPerLevel = 16384; // Enough for sanitizer builds.
  llvm::runOnNewStack(maxExprDepth * bytesPerLevel, phase);
}

Checked checkProgram(const SourceFile &file, const LanguageOptions &options,
                     DiagnosticEngine &diagnostics) {
  std::shared_ptr<Program> program = parse(file, diagnostics);
  Checked checked;
  onDeepStack([&] { checked.isCorrect = check(*program, options, diagnostics); });
  if (checked.isCorrect)
    checked.functions.push_back({entryNameOf(*program), mainName.str(), parametersOf(*program),
                                 resultsOf(*program), describe(*program), languageName.str()});
  checked.foreign = foreignFunctionsOf(*program);
  checked.program = std::move(program);
  return checked;
}

mlir::OwningOpRef<mlir::ModuleOp> lowerProgram(const Checked &checked, const LanguageOptions &,
                                               mlir::MLIRContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  onDeepStack([&] {
    module = lowerToDialect(*static_cast<const Program *>(checked.program.get()), context);
  });
  return module;
}

void printProgram(const Checked &checked, llvm::raw_ostream &out) {
  onDeepStack([&] { printTree(*static_cast<const Program *>(checked.program.get()), out); });
}

std::optional<std::string> formatProgram(const SourceFile &file, DiagnosticEngine &diagnostics) {
  std::optional<std::string> text;
  onDeepStack([&] { text = weld::format(file, diagnostics); });
  return text;
}

const DiagnosticKind diagnosticTable[] = {
#define WELD_DIAGNOSTIC(name, severity, rule, text) {#name, rule, Severity::severity, text},
#include "lang/weld/Diagnostics.def"
};

const LanguageDialect dialect = {
    .addPasses =
        [](mlir::OpPassManager &pm, const LanguageOptions &options) {
          transform::addWeldPasses(pm, options.optLevel);
        },
    .addLowering = [](mlir::OpPassManager &pm) { pm.addPass(transform::createLowerToCore()); },
    .passes = transform::weldPasses,
    .print = ir::printSource,
};

const StringRef standards[] = {"seed"};

#include "lang/weld/Rules.inc" // weldRules: docs/languages/weld.md

} // namespace

namespace tessera {
extern const Language weldLanguage;
const Language weldLanguage = {
    .name = languageName,
    .extension = ".weld",
    .summary = "Weld: data-parallel loops over vectors and dictionaries, with builders",
    .standards = standards,
    .diagnostics = diagnosticTable,
    .rules = StringRef(reinterpret_cast<const char *>(weldRules), sizeof(weldRules)),
    .registerDialects = [](mlir::DialectRegistry &registry) { registry.insert<ir::WeldDialect>(); },
    .check = checkProgram,
    .lower = lowerProgram,
    .printTree = printProgram,
    .format = formatProgram,
    .mainFunction = mainName,
    .dialect = &dialect,
};
} // namespace tessera
