/// How much a group does.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_GROUPWORK_H
#define TESSERA_LANG_TINYTC_TRANSFORM_GROUPWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::tinytc {

/// So many groups make a chunk that handing it to a thread costs little beside it.
int64_t grainOf(mlir::func::FuncOp kernel);

} // namespace tessera::tinytc

#endif
