/// Warnings about work-items that diverge where they must not, found by the analysis of the
/// dialect.
#include "lang/tinytc/Check.h"
#include "lang/tinytc/Lower.h"
#include "lang/tinytc/Reporter.h"
#include "lang/tinytc/ir/Divergence.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace tessera;
using namespace tessera::tinytc;

static bool hasSpmdRegion(const Region *region) {
  return region && llvm::any_of(region->body, [](const Inst *inst) {
           if (auto *loop = std::get_if<For>(&inst->node))
             return hasSpmdRegion(loop->body);
           if (auto *branch = std::get_if<If>(&inst->node))
             return hasSpmdRegion(branch->thenRegion) || hasSpmdRegion(branch->elseRegion);
           return std::holds_alternative<Parallel>(inst->node) ||
                  std::holds_alternative<Foreach>(inst->node);
         });
}

static SourceRange rangeOf(const SourceFile &file, mlir::Location loc) {
  auto place = loc->findInstanceOf<mlir::FileLineColRange>();
  auto offset = [&](unsigned line, unsigned column) { return file.lineStart(line) + column - 1; };
  return {offset(place.getStartLine(), place.getStartColumn()),
          offset(place.getEndLine(), place.getEndColumn())};
}

void tinytc::warnOfDivergence(Program &program, const LanguageOptions &options,
                              DiagnosticEngine &diagnostics) {
  auto mayPart = [](const Function *function) { return hasSpmdRegion(function->body); };
  if (llvm::none_of(program.functions, mayPart))
    return;
  static constexpr const DiagnosticKind *kinds[] = {&diag::PartedBarrier, &diag::PartedMatrix,
                                                    &diag::PartedOperand};
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = lowerToDialect(program, context);
  Reporter reporter(program, options, diagnostics);
  for (auto function : module->getOps<mlir::func::FuncOp>()) {
    std::string name = ("@" + function.getSymName()).str();
    reporter.function = name;
    ir::findDivergence(function, [&](const ir::Divergence &found) {
      reporter.report(rangeOf(*program.file, found.op->getLoc()), *kinds[found.kind]);
    });
  }
}
