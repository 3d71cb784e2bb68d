/// How a contraction is computed: a record that is chosen by a model, printed with the operation,
/// and read back by the back end. docs/schedule.md describes the fields.
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

/// Operands that a device may have registers for whole tiles of.
enum class Tiles { None, Bfloat, Byte };

/// What the model has to know of the device.
struct Machine {
  int64_t vectorBytes = 64;
  int64_t registers = 32;                             ///< For vectors.
  int64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 16 << 20; ///< Bytes of data that the caches hold.
  bool hasBfloatTiles = false, hasByteTiles = false;

  bool has(Tiles tiles) const {
    return tiles == Tiles::Bfloat ? hasBfloatTiles : tiles == Tiles::Byte && hasByteTiles;
  }
};

/// The kernel's axes; ShapedType::kDynamic where a size is not known.
struct ContractionShape {
  int64_t rows, columns, depth;
  int64_t outer = 1; ///< Products of this size.
  int64_t elementBytes = 4;
  bool hasWindows = false;    ///< An operand is read as by a convolution.
  int64_t wholeDepth = 0;     ///< With windows: of all loops of depth.
  bool canBeAcross = false;   ///< Rows and columns can change places.
  bool isRhsDense = true;     ///< Columns of a row of rhs are neighbours in memory.
  bool isLhsSpread = true;    ///< All columns see the same lhs; else each has its own.
  bool isLhsDense = true;     ///< What columns have of their own is dense along them.
  bool isNarrow = false;      ///< Elements of an operand are narrower than those of the sum.
  bool isReorderable = false; ///< The order of a sum is free.
  bool isDepthDense = false;  ///< Both operands are dense along depth.
  Tiles tiles = Tiles::None;  ///< Which ones could hold the operands.
  bool isInTileOrder = false; ///< The operands are as tiles want them.
  /// Bytes from a row of lhs to the next, from a row of rhs, and along a row of lhs from one step
  /// of depth to the next; 0 where not known.
  int64_t lhsStride = 0, rhsStride = 0, lhsStep = 0;
};

struct Contraction {
  enum class Kernel {
    Unrolled,       ///< Every multiply-add stands in the code: all sizes are known and small.
    Blocked,        ///< Loops around a register tile.
    Inner,          ///< The same, with vectors along depth: each sum is taken in parts.
    Tiles,          ///< Loops around two by two tile registers: each sum is taken in parts.
    Prepacked,      ///< Operands are in the order of tile registers, sums in vectors.
    PrepackedTiles, ///< The same with tile registers.
    Direct,         ///< All loops of depth inside of a tile; windows are read where they are.
  };
  Kernel kernel = Kernel::Blocked;
  int64_t lanes = 0;   ///< Elements of a vector register.
  int64_t rows = 0;    ///< Rows of the register tile.
  int64_t vectors = 0; ///< Its columns, in vectors.
  int64_t depth = 0;   ///< k of one pass over the result; 0: all.
  int64_t height = 0;  ///< Rows that are packed and computed at a time, at most; 0: all.
  int64_t width = 0;   ///< Columns that are packed at a time; 0: all.
  int64_t packLhs = 0; ///< 1: rows are copied before they are used.
  int64_t packRhs = 0; ///< Columns are copied where rhs has at least so many elements; 0: never.
  /// 1: columns of rhs that are dense along depth are copied right before they are used.
  int64_t packLate = 0;

  int64_t across = 0;        ///< Direct: the result is dense along rows, not along columns.
  int64_t parallelOuter = 0; ///< 1: loops around the kernel have the threads; 0: the kernel.
  int64_t depthLanes = 0;    ///< Inner: elements of a vector along depth.
  /// Inner: such vectors at a time for each sum. Direct: steps of depth that stand in the code.
  int64_t unroll = 0;
  /// 1: a tile asks for the next one's part of the result; 2: also each step for a row of rhs.
  int64_t prefetch = 0;

  int64_t columns() const { return lanes * vectors; }
  bool isPrepacked() const {
    return kernel == Kernel::Prepacked || kernel == Kernel::PrepackedTiles;
  }
  bool usesTiles() const { return kernel == Kernel::Tiles || kernel == Kernel::PrepackedTiles; }
  bool operator==(const Contraction &) const = default;
  /// Why no kernel can follow it; "" where one can.
  std::string complaint() const;

  mlir::DictionaryAttr toAttribute(mlir::MLIRContext &context) const;
  /// Nothing where the dictionary says what no kernel can do; `error` then explains it.
  static std::optional<Contraction> fromAttribute(mlir::DictionaryAttr attribute,
                                                  std::string &error);
  /// The same in files.
  llvm::json::Object toJson() const;
  static std::optional<Contraction> fromJson(const llvm::json::Object &object, std::string &error);

private:
  bool setNumber(llvm::StringRef name, int64_t value);
  bool setKernel(llvm::StringRef name);
};

/// Size of a cache line on every x86-64 processor.
inline constexpr int64_t lineBytes = 64;

/// Multiplications worth a chunk for a thread: some ten microseconds.
inline constexpr int64_t minChunkWork = 1 << 19;

/// Below it, packing rhs would cost more than it saves: a third of the time at 32 rows, nothing at
/// 128. Rows that are not known are compared with it when they are.
inline constexpr int64_t minPackedRows = 128;

/// The model's choice, without measuring.
Contraction chooseContraction(const ContractionShape &shape, const Machine &machine);

} // namespace tessera::schedule

#endif
