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
  bool hasProducts() const;
};

/// The loops that run through the first `depth` dimensions of an operation's results.
llvm::SmallVector<unsigned> rowLoops(mlir::linalg::LinalgOp op, unsigned depth);

/// All that are worth it, without contractions; no operation is in two of them.
llvm::SmallVector<RowGroup> findRowGroups(mlir::Block &block);
/// The same with two contractions or more, whose rows are large products by themselves.
llvm::SmallVector<RowGroup> findProductGroups(mlir::Block &block);

/// Whether operations of one block, in its order, can be computed at the place of the last:
/// nothing outside needs results of some and has its own needed by others, they use each other's
/// results as operands only, and what has to move behind them can.
bool canBeTogether(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// What has to move behind them, in its order.
llvm::SmallVector<mlir::Operation *> dependentsBetween(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

} // namespace tessera::transform

#endif
