/// The micro-kernel with vector registers: some rows by some vectors of sums, kept in registers.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_REGISTERTILE_H
#define TESSERA_BACKEND_CPU_CONTRACTION_REGISTERTILE_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// How a tile packs the panel that it reads.
struct PanelPacking {
  int64_t steps;                   ///< The steps packed at a time; depth is at least this.
  std::function<void(Value)> emit; ///< Packs from this step on.
};

/// The position of a tile in the product, and which parts of it exist.
struct TilePlace {
  int64_t rows; ///< The height of the tile.
  Value row, column;
  /// The last row of the tile that exists; later rows repeat it and compute and store the same.
  /// Null: all rows exist.
  Value lastRow = {};
  bool clampsLhs = true;               ///< False: lhs already contains the repeated rows.
  mlir::SmallVector<Value> masks = {}; ///< One per vector; null: all lanes exist.
  Value isWide = {};                   ///< Whether all lanes of all vectors exist.
  /// The number of last steps that must not read rows of the operands beyond the last column. Null:
  /// all steps; 0: none.
  std::optional<int64_t> maskedSteps = 0;
  Value isFirst = {}, isLast = {}; ///< Among the blocks of depth.
  /// The columns that exist, counted from the tile's first one.
  Value columnsLeft = {};
  /// The distance in elements from the tile's parts of lhs, rhs and result to the parts that
  /// another tile will soon need. Null: those are near anyway.
  Value lhsAhead = {}, rhsAhead = {}, resultAhead = {};
  /// The columns to be packed next, dense along depth: each step prefetches a part of one of them,
  /// in turn.
  std::optional<View> packedNext = {};
  int64_t packedColumns = 1; ///< A power of two.
  int64_t columnsAhead = 0;  ///< Columns after those of a single vector: each step prefetches them.
  bool asksForSteps = false; ///< Rows of rhs are far apart: each step prefetches a later one.
  std::optional<PanelPacking> packing = {};
  bool asksForNext = false; ///< Likewise, for the next panel's part of the row.
};

/// Masks for the existing lanes of each vector of a tile, given the remaining columns; null if all
/// exist.
mlir::SmallVector<Value> masksFor(KernelBuilder &b, const schedule::Contraction &schedule,
                                  Value columnsLeft);

/// The columns that a tile's vectors have lanes for; the last vector has no more than necessary.
int64_t columnsOfTile(const Product &product, const schedule::Contraction &schedule);

/// Emits tiles for some rows, from 0 on; `body` takes the first row and the height. If the number
/// of all rows is known, the rest has a tile of its own height. Otherwise there are tiles of a few
/// heights, and the last one may have too many rows.
using TileBody = llvm::function_ref<void(Value row, int64_t height, bool isWhole)>;
void forEachTile(KernelBuilder &b, const schedule::Contraction &schedule, Value allRows, Value rows,
                 TileBody body);

class RegisterTile {
public:
  RegisterTile(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

  /// `lhs` and `rhs` begin at the tile's first row and column, and at the block's first depth.
  void emit(const TilePlace &place, const View &lhs, const View &rhs, Value depth);
  /// Everything except the sums over depth: `sums`, vector by vector and row by row, are added to
  /// the initial values.
  void emitAround(const TilePlace &place, mlir::ArrayRef<Value> sums);
  /// The same for one vector of columns; rhs is transposed on the fly if necessary. All of depth is
  /// known.
  void emitColumn(const TilePlace &place, const View &lhs, const View &rhs);
  /// The same over all axes of depth, each from its beginning.
  void emitDirect(const TilePlace &place, const View &lhs, const View &rhs);

private:
  using Sums = mlir::SmallVector<Value>; ///< Row by row.

  mlir::SmallVector<View> rowsOf(const TilePlace &place, const View &first, Value lastRow);
  void prefetchNext(const TilePlace &place);
  void prefetchResult(const TilePlace &place);
  void prefetchLine(const View &from, Value distance, int64_t elements);
  void prefetchWindow(const TilePlace &place, const View &lhs, const View &rhs);
  Value load(const View &view, int64_t vector, Value mask);
  Value narrowed(Value vector, int64_t number);
  View placeOf(const View &view, int64_t vector);
  Sums loadTile(const View &view, const TilePlace &place);
  Sums loadRows(mlir::ArrayRef<View> rows, mlir::ArrayRef<Value> masks);
  Sums loadAcross(const View &first, const TilePlace &place);
  void store(const View &view, const TilePlace &place, mlir::ArrayRef<Value> values);
  void storeLast(const View &view, const TilePlace &place, mlir::ArrayRef<Value> values);
  bool canRunOver(const View &view, const TilePlace &place);
  void storeRows(mlir::ArrayRef<View> rows, mlir::ArrayRef<Value> masks,
                 mlir::ArrayRef<Value> values);
  void storeAcross(const View &first, const TilePlace &place, mlir::ArrayRef<Value> values);
  Value maskAcross(const TilePlace &place, int64_t firstRow, int64_t column);
  Sums emitStart(const TilePlace &place);
  Sums addSums(const TilePlace &place, const View &lhs, const View &rhs, Value depth, Sums start);
  Sums added(mlir::ArrayRef<Value> start, mlir::ArrayRef<Value> sums);
  Sums emitSteps(const TilePlace &place, const View &lhs, const View &rhs, Value depth, Sums sums);
  Sums emitPackingSteps(const PanelPacking &packing, mlir::ArrayRef<View> lhsRows, const View &rhs,
                        int64_t depth, Sums sums);
  void prefetchStep(const TilePlace &place, const View &rhs, Value k);
  Sums emitLoop(const TilePlace &place, mlir::ArrayRef<View> lhsRows, const View &rhs, Value begin,
                Value end, mlir::ArrayRef<Value> masks, Sums sums);
  Sums emitDepth(const TilePlace &place, mlir::ArrayRef<View> lhsRows, const View &rhs,
                 mlir::ArrayRef<unsigned> axes, mlir::ValueRange sums);
  bool isUnrolled(mlir::ArrayRef<unsigned> axes);
  Sums loadSteps(const TilePlace &place, const View &rhs, int64_t steps);
  Sums addSteps(mlir::ArrayRef<View> lhsRows, mlir::ArrayRef<Value> rhsRows, mlir::ValueRange sums);
  Sums emitStep(mlir::ArrayRef<View> lhsRows, const View &rhs, mlir::ArrayRef<Value> masks,
                mlir::ValueRange sums);
  Sums emitBody(const ElementBody &body, const TilePlace &place, mlir::ArrayRef<Value> sums);
  void emitFinish(const TilePlace &place, mlir::ArrayRef<Value> sums);

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  mlir::SmallVector<int64_t> widths; ///< The lanes of each vector; the last one may have fewer.
};

} // namespace tessera::cpu

#endif
