/// The innermost part of every kernel: some rows by some vectors of sums, kept in registers.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_REGISTERTILE_H
#define TESSERA_BACKEND_CPU_CONTRACTION_REGISTERTILE_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// How a tile packs the panel that it reads.
struct PanelPacking {
  int64_t steps;                   ///< That are packed at a time; depth has at least so many.
  std::function<void(Value)> emit; ///< From this step on.
};

/// Where a tile stands in the product, and what of it exists.
struct TilePlace {
  int64_t rows; ///< How many the tile has.
  Value row, column;
  /// Of the tile, the last row that exists; those behind it are this one once more, and compute and
  /// store the same. Null: all exist.
  Value lastRow = {};
  bool clampsLhs = true;               ///< False: lhs has those rows once more by itself.
  mlir::SmallVector<Value> masks = {}; ///< One a vector; null: all lanes exist.
  Value isWide = {};                   ///< Whether all lanes of all vectors exist.
  /// Steps at the end whose rows of the operands must not be read beyond the last column. Null: all
  /// of them; 0: none.
  std::optional<int64_t> maskedSteps = 0;
  Value isFirst = {}, isLast = {}; ///< Among the blocks of depth.
  /// From the tile's first column on; those behind it do not exist.
  Value columnsLeft = {};
  /// Elements from what the tile reads of lhs, or of rhs, and from its part of the result to what
  /// another tile will soon need. Null: that is near anyway.
  Value lhsAhead = {}, rhsAhead = {}, resultAhead = {};
  /// Columns that are packed next, dense along depth: each step asks for a part of one of them,
  /// by turns.
  std::optional<View> packedNext = {};
  int64_t packedColumns = 1; ///< A power of two.
  int64_t columnsAhead = 0;  ///< Behind those of a single vector: each step asks for them.
  bool asksForSteps = false; ///< Rows of rhs are far apart: each step asks for one to come.
  std::optional<PanelPacking> packing = {};
  bool asksForNext = false; ///< Likewise, for the part of its row that the next panel has.
};

/// Lanes that exist of each vector of a tile, with so many columns left; null where all do.
mlir::SmallVector<Value> masksFor(KernelBuilder &b, const schedule::Contraction &schedule,
                                  Value columnsLeft);

/// Columns that a tile's vectors have lanes for; the last of them has no more than it needs.
int64_t columnsOfTile(const Product &product, const schedule::Contraction &schedule);

/// Where the tiles of some rows begin, from 0 on, and how high they are. Where the number of all
/// rows is known, what is left has a tile of its own height. Else there are tiles of a few heights,
/// the last of which may have too many rows.
using TileBody = llvm::function_ref<void(Value row, int64_t height, bool isWhole)>;
void forEachTile(KernelBuilder &b, const schedule::Contraction &schedule, Value allRows, Value rows,
                 TileBody body);

class RegisterTile {
public:
  RegisterTile(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

  /// `lhs` and `rhs` are seen from the tile's first row and column, and from the block's first
  /// depth.
  void emit(const TilePlace &place, const View &lhs, const View &rhs, Value depth);
  /// All but the sums over depth: these are `sums`, vector by vector and row by row, and are added
  /// to what the result starts with.
  void emitAround(const TilePlace &place, mlir::ArrayRef<Value> sums);
  /// The same with one vector of columns, whose rhs is turned on the way if need be. All of depth
  /// is known.
  void emitColumn(const TilePlace &place, const View &lhs, const View &rhs);
  /// The same through all axes of depth from their beginning.
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
  mlir::SmallVector<int64_t> widths; ///< Lanes of each vector; those of the last one may be few.
};

} // namespace tessera::cpu

#endif
