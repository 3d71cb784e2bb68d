/// Which buffer a tensor will live in: destinations, followed upwards.
#ifndef TESSERA_TRANSFORM_DESTINATIONS_H
#define TESSERA_TRANSFORM_DESTINATIONS_H

#include "mlir/IR/Value.h"

namespace tessera::transform {

/// The operand that `value` is written over; null where it is made anew or comes from elsewhere.
mlir::OpOperand *destinationUse(mlir::Value value);

/// The value at the upper end.
mlir::Value destinationOf(mlir::Value value);

/// May `value` live in the buffer of `other`, as itself or as a part?
bool mayShare(mlir::Value value, mlir::Value other);

} // namespace tessera::transform

#endif
