/// Tuned loops for operands that are already in tile order: nothing is packed. See Note [Order of
/// tiles].
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Kernel.h"
#include "backend/cpu/contraction/PrepackedBlocks.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;
using schedule::tileGroupBytes;
using schedule::tileSide;

namespace {

/// The speed-up of tile registers, by which chunks for threads are larger.
constexpr int64_t tileSpeed = 8;

/// In parallel for each chunk of rows and columns of each product:
///   for each part of depth {
///     for each panel, one block wide { for each sliver of rows, one block high { a block } } }
class PrepackedKernel {
public:
  PrepackedKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), product(product), schedule(schedule), axes(product) {
    auto make = schedule.usesTiles() ? makePrepackedTiles : makePrepackedVectors;
    blocks = make(b, product, schedule);
  }

  void emit() {
    SmallVector<Value> counts(product.sizes.begin() + Outer, product.sizes.begin() + axes.rows);
    Value height = evenly(axes.rows, maxTiles(axes.rows, schedule.height));
    counts.push_back(ceilDivide(b, product.sizes[axes.rows], height));
    Value width = evenly(axes.columns, smaller(b, maxTiles(axes.columns, schedule.width),
                                               wantedWidth(height, productOf(counts))));
    counts.push_back(ceilDivide(b, product.sizes[axes.columns], width));
    Value total = productOf(counts);
    inParallel(b, total, 1, [&](Value number) {
      SmallVector<Value> at = places(number, counts);
      Product one = product;
      for (unsigned axis = Outer; axis < axes.rows; ++axis)
        one = one.from(b, axis, at[axis - Outer]);
      emitChunk(one, partOf(axes.rows, at[at.size() - 2], height),
                partOf(axes.columns, at.back(), width));
    });
  }

private:
  /// Splits a number into one index per count, the last of which varies fastest.
  SmallVector<Value> places(Value number, ArrayRef<Value> counts) {
    SmallVector<Value> reversed;
    for (Value count : llvm::reverse(counts)) {
      Value rest = divide(b, number, count);
      reversed.push_back(subtract(b, number, multiply(b, rest, count)));
      number = rest;
    }
    return SmallVector<Value>(llvm::reverse(reversed));
  }

  Part partOf(unsigned axis, Value number, Value size) {
    Value begin = multiply(b, number, size);
    return {begin, smaller(b, size, subtract(b, product.sizes[axis], begin))};
  }

  Value productOf(ArrayRef<Value> numbers) {
    Value total = index(b, 1);
    for (Value number : numbers)
      total = multiply(b, total, number);
    return total;
  }

  Value maxTiles(unsigned axis, int64_t most) {
    return most ? index(b, llvm::divideCeil(most, tileSide)) : atLeastOne(product.sizes[axis]);
  }

  Value atLeastOne(Value size) { return larger(b, size, index(b, 1)); }

  /// The tiles of an axis that make a chunk: at most this many, all about equal, in whole blocks.
  Value evenly(unsigned axis, Value most) {
    return roundUp(b, evenParts(product.sizes[axis], most), blocks->tilesAcross());
  }

  Value evenParts(Value size, Value most) {
    size = atLeastOne(size);
    return ceilDivide(b, size, ceilDivide(b, size, most));
  }

  /// Columns are divided among threads, since rows share a panel. Each chunk must be worth a
  /// thread.
  Value wantedWidth(Value height, Value otherChunks) {
    Value parts = ceilDivide(b, index(b, wantedChunks), atLeastOne(otherChunks));
    Value wanted = ceilDivide(b, atLeastOne(product.sizes[axes.columns]), parts);
    Value work = multiply(b, height, tileSide * tileSide);
    for (unsigned axis : product.depthAxes())
      work = multiply(b, work, product.sizes[axis]);
    int64_t least = schedule.usesTiles() ? tileSpeed * minChunkWork : minChunkWork;
    return larger(b, wanted, ceilDivide(b, index(b, least), atLeastOne(work)));
  }

  void emitChunk(const Product &one, Part rows, Part columns) {
    Value scratch = blocks->makeScratch(one);
    Value always = arith::ConstantIntOp::create(b, 1, 1);
    auto emitPart = [&](const Product &at, Part depth, Value isFirst, Value isLast) {
      forEachBlock(axes.columns, columns, [&](Value column, int64_t numColumns) {
        forEachBlock(axes.rows, rows, [&](Value row, int64_t numRows) {
          Product first = at.from(b, axes.rows, row).from(b, axes.columns, column);
          Value sliver = divide(b, subtract(b, row, rows.begin), index(b, blocks->tilesAcross()));
          blocks->emit({first, numRows, numColumns, sliver, depth, isFirst, isLast}, scratch);
        });
      });
    };
    emitDepth(one, Outer + product.numOuter, always, always, emitPart);
    if (scratch)
      memref::DeallocOp::create(b, scratch);
  }

  using PartBody = llvm::function_ref<void(const Product &, Part, Value, Value)>;

  /// Emits the loops over depth from tile to tile, each at least once; an empty loop adds nothing.
  void emitDepth(const Product &at, unsigned axis, Value isFirst, Value isLast, PartBody body) {
    Value zero = index(b, 0), one = index(b, 1), size = product.sizes[axis];
    if (axis == axes.depth) {
      size = knownTiles();
      Value step = evenParts(size, index(b, llvm::divideCeil(schedule.depth, depthOfTile())));
      forEach(b, zero, larger(b, size, one), step, [&](Value k) {
        Value isEnd = isAtLeast(b, add(b, k, step), size);
        body(at, {k, smaller(b, step, subtract(b, size, k))}, both(b, isFirst, isEqual(b, k, zero)),
             both(b, isLast, isEnd));
      });
      return;
    }
    Value count = larger(b, size, one);
    forEach(b, zero, count, one, [&](Value i) {
      emitDepth(at.from(b, axis, i), axis + 1, both(b, isFirst, isEqual(b, i, zero)),
                both(b, isLast, isEqual(b, add(b, i, one), count)), body);
    });
  }

  int64_t depthOfTile() const {
    return tileSide * tileGroupBytes * 8 / product.lhs.element().getIntOrFloatBitWidth();
  }

  /// 0 if an outer depth loop is empty: then the sums keep their initial values.
  Value knownTiles() {
    Value tiles = product.sizes[axes.depth], zero = index(b, 0);
    for (unsigned axis = Outer + product.numOuter; axis < axes.depth; ++axis)
      tiles = select(b, isEqual(b, product.sizes[axis], zero), zero, tiles);
    return tiles;
  }

  /// The rest after the last whole block gets smaller ones.
  void forEachBlock(unsigned axis, Part part, llvm::function_ref<void(Value, int64_t)> body) {
    int64_t across = blocks->tilesAcross();
    Value whole = add(b, part.begin, multiply(b, divide(b, part.size, index(b, across)), across));
    forEach(b, part.begin, whole, index(b, across), [&](Value tile) { body(tile, across); });
    std::optional<int64_t> known = constantOf(product.sizes[axis]);
    if (known && *known % across == 0)
      return;
    for (int64_t rest = 1; rest < across; ++rest)
      when(b, isEqual(b, subtract(b, add(b, part.begin, part.size), whole), index(b, rest)),
           [&] { body(whole, rest); });
  }

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  TileAxes axes;
  std::unique_ptr<PrepackedBlocks> blocks;
};

} // namespace

void cpu::emitPrepackedKernel(KernelBuilder &b, const Product &product,
                              const schedule::Contraction &schedule) {
  PrepackedKernel(b, product, schedule).emit();
}

// Note [Order of tiles]
//
// A tile register has 16 rows of 64 bytes. For lhs, these are 16 rows with 16 groups of depth each;
// for rhs, 16 lines, each with one group of depth of all 16 columns. A group has 32 bits. Operands
// whose four innermost loops have these sizes and strides can be loaded in place, for example
//
//   C(mo, no, mi, ni) +=! float(A(mo, ko, mi, ki, kj)) * float(B(no, ko, ki, ni, kj))
//
// with sizes 16, 16, 16 and 2 for mi, ni, ki and kj. Two by two tiles of sums take four loads for
// four multiplications. Without tile registers, vectors use the same order: a line of rhs is one
// vector, and 32 bits of lhs are broadcast to all its lanes.
