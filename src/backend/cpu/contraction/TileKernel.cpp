/// The micro-kernel with AMX: tiles of 16 x 16 sums. Operands keep their narrow types; 64 bytes of
/// depth make a step. See Note [Tiles].
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Microkernel.h"
#include "backend/cpu/contraction/Packing.h"
#include "backend/cpu/contraction/VectorBody.h"
#include "core/Build.h"
#include "mlir/Dialect/AMX/AMXDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

constexpr int64_t side = 16;       ///< Rows of a tile register, and columns of sums.
constexpr int64_t tilesAcross = 2; ///< Two by two tiles of sums leave room for four operands.
constexpr int64_t rowBytes = 64;   ///< Bytes per row of a tile register.

class TileKernel final : public Microkernel {
public:
  TileKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), product(product), schedule(schedule), around(b, product, schedule),
        step(rowBytes * 8 / element().getIntOrFloatBitWidth()), group(step / side),
        tileSize(side * step),
        sliverSize(llvm::divideCeil(schedule.depth, step) * tilesAcross * tileSize) {
    core::callRuntime(b, moduleOf(b), b.getLoc(), "tessera_rt_use_tiles", {});
  }

  Type element() const override { return product.lhs.element(); }

  Value lhsSize(Value rows) override {
    return multiply(b, ceilDivide(b, rows, index(b, schedule.rows)), sliverSize);
  }
  View sliver(Value buffer, Value row) override {
    Value number = divide(b, row, index(b, schedule.rows));
    return bufferView(b, buffer, multiply(b, number, sliverSize), product.lhs);
  }
  void packLhs(Value buffer, const View &from, Value rows, Value depth) override;

  Value rhsSize(Value columns, Value depth) override {
    return multiply(b, ceilDivide(b, columns, index(b, schedule.columns())), panelSize(depth));
  }
  View panel(Value buffer, Value number, Value depth) override {
    return bufferView(b, buffer, multiply(b, number, panelSize(depth)), product.rhs);
  }
  void packRhs(Value buffer, Value panel, const View &from, Value columns, Value depth) override;

  Value makeScratch() override {
    auto type = MemRefType::get({schedule.rows * schedule.columns()}, product.element());
    return memref::AllocOp::create(b, type);
  }
  void emitTile(const TilePlace &place, const View &lhs, const View &rhs, Value depth,
                Value scratch) override;

private:
  static ModuleOp moduleOf(KernelBuilder &b) {
    return b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  }

  Value steps(Value depth) { return ceilDivide(b, depth, index(b, step)); }
  Value panelSize(Value depth) { return multiply(b, steps(depth), tilesAcross * tileSize); }
  /// The start of tile number `tile` of a step in a sliver or panel.
  Value tileAt(Value begin, Value number, Value tile) {
    return add(b, begin, multiply(b, add(b, multiply(b, number, tilesAcross), tile), tileSize));
  }

  void packRow(Value buffer, Value sliver, Value row, const View &from, Value depth);
  void packColumns(Value buffer, Value target, const View &from, Value columns, Value depth);
  void packTransposed(Value buffer, Value target, const View &from, Value columns, Value depth);
  void packElements(Value buffer, Value target, const View &from, Value columns, Value depth);
  Value interleaved(ArrayRef<Value> rows);

  SmallVector<Value> emitSteps(const View &lhs, const View &rhs, Value depth);
  Value multiplyTiles(Value lhs, Value rhs, Value sums);

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  RegisterTile around;
  int64_t step;  ///< The step along the depth.
  int64_t group; ///< Adjacent elements of depth in rhs: 32 bits.
  int64_t tileSize, sliverSize;
};

} // namespace

/// Rows after the last one repeat it.
void TileKernel::packLhs(Value buffer, const View &from, Value rows, Value depth) {
  Value last = subtract(b, rows, index(b, 1)), height = index(b, schedule.rows);
  forEach(b, index(b, 0), rows, height, [&](Value first) {
    Value begin = sliver(buffer, first).offset;
    forEach(b, index(b, 0), height, index(b, 1), [&](Value row) {
      packRow(buffer, begin, row, from.from(b, Row, smaller(b, add(b, first, row), last)), depth);
    });
  });
}

/// Depth beyond the end is zero in both operands, so that no NaN gets in.
void TileKernel::packRow(Value buffer, Value sliver, Value row, const View &from, Value depth) {
  Value tile = divide(b, row, index(b, side));
  Value inTile = multiply(b, subtract(b, row, multiply(b, tile, side)), step);
  forEach(b, index(b, 0), steps(depth), index(b, 1), [&](Value number) {
    Value target = add(b, tileAt(sliver, number, tile), inTile);
    Value k = multiply(b, number, step), left = subtract(b, depth, k);
    View source = from.from(b, Depth, k);
    if (from.isDense(Depth)) {
      Value vector = loadAlong(b, Depth, source, step, maskOf(b, step, left));
      vector::StoreOp::create(b, vector, buffer, ValueRange{target});
      return;
    }
    vector::StoreOp::create(b, zeroOf(b, VectorType::get({step}, element())), buffer,
                            ValueRange{target});
    forEach(b, index(b, 0), smaller(b, left, index(b, step)), index(b, 1), [&](Value i) {
      memref::StoreOp::create(b, loadElement(b, source.from(b, Depth, i)), buffer,
                              ValueRange{add(b, target, i)});
    });
  });
}

void TileKernel::packRhs(Value buffer, Value number, const View &from, Value columns, Value depth) {
  Value begin = panel(buffer, number, depth).offset;
  forEach(b, index(b, 0), index(b, tilesAcross), index(b, 1), [&](Value tile) {
    Value first = multiply(b, tile, side);
    Value left = larger(b, subtract(b, columns, first), index(b, 0));
    View source = from.from(b, Column, first);
    Value target = tileAt(begin, index(b, 0), tile);
    if (from.isDense(Column))
      packColumns(buffer, target, source, left, depth);
    else if (from.isDense(Depth))
      packTransposed(buffer, target, source, left, depth);
    else
      packElements(buffer, target, source, left, depth);
  });
}

/// Vectors x, y... to x0 y0 ... x1 y1 ...
Value TileKernel::interleaved(ArrayRef<Value> rows) {
  if (rows.size() == 1)
    return rows[0];
  SmallVector<Value> even, odd;
  for (auto [number, row] : llvm::enumerate(rows))
    (number % 2 ? odd : even).push_back(row);
  return vector::InterleaveOp::create(b, interleaved(even), interleaved(odd));
}

void TileKernel::packColumns(Value buffer, Value target, const View &from, Value columns,
                             Value depth) {
  forEach(b, index(b, 0), steps(depth), index(b, 1), [&](Value number) {
    Value begin = add(b, target, multiply(b, number, tilesAcross * tileSize));
    forEach(b, index(b, 0), index(b, side), index(b, 1), [&](Value line) {
      SmallVector<Value> rows;
      Value first = add(b, multiply(b, number, step), multiply(b, line, group));
      for (int64_t i = 0; i < group; ++i) {
        Value k = add(b, first, i);
        Value lanes = select(b, isLess(b, k, depth), columns, index(b, 0));
        rows.push_back(loadVector(b, from.from(b, Depth, k), side, 0, maskOf(b, side, lanes)));
      }
      vector::StoreOp::create(b, interleaved(rows), buffer,
                              ValueRange{add(b, begin, multiply(b, line, step))});
    });
  });
}

/// Groups of depth that are contiguous in memory become adjacent columns of a tile.
void TileKernel::packTransposed(Value buffer, Value target, const View &from, Value columns,
                                Value depth) {
  auto words = VectorType::get({side}, b.getI32Type());
  auto elements = VectorType::get({step}, element());
  forEach(b, index(b, 0), steps(depth), index(b, 1), [&](Value number) {
    Value k = multiply(b, number, step), left = subtract(b, depth, k);
    SmallVector<Value> block;
    for (int64_t column = 0; column < side; ++column) {
      Value exists = isLess(b, index(b, column), columns);
      Value mask = maskOf(b, step, select(b, exists, left, index(b, 0)));
      View source = from.from(b, Column, select(b, exists, index(b, column), index(b, 0)));
      Value vector = loadAlong(b, Depth, source.from(b, Depth, k), step, mask);
      block.push_back(vector::BitCastOp::create(b, words, vector));
    }
    transpose(b, block);
    Value begin = add(b, target, multiply(b, number, tilesAcross * tileSize));
    for (auto [line, row] : llvm::enumerate(block))
      vector::StoreOp::create(b, vector::BitCastOp::create(b, elements, row), buffer,
                              ValueRange{add(b, begin, line * step)});
  });
}

void TileKernel::packElements(Value buffer, Value target, const View &from, Value columns,
                              Value depth) {
  auto elements = VectorType::get({step}, element());
  Value existing = smaller(b, columns, index(b, side));
  forEach(b, index(b, 0), steps(depth), index(b, 1), [&](Value number) {
    Value begin = add(b, target, multiply(b, number, tilesAcross * tileSize));
    Value k = multiply(b, number, step), left = subtract(b, depth, k);
    forEach(b, index(b, 0), index(b, side), index(b, 1), [&](Value line) {
      vector::StoreOp::create(b, zeroOf(b, elements), buffer,
                              ValueRange{add(b, begin, multiply(b, line, step))});
    });
    forEach(b, index(b, 0), smaller(b, left, index(b, step)), index(b, 1), [&](Value i) {
      Value line = divide(b, i, index(b, group));
      Value inGroup = subtract(b, i, multiply(b, line, group));
      Value to = add(b, add(b, begin, multiply(b, line, step)), inGroup);
      forEach(b, index(b, 0), existing, index(b, 1), [&](Value column) {
        View source = from.from(b, Depth, add(b, k, i)).from(b, Column, column);
        memref::StoreOp::create(b, loadElement(b, source), buffer,
                                ValueRange{add(b, to, multiply(b, column, group))});
      });
    });
  });
}

Value TileKernel::multiplyTiles(Value lhs, Value rhs, Value sums) {
  if (isa<FloatType>(element()))
    return amx::TileMulFOp::create(b, sums.getType(), lhs, rhs, sums);
  auto isUnsigned = [&](const View &view) {
    return view.widening == core::Widening::Unsigned ? b.getUnitAttr() : UnitAttr();
  };
  return amx::TileMulIOp::create(b, sums.getType(), lhs, rhs, sums, isUnsigned(product.lhs),
                                 isUnsigned(product.rhs));
}

/// All of depth, for two by two tiles of sums.
SmallVector<Value> TileKernel::emitSteps(const View &lhs, const View &rhs, Value depth) {
  auto operandType = amx::TileType::get({side, step}, element());
  auto sumType = amx::TileType::get({side, side}, product.element());
  SmallVector<Value> zeros;
  for (int64_t i = 0; i < tilesAcross * tilesAcross; ++i)
    zeros.push_back(amx::TileZeroOp::create(b, sumType));
  auto loop = scf::ForOp::create(b, index(b, 0), steps(depth), index(b, 1), zeros);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  auto load = [&](const View &view, int64_t tile) -> Value {
    Value at = tileAt(view.offset, loop.getInductionVar(), index(b, tile));
    return amx::TileLoadOp::create(b, operandType, view.memory, ValueRange{at}, index(b, step));
  };
  Value left[] = {load(lhs, 0), load(lhs, 1)}, right[] = {load(rhs, 0), load(rhs, 1)};
  SmallVector<Value> next;
  for (auto [number, sums] : llvm::enumerate(loop.getRegionIterArgs()))
    next.push_back(multiplyTiles(left[number / tilesAcross], right[number % tilesAcross], sums));
  scf::YieldOp::create(b, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void TileKernel::emitTile(const TilePlace &place, const View &lhs, const View &rhs, Value depth,
                          Value scratch) {
  int64_t width = schedule.columns();
  for (auto [number, sums] : llvm::enumerate(emitSteps(lhs, rhs, depth))) {
    int64_t at = number / tilesAcross * side * width + number % tilesAcross * side;
    amx::TileStoreOp::create(b, scratch, ValueRange{index(b, at)}, sums, index(b, width));
  }
  Value count = index(b, place.rows);
  if (place.lastRow)
    count = smaller(b, count, add(b, place.lastRow, 1));
  forEach(b, index(b, 0), count, index(b, 1), [&](Value row) {
    TilePlace one = place;
    one.rows = 1;
    one.row = add(b, place.row, row);
    one.lastRow = {};
    View sums = bufferView(b, scratch, multiply(b, row, width), product.result);
    sums.strides[Column] = index(b, 1);
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < schedule.vectors; ++v)
      vectors.push_back(loadVector(b, sums, schedule.lanes, v, {}));
    around.emitAround(one, vectors);
  });
}

std::unique_ptr<Microkernel> cpu::makeTileKernel(KernelBuilder &b, const Product &product,
                                                 const schedule::Contraction &schedule) {
  return std::make_unique<TileKernel>(b, product, schedule);
}

// Note [Tiles]
//
// A tile register has 16 rows of 64 bytes. One instruction multiplies 16 rows of lhs by 16 columns
// of rhs over 64 bytes of depth, and adds the products to 16 x 16 sums. It needs rhs as 16 lines,
// each with 32 bits of depth of every column: two elements of 16 bits, or four of 8. So both
// operands are always packed, step after step, with two tiles per step. The sums pass through
// memory once: later operations can only load vectors from there.
