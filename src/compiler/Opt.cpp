#include "compiler/Opt.h"
#include "backend/Backend.h"
#include "compiler/Dialects.h"
#include "compiler/ModuleDiagnostics.h"
#include "lang/Language.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "transform/Passes.h"

using namespace mlir;
using namespace tessera;

#define PASS(create) []() -> std::unique_ptr<Pass> { return create(); }

/// MLIR's passes; those of languages and back ends are in tables of their own.
static constexpr PassMaker table[] = {
    PASS(transform::createDropVoidSlices),
    PASS(transform::createExpandMath),
    PASS(transform::createFuseElementwise),
    PASS(transform::createFuseRows),
    PASS(transform::createHoistStackBuffers),
    PASS(transform::createInlineCalls),
    PASS(transform::createKeepInitials),
    PASS(transform::createKeepLoopBuffers),
    PASS(transform::createMergeLoops),
    PASS(transform::createRaiseInserts),
    PASS(transform::createRefineLoopTypes),
    PASS(transform::createReuseOperands),
    PASS(transform::createSplitContractions),
    PASS(transform::createSplitLoopState),
    PASS(transform::createStoreElements),
    PASS(transform::createSwapBuffers),
    PASS(transform::createTrapContradictions),
    PASS(bufferization::createBufferDeallocationSimplificationPass),
    PASS(bufferization::createBufferHoistingPass),
    PASS(bufferization::createBufferLoopHoistingPass),
    PASS(bufferization::createEmptyTensorEliminationPass),
    PASS(bufferization::createLowerDeallocationsPass),
    PASS(bufferization::createOneShotBufferizePass),
    PASS(bufferization::createOwnershipBasedBufferDeallocationPass),
    PASS(bufferization::createPromoteBuffersToStackPass),
    PASS(createCanonicalizerPass),
    PASS(createCSEPass),
    PASS(createConvertBufferizationToMemRefPass),
    PASS(createInlinerPass),
    PASS(createLinalgElementwiseOpFusionPass),
    PASS(createLinalgFoldUnitExtentDimsPass),
    PASS(createLinalgGeneralizeNamedOpsPass),
    PASS(createLoopInvariantCodeMotionPass),
    PASS(createLowerAffinePass),
    PASS(createRemoveDeadValuesPass),
    PASS(createSCCPPass),
    PASS(createStripDebugInfoPass),
    PASS(createSymbolDCEPass),
    PASS(memref::createExpandReallocPass),
};

static std::vector<PassMaker> allPasses() {
  std::vector<PassMaker> all(std::begin(table), std::end(table));
  for (const Language *language : languages())
    if (language->dialect)
      llvm::append_range(all, language->dialect->passes());
  for (const Backend *backend : backends())
    llvm::append_range(all, backend->passes());
  return all;
}

std::vector<std::string> tessera::passNames() {
  std::vector<std::string> names;
  for (PassMaker make : allPasses())
    names.push_back(make()->getArgument().str());
  llvm::sort(names);
  return names;
}

/// Makes a pass from its name and the options after the equals sign.
static std::unique_ptr<Pass> makePass(StringRef text, std::string &badOption) {
  auto [name, options] = text.split('=');
  for (PassMaker make : allPasses()) {
    std::unique_ptr<Pass> pass = make();
    if (pass->getArgument() != name)
      continue;
    auto complain = [&](const Twine &message) {
      badOption = StringRef(message.str()).rtrim().str();
      return failure();
    };
    if (options.empty() || succeeded(pass->initializeOptions(options, complain)))
      return pass;
    if (badOption.empty())
      badOption = "cannot read `" + options.str() + "`";
    break;
  }
  return nullptr;
}

std::optional<std::string> tessera::runPasses(const OptJob &job, DiagnosticEngine &diagnostics,
                                              std::string &badOption) {
  DialectRegistry registry;
  for (const Backend *backend : backends())
    registerDialects(registry, *backend);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ModuleDiagnostics handler(context, job.file, diagnostics);
  // Passes on functions and on modules may be mixed.
  PassManager pm(&context, ModuleOp::getOperationName(), PassManager::Nesting::Implicit);
  for (const std::string &text : job.passes) {
    std::unique_ptr<Pass> pass = makePass(text, badOption);
    if (!pass)
      return std::nullopt;
    pm.addPass(std::move(pass));
  }
  if (job.timePasses)
    pm.enableTiming();
  auto module =
      parseSourceString<ModuleOp>(job.file.text(), ParserConfig(&context), job.file.name());
  if (!module || failed(pm.run(*module)))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << *module << '\n';
  return text;
}
