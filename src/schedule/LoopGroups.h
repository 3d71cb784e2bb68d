/// The many loops of a contraction as the few that a kernel has.
#ifndef TESSERA_SCHEDULE_LOOPGROUPS_H
#define TESSERA_SCHEDULE_LOOPGROUPS_H

#include "core/Contraction.h"

namespace tessera::schedule {

/// A tensor or buffer, and the elements of it that each iteration uses.
struct Access {
  mlir::ShapedType type;
  mlir::AffineMap map;

  /// The dimension that a loop runs through alone.
  std::optional<unsigned> dimOf(unsigned loop) const;
  bool isUsedBy(unsigned loop) const { return map.isFunctionOfDim(loop); }
  /// Elements from one iteration of the loop to the next; dynamic where that is no constant.
  int64_t strideOf(unsigned loop) const;
  /// Whether neighbours along the loop are neighbours in memory.
  bool isDenseAlong(unsigned loop) const;
};

/// Loops that can be run as one, outermost first. None: a single iteration.
using Group = mlir::SmallVector<unsigned, 2>;

struct LoopGroups {
  /// Of the kernel; the result's elements are dense along columns, or, if so wished, along rows.
  Group row, column, depth;
  mlir::SmallVector<Group> outer;      ///< Around the kernel, in any order.
  mlir::SmallVector<Group> outerDepth; ///< Around the kernel, in this order.
  /// The kernel's lhs is the contraction's rhs and the other way round: the result is dense along
  /// what were its rows.
  bool isSwapped = false;
  /// By `groupInTileOrder`: loops are joined with no others.
  bool isInTileOrder = false;

  bool operator==(const LoopGroups &) const = default;
};

/// Of lhs, rhs, result, and any others that are accessed in the same iterations. Nothing where the
/// result's elements are dense along no loop. Tensors count as row-major. `isAcross`: the loop that
/// the result is dense along is the kernel's row; nothing where it cannot be.
std::optional<LoopGroups> groupLoops(const core::Contraction &contraction,
                                     mlir::ArrayRef<Access> accesses, bool isAcross = false);

/// Whether an operand steps through all loops, outermost first, as through one.
bool areOne(const Access &access, mlir::ArrayRef<unsigned> loops, mlir::ArrayRef<int64_t> sizes);

/// lhs, rhs and result of a contraction.
mlir::SmallVector<Access> accessesOf(mlir::linalg::LinalgOp op);

/// Of each loop, from whichever operand knows it; dynamic where none does.
mlir::SmallVector<int64_t> loopSizesOf(mlir::ArrayRef<Access> accesses);

/// The product of the loops' sizes; dynamic where one is.
int64_t sizeOf(const Group &group, mlir::ArrayRef<int64_t> sizes);

} // namespace tessera::schedule

#endif
