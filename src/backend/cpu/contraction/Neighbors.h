/// The elementwise operations right before and right behind a contraction, which its kernel
/// computes with the sums still in registers: a bias or another start, and what becomes of the
/// sums.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_NEIGHBORS_H
#define TESSERA_BACKEND_CPU_CONTRACTION_NEIGHBORS_H

#include "backend/cpu/contraction/Product.h"
#include "mlir/Analysis/AliasAnalysis.h"

namespace tessera::cpu {

/// A contraction on buffers, its loops, and what its kernel does besides.
struct Neighborhood {
  mlir::linalg::LinalgOp op;
  core::Contraction contraction;
  schedule::LoopGroups groups;
  bool isAcross;                        ///< The result is dense along the kernel's rows.
  mlir::linalg::LinalgOp start, finish; ///< Null where there is none.

  /// Where the kernel stands.
  mlir::Operation *last() { return finish ? finish : op; }
  /// Everything that the kernel does.
  Product product(KernelBuilder &b);
  /// Removes what the kernel does.
  void erase();
};

/// What can be computed together. `aliases` knows which buffers may overlap.
Neighborhood neighborhoodOf(mlir::linalg::LinalgOp op, const core::Contraction &contraction,
                            const schedule::LoopGroups &groups, bool isAcross,
                            mlir::AliasAnalysis &aliases);

} // namespace tessera::cpu

#endif
