/// Wraps memory given by a pointer as a buffer, in functions in buffer form [core.9].
#ifndef TESSERA_CORE_BUFFER_H
#define TESSERA_CORE_BUFFER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tessera::core {

/// Dynamic sizes and strides are passed as i64, in order, the sizes first.
mlir::Value bufferAt(mlir::OpBuilder &b, mlir::Location loc, mlir::MemRefType type,
                     mlir::Value pointer, mlir::ValueRange dynamic);

} // namespace tessera::core

#endif
