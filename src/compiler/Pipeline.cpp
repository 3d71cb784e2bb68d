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

/// What the language itself knows about the program.
static void optimizeDialect(OpPassManager &pm, const CompileOptions &options) {
  if (options.dialect)
    options.dialect->addPasses(pm, options.language);
}

static void leaveDialect(OpPassManager &pm, const CompileOptions &options) {
  if (options.dialect)
    options.dialect->addLowering(pm);
}

/// RefineLoopTypes does what the pattern left out does, where it is proved.
static void simplify(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass({}, {unprovedLoopTypes.str()}));
  pm.addPass(createCSEPass());
}

/// Wherever sizes have become known that contradict each other, MLIR's verifier would object.
static void settleSizes(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(transform::createDropVoidSlices());
  pm.addPass(transform::createTrapContradictions());
}

/// While sizes are still being found out.
static void simplifyTensors(OpPassManager &pm) {
  simplify(pm);
  settleSizes(pm);
}

/// Before anything can fold a function by the host's library: results are the same at every level.
static void expandMath(OpPassManager &pm, const CompileOptions &options) {
  if (!options.expandsMath)
    return;
  transform::ExpandMathOptions math;
  math.hasFma = options.backend->hasFma(options.target);
  pm.addPass(transform::createExpandMath(math));
}

/// True of the mathematics, whatever the device.
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

/// Says how each operation is computed, and which buffers its results may live in.
static void applySchedule(OpPassManager &pm, const CompileOptions &options) {
  if (options.target.optLevel > 0) {
    pm.addNestedPass<func::FuncOp>(transform::createReuseOperands());
    pm.addNestedPass<func::FuncOp>(transform::createFuseRows());
    pm.addPass(createLowerAffinePass());
    simplify(pm); // One slice for all that read it.
    pm.addNestedPass<func::FuncOp>(transform::createMergeLoops());
    pm.addNestedPass<func::FuncOp>(transform::createSplitLoopState());
  }
  // Behind all that takes tensors for values, and before all that asks who shares a buffer.
  pm.addNestedPass<func::FuncOp>(transform::createStoreElements());
  if (options.target.optLevel > 0)
    pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addNestedPass<func::FuncOp>(transform::createKeepLoopBuffers());
  options.backend->addSchedulePasses(pm, options.target);
}

/// Turns tensors into memory. Every buffer is freed where its last owner dies.
static void bufferize(OpPassManager &pm, const CompileOptions &options) {
  bufferization::OneShotBufferizePassOptions oneShot;
  oneShot.bufferizeFunctionBoundaries = true;
  oneShot.allowReturnAllocsFromLoops = true;
  oneShot.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  oneShot.bufferAlignment = 0; // The runtime's allocator aligns everything.
  pm.addPass(bufferization::createOneShotBufferizePass(oneShot));
  if (options.target.optLevel > 0) {
    // Before deallocation: afterwards only the allocation would leave the loop.
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
  expandMath(pm, options); // What a kernel or a module that began later has brought in.
}

/// The rest is the device's own business.
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
