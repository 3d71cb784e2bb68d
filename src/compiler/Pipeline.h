/// The order of everything between core and the back end.
#ifndef TESSERA_COMPILER_PIPELINE_H
#define TESSERA_COMPILER_PIPELINE_H

#include "compiler/Session.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tessera {

/// Adds the steps that lead from one stage to another.
void buildPipeline(mlir::OpPassManager &pm, const CompileOptions &options, core::Stage from,
                   core::Stage to);

} // namespace tessera

#endif
