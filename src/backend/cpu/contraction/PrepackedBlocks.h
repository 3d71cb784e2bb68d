/// Tiles of sums of operands that are in the order of tile registers; see Note [Order of tiles].
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_PREPACKEDBLOCKS_H
#define TESSERA_BACKEND_CPU_CONTRACTION_PREPACKEDBLOCKS_H

#include "backend/cpu/contraction/RegisterTile.h"
#include "schedule/TileOrder.h"
#include <memory>

namespace tessera::cpu {

/// Where `groupInTileOrder` put the axes from tile to tile, and the lines of depth in a tile.
struct TileAxes {
  unsigned rows, columns, depth, lines;

  explicit TileAxes(const Product &product)
      : rows(Outer + product.numOuter - 2), columns(rows + 1), depth(product.sizes.size() - 2),
        lines(product.sizes.size() - 1) {}
};

/// Some tiles of sums, and the part of depth that is added to them.
struct PrepackedBlock {
  Product product; ///< From the first tile on.
  int64_t numRows, numColumns;
  Value sliver; ///< The number of its rows in the chunk, counted in blocks.
  Part depth;
  Value isFirst, isLast; ///< Among the parts of depth.
};

/// What computes blocks.
class PrepackedBlocks {
public:
  PrepackedBlocks(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);
  virtual ~PrepackedBlocks() = default;

  /// Tiles of sums that a block has at most, in each direction.
  virtual int64_t tilesAcross() const = 0;
  /// Memory of its own that a thread hands to its blocks; null where they need none.
  virtual Value makeScratch(const Product &product) { return {}; }
  virtual void emit(const PrepackedBlock &block, Value scratch) = 0;

protected:
  /// Adds some rows of one tile to what they start with, and does what else the kernel does.
  void emitAround(const PrepackedBlock &block, const Product &tile, Value row,
                  mlir::ArrayRef<Value> sums);
  Product tileAt(const PrepackedBlock &block, int64_t row, int64_t column);

  /// The next sums, from an index and those so far.
  using Step = llvm::function_ref<mlir::SmallVector<Value>(Value, mlir::ValueRange)>;
  mlir::SmallVector<Value> accumulate(const Part &part, mlir::ValueRange start, Step step);

  KernelBuilder &b;
  schedule::Contraction schedule;
  TileAxes axes;
  int64_t group; ///< Elements of depth side by side: 32 bits.
};

std::unique_ptr<PrepackedBlocks> makePrepackedVectors(KernelBuilder &b, const Product &product,
                                                      const schedule::Contraction &schedule);
/// With AMX.
std::unique_ptr<PrepackedBlocks> makePrepackedTiles(KernelBuilder &b, const Product &product,
                                                    const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
