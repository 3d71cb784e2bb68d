#include "lang/tinytc/transform/Passes.h"
#include "lang/tinytc/transform/ToCore.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

static void addSimplifications(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(transform::createSimplifyViews());
  pm.addPass(transform::createSpecializeConstants());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createCSEPass());
}

void transform::addTinytcPasses(OpPassManager &pm, const LanguageOptions &options) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  if (!options.checked && options.optLevel > 0)
    addSimplifications(function);
  function.addPass(createPlanLocalMemory());
  if (options.optLevel > 0)
    function.addPass(createInsertBarriers());
}

llvm::ArrayRef<PassMaker> transform::tinytcPasses() {
  static constexpr PassMaker table[] = {
#define PASS(create) []() -> std::unique_ptr<Pass> { return create(); }
      PASS(createCheckRegions),  PASS(createInsertBarriers),      PASS(createPlanLocalMemory),
      PASS(createSimplifyViews), PASS(createSpecializeConstants), PASS(createLowerToCore),
#undef PASS
  };
  return table;
}
