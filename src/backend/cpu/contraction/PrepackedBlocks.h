/// Tiles of sums whose operands are in tile order; see Note [Order of tiles].
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_PREPACKEDBLOCKS_H
#define TESSERA_BACKEND_CPU_CONTRACTION_PREPACKEDBLOCKS_H

#include "backend/cpu/contraction/RegisterTile.h"
#include "schedule/TileOrder.h"
#include <memory>

namespace tessera::cpu {

/// The axes over tiles as `groupInTileOrder` ordered them, and the lines of depth in a tile.
struct TileAxes {
  unsigned rows, columns, depth, lines;

  explicit TileAxes(const Product &product)
      : rows(Outer + product.numOuter - 2), columns(rows + 1), depth(product.sizes.size() - 2),
        lines(product.sizes.size() - 1) {}
};

/// Some tiles of sums, and the part of depth to add to them.
struct PrepackedBlock {
  Product product; ///< From the first tile on.
  int64_t numRows, numColumns;
  Value sliver; ///< The index of its rows in the chunk, in blocks.
  Part depth;
  Value isFirst, isLast; ///< Among the parts of depth.
};

/// Computes blocks.
class PrepackedBlocks {
public:
  PrepackedBlocks(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);
  virtual ~PrepackedBlocks() = default;

  /// The maximal number of tiles of sums in a block, in each direction.
  virtual int64_t tilesAcross() const = 0;
  /// Memory that a thread passes to its blocks; null if they need none.
  virtual Value makeScratch(const Product &product) { return {}; }
  virtual void emit(const PrepackedBlock &block, Value scratch) = 0;

protected:
  /// Adds some rows of one tile to their initial values and emits the operations around the sums.
  void emitAround(const PrepackedBlock &block, const Product &tile, Value row,
                  mlir::ArrayRef<Value> sums);
  Product tileAt(const PrepackedBlock &block, int64_t row, int64_t column);

  /// Computes the next sums from an index and the current sums.
  using Step = llvm::function_ref<mlir::SmallVector<Value>(Value, mlir::ValueRange)>;
  mlir::SmallVector<Value> accumulate(const Part &part, mlir::ValueRange start, Step step);

  KernelBuilder &b;
  schedule::Contraction schedule;
  TileAxes axes;
  int64_t group; ///< Adjacent elements of depth: 32 bits.
};

std::unique_ptr<PrepackedBlocks> makePrepackedVectors(KernelBuilder &b, const Product &product,
                                                      const schedule::Contraction &schedule);
/// With AMX.
std::unique_ptr<PrepackedBlocks> makePrepackedTiles(KernelBuilder &b, const Product &product,
                                                    const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
