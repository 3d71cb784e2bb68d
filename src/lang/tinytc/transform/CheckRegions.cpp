#include "lang/tinytc/ir/Divergence.h"
#include "lang/tinytc/transform/Passes.h"

namespace tessera::tinytc::transform {
#define GEN_PASS_DEF_CHECKREGIONS
#include "lang/tinytc/transform/Passes.h.inc"
} // namespace tessera::tinytc::transform

using namespace tessera::tinytc;

namespace {

struct CheckRegions : transform::impl::CheckRegionsBase<CheckRegions> {
  void runOnOperation() override {
    ir::findDivergence(getOperation(), [](const ir::Divergence &found) {
      found.op->emitWarning(ir::describe(found.kind));
    });
  }
};

} // namespace
