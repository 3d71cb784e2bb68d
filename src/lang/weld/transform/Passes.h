/// Passes on the dialect of Weld, one file each; Passes.td describes them.
#ifndef TESSERA_LANG_WELD_TRANSFORM_PASSES_H
#define TESSERA_LANG_WELD_TRANSFORM_PASSES_H

#include "lang/weld/ir/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::weld::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lang/weld/transform/Passes.h.inc"

/// All of them, in their order, for a module of the dialect; none at level 0.
void addWeldPasses(mlir::OpPassManager &pm, unsigned optLevel);

} // namespace tessera::weld::transform

#endif
