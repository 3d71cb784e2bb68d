/// The innermost part of every kernel: some rows by some vectors of sums, kept in registers.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_REGISTERTILE_H
#define TESSERA_BACKEND_CPU_CONTRACTION_REGISTERTILE_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

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
};

/// Lanes that exist of each vector of a tile, with so many columns left; null where all do.
mlir::SmallVector<Value> masksFor(KernelBuilder &b, const schedule::Contraction &schedule,
                                  Value columnsLeft);

class RegisterTile {
public:
  RegisterTile(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), product(product), schedule(schedule),
        vectorType(mlir::VectorType::get({schedule.lanes}, product.element())) {}

  /// `lhs` and `rhs` are seen from the tile's first row and column, and from the block's first
  /// depth.
  void emit(const TilePlace &place, const View &lhs, const View &rhs, Value depth);
  /// All but the sums over depth: these are `sums`, vector by vector and row by row, and are added
  /// to what the result starts with.
  void emitAround(const TilePlace &place, mlir::ArrayRef<Value> sums);

private:
  using Sums = mlir::SmallVector<Value>; ///< Row by row.

  mlir::SmallVector<View> rowsOf(const TilePlace &place, const View &first, Value lastRow);
  void prefetchNext(const TilePlace &place);
  Value load(const View &view, int64_t vector, Value mask);
  void store(const View &view, const TilePlace &place, mlir::ArrayRef<Value> values);
  void storeRows(mlir::ArrayRef<View> rows, mlir::ArrayRef<Value> masks,
                 mlir::ArrayRef<Value> values);
  Sums loadRows(mlir::ArrayRef<View> rows, mlir::ArrayRef<Value> masks);
  Sums loadResult(const TilePlace &place);
  Sums emitStart(const TilePlace &place);
  Sums addSums(const TilePlace &place, const View &lhs, const View &rhs, Value depth, Sums start);
  Sums added(mlir::ArrayRef<Value> start, mlir::ArrayRef<Value> sums);
  Sums emitSteps(const TilePlace &place, const View &lhs, const View &rhs, Value depth, Sums sums);
  Sums emitLoop(mlir::ArrayRef<View> lhsRows, const View &rhs, Value begin, Value end,
                mlir::ArrayRef<Value> masks, Sums sums);
  Sums emitStep(mlir::ArrayRef<View> lhsRows, const View &rhs, Value k, mlir::ArrayRef<Value> masks,
                mlir::ValueRange sums);
  Sums emitBody(const ElementBody &body, const TilePlace &place, mlir::ArrayRef<Value> sums);
  void emitFinish(const TilePlace &place, mlir::ArrayRef<Value> sums);

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  mlir::VectorType vectorType;
};

} // namespace tessera::cpu

#endif
