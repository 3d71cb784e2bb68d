/// Passes on the dialect of Weld, one file each; Passes.td describes them.
#ifndef TESSERA_LANG_WELD_TRANSFORM_PASSES_H
#define TESSERA_LANG_WELD_TRANSFORM_PASSES_H

#include "core/PassMaker.h"
#include "lang/weld/ir/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::weld::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lang/weld/transform/Passes.h.inc"

/// Adds the passes on the dialect, in order; none at level 0.
void addWeldPasses(mlir::OpPassManager &pm, unsigned optLevel);
/// All passes, including the one that lowers to core.
llvm::ArrayRef<PassMaker> weldPasses();

} // namespace tessera::weld::transform

#endif
