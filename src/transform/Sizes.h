/// Static analysis of tensor sizes.
#ifndef TESSERA_TRANSFORM_SIZES_H
#define TESSERA_TRANSFORM_SIZES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::transform {

/// A size: a number, or the size of some tensor's dimension. Equal terms are equal sizes.
struct SizeTerm {
  mlir::Value of; ///< Null: the number `value`. Else dimension `value` of it, or itself (-1).
  int64_t value = 0;
  bool operator==(const SizeTerm &) const = default;
};

/// Finds terms by following destinations, casts and slices upwards, and through loops that keep the
/// sizes of the tensors they carry.
class SizeAnalysis {
public:
  SizeTerm sizeOf(mlir::Value tensor, int64_t dim);
  /// Whether each iteration yields a tensor of the same size as the initial one.
  bool isKept(mlir::scf::ForOp loop, unsigned carried, int64_t dim);
  bool isKept(mlir::scf::ForOp loop, unsigned carried);

private:
  using Key = std::pair<mlir::Value, int64_t>;

  SizeTerm termOf(mlir::OpFoldResult size);
  SizeTerm sizeOfResult(mlir::OpResult result, int64_t dim);
  void solve(mlir::scf::ForOp loop);

  /// The assumed terms of carried values. Absent: not kept.
  llvm::DenseMap<Key, SizeTerm> assumed;
  llvm::DenseSet<mlir::Operation *> solved;
};

} // namespace tessera::transform

#endif
