/// Types of values in memory, read from the tables in a module [core.9].
#ifndef TESSERA_COMPILER_MODULETYPES_H
#define TESSERA_COMPILER_MODULETYPES_H

#include "lang/DataType.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace tessera {

/// The type that a global of this name describes; nullopt if it does not describe one.
std::optional<DataType> dataTypeOf(mlir::ModuleOp module, mlir::FlatSymbolRefAttr table);

} // namespace tessera

#endif
