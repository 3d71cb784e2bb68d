/// Loads columns of an operand that is dense along depth as vectors along columns, by transposing
/// in registers.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_TURNING_H
#define TESSERA_BACKEND_CPU_CONTRACTION_TURNING_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// The steps of depth transposed at a time: as many elements as the smallest register has.
int64_t turnedSteps(mlir::Type element);

/// Vectors of a view's first `lanes` columns, one for each of the first `turnedSteps`, of which
/// only `columns` and `steps` exist. Others are not read, and their lanes hold zeros.
mlir::SmallVector<Value> loadTurned(KernelBuilder &b, const View &view, int64_t lanes,
                                    int64_t columns, int64_t steps);

/// Whether one vector of columns after another is computed, for all rows at once. A transposed rhs
/// is then transposed in registers as it is used.
bool goesByVector(const Product &product, const schedule::Contraction &schedule);
void emitByVector(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
