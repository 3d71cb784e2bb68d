/// From operations to the kernels that compute them.
#ifndef TESSERA_SCHEDULE_FINDKERNELS_H
#define TESSERA_SCHEDULE_FINDKERNELS_H

#include "core/Contraction.h"
#include "mlir/IR/BuiltinOps.h"
#include "schedule/Kernel.h"

namespace tessera::schedule {

/// What the model has to know of a contraction on tensors. Nothing where it has no kernel.
std::optional<ContractionShape> shapeOf(mlir::linalg::LinalgOp op,
                                        const core::Contraction &contraction);

/// All operations with a schedule, in the order of the text.
std::vector<std::pair<mlir::linalg::LinalgOp, Kernel>> kernelsOf(mlir::ModuleOp module);

} // namespace tessera::schedule

#endif
