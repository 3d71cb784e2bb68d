/// Conversions to 16-bit floats.
#ifndef TESSERA_CORE_NARROW_H
#define TESSERA_CORE_NARROW_H

#include "mlir/IR/Builders.h"

namespace tessera::core {

/// Converts an integer or float, or a vector of them, to float32, rounding to odd: if the number
/// lies between two float32, the one with an odd last bit is taken. That one is never a tie, so
/// rounding the result to 16 bits gives the same as rounding once.
mlir::Value roundedToOdd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value number,
                         bool isSigned = true);

} // namespace tessera::core

#endif
