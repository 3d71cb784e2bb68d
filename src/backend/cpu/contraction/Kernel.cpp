#include "backend/cpu/contraction/Kernel.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Microkernel.h"
#include "backend/cpu/contraction/Packing.h"
#include "backend/cpu/contraction/Turning.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

/// Like wantedChunks, if only panels are divided among threads.
constexpr int64_t wantedLate = 16;
/// The minimal number of rhs elements that a thread packs at a time.
constexpr int64_t minPacked = 1 << 13;
/// The bytes of packed columns that may be on the stack.
constexpr int64_t maxOnStack = 1 << 16;
/// The number of tiles that share prefetching the next packed columns, if the number of rows is
/// unknown.
constexpr int64_t usualTiles = 8;

/// The panels that are packed one by one, so that the number of columns of each is known.
constexpr int64_t maxKnownPanels = 4;

/// Whether all sizes are known and the product is too small to divide.
bool isSmallProduct(const Product &product) {
  std::optional<int64_t> rows = constantOf(product.sizes[Row]),
                         columns = constantOf(product.sizes[Column]),
                         depth = constantOf(product.sizes[Depth]);
  return rows && columns && depth && *rows * *columns * *depth < minChunkWork;
}

/// One product inside the loops over the outer axes:
///
///   for each `width` columns { for each `depth` of k {
///     pack that part of rhs into panels as wide as a tile;
///     in parallel for each chunk of rows and panels {
///       pack its rows of lhs; for each panel { for each sliver of rows { a tile } }
///     } } }
class Kernel {
  using Kind = schedule::Contraction::Kernel;

public:
  Kernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule,
         bool isParallel)
      : b(b), product(product), schedule(schedule), isParallel(isParallel),
        isTiled(schedule.kernel == Kind::Tiles), rows(product.sizes[Row]),
        columns(product.sizes[Column]), micro(isTiled ? makeTileKernel(b, product, schedule)
                                                      : makeVectorKernel(b, product, schedule)) {
    bool canPack = !product.lhs.stride(Column) && schedule.kernel != Kind::Inner;
    packsLhs = isTiled || (schedule.packLhs && canPack);
    mayPackRhs = isTiled || (schedule.packRhs && canPack) ||
                 (isApart(product.rhs) && schedule.kernel != Kind::Inner);
    packsLate = schedule.packLate && !isTiled && isApart(product.rhs) && mayPackRhs;
  }

  void emit() {
    depth = wholeDepth();
    depthStep = schedule.depth ? balanced(depth, schedule.depth, depthMultiple)
                               : larger(b, depth, index(b, 1));
    Value width = schedule.width ? balanced(columns, schedule.width, schedule.columns())
                                 : larger(b, columns, index(b, 1));
    if (mayPackRhs && !packsLate) {
      packsAll = packsAllPanels();
      Value most = select(b, packsAll, smaller(b, columns, width), index(b, schedule.columns()));
      rhsBuffer = allocatePanels(micro->rhsSize(most, smaller(b, depth, depthStep)));
      packsFirst = canPackFirst();
    }
    forEach(b, index(b, 0), columns, width, [&](Value column) {
      Part part{column, smaller(b, width, subtract(b, columns, column))};
      emitDepth(product, Outer + product.numOuter, part, isTrue(true), isTrue(true));
    });
    if (rhsBuffer && !packsLate && !isOnStack(rhsBuffer))
      memref::DeallocOp::create(b, rhsBuffer);
  }

private:
  Value isTrue(bool value) { return arith::ConstantIntOp::create(b, value, 1); }

  Value allocate(Value size) {
    auto type = MemRefType::get({ShapedType::kDynamic}, micro->element());
    return memref::AllocOp::create(b, type, ValueRange{size});
  }

  /// On the stack if they are small and nothing else needs them: the code is the beginning of its
  /// own function.
  Value allocatePanels(Value size) {
    std::optional<int64_t> known = constantOf(size);
    bool isFirst = product.numOuter == 0 && schedule.kernel == Kind::Blocked;
    int64_t bytes = micro->element().getIntOrFloatBitWidth() / 8 * known.value_or(0);
    if (!known || isParallel || !isFirst || bytes > maxOnStack)
      return allocate(size);
    auto type = MemRefType::get({*known}, micro->element());
    Value panels = memref::AllocaOp::create(b, type, b.getI64IntegerAttr(64));
    return memref::CastOp::create(b, MemRefType::get({ShapedType::kDynamic}, micro->element()),
                                  panels);
  }
  static bool isOnStack(Value buffer) { return buffer.getDefiningOp<memref::CastOp>(); }

  /// Whether the first tile of each panel packs it: in a small product whose rows are one chunk.
  bool canPackFirst() {
    if (!isSmallProduct(product) || product.sizes.size() != Outer + product.numOuter || packsLhs)
      return false;
    int64_t numRows = *constantOf(rows), numColumns = *constantOf(columns);
    bool isOneChunk = numRows > 0 && (schedule.height == 0 || numRows <= schedule.height);
    bool areWhole = numColumns % schedule.columns() == 0 || numColumns < schedule.columns();
    return isOneChunk && areWhole && isAlways(packsAll) &&
           constantOf(depthStep) >= constantOf(depth);
  }

  /// Columns that are narrow or not dense are always packed; otherwise packing does not pay off for
  /// a few rows or a small rhs.
  Value packsAllPanels() {
    if (isTiled || isApart(product.rhs) || product.rhs.widening != core::Widening::None)
      return isTrue(true);
    Value size = multiply(b, product.sizes[Depth], columns);
    return both(b, isAtLeast(b, rows, index(b, constantOf(rows) ? 0 : schedule::minPackedRows)),
                isAtLeast(b, size, index(b, schedule.packRhs)));
  }

  /// Parts of at most `most`, of about equal size, and at least one.
  Value balanced(Value size, int64_t most, int64_t multiple) {
    Value parts = larger(b, ceilDivide(b, size, index(b, most)), index(b, 1));
    return larger(b, roundUp(b, ceilDivide(b, size, parts), multiple), index(b, multiple));
  }

  /// 0 if any outer depth loop is empty: then the sums keep their initial values.
  Value wholeDepth() {
    Value whole = product.sizes[Depth], zero = index(b, 0);
    for (unsigned axis = Outer + product.numOuter; axis < product.sizes.size(); ++axis)
      whole = select(b, isEqual(b, product.sizes[axis], zero), zero, whole);
    return whole;
  }

  /// Emits the loops over depth, each at least once.
  void emitDepth(const Product &part, unsigned axis, Part width, Value isFirst, Value isLast) {
    Value zero = index(b, 0), one = index(b, 1);
    if (axis == product.sizes.size()) {
      forEach(b, zero, larger(b, depth, one), depthStep, [&](Value k) {
        Value end = add(b, k, depthStep);
        emitBlock(part, width, {k, smaller(b, depthStep, subtract(b, depth, k))},
                  both(b, isFirst, isEqual(b, k, zero)), both(b, isLast, isAtLeast(b, end, depth)));
      });
      return;
    }
    Value count = larger(b, product.sizes[axis], one);
    forEach(b, zero, count, one, [&](Value i) {
      emitDepth(part.from(b, axis, i), axis + 1, width, both(b, isFirst, isEqual(b, i, zero)),
                both(b, isLast, isEqual(b, add(b, i, one), count)));
    });
  }

  void parallel(Value count, int64_t grain, Body body) {
    if (isParallel)
      return inParallel(b, count, grain, body);
    forEach(b, index(b, 0), count, index(b, 1), body);
  }

  void emitBlock(const Product &part, Part width, Part k, Value isFirst, Value isLast) {
    Value panels = ceilDivide(b, width.size, index(b, schedule.columns()));
    Block block{part.lhs.from(b, Depth, k.begin),
                part.rhs.from(b, Depth, k.begin).from(b, Column, width.begin),
                width,
                k.size,
                isFirst,
                isLast};
    packsFirst = packsFirst && packFirst(block, index(b, 0));
    if (packsFirst)
      block.firstPacked = index(b, 0);
    else if (mayPackRhs && !packsLate)
      emitPacking(block, panels);
    emitChunks(block, panels);
  }

  /// What all tiles of one pass over k share.
  struct Block {
    View lhs, rhs; ///< From the first k and the first column.
    Part width;
    Value depth, isFirst, isLast;
    Value firstPacked = {}; ///< Panels from here on are packed.
  };

  /// The packing for the first tile of a panel to do; nullopt if that is impossible.
  std::optional<PanelPacking> packFirst(const Block &block, Value panel) {
    Value column = multiply(b, panel, schedule.columns());
    Value width = smaller(b, columns, index(b, schedule.columns()));
    return micro->packStepwise(rhsBuffer, panel, block.rhs.from(b, Column, column), width,
                               block.depth);
  }

  /// A partial last panel is always packed, so that it can be read without masks.
  void emitPacking(Block &block, Value panels) {
    Value full = divide(b, block.width.size, index(b, schedule.columns()));
    block.firstPacked = select(b, packsAll, index(b, 0), full);
    int64_t panel = schedule.columns() * std::max<int64_t>(schedule.depth, 1);
    auto pack = [&](Value number) {
      Value column = multiply(b, add(b, block.firstPacked, number), schedule.columns());
      micro->packRhs(rhsBuffer, number, block.rhs.from(b, Column, column),
                     subtract(b, block.width.size, column), block.depth);
    };
    Value count = subtract(b, panels, block.firstPacked);
    std::optional<int64_t> known = constantOf(count);
    if (isParallel || !known || *known > maxKnownPanels)
      return parallel(count, llvm::divideCeil(minPacked, panel), pack);
    for (int64_t number = 0; number < *known; ++number)
      pack(index(b, number));
  }

  /// Divides rows into chunks, and panels as well if there are few rows.
  void emitChunks(const Block &block, Value panels) {
    Value height = chunkHeight(block, panels);
    Value rowChunks = ceilDivide(b, rows, height);
    Value panelChunk = chunkPanels(block, panels, height, rowChunks);
    Value panelChunks = ceilDivide(b, panels, panelChunk);
    Value tiles = ceilDivide(b, rows, index(b, schedule.rows));
    parallel(multiply(b, rowChunks, panelChunks), 1, [&](Value chunk) {
      Value rowChunk = divide(b, chunk, panelChunks);
      Value panelNumber = subtract(b, chunk, multiply(b, rowChunk, panelChunks));
      Part tilePart = evenPart(tiles, rowChunks, rowChunk);
      Value firstRow = multiply(b, tilePart.begin, schedule.rows);
      Value most = multiply(b, tilePart.size, schedule.rows);
      emitChunk(block, {firstRow, smaller(b, most, subtract(b, rows, firstRow))},
                evenPart(panels, panelChunks, panelNumber));
    });
  }

  /// One of `count` parts whose sizes differ by at most one, so that threads finish at the same
  /// time.
  Part evenPart(Value size, Value count, Value number) {
    auto endOf = [&](Value parts) { return divide(b, multiply(b, parts, size), count); };
    Value begin = endOf(number);
    return {begin, subtract(b, endOf(add(b, number, 1)), begin)};
  }

  /// A whole number of tiles; a single chunk if nothing runs in parallel and nothing is packed.
  /// Chunks that pack their own rows must not be small.
  Value chunkHeight(const Block &block, Value panels) {
    if (!isParallel && !packsLhs)
      return larger(b, rows, index(b, 1));
    Value most = schedule.height ? index(b, schedule.height) : larger(b, rows, index(b, 1));
    if (isParallel && !packsLate) {
      Value rowWork = larger(b, multiply(b, block.width.size, block.depth), index(b, 1));
      Value enough = larger(b, ceilDivide(b, index(b, minChunkWork), rowWork), index(b, 1));
      Value wanted = larger(b, ceilDivide(b, rows, index(b, wantedChunks)), enough);
      most = smaller(b, most, wanted);
    }
    Value parts = ceilDivide(b, larger(b, rows, index(b, 1)), most);
    return roundUp(b, ceilDivide(b, larger(b, rows, index(b, 1)), parts), schedule.rows);
  }

  Value chunkPanels(const Block &block, Value panels, Value height, Value rowChunks) {
    Value one = index(b, 1);
    if (!isParallel)
      return larger(b, panels, one);
    Value panelWork =
        larger(b, multiply(b, multiply(b, height, block.depth), schedule.columns()), one);
    Value enough = larger(b, ceilDivide(b, index(b, minChunkWork), panelWork), one);
    int64_t wanted = packsLate ? wantedLate : wantedChunks;
    Value parts = ceilDivide(b, index(b, wanted), larger(b, rowChunks, one));
    return larger(b, ceilDivide(b, panels, parts), enough);
  }

  void emitChunk(const Block &block, Part rowPart, Part panelPart) {
    View lhs = block.lhs.from(b, Row, rowPart.begin);
    Value buffer;
    if (packsLhs) {
      buffer = allocate(micro->lhsSize(rowPart.size));
      micro->packLhs(buffer, lhs, rowPart.size, block.depth);
    }
    scratch = micro->makeScratch();
    if (packsLate)
      rhsBuffer = allocate(micro->rhsSize(index(b, schedule.columns()), block.depth));
    auto emitPanels = [&](Part rows) {
      Value end = add(b, panelPart.begin, panelPart.size);
      forEach(b, panelPart.begin, end, index(b, 1),
              [&](Value panel) { emitPanel(block, rows, panel, buffer); });
    };
    // Rows of lhs that are used only once are read sequentially.
    if (product.lhs.stride(Column))
      forEach(b, index(b, 0), rowPart.size, index(b, schedule.rows), [&](Value row) {
        Value left = subtract(b, rowPart.size, row);
        emitPanels({add(b, rowPart.begin, row), smaller(b, left, index(b, schedule.rows))});
      });
    else
      emitPanels(rowPart);
    for (Value memory : {buffer, scratch, packsLate ? rhsBuffer : Value()})
      if (memory)
        memref::DeallocOp::create(b, memory);
  }

  void emitPanel(const Block &block, Part rowPart, Value panel, Value lhsBuffer) {
    Value begin = multiply(b, panel, schedule.columns());
    Value left = subtract(b, block.width.size, begin);
    View rhs = packsLate ? packPanel(block, begin) : rhsPanel(block, panel);
    TilePlace place{.rows = schedule.rows,
                    .row = rowPart.begin,
                    .column = add(b, block.width.begin, begin),
                    .isFirst = block.isFirst,
                    .isLast = block.isLast};
    place.isWide = isDivisible(columns, schedule.columns())
                       ? isTrue(true)
                       : isAtLeast(b, left, index(b, schedule.columns()));
    place.masks =
        isAlways(place.isWide) ? SmallVector<Value>(schedule.vectors) : masksFor(b, schedule, left);
    place.maskedSteps = maskedSteps(place);
    place.asksForSteps = schedule.prefetch == 2 && !mayPackRhs;
    place.asksForNext = schedule.prefetch == 3 && !mayPackRhs;
    if (packsLate)
      place.packedNext = block.rhs.from(b, Column, add(b, begin, schedule.columns()));
    if (packsFirst)
      return emitPackingRows({block, place, rowPart, rhs, lhsBuffer}, packFirst(block, panel));
    emitRows({block, place, rowPart, rhs, lhsBuffer}, rows);
  }

  /// Reads beyond a row's end stay in the next row, if that is long enough.
  std::optional<int64_t> maskedSteps(const TilePlace &place) {
    if (mayPackRhs || isAlways(place.isWide) || schedule.kernel == Kind::Inner)
      return 0;
    Value stride = product.rhs.stride(Depth);
    std::optional<int64_t> length = stride ? constantOf(stride) : std::nullopt;
    std::optional<int64_t> known = constantOf(columns);
    if (known && *known == columnsOfTile(product, schedule))
      return 0;
    int64_t beyond = schedule.columns() - (known ? *known % schedule.columns() : 1);
    bool isLong = length && *length >= beyond && !product.lhs.stride(Column);
    return isLong ? std::optional<int64_t>(1) : std::nullopt;
  }

  /// Whether columns are not adjacent, so that vectors cannot be loaded.
  static bool isApart(const View &view) { return view.stride(Column) && !view.isDense(Column); }

  static bool isDivisible(Value size, int64_t by) {
    std::optional<int64_t> number = constantOf(size);
    return number && *number % by == 0;
  }

  View rhsPanel(const Block &block, Value panel) {
    View inPlace = block.rhs.from(b, Column, multiply(b, panel, schedule.columns()));
    if (!mayPackRhs)
      return inPlace;
    Value number = larger(b, subtract(b, panel, block.firstPacked), index(b, 0));
    View packed = micro->panel(rhsBuffer, number, block.depth);
    if (isAlways(packsAll))
      return packed;
    Value isPacked = isAtLeast(b, panel, block.firstPacked);
    packed.memory = select(b, isPacked, packed.memory, inPlace.memory);
    packed.offset = select(b, isPacked, packed.offset, inPlace.offset);
    // An operand that does not depend on k does not move.
    Value depthStride = inPlace.strides[Depth] ? inPlace.strides[Depth] : index(b, 0);
    packed.strides[Depth] = select(b, isPacked, packed.strides[Depth], depthStride);
    return packed;
  }

  /// Packs a panel just before its tiles, which find it in the nearest cache.
  View packPanel(const Block &block, Value column) {
    micro->packRhs(rhsBuffer, index(b, 0), block.rhs.from(b, Column, column),
                   subtract(b, block.width.size, column), block.depth);
    return micro->panel(rhsBuffer, index(b, 0), block.depth);
  }

  /// The tiles of a panel prefetch the columns of the next one, each a share.
  void shareNext(TilePlace &place, Value row) {
    int64_t tiles = constantOf(rows)
                        ? llvm::divideCeil(std::max<int64_t>(*constantOf(rows), 1), schedule.rows)
                        : usualTiles;
    place.packedColumns = llvm::PowerOf2Ceil(llvm::divideCeil(schedule.columns(), tiles));
    Value share = multiply(b, divide(b, row, index(b, schedule.rows)), place.packedColumns);
    place.packedNext = place.packedNext->from(b, Column, share);
  }

  /// What the tiles of a panel's rows share.
  struct Rows {
    const Block &block;
    TilePlace place;
    Part part;
    const View &rhs;
    Value lhsBuffer;
  };

  /// Emits tiles from the chunk's first row on.
  void emitRows(const Rows &part, Value allRows) {
    forEachTile(b, schedule, allRows, part.part.size, [&](Value row, int64_t height, bool isWhole) {
      emitTile(part, row, height, isWhole);
    });
  }

  /// The same; the first tile packs what the others read.
  void emitPackingRows(Rows part, std::optional<PanelPacking> packing) {
    int64_t height = std::min(*constantOf(rows), schedule.rows);
    part.place.packing = packing;
    emitTile(part, index(b, 0), height, /*isWhole=*/true);
    part.place.packing = std::nullopt;
    part.part = {add(b, part.part.begin, height), subtract(b, part.part.size, index(b, height))};
    emitRows(part, part.part.size);
  }

  void emitTile(const Rows &rows, Value row, int64_t height, bool isWhole) {
    TilePlace place = rows.place;
    place.rows = height;
    place.row = add(b, rows.part.begin, row);
    if (!isWhole)
      place.lastRow = subtract(b, subtract(b, rows.part.size, row), index(b, 1));
    place.clampsLhs = !rows.lhsBuffer;
    if (place.packedNext)
      shareNext(place, row);
    View lhs = rows.lhsBuffer
                   ? micro->sliver(rows.lhsBuffer, row)
                   : rows.block.lhs.from(b, Row, place.row).from(b, Column, place.column);
    micro->emitTile(place, lhs, rows.rhs, rows.block.depth, scratch);
  }

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  bool isParallel, isTiled, packsLhs, mayPackRhs, packsLate, packsFirst = false;
  Value rows, columns, depth, depthStep, packsAll, rhsBuffer, scratch;
  std::unique_ptr<Microkernel> micro;
};

} // namespace

/// The columns of a small product that fill whole tiles; 0 if no other columns remain.
static int64_t columnsOfWholeTiles(const Product &product, const schedule::Contraction &schedule) {
  using Kind = schedule::Contraction::Kernel;
  bool isPlain = (schedule.kernel == Kind::Blocked || schedule.kernel == Kind::Unrolled) &&
                 product.sizes.size() == Outer + product.numOuter && !product.lhs.stride(Column);
  if (!isPlain || !isSmallProduct(product))
    return 0;
  int64_t columns = *constantOf(product.sizes[Column]), width = schedule.columns();
  return columns % width ? columns / width * width : 0;
}

/// Adapts the tiles to fewer columns, with about as many sums and of about equal height.
static schedule::Contraction narrowed(const schedule::Contraction &schedule, int64_t columns,
                                      int64_t rows) {
  schedule::Contraction own = schedule;
  own.vectors = llvm::divideCeil(columns, schedule.lanes);
  int64_t most = std::max<int64_t>(schedule.rows * schedule.vectors / own.vectors, 1);
  own.rows = llvm::divideCeil(std::max<int64_t>(rows, 1),
                              llvm::divideCeil(std::max<int64_t>(rows, 1), most));
  return own;
}

/// The remaining columns of a small product get tiles of their own width: wider tiles would compute
/// and mask columns that do not exist.
void cpu::emitInnerKernel(KernelBuilder &b, const Product &product,
                          const schedule::Contraction &schedule, bool isParallel) {
  if (goesByVector(product, schedule))
    return emitByVector(b, product, schedule);
  int64_t whole = columnsOfWholeTiles(product, schedule);
  if (whole == 0)
    return Kernel(b, product, schedule, isParallel).emit();
  int64_t rest = *constantOf(product.sizes[Column]) - whole;
  Product first = product.part(b, Column, index(b, 0), index(b, whole)),
          last = product.part(b, Column, index(b, whole), index(b, rest));
  schedule::Contraction own = narrowed(schedule, rest, *constantOf(product.sizes[Row]));
  Kernel(b, first, schedule, isParallel).emit();
  Kernel(b, last, own, isParallel).emit();
}
