/// Recognizes scatters: sums into elements that the data select, such as counts or totals per
/// group.
#ifndef TESSERA_CORE_SCATTER_H
#define TESSERA_CORE_SCATTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::core {

/// sum[k, ...] += (chosen == k ? added : 0). Each iteration changes at most one k.
struct Scatter {
  unsigned loop;             ///< The loop over k.
  mlir::Value chosen, added; ///< In the body. `added` is null if the sum counts.
  mlir::Operation *addition;
};

/// Returns nullopt for other operations, and for sums of floats in a fixed order: adding a zero can
/// change the sign of another zero.
std::optional<Scatter> matchScatter(mlir::linalg::LinalgOp op);

} // namespace tessera::core

#endif
