/// Numbers on their way to floats of 16 bits.
#ifndef TESSERA_CORE_NARROW_H
#define TESSERA_CORE_NARROW_H

#include "mlir/IR/Builders.h"

namespace tessera::core {

/// An integer or a float, or a vector of them, as float32. Of the two float32 that an inexact
/// number is between it is the one with an odd last bit: no tie, so rounding that to 16 bits is
/// rounding once.
mlir::Value roundedToOdd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value number,
                         bool isSigned = true);

} // namespace tessera::core

#endif
