/// The forms of the dialect's values in core.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_LOWERED_H
#define TESSERA_LANG_TINYTC_TRANSFORM_LOWERED_H

#include "lang/tinytc/ir/Dialect.h"

namespace tessera::tinytc {

using Leaves = llvm::SmallVector<mlir::Value, 4>;

/// A scalar, or one per lane; a complex one has a second part, which is null if it is zero.
struct Number {
  mlir::Value re, im = {};
};

/// A number that grows evenly from lane to lane.
struct Affine {
  mlir::Value base, step; ///< i64: the value of lane 0, and the difference between lanes.
};

/// An i64, or one per lane.
struct Index {
  mlir::Value value = {};
  std::optional<Affine> affine = {}; ///< Set if the index is affine; `value` may be null then.
};

/// A memref with all its sizes and strides; each of these may be a vector with one element per
/// lane.
struct Tensor {
  ir::MemrefType type;
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value, 4> sizes, strides;
};

/// The position of an element: one for all lanes, one for each (a vector), or evenly spaced.
struct Place {
  mlir::Value address, step = {}; ///< The step counts elements.
  bool isLocal = false;

  /// Whether lanes access neighbouring elements, or all the same one.
  bool isDense() const;
  bool isOne() const;
};

/// A matrix to multiply, perhaps transposed.
struct Factor {
  Tensor tensor;
  bool isTransposed;
};

/// A part of a matrix: its first element, its sizes as known at compile time, and its sizes at run
/// time.
struct Tile {
  mlir::Value row, column;
  int64_t rows, columns;
  mlir::Value numRows, numColumns;
};

/// A matrix that is read or written, and where it begins.
struct MatrixAccess {
  mlir::Value memref, row, column;
  ir::CoopMatrixType type;
  bool isTransposed;
  ir::Checked checked;
  /// The same for the whole subgroup, like the row and column where the access begins.
  Tensor memory;
  std::array<mlir::Value, 2> begin;
};

/// Some rows of a column of a matrix; all of them if it is in registers.
struct Piece {
  int64_t number = 0;                ///< The column's number, if it is in registers.
  mlir::Value column = {}, row = {}; ///< i64; the first row.
  int64_t rows = 1;
};

/// A matrix in memory, or a copy of one.
struct StoredMatrix {
  ir::CoopMatrixType type;
  Leaves parts;
  bool isTemporary;
};

} // namespace tessera::tinytc

#endif
