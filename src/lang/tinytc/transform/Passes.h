/// Passes on the dialect of tinytc, one file each; Passes.td describes them.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_PASSES_H
#define TESSERA_LANG_TINYTC_TRANSFORM_PASSES_H

#include "core/PassMaker.h"
#include "lang/Language.h"
#include "lang/tinytc/ir/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::tinytc::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lang/tinytc/transform/Passes.h.inc"

/// Adds the passes on the dialect, in order. With run-time checks, nothing is dropped or moved.
void addTinytcPasses(mlir::OpPassManager &pm, const LanguageOptions &options);
llvm::ArrayRef<PassMaker> tinytcPasses();

/// Does what the pass does, for kernels that it has not processed.
void planLocalMemory(mlir::func::FuncOp function);

} // namespace tessera::tinytc::transform

#endif
