/// Finds the buffer that a tensor will live in by following destinations upwards.
#ifndef TESSERA_TRANSFORM_DESTINATIONS_H
#define TESSERA_TRANSFORM_DESTINATIONS_H

#include "mlir/IR/Value.h"

namespace tessera::transform {

/// The destination operand that `value` overwrites; null if it has none.
mlir::OpOperand *destinationUse(mlir::Value value);

/// The value at the start of the chain of destinations.
mlir::Value destinationOf(mlir::Value value);

/// Whether `value` may live in the buffer of `other` or a part of it.
bool mayShare(mlir::Value value, mlir::Value other);

} // namespace tessera::transform

#endif
