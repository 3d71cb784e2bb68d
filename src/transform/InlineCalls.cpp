#include "mlir/Analysis/CallGraph.h"
#include "mlir/Transforms/Inliner.h"
#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_INLINECALLS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Inlining stops beyond these numbers of operations: nested calls double the size at each level.
constexpr unsigned maxCallee = 400, maxCaller = 20000;

unsigned sizeOf(Region &region) {
  unsigned count = 0;
  region.walk([&](Operation *) { ++count; });
  return count;
}

/// Recursive calls stay: inlining them gains nothing that LLVM would miss.
bool isWorthwhile(const Inliner::ResolvedCall &call) {
  Region *callee = call.targetNode->getCallableRegion(),
         *caller = call.sourceNode->getCallableRegion();
  return callee != caller && sizeOf(*callee) <= maxCallee && sizeOf(*caller) <= maxCaller;
}

struct InlineCalls final : tessera::transform::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override {
    // No intermediate pipeline: MLIR's default contains the pattern that RefineLoopTypes replaces.
    InlinerConfig config({}, /*maxInliningIterations=*/1);
    auto runNothing = [](Pass &, OpPassManager &, Operation *) { return success(); };
    Inliner inliner(getOperation(), getAnalysis<CallGraph>(), *this, getAnalysisManager(),
                    runNothing, config, isWorthwhile);
    if (failed(inliner.doInlining()))
      signalPassFailure();
  }
};

} // namespace
