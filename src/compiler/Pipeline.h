/// The order of all passes between a language and the back end.
#ifndef TESSERA_COMPILER_PIPELINE_H
#define TESSERA_COMPILER_PIPELINE_H

#include "compiler/Session.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tessera {

/// MLIR's pattern that gives a loop-carried tensor its initial type, although the loop may change
/// its sizes. It is excluded from every simplification by its name, which only a test checks.
inline constexpr llvm::StringLiteral unprovedLoopTypes =
    "(anonymous namespace)::ForOpTensorCastFolder";

/// Adds the passes from one stage to another.
void buildPipeline(mlir::OpPassManager &pm, const CompileOptions &options, core::Stage from,
                   core::Stage to);

} // namespace tessera

#endif
