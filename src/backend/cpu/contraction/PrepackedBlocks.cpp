#include "backend/cpu/contraction/PrepackedBlocks.h"
#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

/// Operations around the sums see one tile at a time, which is one vector wide.
PrepackedBlocks::PrepackedBlocks(KernelBuilder &b, const Product &product,
                                 const schedule::Contraction &schedule)
    : b(b), schedule(schedule), axes(product),
      group(schedule::tileGroupBytes * 8 / product.lhs.element().getIntOrFloatBitWidth()) {
  this->schedule.vectors = 1;
}

void PrepackedBlocks::emitAround(const PrepackedBlock &block, const Product &tile, Value row,
                                 ArrayRef<Value> sums) {
  TilePlace place{.rows = int64_t(sums.size()),
                  .row = row,
                  .column = index(b, 0),
                  .masks = {Value()},
                  .isWide = arith::ConstantIntOp::create(b, 1, 1),
                  .isFirst = block.isFirst,
                  .isLast = block.isLast};
  RegisterTile(b, tile, schedule).emitAround(place, sums);
}

Product PrepackedBlocks::tileAt(const PrepackedBlock &block, int64_t row, int64_t column) {
  return block.product.from(b, axes.rows, index(b, row)).from(b, axes.columns, index(b, column));
}

SmallVector<Value> PrepackedBlocks::accumulate(const Part &part, ValueRange start, Step step) {
  auto loop = scf::ForOp::create(b, part.begin, add(b, part.begin, part.size), index(b, 1), start);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, step(loop.getInductionVar(), loop.getRegionIterArgs()));
  return llvm::to_vector(ValueRange(loop.getResults()));
}
