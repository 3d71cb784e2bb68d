#include "compiler/Pipeline.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "transform/Passes.h"

using namespace mlir;
using namespace tessera;
using core::Stage;

/// Optimizations of the language itself.
static void optimizeDialect(OpPassManager &pm, const CompileOptions &options) {
  if (options.dialect)
    options.dialect->addPasses(pm, options.language);
}

static void leaveDialect(OpPassManager &pm, const CompileOptions &options) {
  if (options.dialect)
    options.dialect->addLowering(pm);
}

/// Without the pattern that RefineLoopTypes replaces, which does not prove what it assumes.
static void simplify(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass({}, {unprovedLoopTypes.str()}));
  pm.addPass(createCSEPass());
}

/// As soon as sizes that contradict each other become known, MLIR's verifier would reject them.
static void settleSizes(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(transform::createDropVoidSlices());
  pm.addPass(transform::createTrapContradictions());
}

/// For use while sizes are still being inferred.
static void simplifyTensors(OpPassManager &pm) {
  simplify(pm);
  settleSizes(pm);
}

/// Runs before any folding, which would use the host's math library: results are equal at every
/// level.
static void expandMath(OpPassManager &pm, const CompileOptions &options) {
  if (!options.expandsMath)
    return;
  transform::ExpandMathOptions math;
  math.hasFma = options.backend->hasFma(options.target);
  pm.addPass(transform::createExpandMath(math));
}

/// Optimizations that do not depend on the target.
static void optimize(OpPassManager &pm, const CompileOptions &options) {
  expandMath(pm, options);
  settleSizes(pm);
  if (options.target.optLevel == 0)
    return;
  pm.addPass(transform::createInlineCalls());
  pm.addPass(createSymbolDCEPass());
  settleSizes(pm);
  simplifyTensors(pm);
  pm.addNestedPass<func::FuncOp>(transform::createRefineLoopTypes());
  simplifyTensors(pm);
  pm.addNestedPass<func::FuncOp>(transform::createRaiseInserts());
  pm.addNestedPass<func::FuncOp>(transform::createSplitContractions());
  pm.addPass(transform::createFuseElementwise());
  pm.addPass(createLowerAffinePass()); // Fusion computes positions with affine.apply.
  simplifyTensors(pm);
}

/// Decides how each operation is computed, and in which buffers its results may live.
static void applySchedule(OpPassManager &pm, const CompileOptions &options) {
  if (options.target.optLevel > 0) {
    // Since fusion, folding may have made further bodies ignore their initial values.
    pm.addNestedPass<func::FuncOp>(transform::createKeepInitials());
    pm.addNestedPass<func::FuncOp>(transform::createReuseOperands());
    pm.addNestedPass<func::FuncOp>(transform::createFuseRows());
    pm.addPass(createLowerAffinePass());
    simplify(pm); // Shares one slice among all its readers.
    pm.addNestedPass<func::FuncOp>(transform::createMergeLoops());
    pm.addNestedPass<func::FuncOp>(transform::createSplitLoopState());
  }
  // After all passes that rely on value semantics, and before those that ask which values share a
  // buffer.
  pm.addNestedPass<func::FuncOp>(transform::createStoreElements());
  if (options.target.optLevel > 0)
    pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addNestedPass<func::FuncOp>(transform::createKeepLoopBuffers());
  options.backend->addSchedulePasses(pm, options.target);
}

/// Turns tensors into memory. Every buffer is freed where its last owner ends.
static void bufferize(OpPassManager &pm, const CompileOptions &options) {
  bufferization::OneShotBufferizePassOptions oneShot;
  oneShot.bufferizeFunctionBoundaries = true;
  oneShot.allowReturnAllocsFromLoops = true;
  oneShot.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  oneShot.bufferAlignment = 0; // The runtime's allocator aligns everything.
  pm.addPass(bufferization::createOneShotBufferizePass(oneShot));
  if (options.target.optLevel > 0) {
    // Before deallocation: afterwards only the allocation would be hoisted.
    pm.addNestedPass<func::FuncOp>(bufferization::createBufferHoistingPass());
    pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
    bufferization::PromoteBuffersToStackPassOptions stack;
    stack.maxAllocSizeInBytes = 4096;
    pm.addNestedPass<func::FuncOp>(bufferization::createPromoteBuffersToStackPass(stack));
    pm.addNestedPass<func::FuncOp>(transform::createHoistStackBuffers());
    simplify(pm);
  }
  bufferization::BufferDeallocationPipelineOptions deallocation;
  bufferization::buildBufferDeallocationPipeline(pm, deallocation);
  pm.addPass(createConvertBufferizationToMemRefPass());
}

static void makeLoops(OpPassManager &pm, const CompileOptions &options) {
  bufferize(pm, options);
  if (options.target.optLevel > 0) {
    simplify(pm);
    pm.addNestedPass<func::FuncOp>(transform::createSwapBuffers());
  }
  options.backend->addLoopPasses(pm, options.target);
  expandMath(pm, options); // Functions from kernels and from modules that started at a later stage.
}

/// The back end does the rest.
static void lowerToTarget(OpPassManager &pm, const CompileOptions &options) {
  options.backend->addLoweringPasses(pm, options.target);
}

void tessera::buildPipeline(OpPassManager &pm, const CompileOptions &options, Stage from,
                            Stage to) {
  struct Step {
    Stage reaches;
    void (*addPasses)(OpPassManager &, const CompileOptions &);
  };
  static constexpr Step steps[] = {
      {Stage::Dialect, optimizeDialect}, {Stage::Core, leaveDialect}, {Stage::Optimized, optimize},
      {Stage::Scheduled, applySchedule}, {Stage::Loops, makeLoops},   {Stage::Llvm, lowerToTarget},
  };
  for (auto [reaches, addPasses] : steps)
    if (from < reaches && reaches <= to)
      addPasses(pm, options);
}
