#include "backend/cpu/contraction/RegisterTile.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/InnerSums.h"
#include "backend/cpu/contraction/VectorBody.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

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

void RegisterTile::emit(const TilePlace &place, const View &lhs, const View &rhs, Value depth) {
  if (schedule.prefetch)
    prefetchNext(place);
  if (schedule.kernel == schedule::Contraction::Kernel::Inner)
    return emitFinish(place, addSums(place, lhs, rhs, depth, emitStart(place)));
  emitFinish(place, emitSteps(place, lhs, rhs, depth, emitStart(place)));
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

/// The tile below: its part of the result arrives while this one is computed. Into the second-level
/// cache, for rows at a distance of a power of two share few places of the first.
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

/// A view from each row of the tile on.
SmallVector<View> RegisterTile::rowsOf(const TilePlace &place, const View &first, Value lastRow) {
  SmallVector<View> rows;
  for (int64_t r = 0; r < place.rows; ++r) {
    Value row = index(b, r);
    rows.push_back(first.from(b, Row, lastRow ? smaller(b, row, lastRow) : row));
  }
  return rows;
}

/// Vector number `vector` of a row, as elements of the sum.
Value RegisterTile::load(const View &view, int64_t vector, Value mask) {
  return widen(b, loadVector(b, view, schedule.lanes, vector, mask), view.widening,
               product.element());
}

void RegisterTile::storeRows(ArrayRef<View> rows, ArrayRef<Value> masks, ArrayRef<Value> values) {
  for (auto [r, row] : llvm::enumerate(rows))
    for (int64_t v = 0; v < schedule.vectors; ++v)
      storeVector(b, values[r * schedule.vectors + v], row, v, masks[v]);
}

/// Not with masks where it can be avoided: on some processors loads wait behind masked stores.
void RegisterTile::store(const View &view, const TilePlace &place, ArrayRef<Value> values) {
  View first = view.from(b, Row, place.row).from(b, Column, place.column);
  SmallVector<View> rows = rowsOf(place, first, place.lastRow);
  when(
      b, place.isWide, [&] { storeRows(rows, SmallVector<Value>(schedule.vectors), values); },
      [&] { storeRows(rows, place.masks, values); });
}

RegisterTile::Sums RegisterTile::loadRows(ArrayRef<View> rows, ArrayRef<Value> masks) {
  Sums sums;
  for (const View &row : rows)
    for (int64_t v = 0; v < schedule.vectors; ++v)
      sums.push_back(load(row, v, masks[v]));
  return sums;
}

RegisterTile::Sums RegisterTile::loadResult(const TilePlace &place) {
  View first = product.result.from(b, Row, place.row).from(b, Column, place.column);
  return loadRows(rowsOf(place, first, place.lastRow), place.masks);
}

/// The chain of each element begins with the first block of depth and goes on from the result.
RegisterTile::Sums RegisterTile::emitStart(const TilePlace &place) {
  if (!product.start)
    return loadResult(place);
  SmallVector<Type> types(place.rows * schedule.vectors, vectorType);
  return choose(
      b, place.isFirst, types, [&] { return emitBody(product.start, place, {}); },
      [&] { return loadResult(place); });
}

/// All of depth that is there, ascending. Only the last steps are masked: what is read too far in
/// the others is part of the next row, and no lane that is stored depends on it.
RegisterTile::Sums RegisterTile::emitSteps(const TilePlace &place, const View &lhs, const View &rhs,
                                           Value depth, Sums sums) {
  SmallVector<View> lhsRows = rowsOf(place, lhs, place.clampsLhs ? place.lastRow : Value());
  Value zero = index(b, 0), begin = zero;
  SmallVector<Value> whole(schedule.vectors);
  if (place.maskedSteps) {
    begin = larger(b, subtract(b, depth, index(b, *place.maskedSteps)), zero);
    sums = emitLoop(lhsRows, rhs, zero, begin, whole, sums);
  }
  return place.maskedSteps == 0 ? sums : emitLoop(lhsRows, rhs, begin, depth, place.masks, sums);
}

RegisterTile::Sums RegisterTile::emitLoop(ArrayRef<View> lhsRows, const View &rhs, Value begin,
                                          Value end, ArrayRef<Value> masks, Sums sums) {
  std::optional<int64_t> first = constantOf(begin), last = constantOf(end);
  if (first && last &&
      (schedule.kernel == schedule::Contraction::Kernel::Unrolled || *last - *first <= 1)) {
    for (int64_t k = *first; k < *last; ++k)
      sums = emitStep(lhsRows, rhs, index(b, k), masks, sums);
    return sums;
  }
  auto loop = scf::ForOp::create(b, begin, end, index(b, 1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(
      b, emitStep(lhsRows, rhs, loop.getInductionVar(), masks, loop.getRegionIterArgs()));
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// One k: a row of rhs, times one element of each row of lhs, or one vector where lhs differs from
/// column to column.
RegisterTile::Sums RegisterTile::emitStep(ArrayRef<View> lhsRows, const View &rhs, Value k,
                                          ArrayRef<Value> masks, ValueRange sums) {
  Sums vectors, next;
  View rhsRow = rhs.from(b, Depth, k);
  for (int64_t v = 0; v < schedule.vectors; ++v)
    vectors.push_back(load(rhsRow, v, masks[v]));
  for (auto [r, row] : llvm::enumerate(lhsRows)) {
    View element = row.from(b, Depth, k);
    Value spread = element.stride(Column) ? Value() : load(element, 0, {});
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      Value factor = spread ? spread : load(element, v, masks[v]);
      next.push_back(
          multiplyAdd(b, product.accumulation, factor, vectors[v], sums[r * schedule.vectors + v]));
    }
  }
  return next;
}

/// All vectors before any is stored: rows that stand for another one must see what it saw.
RegisterTile::Sums RegisterTile::emitBody(const ElementBody &body, const TilePlace &place,
                                          ArrayRef<Value> sums) {
  SmallVector<SmallVector<View>> rows;
  for (const ElementBody::Input &input : body.inputs)
    rows.push_back(input.view
                       ? rowsOf(place,
                                input.view->from(b, Row, place.row).from(b, Column, place.column),
                                place.lastRow)
                       : SmallVector<View>());
  Sums results;
  for (int64_t r = 0; r < place.rows; ++r)
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      SmallVector<Value> inputs;
      for (auto [number, input] : llvm::enumerate(body.inputs))
        inputs.push_back(input.isSum ? sums[r * schedule.vectors + v]
                         : input.view
                             ? loadVector(b, rows[number][r], schedule.lanes, v, place.masks[v])
                             : input.scalar);
      results.push_back(emitVectorBody(b, body, inputs, schedule.lanes));
    }
  return results;
}

void RegisterTile::emitFinish(const TilePlace &place, ArrayRef<Value> sums) {
  if (!product.finish)
    return store(product.result, place, sums);
  when(
      b, place.isLast,
      [&] {
        Sums finished = emitBody(product.finish, place, sums);
        if (!product.dropsSums)
          store(product.result, place, sums);
        store(product.output, place, finished);
      },
      [&] { store(product.result, place, sums); });
}
