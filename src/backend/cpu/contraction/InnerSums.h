/// Sums along vectors of depth: for operands whose rows and columns are too few to fill vectors,
/// and sums whose order is free. The order is another one, but always the same.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_INNERSUMS_H
#define TESSERA_BACKEND_CPU_CONTRACTION_INNERSUMS_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// For each row a vector with the sums of `columns`: views of rhs, and of lhs one a row and column.
mlir::SmallVector<Value> emitInnerSums(KernelBuilder &b, const Product &product,
                                       const schedule::Contraction &schedule,
                                       mlir::ArrayRef<mlir::SmallVector<View>> lhs,
                                       mlir::ArrayRef<View> rhs, Value depth);

} // namespace tessera::cpu

#endif
