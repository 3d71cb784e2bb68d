/// How much work a work-group does.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_GROUPWORK_H
#define TESSERA_LANG_TINYTC_TRANSFORM_GROUPWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::tinytc {

/// How many work-groups make a chunk that is large compared with the cost of handing it to a
/// thread.
int64_t grainOf(mlir::func::FuncOp kernel);

} // namespace tessera::tinytc

#endif
