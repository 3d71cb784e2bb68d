/// Finds a module's operations with schedules, and describes them.
#ifndef TESSERA_SCHEDULE_FINDKERNELS_H
#define TESSERA_SCHEDULE_FINDKERNELS_H

#include "core/Contraction.h"
#include "mlir/IR/BuiltinOps.h"
#include "schedule/Kernel.h"

namespace tessera::schedule {

/// Describes a contraction on tensors for the model. Returns nullopt if no tuned loops can compute
/// it.
std::optional<ContractionShape> shapeOf(mlir::linalg::LinalgOp op,
                                        const core::Contraction &contraction);

/// All operations with a schedule, in textual order.
std::vector<std::pair<mlir::linalg::LinalgOp, Kernel>> kernelsOf(mlir::ModuleOp module);

} // namespace tessera::schedule

#endif
