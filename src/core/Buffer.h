/// Memory behind pointers as buffers, in functions in buffer form [core.9].
#ifndef TESSERA_CORE_BUFFER_H
#define TESSERA_CORE_BUFFER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tessera::core {

/// Sizes and strides that the type does not know are given, as i64, in order: the sizes first.
mlir::Value bufferAt(mlir::OpBuilder &b, mlir::Location loc, mlir::MemRefType type,
                     mlir::Value pointer, mlir::ValueRange dynamic);

} // namespace tessera::core

#endif
