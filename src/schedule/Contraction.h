/// How a contraction is computed: a record that the model chooses, that is printed with the
/// operation, and that the back end reads. docs/schedule.md describes the fields.
#ifndef TESSERA_SCHEDULE_CONTRACTION_H
#define TESSERA_SCHEDULE_CONTRACTION_H

#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace mlir {
class DictionaryAttr;
class MLIRContext;
} // namespace mlir

namespace tessera::schedule {

/// On an operation: its schedule, a dictionary.
inline constexpr llvm::StringLiteral scheduleAttr = "tessera.schedule";

/// Element types for which a machine may have tile registers.
enum class Tiles { None, Bfloat, Byte };

/// What the model needs to know about the machine.
struct Machine {
  int64_t vectorBytes = 64;
  int64_t registers = 32;                             ///< Vector registers.
  int64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 16 << 20; ///< Sizes of the data caches, in bytes.
  bool hasBfloatTiles = false, hasByteTiles = false;

  bool has(Tiles tiles) const {
    return tiles == Tiles::Bfloat ? hasBfloatTiles : tiles == Tiles::Byte && hasByteTiles;
  }
};

/// The sizes of the tuned loops' axes; ShapedType::kDynamic if unknown.
struct ContractionShape {
  int64_t rows, columns, depth;
  int64_t outer = 1; ///< The number of products of this size.
  int64_t elementBytes = 4;
  bool hasWindows = false;    ///< An operand is read through windows, as in a convolution.
  int64_t wholeDepth = 0;     ///< With windows: the product of all depth loops.
  bool canBeAcross = false;   ///< Rows and columns can be swapped.
  bool isRhsDense = true;     ///< In rhs, the columns of a row are adjacent in memory.
  bool isLhsSpread = true;    ///< All columns use the same lhs; otherwise each has its own.
  bool isLhsDense = true;     ///< Where each column has its own lhs, it is dense along columns.
  bool isNarrow = false;      ///< An operand's elements are narrower than the sum's.
  bool isReorderable = false; ///< The order of a sum is free.
  bool isDepthDense = false;  ///< Both operands are dense along depth.
  Tiles tiles = Tiles::None;  ///< The tile registers that could hold the operands.
  bool isInTileOrder = false; ///< The operands are already in tile order.
  /// Bytes between rows of lhs, between rows of rhs, and between depth steps within a row of lhs; 0
  /// if unknown.
  int64_t lhsStride = 0, rhsStride = 0, lhsStep = 0;
};

struct Contraction {
  enum class Kernel {
    Unrolled,       ///< Fully unrolled: all sizes are known and small.
    Blocked,        ///< Loops around a register tile.
    Inner,          ///< The same with vectors along depth: each sum is split into parts.
    Tiles,          ///< Loops around two by two tile registers: each sum is split into parts.
    Prepacked,      ///< Operands are in tile order, sums in vector registers.
    PrepackedTiles, ///< The same with tile registers.
    Direct,         ///< All depth loops are inside a tile; windows are read in place.
  };
  Kernel kernel = Kernel::Blocked;
  int64_t lanes = 0;   ///< Elements of a vector register.
  int64_t rows = 0;    ///< Rows of the register tile.
  int64_t vectors = 0; ///< Columns of the register tile, in vectors.
  int64_t depth = 0;   ///< Depth of one pass over the result; 0: all.
  int64_t height = 0;  ///< Maximal number of rows packed and computed at a time; 0: all.
  int64_t width = 0;   ///< Columns packed at a time; 0: all.
  int64_t packLhs = 0; ///< 1: rows are packed before use.
  int64_t packRhs = 0; ///< Columns are packed if rhs has at least this many elements; 0: never.
  /// 1: columns of rhs that are dense along depth are packed just before use.
  int64_t packLate = 0;

  int64_t across = 0;        ///< Direct: the result is dense along rows instead of columns.
  int64_t parallelOuter = 0; ///< 1: loops around the tuned loops are parallel; 0: the tuned loops.
  int64_t depthLanes = 0;    ///< Inner: elements of a vector along depth.
  /// Inner: vectors per sum at a time. Direct: unrolled steps of depth.
  int64_t unroll = 0;
  /// 1: a tile prefetches the next tile's part of the result; 2: each step also prefetches a row of
  /// rhs.
  int64_t prefetch = 0;

  int64_t columns() const { return lanes * vectors; }
  bool isPrepacked() const {
    return kernel == Kernel::Prepacked || kernel == Kernel::PrepackedTiles;
  }
  bool usesTiles() const { return kernel == Kernel::Tiles || kernel == Kernel::PrepackedTiles; }
  bool operator==(const Contraction &) const = default;
  /// Why this schedule is invalid; "" if it is valid.
  std::string complaint() const;

  mlir::DictionaryAttr toAttribute(mlir::MLIRContext &context) const;
  /// Returns nullopt and sets `error` if the dictionary is not a valid schedule.
  static std::optional<Contraction> fromAttribute(mlir::DictionaryAttr attribute,
                                                  std::string &error);
  /// The same in JSON, for files.
  llvm::json::Object toJson() const;
  static std::optional<Contraction> fromJson(const llvm::json::Object &object, std::string &error);

private:
  bool setNumber(llvm::StringRef name, int64_t value);
  bool setKernel(llvm::StringRef name);
};

/// The cache line size of every x86-64 processor.
inline constexpr int64_t lineBytes = 64;

/// The multiplications that make a chunk worth a thread: about ten microseconds of work.
inline constexpr int64_t minChunkWork = 1 << 19;

/// With fewer rows, packing rhs costs more than it saves: a third of the time at 32 rows, nothing
/// at 128. A dynamic number of rows is compared at run time.
inline constexpr int64_t minPackedRows = 128;

/// The model's choice, without measurements.
Contraction chooseContraction(const ContractionShape &shape, const Machine &machine);

} // namespace tessera::schedule

#endif
