#include "backend/cpu/contraction/Packing.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Microkernel.h"
#include "backend/cpu/contraction/Turning.h"
#include "backend/cpu/contraction/VectorBody.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

Value cpu::loadAlong(KernelBuilder &b, Axis axis, View view, int64_t lanes, Value mask) {
  view.strides[Column] = view.strides[axis];
  return loadVector(b, view, lanes, 0, mask);
}

Value cpu::loadElement(KernelBuilder &b, const View &view) {
  return memref::LoadOp::create(b, view.memory, ValueRange{view.offset});
}

View cpu::bufferView(KernelBuilder &b, Value buffer, Value offset, const View &like) {
  View view;
  view.memory = buffer;
  view.offset = offset;
  view.strides.resize(like.strides.size());
  return view;
}

/// Rows begin a cache line apart rather than a power of two: lines at such a distance would compete
/// for few sets of the cache.
LhsPacking::LhsPacking(KernelBuilder &b, const Product &product,
                       const schedule::Contraction &schedule)
    : b(b), product(product), schedule(schedule), isAcross(product.lhs.isDense(Row)) {
  int64_t lanes = schedule.lanes;
  int64_t depth = llvm::alignTo(llvm::alignTo(schedule.depth, depthMultiple), lanes);
  rowStride = isAcross ? 1 : depth + lanes;
  depthStride = isAcross ? int64_t(llvm::divideCeil(schedule.rows, lanes) * lanes) : 1;
  sliverSize = isAcross ? depth * depthStride : schedule.rows * rowStride;
}

Value LhsPacking::bufferSize(Value rows) {
  return multiply(b, ceilDivide(b, rows, index(b, schedule.rows)), sliverSize);
}

View LhsPacking::sliver(Value buffer, Value row) {
  Value number = divide(b, row, index(b, schedule.rows));
  View view = bufferView(b, buffer, multiply(b, number, sliverSize), product.lhs);
  view.strides[Row] = index(b, rowStride);
  view.strides[Depth] = index(b, depthStride);
  return view;
}

void LhsPacking::emit(Value buffer, const View &from, Value rows, Value depth) {
  Value last = subtract(b, rows, index(b, 1)), height = index(b, schedule.rows);
  forEach(b, index(b, 0), rows, height, [&](Value row) {
    if (isAcross)
      return emitAcross(buffer, row, from, rows, depth);
    Value target = sliver(buffer, row).offset;
    forEach(b, index(b, 0), height, index(b, 1), [&](Value r) {
      View source = from.from(b, Row, smaller(b, add(b, row, r), last));
      emitRow(buffer, add(b, target, multiply(b, r, rowStride)), source, depth);
    });
  });
}

/// Whole vectors may be stored: there is room for one after the row.
void LhsPacking::emitRow(Value buffer, Value target, const View &row, Value depth) {
  Type element = product.element();
  auto storeAt = [&](Value k, Value vector) {
    vector::StoreOp::create(b, vector, buffer, ValueRange{add(b, target, k)});
  };
  if (!row.isDense(Depth))
    return forEach(b, index(b, 0), depth, index(b, 1), [&](Value k) {
      Value value = widen(b, loadElement(b, row.from(b, Depth, k)), row.widening, element);
      memref::StoreOp::create(b, value, buffer, ValueRange{add(b, target, k)});
    });
  Value lanes = index(b, schedule.lanes);
  Value whole = multiply(b, divide(b, depth, lanes), schedule.lanes);
  forEach(b, index(b, 0), whole, lanes, [&](Value k) {
    Value part = loadAlong(b, Depth, row.from(b, Depth, k), schedule.lanes, {});
    storeAt(k, widen(b, part, row.widening, element));
  });
  when(b, isLess(b, whole, depth), [&] {
    Value mask = maskOf(b, schedule.lanes, subtract(b, depth, whole));
    Value part = loadAlong(b, Depth, row.from(b, Depth, whole), schedule.lanes, mask);
    storeAt(whole, widen(b, part, row.widening, element));
  });
}

void LhsPacking::emitAcross(Value buffer, Value row, const View &from, Value rows, Value depth) {
  Value left = subtract(b, rows, row);
  Value target = sliver(buffer, row).offset;
  Type element = product.element();
  forEach(b, index(b, 0), depth, index(b, 1), [&](Value k) {
    View source = from.from(b, Depth, k);
    Value last = loadElement(b, source.from(b, Row, subtract(b, rows, index(b, 1))));
    auto type = VectorType::get({schedule.lanes}, source.element());
    for (int64_t first = 0; first < schedule.rows; first += schedule.lanes) {
      Value count = larger(b, subtract(b, left, index(b, first)), index(b, 0));
      Value mask = maskOf(b, schedule.lanes, count);
      View part = source.from(b, Row, add(b, row, first));
      Value vector = loadAlong(b, Row, part, schedule.lanes, mask);
      vector = arith::SelectOp::create(b, mask, vector, vector::BroadcastOp::create(b, type, last));
      Value at = add(b, add(b, target, multiply(b, k, depthStride)), first);
      vector::StoreOp::create(b, widen(b, vector, source.widening, element), buffer,
                              ValueRange{at});
    }
  });
}

/// Transposing writes whole blocks of k.
Value RhsPacking::panelSize(Value depth) {
  return multiply(b, roundUp(b, depth, schedule.lanes), schedule.columns());
}

Value RhsPacking::bufferSize(Value columns, Value depth) {
  return multiply(b, ceilDivide(b, columns, index(b, schedule.columns())), panelSize(depth));
}

View RhsPacking::panel(Value buffer, Value number, Value depth) {
  View view = bufferView(b, buffer, multiply(b, number, panelSize(depth)), product.rhs);
  view.strides[Depth] = index(b, schedule.columns());
  view.strides[Column] = index(b, 1);
  return view;
}

void RhsPacking::emit(Value buffer, Value number, const View &from, Value columns, Value depth) {
  emitAt(buffer, panel(buffer, number, depth).offset, from, columns, depth);
}

void RhsPacking::emitAt(Value buffer, Value target, const View &from, Value columns, Value depth) {
  if (from.isDense(Column))
    return emitDense(buffer, target, from, columns, depth);
  if (from.isDense(Depth))
    return emitTransposed(buffer, target, from, columns, depth);
  emitElements(buffer, target, from, columns, depth);
}

void RhsPacking::emitDense(Value buffer, Value target, const View &from, Value columns,
                           Value depth) {
  SmallVector<Value> masks = masksFor(b, schedule, columns);
  forEach(b, index(b, 0), depth, index(b, 1), [&](Value k) {
    View row = from.from(b, Depth, k);
    Value to = add(b, target, multiply(b, k, schedule.columns()));
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      Value part = loadVector(b, row, schedule.lanes, v, masks[v]);
      vector::StoreOp::create(b, widen(b, part, row.widening, product.element()), buffer,
                              ValueRange{add(b, to, v * schedule.lanes)});
    }
  });
}

/// Whether the index may exist; false if it is known not to.
static bool mayExist(Value i, Value size) {
  std::optional<int64_t> known = constantOf(i), end = constantOf(size);
  return !known || !end || *known < *end;
}

/// The bytes of columns that stay in the first-level cache while they are transposed.
static constexpr int64_t maxNear = 1 << 14;

/// Whether to transpose a few steps at a time. That takes fewer shuffles, but reads each line of
/// memory more than once.
bool RhsPacking::isNear(const View &from, Value columns, Value depth) {
  std::optional<int64_t> numColumns = constantOf(columns), steps = constantOf(depth);
  int64_t bytes = from.element().getIntOrFloatBitWidth() / 8, least = turnedSteps(from.element());
  return numColumns && steps && from.widening == core::Widening::None && *steps >= least &&
         schedule.lanes >= least && *numColumns * *steps * bytes <= maxNear;
}

void RhsPacking::turnSteps(Value buffer, Value target, const View &from, int64_t columns, Value k) {
  int64_t lanes = schedule.lanes, steps = turnedSteps(from.element());
  Value corner = add(b, target, multiply(b, k, schedule.columns()));
  for (int64_t first = 0; first < std::min(columns, schedule.columns()); first += lanes) {
    View part = from.from(b, Column, index(b, first)).from(b, Depth, k);
    for (auto [step, row] : llvm::enumerate(loadTurned(b, part, lanes, columns - first, steps)))
      vector::StoreOp::create(b, row, buffer,
                              ValueRange{add(b, corner, step * schedule.columns() + first)});
  }
}

std::optional<PanelPacking> RhsPacking::stepwise(Value buffer, Value number, const View &from,
                                                 Value columns, Value depth) {
  bool isTransposed = !from.isDense(Column) && from.isDense(Depth);
  if (!isTransposed || !isNear(from, columns, depth))
    return std::nullopt;
  Value target = panel(buffer, number, depth).offset;
  return PanelPacking{turnedSteps(from.element()), [=, this](Value k) {
                        turnSteps(buffer, target, from, *constantOf(columns), k);
                      }};
}

/// The last steps begin early enough to be complete.
void RhsPacking::emitNear(Value buffer, Value target, const View &from, int64_t columns,
                          int64_t depth) {
  int64_t steps = turnedSteps(from.element());
  auto turnAt = [&](Value k) { turnSteps(buffer, target, from, columns, k); };
  forEach(b, index(b, 0), index(b, depth / steps * steps), index(b, steps), turnAt);
  if (depth % steps)
    turnAt(index(b, depth - steps));
}

/// Square blocks of registers, read along k and written along the columns. Elements known not to
/// exist are neither read nor written.
void RhsPacking::emitTransposed(Value buffer, Value target, const View &from, Value columns,
                                Value depth) {
  if (isNear(from, columns, depth))
    return emitNear(buffer, target, from, *constantOf(columns), *constantOf(depth));
  int64_t lanes = schedule.lanes;
  Value last = subtract(b, columns, index(b, 1)), zero = index(b, 0);
  forEach(b, zero, index(b, schedule.columns()), index(b, lanes), [&](Value first) {
    SmallVector<std::optional<View>> sources(lanes);
    for (int64_t lane = 0; lane < lanes; ++lane)
      if (Value column = add(b, first, lane); mayExist(column, columns))
        sources[lane] = from.from(b, Column, smaller(b, column, last));
    forEach(b, zero, depth, index(b, lanes), [&](Value k) {
      Value mask = maskOf(b, lanes, subtract(b, depth, k));
      SmallVector<Value> block;
      for (const std::optional<View> &source : sources)
        block.push_back(source
                            ? widen(b, loadAlong(b, Depth, source->from(b, Depth, k), lanes, mask),
                                    source->widening, product.element())
                            : zeroOf(b, vectorType));
      transpose(b, block);
      Value corner = add(b, add(b, target, first), multiply(b, k, schedule.columns()));
      for (auto [number, row] : llvm::enumerate(block))
        if (mayExist(add(b, k, number), depth))
          vector::StoreOp::create(b, row, buffer,
                                  ValueRange{add(b, corner, number * schedule.columns())});
    });
  });
}

void RhsPacking::emitElements(Value buffer, Value target, const View &from, Value columns,
                              Value depth) {
  Value last = subtract(b, columns, index(b, 1)), width = index(b, schedule.columns());
  forEach(b, index(b, 0), depth, index(b, 1), [&](Value k) {
    forEach(b, index(b, 0), width, index(b, 1), [&](Value column) {
      View source = from.from(b, Depth, k).from(b, Column, smaller(b, column, last));
      Value value = widen(b, loadElement(b, source), source.widening, product.element());
      Value to = add(b, add(b, target, multiply(b, k, width)), column);
      memref::StoreOp::create(b, value, buffer, ValueRange{to});
    });
  });
}

namespace {

class VectorKernel final : public Microkernel {
public:
  VectorKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : sumType(product.element()), lhs(b, product, schedule), rhs(b, product, schedule),
        tile(b, product, schedule) {}

  Type element() const override { return sumType; }
  Value lhsSize(Value rows) override { return lhs.bufferSize(rows); }
  void packLhs(Value buffer, const View &from, Value rows, Value depth) override {
    lhs.emit(buffer, from, rows, depth);
  }
  View sliver(Value buffer, Value row) override { return lhs.sliver(buffer, row); }
  Value rhsSize(Value columns, Value depth) override { return rhs.bufferSize(columns, depth); }
  void packRhs(Value buffer, Value panel, const View &from, Value columns, Value depth) override {
    rhs.emit(buffer, panel, from, columns, depth);
  }
  View panel(Value buffer, Value number, Value depth) override {
    return rhs.panel(buffer, number, depth);
  }
  std::optional<PanelPacking> packStepwise(Value buffer, Value panel, const View &from,
                                           Value columns, Value depth) override {
    return rhs.stepwise(buffer, panel, from, columns, depth);
  }
  void emitTile(const TilePlace &place, const View &lhs, const View &rhs, Value depth,
                Value) override {
    tile.emit(place, lhs, rhs, depth);
  }

private:
  Type sumType; ///< Packed operands are widened to it.
  LhsPacking lhs;
  RhsPacking rhs;
  RegisterTile tile;
};

} // namespace

std::unique_ptr<Microkernel> cpu::makeVectorKernel(KernelBuilder &b, const Product &product,
                                                   const schedule::Contraction &schedule) {
  return std::make_unique<VectorKernel>(b, product, schedule);
}
