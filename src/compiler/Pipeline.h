/// The order of everything between a language and the back end.
#ifndef TESSERA_COMPILER_PIPELINE_H
#define TESSERA_COMPILER_PIPELINE_H

#include "compiler/Session.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tessera {

/// The pattern of MLIR's that gives a loop-carried tensor the type it enters the loop with, though
/// the loop may change its sizes. It is left out of every simplification by its name, which nothing
/// checks but a test.
inline constexpr llvm::StringLiteral unprovedLoopTypes =
    "(anonymous namespace)::ForOpTensorCastFolder";

/// Adds the steps that lead from one stage to another.
void buildPipeline(mlir::OpPassManager &pm, const CompileOptions &options, core::Stage from,
                   core::Stage to);

} // namespace tessera

#endif
