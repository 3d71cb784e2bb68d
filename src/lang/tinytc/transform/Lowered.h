/// The forms of the dialect's values in core.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_LOWERED_H
#define TESSERA_LANG_TINYTC_TRANSFORM_LOWERED_H

#include "lang/tinytc/ir/Dialect.h"

namespace tessera::tinytc {

using Leaves = llvm::SmallVector<mlir::Value, 4>;

/// A scalar, or one a lane; a complex one has a second part, which is null where it is zero.
struct Number {
  mlir::Value re, im = {};
};

/// A number that grows evenly from lane to lane.
struct Affine {
  mlir::Value base, step; ///< i64: that of lane 0, and what each lane has more.
};

/// An i64, or one a lane.
struct Index {
  mlir::Value value = {};
  std::optional<Affine> affine = {}; ///< Where it is known to be; `value` may be null then.
};

/// A memref with all its sizes and strides; each of them may be one a lane.
struct Tensor {
  ir::MemrefType type;
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value, 4> sizes, strides;
};

/// The position of an element: one for all lanes, one for each (a vector), or evenly spaced.
struct Place {
  mlir::Value address, step = {}; ///< The step counts elements.
  bool isLocal = false;

  /// Whether lanes have neighbours, or all of them the same.
  bool isDense() const;
  bool isOne() const;
};

/// A matrix to multiply, or the transposed one.
struct Factor {
  Tensor tensor;
  bool isTransposed;
};

/// A part of a matrix, from an element on; its sizes, and those that are known when it is compiled.
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
  Tensor memory; ///< One for the subgroup, as are the row and column where it begins.
  std::array<mlir::Value, 2> begin;
};

/// Some rows of a column of a matrix; in registers, all of them.
struct Piece {
  int64_t number = 0;                ///< Of the column, where registers hold it.
  mlir::Value column = {}, row = {}; ///< i64; the first row.
  int64_t rows = 1;
};

/// A matrix that lies in memory, or a copy of one.
struct StoredMatrix {
  ir::CoopMatrixType type;
  Leaves parts;
  bool isTemporary;
};

} // namespace tessera::tinytc

#endif
