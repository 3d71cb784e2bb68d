#include "lang/weld/transform/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

/// Inferred sizes show which loops have the same iterations; once two readers are fused, their
/// producer can be fused with them.
static void addFusion(OpPassManager &pm) {
  pm.addPass(transform::createInferSizes());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(transform::createFuseProducers());
  pm.addPass(transform::createFuseSiblings());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void transform::addWeldPasses(OpPassManager &pm, unsigned optLevel) {
  if (optLevel == 0)
    return;
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(createEliminateCommon());
  function.addPass(createUnrollLoops());
  for (int round = 0; round < 3; ++round)
    addFusion(function);
  function.addPass(createUnrollLoops());
  function.addPass(createCanonicalizerPass());
  function.addPass(createDropDeadBuilders());
  function.addPass(createHoistInvariants());
  function.addPass(createRecognizeOrder());
  function.addPass(createSelectBranches());
  function.addPass(createPredicateMerges());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(createInferSizes());
  function.addPass(createChooseStrategies());
}

llvm::ArrayRef<PassMaker> transform::weldPasses() {
  static constexpr PassMaker table[] = {
#define PASS(create) []() -> std::unique_ptr<Pass> { return create(); }
      PASS(createChooseStrategies), PASS(createDropDeadBuilders), PASS(createEliminateCommon),
      PASS(createFuseProducers),    PASS(createFuseSiblings),     PASS(createHoistInvariants),
      PASS(createInferSizes),       PASS(createLowerToCore),      PASS(createPredicateMerges),
      PASS(createRecognizeOrder),   PASS(createSelectBranches),   PASS(createUnrollLoops),
#undef PASS
  };
  return table;
}
