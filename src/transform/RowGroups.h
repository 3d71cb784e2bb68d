/// Finds operations that can be computed together, one row of their results at a time.
#ifndef TESSERA_TRANSFORM_ROWGROUPS_H
#define TESSERA_TRANSFORM_ROWGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::transform {

/// Operations of one block, in order. A row is one index of the first `depth` dimensions, which
/// their results share: every operation needs exactly that row of the others' results.
struct RowGroup {
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  unsigned depth;

  bool contains(mlir::Operation *op) const;
  bool hasProducts() const;
};

/// The loops over the first `depth` dimensions of an operation's results.
llvm::SmallVector<unsigned> rowLoops(mlir::linalg::LinalgOp op, unsigned depth);

/// All profitable groups without contractions; they are disjoint.
llvm::SmallVector<RowGroup> findRowGroups(mlir::Block &block);
/// The same with two or more contractions, each of whose rows is a large product.
llvm::SmallVector<RowGroup> findProductGroups(mlir::Block &block);

/// Whether operations of one block, in order, can be computed where the last one is: no other
/// operation both uses some of their results and is used by others of them, they use each other's
/// results only as operands, and what must move after them can.
bool canBeTogether(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// The operations that must move after them, in order.
llvm::SmallVector<mlir::Operation *> dependentsBetween(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

} // namespace tessera::transform

#endif
