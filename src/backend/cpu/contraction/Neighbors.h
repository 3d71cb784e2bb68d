/// The elementwise operations just before and after a contraction, which are computed with the sums
/// still in registers: a bias or other initial value, and a function of the sums.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_NEIGHBORS_H
#define TESSERA_BACKEND_CPU_CONTRACTION_NEIGHBORS_H

#include "backend/cpu/contraction/Product.h"
#include "mlir/Analysis/AliasAnalysis.h"

namespace tessera::cpu {

/// A contraction on buffers, its loops, and its neighbors.
struct Neighborhood {
  mlir::linalg::LinalgOp op;
  core::Contraction contraction;
  schedule::LoopGroups groups;
  bool isAcross;                        ///< The result is dense along rows.
  mlir::linalg::LinalgOp start, finish; ///< Null if missing.

  /// The position of the tuned loops.
  mlir::Operation *last() { return finish ? finish : op; }
  /// The combined computation.
  Product product(KernelBuilder &b);
  /// Erases the operations that the tuned loops replace.
  void erase();
};

/// Finds what can be computed together. `aliases` tells which buffers may overlap.
Neighborhood neighborhoodOf(mlir::linalg::LinalgOp op, const core::Contraction &contraction,
                            const schedule::LoopGroups &groups, bool isAcross,
                            mlir::AliasAnalysis &aliases);

} // namespace tessera::cpu

#endif
