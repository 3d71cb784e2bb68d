/// Groups the loops of a contraction into the few that its tuned loops have.
#ifndef TESSERA_SCHEDULE_LOOPGROUPS_H
#define TESSERA_SCHEDULE_LOOPGROUPS_H

#include "core/Contraction.h"

namespace tessera::schedule {

/// A tensor or buffer, with the element of it that each iteration uses.
struct Access {
  mlir::ShapedType type;
  mlir::AffineMap map;

  /// The dimension that only this loop indexes.
  std::optional<unsigned> dimOf(unsigned loop) const;
  bool isUsedBy(unsigned loop) const { return map.isFunctionOfDim(loop); }
  /// The distance in elements between iterations of the loop; dynamic if it is not constant.
  int64_t strideOf(unsigned loop) const;
  /// Whether consecutive iterations of the loop access adjacent elements.
  bool isDenseAlong(unsigned loop) const;
};

/// Loops that can run as one, outermost first. An empty group is a single iteration.
using Group = mlir::SmallVector<unsigned, 2>;

struct LoopGroups {
  /// The tuned loops; the result's elements are dense along columns or, if requested, along rows.
  Group row, column, depth;
  mlir::SmallVector<Group> outer;      ///< Around the tuned loops, in any order.
  mlir::SmallVector<Group> outerDepth; ///< Around the tuned loops, in this order.
  /// lhs and rhs are swapped: the result is dense along what were the contraction's rows.
  bool isSwapped = false;
  /// Made by `groupInTileOrder`, which joins no loops.
  bool isInTileOrder = false;

  bool operator==(const LoopGroups &) const = default;
};

/// Groups the loops by the accesses to lhs, rhs, result, and other tensors used in the same
/// iterations. Returns nullopt if the result's elements are dense along no loop. Tensors count as
/// row-major. With `isAcross`, the loop along which the result is dense becomes the row; nullopt if
/// that is impossible.
std::optional<LoopGroups> groupLoops(const core::Contraction &contraction,
                                     mlir::ArrayRef<Access> accesses, bool isAcross = false);

/// Whether an operand's accesses allow all loops, outermost first, to run as one.
bool areOne(const Access &access, mlir::ArrayRef<unsigned> loops, mlir::ArrayRef<int64_t> sizes);

/// The accesses to lhs, rhs and result of a contraction.
mlir::SmallVector<Access> accessesOf(mlir::linalg::LinalgOp op);

/// The size of each loop, from any operand whose shape determines it; dynamic otherwise.
mlir::SmallVector<int64_t> loopSizesOf(mlir::ArrayRef<Access> accesses);

/// The product of the loops' sizes; dynamic if any is.
int64_t sizeOf(const Group &group, mlir::ArrayRef<int64_t> sizes);

} // namespace tessera::schedule

#endif
