/// Sums along vectors of depth: for operands with too few rows and columns to fill vectors, if the
/// order of the sum is free. The order differs from the source's but is always the same.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_INNERSUMS_H
#define TESSERA_BACKEND_CPU_CONTRACTION_INNERSUMS_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// For each row a vector with the sums of `columns`: one view of rhs per column, and one of lhs per
/// row and column.
mlir::SmallVector<Value> emitInnerSums(KernelBuilder &b, const Product &product,
                                       const schedule::Contraction &schedule,
                                       mlir::ArrayRef<mlir::SmallVector<View>> lhs,
                                       mlir::ArrayRef<View> rhs, Value depth);

} // namespace tessera::cpu

#endif
