#include "backend/cpu/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tessera;

void cpu::addSchedulePasses(OpPassManager &pm, const Target &target) {
  schedule::Machine machine = machineOf(target);
  ScheduleContractionsOptions options;
  options.vectorBytes = machine.vectorBytes;
  options.l1 = machine.l1;
  options.l2 = machine.l2;
  options.l3 = machine.l3;
  options.bfloatTiles = machine.hasBfloatTiles;
  options.byteTiles = machine.hasByteTiles;
  if (target.optLevel > 0 && machine.vectorBytes > 0)
    pm.addNestedPass<func::FuncOp>(createScheduleContractions(options));
}

/// Half of the last-level cache; a core gets only a part of one that many cores share.
static int64_t smallestStream(const schedule::Machine &machine) {
  constexpr int64_t usual = 32 << 20;
  return std::min(machine.l3, usual) / 2;
}

/// Specialized lowerings come first; remaining linalg operations become plain loops, which LLVM
/// vectorizes.
void cpu::addLoopPasses(OpPassManager &pm, const Target &target) {
  schedule::Machine machine = machineOf(target);
  LowerContractionsOptions contractions;
  contractions.bfloatTiles = machine.hasBfloatTiles;
  contractions.byteTiles = machine.hasByteTiles;
  contractions.fusedProducts = machine.vectorBytes > 0;
  contractions.smallestStream = smallestStream(machine);
  pm.addPass(createLowerContractions(contractions));
  pm.addNestedPass<func::FuncOp>(createStridedCopies());
  pm.addNestedPass<func::FuncOp>(createLowerRows());
  if (target.optLevel > 0) {
    SmallElementwiseOptions small;
    small.lanes = std::max<int64_t>(machine.vectorBytes / 4, 4);
    pm.addNestedPass<func::FuncOp>(createSmallElementwise(small));
    if (machine.vectorBytes > 0)
      pm.addNestedPass<func::FuncOp>(createLowerLookups());
    pm.addNestedPass<func::FuncOp>(createLowerScatters());
    pm.addNestedPass<func::FuncOp>(createSplitBorders());
    if (machine.vectorBytes > 0)
      pm.addNestedPass<func::FuncOp>(
          createStreamResults(StreamResultsOptions{smallestStream(machine)}));
    pm.addNestedPass<func::FuncOp>(createCollapseLoops());
    pm.addNestedPass<func::FuncOp>(createLowerStreams());
    if (int64_t bytes = machine.vectorBytes)
      pm.addNestedPass<func::FuncOp>(createLowerTransposes(LowerTransposesOptions{bytes}));
    pm.addNestedPass<func::FuncOp>(createParallelLoops());
    LowerWindowsOptions windows;
    windows.vectorBytes = std::max<int64_t>(machine.vectorBytes, 16);
    pm.addNestedPass<func::FuncOp>(createLowerWindows(windows));
    pm.addNestedPass<func::FuncOp>(createLowerReductions());
  }
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  if (target.optLevel > 0) {
    pm.addPass(createOutlineParallel());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createLoopInvariantCodeMotionPass());
    pm.addPass(createCSEPass());
  }
}

void cpu::addLoweringPasses(OpPassManager &pm, const Target &target) {
  pm.addNestedPass<func::FuncOp>(createRoundBfloats());
  pm.addPass(createCutFunctions());
  pm.addPass(createDescribeEntries());
  pm.addPass(createStoreResults());
  pm.addPass(createCallLibrary());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFenceStreams());
  pm.addPass(createBindParallel());
  pm.addPass(createUseRuntime());
  if (target.debugInfo) {
    LLVM::DIScopeForLLVMFuncOpPassOptions options;
    options.emissionKind = LLVM::DIEmissionKind::Full;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  }
}

#define PASS(create) []() -> std::unique_ptr<Pass> { return create(); }

llvm::ArrayRef<PassMaker> cpu::passes() {
  static constexpr PassMaker table[] = {
      PASS(createBindParallel),
      PASS(createCallLibrary),
      PASS(createCollapseLoops),
      PASS(createCutFunctions),
      PASS(createDescribeEntries),
      PASS(createFenceStreams),
      PASS(createLowerContractions),
      PASS(createLowerLookups),
      PASS(createLowerReductions),
      PASS(createLowerRows),
      PASS(createLowerScatters),
      PASS(createLowerStreams),
      PASS(createLowerTransposes),
      PASS(createLowerWindows),
      PASS(createOutlineParallel),
      PASS(createParallelLoops),
      PASS(createRoundBfloats),
      PASS(createScheduleContractions),
      PASS(createSmallElementwise),
      PASS(createSplitBorders),
      PASS(createStridedCopies),
      PASS(createStoreResults),
      PASS(createStreamResults),
      PASS(createUseRuntime),
      PASS(createConvertLinalgToLoopsPass),
      PASS(createConvertToLLVMPass),
      PASS(createConvertVectorToLLVMPass),
      PASS(createReconcileUnrealizedCastsPass),
      PASS(createSCFToControlFlowPass),
      PASS(LLVM::createDIScopeForLLVMFuncOpPass),
      PASS(memref::createExpandStridedMetadataPass),
  };
  return table;
}
