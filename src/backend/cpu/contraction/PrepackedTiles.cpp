#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Packing.h"
#include "backend/cpu/contraction/PrepackedBlocks.h"
#include "backend/cpu/contraction/VectorBody.h"
#include "core/Build.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;
using schedule::tileSide;

/// Whether sums start at zero.
static bool startsAtZero(const ElementBody &start) {
  if (!start)
    return false;
  Value yielded = start.block->getTerminator()->getOperand(0);
  for (auto [argument, input] : llvm::zip(start.block->getArguments(), start.inputs))
    if (yielded == argument)
      yielded = input.scalar;
  for (auto [outside, here] : start.captured)
    if (yielded == outside)
      yielded = here;
  return yielded && (matchPattern(yielded, m_PosZeroFloat()) || matchPattern(yielded, m_Zero()));
}

namespace {

/// Two by two tiles of sums. If there are no operations around them, they are loaded from and
/// stored to the result directly; otherwise vectors read them from the thread's scratch memory.
class TileBlock final : public PrepackedBlocks {
public:
  TileBlock(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : PrepackedBlocks(b, product, schedule), isAtOnce(!product.finish && !product.start),
        isZeroFirst(!product.finish && startsAtZero(product.start)) {
    auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
    core::callRuntime(b, module, b.getLoc(), "tessera_rt_use_tiles", {});
  }

  int64_t tilesAcross() const override { return 2; }
  Value makeScratch(const Product &product) override;
  void emit(const PrepackedBlock &block, Value scratch) override;

private:
  SmallVector<Value> emitStart(const PrepackedBlock &block, Value scratch);
  SmallVector<Value> emitStep(const PrepackedBlock &block, Value k, ValueRange sums);
  void prefetch(const PrepackedBlock &block, const View &rhs, Value k);
  void prefetchLine(const View &view, bool isWrite);
  void emitResult(const PrepackedBlock &block, const Product &tile, Value sums, Value scratch);
  Value load(Type type, const View &view, Value distance) {
    return amx::TileLoadOp::create(b, type, view.memory, ValueRange{view.offset}, distance);
  }
  Value multiplyTiles(const Product &product, Value lhs, Value rhs, Value sums);
  amx::TileType sumType(const Product &product) {
    return amx::TileType::get({tileSide, tileSide}, product.element());
  }

  bool isAtOnce, isZeroFirst;
};

} // namespace

/// A row of zeros, or a tile of sums.
Value TileBlock::makeScratch(const Product &product) {
  if (isAtOnce)
    return {};
  auto type = MemRefType::get({ShapedType::kDynamic}, product.element());
  int64_t size = isZeroFirst ? tileSide : tileSide * tileSide;
  Value memory = memref::AllocOp::create(b, type, ValueRange{index(b, size)});
  if (isZeroFirst)
    vector::StoreOp::create(b, zeroOf(b, VectorType::get({tileSide}, product.element())), memory,
                            ValueRange{index(b, 0)});
  return memory;
}

/// Zeros are loaded like sums, with a stride of 0, so that no branch is needed.
SmallVector<Value> TileBlock::emitStart(const PrepackedBlock &block, Value scratch) {
  SmallVector<Value> tiles;
  amx::TileType type = sumType(block.product);
  for (int64_t row = 0; row < block.numRows; ++row)
    for (int64_t column = 0; column < block.numColumns; ++column) {
      if (!isAtOnce && (!isZeroFirst || isAlways(block.isFirst))) {
        tiles.push_back(amx::TileZeroOp::create(b, type));
        continue;
      }
      View from = tileAt(block, row, column).result;
      Value distance = from.stride(Row);
      if (isZeroFirst) {
        from.memory = select(b, block.isFirst, scratch, from.memory);
        from.offset = select(b, block.isFirst, index(b, 0), from.offset);
        distance = select(b, block.isFirst, index(b, 0), distance);
      }
      tiles.push_back(load(type, from, distance));
    }
  return tiles;
}

Value TileBlock::multiplyTiles(const Product &product, Value lhs, Value rhs, Value sums) {
  if (isa<FloatType>(product.element()))
    return amx::TileMulFOp::create(b, sums.getType(), lhs, rhs, sums);
  auto isUnsigned = [&](const View &view) {
    return view.widening == core::Widening::Unsigned ? b.getUnitAttr() : UnitAttr();
  };
  return amx::TileMulIOp::create(b, sums.getType(), lhs, rhs, sums, isUnsigned(product.lhs),
                                 isUnsigned(product.rhs));
}

SmallVector<Value> TileBlock::emitStep(const PrepackedBlock &block, Value k, ValueRange sums) {
  Product at = block.product.from(b, axes.depth, k);
  auto type = amx::TileType::get({tileSide, tileSide * group}, at.lhs.element());
  SmallVector<Value> lhs, rhs, next;
  for (int64_t row = 0; row < block.numRows; ++row)
    lhs.push_back(load(type, at.lhs.from(b, axes.rows, index(b, row)), at.lhs.stride(Row)));
  for (int64_t column = 0; column < block.numColumns; ++column)
    rhs.push_back(
        load(type, at.rhs.from(b, axes.columns, index(b, column)), at.rhs.strides[axes.lines]));
  if (schedule.prefetch)
    prefetch(block, at.rhs, k);
  for (auto [number, sum] : llvm::enumerate(sums))
    next.push_back(
        multiplyTiles(at, lhs[number / block.numColumns], rhs[number % block.numColumns], sum));
  return next;
}

/// Each step prefetches a part of what comes next: of the next panel, which all blocks of the chunk
/// together prefetch once, and of the sums below.
void TileBlock::prefetch(const PrepackedBlock &block, const View &rhs, Value k) {
  int64_t height = schedule.height ? schedule.height : tileSide * tileSide;
  int64_t lines = llvm::divideCeil(tileSide * tileSide * tilesAcross(), height);
  Value first = multiply(b, block.sliver, lines), last = index(b, tileSide - 1);
  for (int64_t column = 0; column < block.numColumns; ++column)
    for (int64_t line = 0; line < lines; ++line)
      prefetchLine(rhs.from(b, axes.columns, index(b, block.numColumns + column))
                       .from(b, axes.lines, smaller(b, add(b, first, line), last)),
                   /*isWrite=*/false);
  Value line = smaller(b, subtract(b, k, block.depth.begin), last);
  for (int64_t row = 0; row < block.numRows; ++row)
    for (int64_t column = 0; column < block.numColumns; ++column) {
      Product below = tileAt(block, block.numRows + row, column);
      prefetchLine((below.finish ? below.output : below.result).from(b, Row, line),
                   /*isWrite=*/true);
    }
}

/// Sums are stored soon; panels are larger than the first-level cache.
void TileBlock::prefetchLine(const View &view, bool isWrite) {
  memref::PrefetchOp::create(b, view.memory, ValueRange{view.offset}, isWrite,
                             /*localityHint=*/isWrite ? 3 : 2, /*isDataCache=*/true);
}

void TileBlock::emit(const PrepackedBlock &block, Value scratch) {
  auto sums = accumulate(block.depth, emitStart(block, scratch),
                         [&](Value k, ValueRange before) { return emitStep(block, k, before); });
  for (auto [number, sum] : llvm::enumerate(sums))
    emitResult(block, tileAt(block, number / block.numColumns, number % block.numColumns), sum,
               scratch);
}

void TileBlock::emitResult(const PrepackedBlock &block, const Product &tile, Value sums,
                           Value scratch) {
  if (isAtOnce || isZeroFirst) {
    amx::TileStoreOp::create(b, tile.result.memory, ValueRange{tile.result.offset}, sums,
                             tile.result.stride(Row));
    return;
  }
  amx::TileStoreOp::create(b, scratch, ValueRange{index(b, 0)}, sums, index(b, tileSide));
  forEach(b, index(b, 0), index(b, tileSide), index(b, 1), [&](Value row) {
    View line = bufferView(b, scratch, multiply(b, row, tileSide), tile.result);
    line.strides[Column] = index(b, 1);
    emitAround(block, tile, row, {loadVector(b, line, tileSide, 0, {})});
  });
}

std::unique_ptr<PrepackedBlocks> cpu::makePrepackedTiles(KernelBuilder &b, const Product &product,
                                                         const schedule::Contraction &schedule) {
  return std::make_unique<TileBlock>(b, product, schedule);
}
