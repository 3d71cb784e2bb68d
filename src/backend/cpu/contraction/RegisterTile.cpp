#include "backend/cpu/contraction/RegisterTile.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/InnerSums.h"
#include "backend/cpu/contraction/Turning.h"
#include "backend/cpu/contraction/VectorBody.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

/// The latency of memory in steps of a tile. Even if rows are a power of two apart, the
/// second-level cache has room for twice as many prefetched rows.
static constexpr int64_t stepsAhead = 16;

/// Whether the view is dense along rows but not along columns.
static bool isAcross(const View &view) {
  return view.stride(Column) && !view.isDense(Column) && view.isDense(Row);
}

SmallVector<Value> cpu::masksFor(KernelBuilder &b, const schedule::Contraction &schedule,
                                 Value columnsLeft) {
  auto type = VectorType::get({schedule.lanes}, b.getI1Type());
  SmallVector<Value> masks;
  for (int64_t v = 0; v < schedule.vectors; ++v) {
    Value left = subtract(b, columnsLeft, index(b, v * schedule.lanes));
    Value lanes = smaller(b, larger(b, left, index(b, 0)), index(b, schedule.lanes));
    bool areAll = constantOf(lanes) == schedule.lanes;
    masks.push_back(areAll ? Value()
                           : vector::CreateMaskOp::create(b, type, ValueRange{lanes}).getResult());
  }
  return masks;
}

/// The heights of tiles, with the minimal number of remaining rows for each.
static SmallVector<std::pair<int64_t, int64_t>> openHeights(const schedule::Contraction &schedule) {
  int64_t rows = schedule.rows;
  if (schedule.kernel == schedule::Contraction::Kernel::Tiles)
    return {{rows, 1}};
  int64_t half = (rows + 2) / 2, quarter = (rows + 2) / 4;
  SmallVector<std::pair<int64_t, int64_t>> heights{{rows, (half < rows ? half : quarter) + 1}};
  if (half < rows)
    heights.push_back({half, quarter + 1});
  if (quarter > 0 && quarter < half)
    heights.push_back({quarter, 1});
  heights.back().second = 1;
  return heights;
}

void cpu::forEachTile(KernelBuilder &b, const schedule::Contraction &schedule, Value allRows,
                      Value rows, TileBody body) {
  Value zero = index(b, 0), tileHeight = index(b, schedule.rows);
  if (std::optional<int64_t> known = constantOf(allRows)) {
    Value whole = multiply(b, divide(b, rows, tileHeight), schedule.rows);
    forEach(b, zero, whole, tileHeight,
            [&](Value row) { body(row, schedule.rows, /*isWhole=*/true); });
    if (int64_t rest = *known % schedule.rows)
      when(b, isLess(b, whole, rows), [&] { body(whole, rest, /*isWhole=*/true); });
    return;
  }
  Value next = zero;
  for (auto [height, least] : openHeights(schedule)) {
    Value left = larger(b, subtract(b, rows, index(b, least - 1)), next);
    Value count = ceilDivide(b, subtract(b, left, next), index(b, height));
    Value end = add(b, next, multiply(b, count, height));
    forEach(b, next, end, index(b, height),
            [&, height = height](Value row) { body(row, height, /*isWhole=*/false); });
    next = end;
  }
}

/// The lanes that the last vector needs if all columns are in one tile: short vectors cost less on
/// some processors, and most need no masks. At least as many as the smallest register has.
static int64_t lastWidth(const Product &product, const schedule::Contraction &schedule) {
  using Kernel = schedule::Contraction::Kernel;
  constexpr int64_t smallestRegister = 128;
  std::optional<int64_t> columns = constantOf(product.sizes[Column]);
  bool isPlain = schedule.kernel == Kernel::Blocked || schedule.kernel == Kernel::Unrolled;
  int64_t left = columns.value_or(0) - (schedule.vectors - 1) * schedule.lanes;
  if (!isPlain || left <= 0 || left > schedule.lanes)
    return schedule.lanes;
  int64_t least = smallestRegister / product.element().getIntOrFloatBitWidth();
  return std::min<int64_t>(schedule.lanes, std::max<int64_t>(llvm::PowerOf2Ceil(left), least));
}

int64_t cpu::columnsOfTile(const Product &product, const schedule::Contraction &schedule) {
  return (schedule.vectors - 1) * schedule.lanes + lastWidth(product, schedule);
}

RegisterTile::RegisterTile(KernelBuilder &b, const Product &product,
                           const schedule::Contraction &schedule)
    : b(b), product(product), schedule(schedule), widths(schedule.vectors, schedule.lanes) {
  widths.back() = lastWidth(product, schedule);
}

void RegisterTile::emit(const TilePlace &place, const View &lhs, const View &rhs, Value depth) {
  if (schedule.prefetch)
    prefetchNext(place);
  if (schedule.kernel == schedule::Contraction::Kernel::Inner)
    return emitFinish(place, addSums(place, lhs, rhs, depth, emitStart(place)));
  emitFinish(place, emitSteps(place, lhs, rhs, depth, emitStart(place)));
}

void RegisterTile::emitDirect(const TilePlace &place, const View &lhs, const View &rhs) {
  if (schedule.prefetch)
    prefetchResult(place);
  SmallVector<View> lhsRows = rowsOf(place, lhs, place.lastRow);
  emitFinish(place, emitDepth(place, lhsRows, rhs, product.depthAxes(), emitStart(place)));
}

/// Columns that do not exist repeat the last one.
RegisterTile::Sums RegisterTile::addSums(const TilePlace &place, const View &lhs, const View &rhs,
                                         Value depth, Sums start) {
  Value last = subtract(b, product.sizes[Column], add(b, place.column, 1));
  auto columnsOf = [&](const View &view) {
    SmallVector<View> columns;
    for (int64_t column = 0; column < schedule.lanes; ++column)
      columns.push_back(view.from(b, Column, smaller(b, index(b, column), last)));
    return columns;
  };
  SmallVector<SmallVector<View>> lhsColumns;
  for (const View &row : rowsOf(place, lhs, place.lastRow))
    lhsColumns.push_back(columnsOf(row));
  return added(start, emitInnerSums(b, product, schedule, lhsColumns, columnsOf(rhs), depth));
}

void RegisterTile::emitAround(const TilePlace &place, ArrayRef<Value> sums) {
  emitFinish(place, added(emitStart(place), sums));
}

RegisterTile::Sums RegisterTile::added(ArrayRef<Value> start, ArrayRef<Value> sums) {
  Sums results;
  for (auto [first, sum] : llvm::zip(start, sums))
    results.push_back(isa<FloatType>(product.element())
                          ? Value(arith::AddFOp::create(b, first, sum))
                          : arith::AddIOp::create(b, first, sum));
  return results;
}

/// Prefetches the result's part for the tile below while this one is computed. It goes to the
/// second-level cache, since rows a power of two apart compete for few sets of the first.
void RegisterTile::prefetchNext(const TilePlace &place) {
  View first =
      product.result.from(b, Column, place.column).from(b, Row, add(b, place.row, place.rows));
  for (int64_t r = 0; r < place.rows; ++r)
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      View row = first.from(b, Row, index(b, r));
      memref::PrefetchOp::create(b, row.memory, ValueRange{add(b, row.offset, v * schedule.lanes)},
                                 /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
    }
}

/// Prefetches contiguous elements.
void RegisterTile::prefetchLine(const View &from, Value distance, int64_t elements) {
  int64_t line = lineBytes * 8 / from.element().getIntOrFloatBitWidth();
  Value first = add(b, from.offset, distance);
  for (int64_t i = 0; i < elements; i += line)
    memref::PrefetchOp::create(b, from.memory, ValueRange{add(b, first, i)}, /*isWrite=*/false,
                               /*localityHint=*/2, /*isDataCache=*/true);
}

void RegisterTile::prefetchResult(const TilePlace &place) {
  const View &result = product.finish ? product.output : product.result;
  View first = result.from(b, Row, place.row).from(b, Column, place.column);
  if (!place.resultAhead)
    return;
  bool goesAcross = isAcross(result);
  int64_t lines = goesAcross ? schedule.columns() : place.rows;
  for (int64_t i = 0; i < lines; ++i)
    prefetchLine(first.from(b, goesAcross ? Column : Row, index(b, i)), place.resultAhead,
                 goesAcross ? place.rows : schedule.columns());
}

/// Prefetches what the first step of a window will read.
void RegisterTile::prefetchWindow(const TilePlace &place, const View &lhs, const View &rhs) {
  if (std::optional<int64_t> stride = lhs.stride(Row) ? constantOf(lhs.stride(Row)) : std::nullopt;
      place.lhsAhead && stride)
    prefetchLine(lhs, place.lhsAhead, place.rows * std::abs(*stride));
  if (place.rhsAhead && rhs.isDense(Column))
    prefetchLine(rhs, place.rhsAhead, schedule.columns());
}

/// One view per row of the tile.
SmallVector<View> RegisterTile::rowsOf(const TilePlace &place, const View &first, Value lastRow) {
  SmallVector<View> rows;
  for (int64_t r = 0; r < place.rows; ++r) {
    Value row = index(b, r);
    rows.push_back(first.from(b, Row, lastRow ? smaller(b, row, lastRow) : row));
  }
  return rows;
}

/// Vector number `vector` of a row, converted to the sum's element type.
Value RegisterTile::load(const View &view, int64_t vector, Value mask) {
  Value loaded = loadVector(b, placeOf(view, vector), widths[vector], 0, narrowed(mask, vector));
  return widen(b, loaded, view.widening, product.element());
}

/// The view from a vector's first column on.
View RegisterTile::placeOf(const View &view, int64_t vector) {
  return view.stride(Column) ? view.from(b, Column, index(b, vector * schedule.lanes)) : view;
}

/// Restricts a full-width vector to the lanes of vector number `number`. A mask that would be all
/// ones becomes null.
Value RegisterTile::narrowed(Value vector, int64_t number) {
  int64_t width = widths[number];
  if (!vector || width == schedule.lanes)
    return vector;
  std::optional<int64_t> columns = constantOf(product.sizes[Column]);
  bool isMask = getElementTypeOrSelf(vector.getType()).isInteger(1);
  if (isMask && *columns - number * schedule.lanes == width)
    return {};
  return vector::ExtractStridedSliceOp::create(b, vector, ArrayRef<int64_t>{0},
                                               ArrayRef<int64_t>{width}, ArrayRef<int64_t>{1});
}

void RegisterTile::storeRows(ArrayRef<View> rows, ArrayRef<Value> masks, ArrayRef<Value> values) {
  for (auto [r, row] : llvm::enumerate(rows))
    for (int64_t v = 0; v < schedule.vectors; ++v)
      storeVector(b, values[r * schedule.vectors + v], placeOf(row, v), 0, narrowed(masks[v], v));
}

/// Avoids masks where possible: on some processors, loads wait for masked stores.
void RegisterTile::store(const View &view, const TilePlace &place, ArrayRef<Value> values) {
  View first = view.from(b, Row, place.row).from(b, Column, place.column);
  if (isAcross(view))
    return storeAcross(first, place, values);
  SmallVector<View> rows = rowsOf(place, first, place.lastRow);
  SmallVector<Value> whole(schedule.vectors);
  auto storeNarrow = [&] {
    ArrayRef<View> all = rows;
    size_t unmasked = canRunOver(view, place) ? all.size() - 1 : 0;
    storeRows(all.take_front(unmasked), whole, values);
    storeRows(all.drop_front(unmasked), place.masks, values.drop_front(unmasked * whole.size()));
  };
  when(b, place.isWide, [&] { storeRows(rows, whole, values); }, storeNarrow);
}

/// Stores values that are not read again soon: past the caches, if that pays off.
void RegisterTile::storeLast(const View &view, const TilePlace &place, ArrayRef<Value> values) {
  if (!product.streams || !isAlways(place.isWide) || place.lastRow)
    return store(view, place, values);
  auto stream = [&] {
    View first = view.from(b, Row, place.row).from(b, Column, place.column);
    for (auto [r, row] : llvm::enumerate(rowsOf(place, first, {})))
      for (int64_t v = 0; v < schedule.vectors; ++v)
        streamVector(b, values[r * schedule.vectors + v], placeOf(row, v));
  };
  when(b, product.streams, stream, [&] { store(view, place, values); });
}

/// Whether stores beyond a row's end hit the beginning of the next row, which the tile stores right
/// afterwards.
bool RegisterTile::canRunOver(const View &view, const TilePlace &place) {
  std::optional<int64_t> columns = constantOf(product.sizes[Column]),
                         first = constantOf(place.column);
  if (!columns || !first || place.lastRow || !view.stride(Row))
    return false;
  int64_t beyond = *first + schedule.columns() - *columns;
  return constantOf(view.stride(Row)) == *columns && beyond <= *columns;
}

/// The rows of a column that exist from `firstRow` of the tile on; null if all do.
Value RegisterTile::maskAcross(const TilePlace &place, int64_t firstRow, int64_t column) {
  Value count = index(b, place.rows - firstRow);
  if (place.lastRow)
    count = smaller(b, count,
                    larger(b, subtract(b, place.lastRow, index(b, firstRow - 1)), index(b, 0)));
  if (!isAlways(place.isWide))
    count = select(b, isLess(b, index(b, column), place.columnsLeft), count, index(b, 0));
  if (std::optional<int64_t> known = constantOf(count); known && *known >= schedule.lanes)
    return {};
  return maskOf(b, schedule.lanes, count);
}

/// Transposes square blocks of sums in registers, since columns are dense.
void RegisterTile::storeAcross(const View &first, const TilePlace &place, ArrayRef<Value> values) {
  int64_t lanes = schedule.lanes;
  Value none = zeroOf(b, values.front().getType());
  for (int64_t v = 0; v < schedule.vectors; ++v)
    for (int64_t row = 0; row < place.rows; row += lanes) {
      SmallVector<Value> block;
      for (int64_t r = row; r < row + lanes; ++r)
        block.push_back(r < place.rows ? values[r * schedule.vectors + v] : none);
      transpose(b, block);
      for (auto [lane, vector] : llvm::enumerate(block)) {
        int64_t column = v * lanes + lane;
        View to = first.from(b, Row, index(b, row)).from(b, Column, index(b, column));
        storeVector(b, vector, to, 0, maskAcross(place, row, column));
      }
    }
}

/// The inverse. Rows that repeat another row need no values, since they are not stored.
RegisterTile::Sums RegisterTile::loadAcross(const View &first, const TilePlace &place) {
  int64_t lanes = schedule.lanes;
  Sums sums(place.rows * schedule.vectors);
  for (int64_t v = 0; v < schedule.vectors; ++v)
    for (int64_t row = 0; row < place.rows; row += lanes) {
      SmallVector<Value> block;
      for (int64_t column = v * lanes; column < (v + 1) * lanes; ++column) {
        View from = first.from(b, Row, index(b, row)).from(b, Column, index(b, column));
        from.strides[Column] = from.strides[Row];
        block.push_back(loadVector(b, from, lanes, 0, maskAcross(place, row, column)));
      }
      transpose(b, block);
      for (int64_t r = row; r < std::min(row + lanes, place.rows); ++r)
        sums[r * schedule.vectors + v] = block[r - row];
    }
  return sums;
}

RegisterTile::Sums RegisterTile::loadRows(ArrayRef<View> rows, ArrayRef<Value> masks) {
  Sums sums;
  for (const View &row : rows)
    for (int64_t v = 0; v < schedule.vectors; ++v)
      sums.push_back(load(row, v, masks[v]));
  return sums;
}

/// Loads a tile of a view.
RegisterTile::Sums RegisterTile::loadTile(const View &view, const TilePlace &place) {
  View first = view.from(b, Row, place.row).from(b, Column, place.column);
  return isAcross(view) ? loadAcross(first, place)
                        : loadRows(rowsOf(place, first, place.lastRow), place.masks);
}

/// The chain of each element begins in the first block of depth and later continues from the
/// result.
RegisterTile::Sums RegisterTile::emitStart(const TilePlace &place) {
  if (!product.start)
    return loadTile(product.result, place);
  SmallVector<Type> types;
  for (int64_t r = 0; r < place.rows; ++r)
    for (int64_t width : widths)
      types.push_back(VectorType::get({width}, product.element()));
  return choose(
      b, place.isFirst, types, [&] { return emitBody(product.start, place, {}); },
      [&] { return loadTile(product.result, place); });
}

/// All existing depth, ascending. Only the last steps are masked: other reads beyond the last
/// column stay in the next row, and no stored lane depends on them.
RegisterTile::Sums RegisterTile::emitSteps(const TilePlace &place, const View &lhs, const View &rhs,
                                           Value depth, Sums sums) {
  SmallVector<View> lhsRows = rowsOf(place, lhs, place.clampsLhs ? place.lastRow : Value());
  if (place.packing)
    return emitPackingSteps(*place.packing, lhsRows, rhs, *constantOf(depth), sums);
  Value zero = index(b, 0), begin = zero;
  SmallVector<Value> whole(schedule.vectors);
  if (place.maskedSteps) {
    begin = larger(b, subtract(b, depth, index(b, *place.maskedSteps)), zero);
    sums = emitLoop(place, lhsRows, rhs, zero, begin, whole, sums);
  }
  return place.maskedSteps == 0 ? sums
                                : emitLoop(place, lhsRows, rhs, begin, depth, place.masks, sums);
}

static SmallVector<View> moved(KernelBuilder &b, ArrayRef<View> views, unsigned axis, Value i) {
  return llvm::map_to_vector(views, [&](const View &view) { return view.from(b, axis, i); });
}

/// Prefetches data at addresses that the processor does not predict.
void RegisterTile::prefetchStep(const TilePlace &place, const View &rhs, Value k) {
  if (place.asksForSteps)
    prefetchLine(rhs.from(b, Depth, add(b, k, stepsAhead)), index(b, 0), schedule.columns());
  if (place.asksForNext)
    prefetchLine(rhs.from(b, Depth, k), index(b, schedule.columns()), schedule.columns());
  if (!place.packedNext)
    return;
  Value turn = arith::AndIOp::create(b, k, index(b, place.packedColumns - 1));
  prefetchLine(place.packedNext->from(b, Column, turn).from(b, Depth, k), index(b, 0), 1);
}

RegisterTile::Sums RegisterTile::emitLoop(const TilePlace &place, ArrayRef<View> lhsRows,
                                          const View &rhs, Value begin, Value end,
                                          ArrayRef<Value> masks, Sums sums) {
  std::optional<int64_t> first = constantOf(begin), last = constantOf(end);
  if (first && last &&
      (schedule.kernel == schedule::Contraction::Kernel::Unrolled || *last - *first <= 1)) {
    for (int64_t k = *first; k < *last; ++k)
      sums = emitStep(moved(b, lhsRows, Depth, index(b, k)), rhs.from(b, Depth, index(b, k)), masks,
                      sums);
    return sums;
  }
  auto loop = scf::ForOp::create(b, begin, end, index(b, 1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value k = loop.getInductionVar();
  prefetchStep(place, rhs, k);
  scf::YieldOp::create(b, emitStep(moved(b, lhsRows, Depth, k), rhs.from(b, Depth, k), masks,
                                   loop.getRegionIterArgs()));
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// Packs steps just before they are used, so that the processor transposes while it multiplies.
RegisterTile::Sums RegisterTile::emitPackingSteps(const PanelPacking &packing,
                                                  ArrayRef<View> lhsRows, const View &rhs,
                                                  int64_t depth, Sums sums) {
  SmallVector<Value> whole(schedule.vectors);
  auto addSteps = [&](Value from, int64_t count, ValueRange before) {
    Sums next = llvm::to_vector(before);
    for (int64_t i = 0; i < count; ++i) {
      Value k = add(b, from, i);
      next = emitStep(moved(b, lhsRows, Depth, k), rhs.from(b, Depth, k), whole, next);
    }
    return next;
  };
  int64_t steps = packing.steps, rest = depth % steps, last = depth - rest - steps;
  packing.emit(index(b, 0));
  auto loop = scf::ForOp::create(b, index(b, 0), index(b, last), index(b, steps), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    packing.emit(add(b, k, steps));
    scf::YieldOp::create(b, addSteps(k, steps, loop.getRegionIterArgs()));
  }
  if (rest)
    packing.emit(index(b, depth - steps));
  return addSteps(index(b, last), steps + rest, loop.getResults());
}

/// Rows of rhs for some steps; a transposed rhs is transposed a few steps at a time. The last of
/// these begin early enough to be complete, unless depth is too short.
RegisterTile::Sums RegisterTile::loadSteps(const TilePlace &place, const View &rhs, int64_t steps) {
  int64_t together = turnedSteps(rhs.element()), columns = *constantOf(product.sizes[Column]),
          depth = *constantOf(product.sizes[Depth]);
  Sums rows;
  if (rhs.isDense(Column)) {
    for (int64_t k = 0; k < steps; ++k) {
      View row = rhs.from(b, Depth, index(b, k));
      rows.push_back(load(row, 0, place.masks[0]));
      prefetchLine(row, index(b, schedule.lanes), place.columnsAhead);
    }
    return rows;
  }
  for (int64_t first = 0; first < steps; first += together) {
    int64_t from = depth < together ? 0 : std::min(first, steps - together);
    Sums turned = loadTurned(b, rhs.from(b, Depth, index(b, from)), widths[0], columns, depth);
    llvm::append_range(rows,
                       ArrayRef(turned).slice(first - from, std::min(together, steps - first)));
  }
  return rows;
}

RegisterTile::Sums RegisterTile::addSteps(ArrayRef<View> lhsRows, ArrayRef<Value> rhsRows,
                                          ValueRange sums) {
  Sums next = llvm::to_vector(sums);
  for (auto [k, vector] : llvm::enumerate(rhsRows))
    for (auto [sum, row] : llvm::zip(next, lhsRows))
      sum = multiplyAdd(b, product.accumulation, load(row.from(b, Depth, index(b, k)), 0, {}),
                        vector, sum);
  return next;
}

/// With many rows, fewer steps are unrolled so that everything fits the registers.
void RegisterTile::emitColumn(const TilePlace &place, const View &lhs, const View &rhs) {
  constexpr int64_t usualSteps = 8, manyRows = 16;
  SmallVector<View> lhsRows = rowsOf(place, lhs, {});
  int64_t depth = *constantOf(product.sizes[Depth]),
          steps = place.rows > manyRows ? turnedSteps(rhs.element()) : usualSteps;
  Value done = index(b, 0);
  Sums sums = emitStart(place);
  if (depth >= 2 * steps) {
    Value whole = index(b, depth / steps * steps);
    auto loop = scf::ForOp::create(b, done, whole, index(b, steps), sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    scf::YieldOp::create(b, addSteps(moved(b, lhsRows, Depth, k),
                                     loadSteps(place, rhs.from(b, Depth, k), steps),
                                     loop.getRegionIterArgs()));
    sums = llvm::to_vector(ValueRange(loop.getResults()));
    done = whole;
  }
  emitFinish(place,
             addSteps(moved(b, lhsRows, Depth, done),
                      loadSteps(place, rhs.from(b, Depth, done), depth - *constantOf(done)), sums));
}

bool RegisterTile::isUnrolled(ArrayRef<unsigned> axes) {
  int64_t steps = 1, most = std::max<int64_t>(schedule.unroll, 1);
  for (unsigned axis : axes)
    steps *= constantOf(product.sizes[axis]).value_or(most + 1);
  return steps <= most;
}

RegisterTile::Sums RegisterTile::emitDepth(const TilePlace &place, ArrayRef<View> lhsRows,
                                           const View &rhs, ArrayRef<unsigned> axes,
                                           ValueRange sums) {
  if (axes.empty())
    return emitStep(lhsRows, rhs,
                    place.maskedSteps ? SmallVector<Value>(schedule.vectors) : place.masks, sums);
  unsigned axis = axes.front();
  auto emitAt = [&](Value i, ValueRange carried) {
    SmallVector<View> lhsAt = moved(b, lhsRows, axis, i);
    View rhsAt = rhs.from(b, axis, i);
    if (schedule.prefetch && axes.size() == product.depthAxes().size())
      prefetchWindow(place, lhsAt.front(), rhsAt);
    return emitDepth(place, lhsAt, rhsAt, axes.drop_front(), carried);
  };
  if (isUnrolled(axes)) {
    Sums all = llvm::to_vector(sums);
    for (int64_t i = 0; i < *constantOf(product.sizes[axis]); ++i)
      all = emitAt(index(b, i), all);
    return all;
  }
  auto loop =
      scf::ForOp::create(b, index(b, 0), product.sizes[axis], index(b, 1), llvm::to_vector(sums));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, emitAt(loop.getInductionVar(), loop.getRegionIterArgs()));
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// One k: a row of rhs times one element of each row of lhs, or times a vector if lhs differs per
/// column.
RegisterTile::Sums RegisterTile::emitStep(ArrayRef<View> lhsRows, const View &rhs,
                                          ArrayRef<Value> masks, ValueRange sums) {
  Sums vectors, next;
  for (int64_t v = 0; v < schedule.vectors; ++v)
    vectors.push_back(load(rhs, v, masks[v]));
  for (auto [r, row] : llvm::enumerate(lhsRows)) {
    Value spread = row.stride(Column) ? Value() : load(row, 0, {});
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      Value factor = spread ? narrowed(spread, v) : load(row, v, masks[v]);
      next.push_back(
          multiplyAdd(b, product.accumulation, factor, vectors[v], sums[r * schedule.vectors + v]));
    }
  }
  return next;
}

/// All vectors are computed before any is stored: repeated rows must see the same operands.
RegisterTile::Sums RegisterTile::emitBody(const ElementBody &body, const TilePlace &place,
                                          ArrayRef<Value> sums) {
  SmallVector<Sums> loaded;
  for (const ElementBody::Input &input : body.inputs)
    loaded.push_back(input.view ? loadTile(*input.view, place) : Sums());
  Sums results;
  for (int64_t r = 0; r < place.rows; ++r)
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      SmallVector<Value> inputs;
      for (auto [number, input] : llvm::enumerate(body.inputs))
        inputs.push_back(input.isSum  ? sums[r * schedule.vectors + v]
                         : input.view ? loaded[number][r * schedule.vectors + v]
                                      : input.scalar);
      results.push_back(emitVectorBody(b, body, inputs, widths[v]));
    }
  return results;
}

void RegisterTile::emitFinish(const TilePlace &place, ArrayRef<Value> sums) {
  if (!product.finish)
    return storeLast(product.result, place, sums);
  when(
      b, place.isLast,
      [&] {
        Sums finished = emitBody(product.finish, place, sums);
        if (!product.dropsSums)
          store(product.result, place, sums);
        storeLast(product.output, place, finished);
      },
      [&] { store(product.result, place, sums); });
}
