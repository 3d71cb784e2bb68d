/// Contractions whose operands already are in the order in which tile registers want them.
#ifndef TESSERA_SCHEDULE_TILEORDER_H
#define TESSERA_SCHEDULE_TILEORDER_H

#include "schedule/Contraction.h"
#include "schedule/LoopGroups.h"

namespace tessera::schedule {

/// Rows and columns of the sums in a tile register, and lines of depth in one.
inline constexpr int64_t tileSide = 16;
/// Of depth, that a line has of every column: two elements of 16 bits, or four of 8.
inline constexpr int64_t tileGroupBytes = 4;

/// The tiles that could hold the operands. Both must have one type; a sum of floats must be free to
/// be taken in parts.
Tiles tilesFor(const core::Contraction &contraction, mlir::ArrayRef<Access> accesses);

/// Of lhs, rhs and result. Row, column and depth are those inside of a tile: depth a group of
/// `tileGroupBytes`, for which the last of `outerDepth` counts the lines. The loop before that one,
/// and the last two of `outer`, go from tile to tile: along depth, rows and columns. Nothing where
/// an operand is in another order.
std::optional<LoopGroups> groupInTileOrder(const core::Contraction &contraction,
                                           mlir::ArrayRef<Access> accesses);

} // namespace tessera::schedule

#endif
