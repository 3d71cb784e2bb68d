/// Contractions whose operands are already in the order that tile registers need.
#ifndef TESSERA_SCHEDULE_TILEORDER_H
#define TESSERA_SCHEDULE_TILEORDER_H

#include "schedule/Contraction.h"
#include "schedule/LoopGroups.h"

namespace tessera::schedule {

/// The rows and columns of sums, and the lines of depth, in one tile register.
inline constexpr int64_t tileSide = 16;
/// Bytes of depth that a line holds for each column: two elements of 16 bits, or four of 8.
inline constexpr int64_t tileGroupBytes = 4;

/// The tile registers that could hold the operands. Both operands must have the same type; a sum of
/// floats must be reorderable.
Tiles tilesFor(const core::Contraction &contraction, mlir::ArrayRef<Access> accesses);

/// Groups the accesses to lhs, rhs and result. Row, column and depth are the loops within a tile;
/// depth is a group of `tileGroupBytes`, and the last loop of `outerDepth` counts the lines. The
/// loop before that one, and the last two of `outer`, step from tile to tile: along depth, rows and
/// columns. Returns nullopt if an operand is in another order.
std::optional<LoopGroups> groupInTileOrder(const core::Contraction &contraction,
                                           mlir::ArrayRef<Access> accesses);

} // namespace tessera::schedule

#endif
