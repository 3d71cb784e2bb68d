/// Sums into places that the data choose: how many, or the total, of what belongs to each place.
#ifndef TESSERA_CORE_SCATTER_H
#define TESSERA_CORE_SCATTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::core {

/// sum[k, ...] += (chosen == k ? added : 0): of all k, each iteration changes one at most.
struct Scatter {
  unsigned loop;             ///< That runs through the places.
  mlir::Value chosen, added; ///< In the body. Nothing is added: one is.
  mlir::Operation *addition;
};

/// Nothing where the operation is something else, or where the order of the sum is fixed, of
/// floats: to add a zero changes the sign of another.
std::optional<Scatter> matchScatter(mlir::linalg::LinalgOp op);

} // namespace tessera::core

#endif
