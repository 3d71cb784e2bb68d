/// Which operations can be computed together, one row of their results after the other.
#ifndef TESSERA_TRANSFORM_ROWGROUPS_H
#define TESSERA_TRANSFORM_ROWGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::transform {

/// Operations of one block, in its order. A row is what the first `depth` dimensions of their
/// results have in common: every operation needs that row of the others' results, and no more.
struct RowGroup {
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  unsigned depth;

  bool contains(mlir::Operation *op) const;
};

/// The loops that run through the first `depth` dimensions of an operation's results.
llvm::SmallVector<unsigned> rowLoops(mlir::linalg::LinalgOp op, unsigned depth);

/// All that are worth it; no operation is in two of them.
llvm::SmallVector<RowGroup> findRowGroups(mlir::Block &block);

/// What stands between the members of a group and depends on them, in its order. Nothing has to be
/// computed before them.
llvm::SmallVector<mlir::Operation *> dependentsBetween(const RowGroup &group);

} // namespace tessera::transform

#endif
