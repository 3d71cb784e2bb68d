#include "backend/cpu/MatmulKernel.h"
#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

/// acc + a * b, rounded once for floats: not vector.fma, whose llvm.fmuladd LLVM may take apart.
Value multiplyAdd(ImplicitLocOpBuilder &b, Value lhs, Value rhs, Value accumulator) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs)))
    return math::FmaOp::create(b, lhs, rhs, accumulator);
  return arith::AddIOp::create(b, accumulator, arith::MulIOp::create(b, lhs, rhs));
}

Value zeroVector(ImplicitLocOpBuilder &b, VectorType type) {
  return arith::ConstantOp::create(b, type, b.getZeroAttr(type));
}

Value index(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}
Value add(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}
Value add(ImplicitLocOpBuilder &b, Value x, int64_t y) {
  return y ? add(b, x, index(b, y)) : x;
}
Value subtract(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(x, y);
}
Value multiply(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(x, y);
}
Value smaller(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::MinSIOp::create(b, x, y);
}
Value larger(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::MaxSIOp::create(b, x, y);
}
/// Of sizes, which are not negative.
Value ceilDivide(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::DivUIOp::create(b, subtract(b, add(b, x, y), index(b, 1)), y);
}

/// A matrix as its block of memory: element (i, j) is at offset + i * stride + j.
struct Plane {
  Value memory, offset, stride;

  static Plane of(ImplicitLocOpBuilder &b, Value matrix) {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, matrix);
    Type element = cast<MemRefType>(matrix.getType()).getElementType();
    auto flat = MemRefType::get({ShapedType::kDynamic}, element);
    Value size = index(b, int64_t(1) << 60);
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    Value memory = memref::ReinterpretCastOp::create(b, flat, metadata.getBaseBuffer(), zero,
                                                     OpFoldResult(size), one);
    return {memory, metadata.getOffset(), metadata.getStrides()[0]};
  }
  Value at(ImplicitLocOpBuilder &b, Value row, Value column) const {
    return add(b, add(b, offset, multiply(b, row, stride)), column);
  }
};

/// Emits the loops of a blocked product around a register block:
///
///   for each `width` columns { for each `depth` of k {
///     pack that part of rhs into panels as wide as the register block;
///     in parallel for some rows { for each panel { for each block of rows { the register block } }
///     } } }
///
/// Few rows do not pay for packing: the panels are then read where they are.
class BlockedMatmul {
public:
  BlockedMatmul(ImplicitLocOpBuilder &b, Type element, const schedule::Contraction &schedule,
                ValueRange operands)
      : b(b), element(element), schedule(schedule), lhs(Plane::of(b, operands[0])),
        rhs(Plane::of(b, operands[1])), result(Plane::of(b, operands[2])),
        startsAtZero(operands[3]), rows(memref::DimOp::create(b, operands[0], 0)),
        depth(memref::DimOp::create(b, operands[0], 1)),
        columns(memref::DimOp::create(b, operands[1], 1)),
        vectorType(VectorType::get({schedule.lanes}, element)) {}

  void emit() {
    Value zero = index(b, 0), width = index(b, schedule.width), block = index(b, schedule.depth);
    isPacked = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, rows, index(b, minPackedRows));
    Value panelColumns = index(b, schedule.columns());
    Value padded =
        multiply(b, ceilDivide(b, smaller(b, columns, width), panelColumns), panelColumns);
    Value size = multiply(b, padded, smaller(b, depth, block));
    Value needed = arith::SelectOp::create(b, isPacked, size, zero);
    buffer = memref::AllocOp::create(b, MemRefType::get({ShapedType::kDynamic}, element),
                                     ValueRange{needed});
    auto columnLoop = scf::ForOp::create(b, zero, columns, width);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(columnLoop.getBody());
      Value firstColumn = columnLoop.getInductionVar();
      // At least once: without any k the result is zero.
      auto depthLoop = scf::ForOp::create(b, zero, larger(b, depth, index(b, 1)), block);
      b.setInsertionPointToStart(depthLoop.getBody());
      Value firstK = depthLoop.getInductionVar();
      emitBlock(firstColumn, smaller(b, width, subtract(b, columns, firstColumn)), firstK,
                smaller(b, block, subtract(b, depth, firstK)));
    }
    memref::DeallocOp::create(b, buffer);
  }

private:
  /// Below it, packing would cost as much as it saves.
  static constexpr int64_t minPackedRows = 32;
  /// Multiplications worth a chunk for a thread: some ten microseconds.
  static constexpr int64_t minChunkWork = 1 << 20;

  scf::ParallelOp parallel(Value count) {
    auto loop = scf::ParallelOp::create(b, ValueRange{index(b, 0)}, ValueRange{count},
                                        ValueRange{index(b, 1)});
    loop->setAttr(grainAttr, b.getI64IntegerAttr(1));
    return loop;
  }

  void emitBlock(Value column0, Value width, Value k0, Value kCount) {
    Value panels = ceilDivide(b, width, index(b, schedule.columns()));
    auto whenPacked = scf::IfOp::create(b, isPacked, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(whenPacked.thenBlock());
      emitPacking(panels, column0, width, k0, kCount);
    }
    Value rowWork =
        multiply(b, larger(b, multiply(b, width, kCount), index(b, 1)), index(b, schedule.rows));
    Value blocks = ceilDivide(b, index(b, minChunkWork), rowWork);
    Value chunk = multiply(b, blocks, index(b, schedule.rows));
    auto rowLoop = parallel(ceilDivide(b, rows, chunk));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(rowLoop.getBody());
    Value row0 = multiply(b, rowLoop.getInductionVars()[0], chunk);
    Value rowEnd = smaller(b, rows, add(b, row0, chunk));
    auto panelLoop = scf::ForOp::create(b, index(b, 0), panels, index(b, 1));
    b.setInsertionPointToStart(panelLoop.getBody());
    emitPanel(panelLoop.getInductionVar(), column0, width, k0, kCount, row0, rowEnd);
  }

  /// Panel p holds its columns k by k, padded with zeros to the width of the register block.
  void emitPacking(Value panels, Value column0, Value width, Value k0, Value kCount) {
    auto panelLoop = parallel(panels);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(panelLoop.getBody());
    Value panel = panelLoop.getInductionVars()[0];
    Value begin = multiply(b, panel, index(b, schedule.columns()));
    SmallVector<Value> masks = masksFor(subtract(b, width, begin));
    Value target = multiply(b, begin, kCount);
    auto kLoop = scf::ForOp::create(b, index(b, 0), kCount, index(b, 1));
    b.setInsertionPointToStart(kLoop.getBody());
    Value k = kLoop.getInductionVar();
    Value from = rhs.at(b, add(b, k0, k), add(b, column0, begin));
    Value to = add(b, target, multiply(b, k, index(b, schedule.columns())));
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      Value part =
          vector::MaskedLoadOp::create(b, vectorType, rhs.memory, add(b, from, v * schedule.lanes),
                                       masks[v], zeroVector(b, vectorType));
      vector::StoreOp::create(b, part, buffer, add(b, to, v * schedule.lanes));
    }
  }

  /// Lanes that exist, of each vector of a panel with that many columns left.
  SmallVector<Value> masksFor(Value columnsLeft) {
    auto type = VectorType::get({schedule.lanes}, b.getI1Type());
    SmallVector<Value> masks;
    for (int64_t v = 0; v < schedule.vectors; ++v) {
      Value left = larger(b, subtract(b, columnsLeft, index(b, v * schedule.lanes)), index(b, 0));
      masks.push_back(vector::CreateMaskOp::create(
          b, type, ValueRange{smaller(b, left, index(b, schedule.lanes))}));
    }
    return masks;
  }

  void emitPanel(Value panel, Value column0, Value width, Value k0, Value kCount, Value row0,
                 Value rowEnd) {
    Value begin = multiply(b, panel, index(b, schedule.columns()));
    Value left = subtract(b, width, begin);
    column = add(b, column0, begin);
    firstK = k0;
    kSize = kCount;
    source = arith::SelectOp::create(b, isPacked, buffer, rhs.memory);
    sourceStride = arith::SelectOp::create(b, isPacked, index(b, schedule.columns()), rhs.stride);
    sourceOffset =
        arith::SelectOp::create(b, isPacked, multiply(b, begin, kCount), rhs.at(b, k0, column));
    // With AVX-512 a mask costs nothing, so there is one kernel for whole and for partial panels.
    if (schedule.lanes >= 16)
      return emitRows(row0, rowEnd, masksFor(left));
    Value isFull =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, left, index(b, schedule.columns()));
    auto branch = scf::IfOp::create(b, isFull, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emitRows(row0, rowEnd, {});
    b.setInsertionPointToStart(branch.elseBlock());
    emitRows(row0, rowEnd, masksFor(left));
  }

  /// Whole register blocks, then what is left in blocks of four rows and of one.
  void emitRows(Value row0, Value rowEnd, ArrayRef<Value> masks) {
    for (int64_t count : {schedule.rows, int64_t(4), int64_t(1)}) {
      Value whole = arith::DivUIOp::create(b, subtract(b, rowEnd, row0), index(b, count));
      Value end = add(b, row0, multiply(b, whole, index(b, count)));
      auto loop = scf::ForOp::create(b, row0, end, index(b, count));
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(loop.getBody());
        emitRegisterBlock(loop.getInductionVar(), count, masks);
      }
      row0 = end;
    }
  }

  Value loadVector(Value memory, Value at, Value mask) {
    if (!mask)
      return vector::LoadOp::create(b, vectorType, memory, ValueRange{at});
    return vector::MaskedLoadOp::create(b, vectorType, memory, ValueRange{at}, mask,
                                        zeroVector(b, vectorType));
  }

  /// Accumulators: zero for the first k where that is wanted, else what the result holds so far.
  SmallVector<Value> emitStart(ArrayRef<Value> places, ArrayRef<Value> masks) {
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, firstK, index(b, 0));
    isFirst = arith::AndIOp::create(b, isFirst, startsAtZero);
    SmallVector<Type> types(places.size(), vectorType);
    auto branch = scf::IfOp::create(b, types, isFirst, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, SmallVector<Value>(places.size(), zeroVector(b, vectorType)));
    b.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> loaded;
    for (auto [number, place] : llvm::enumerate(places))
      loaded.push_back(loadVector(result.memory, place,
                                  masks.empty() ? Value() : masks[number % schedule.vectors]));
    scf::YieldOp::create(b, loaded);
    return llvm::to_vector(ValueRange(branch.getResults()));
  }

  /// `count` rows by all vectors of the panel, kept in registers over all of k.
  void emitRegisterBlock(Value row, int64_t count, ArrayRef<Value> masks) {
    SmallVector<Value> places, lhsRows;
    for (int64_t r = 0; r < count; ++r) {
      lhsRows.push_back(lhs.at(b, add(b, row, r), firstK));
      Value start = result.at(b, add(b, row, r), column);
      for (int64_t v = 0; v < schedule.vectors; ++v)
        places.push_back(add(b, start, v * schedule.lanes));
    }
    auto kLoop = scf::ForOp::create(b, index(b, 0), kSize, index(b, 1), emitStart(places, masks));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(kLoop.getBody());
      emitStep(kLoop, lhsRows, masks);
    }
    for (auto [number, place] : llvm::enumerate(places)) {
      Value value = kLoop.getResult(number);
      if (masks.empty())
        vector::StoreOp::create(b, value, result.memory, place);
      else
        vector::MaskedStoreOp::create(b, result.memory, place, masks[number % schedule.vectors],
                                      value);
    }
  }

  /// One k: a row of the panel, times one element of each row of lhs.
  void emitStep(scf::ForOp loop, ArrayRef<Value> lhsRows, ArrayRef<Value> masks) {
    Value k = loop.getInductionVar();
    Value at = add(b, sourceOffset, multiply(b, k, sourceStride));
    SmallVector<Value> panel, next;
    for (int64_t v = 0; v < schedule.vectors; ++v)
      panel.push_back(
          loadVector(source, add(b, at, v * schedule.lanes), masks.empty() ? Value() : masks[v]));
    for (auto [r, lhsRow] : llvm::enumerate(lhsRows)) {
      Value scalar = memref::LoadOp::create(b, lhs.memory, ValueRange{add(b, lhsRow, k)});
      Value spread = vector::BroadcastOp::create(b, vectorType, scalar);
      for (int64_t v = 0; v < schedule.vectors; ++v)
        next.push_back(
            multiplyAdd(b, spread, panel[v], loop.getRegionIterArg(r * schedule.vectors + v)));
    }
    scf::YieldOp::create(b, next);
  }

  ImplicitLocOpBuilder &b;
  Type element;
  schedule::Contraction schedule;
  Plane lhs, rhs, result;
  Value startsAtZero, rows, depth, columns;
  VectorType vectorType;
  Value isPacked, buffer;
  // Of the panel being emitted.
  Value column, firstK, kSize, source, sourceStride, sourceOffset;
};

} // namespace

MemRefType cpu::blockedOperandType(Type element) {
  auto layout =
      StridedLayoutAttr::get(element.getContext(), ShapedType::kDynamic, {ShapedType::kDynamic, 1});
  return MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic}, element, layout);
}

func::FuncOp cpu::emitBlockedMatmul(ModuleOp module, StringRef name, Type element,
                                    const schedule::Contraction &schedule) {
  ImplicitLocOpBuilder b = ImplicitLocOpBuilder::atBlockEnd(module.getLoc(), module.getBody());
  SmallVector<Type> operands(3, blockedOperandType(element));
  operands.push_back(b.getI1Type());
  auto function = func::FuncOp::create(b, name, b.getFunctionType(operands, {}));
  function.setPrivate();
  b.setInsertionPointToStart(function.addEntryBlock());
  BlockedMatmul(b, element, schedule, function.getArguments()).emit();
  func::ReturnOp::create(b);
  return function;
}

schedule::ContractionSizes cpu::sizesOf(ValueRange operands) {
  auto size = [&](unsigned operand, unsigned dim) {
    return cast<ShapedType>(operands[operand].getType()).getDimSize(dim);
  };
  int64_t depth = size(0, 1);
  return {size(0, 0), size(1, 1), ShapedType::isDynamic(depth) ? size(1, 0) : depth};
}

void cpu::emitUnrolledMatmul(ImplicitLocOpBuilder &b, ValueRange operands,
                             schedule::ContractionSizes sizes, bool startsAtZero, int64_t lanes) {
  Value lhs = operands[0], rhs = operands[1], result = operands[2];
  auto [rows, columns, depth] = sizes;
  for (int64_t column = 0; column < columns; column += lanes) {
    auto type = VectorType::get({std::min(lanes, columns - column)}, getElementTypeOrSelf(lhs));
    Value at = index(b, column);
    SmallVector<Value> panel;
    for (int64_t k = 0; k < depth; ++k)
      panel.push_back(vector::LoadOp::create(b, type, rhs, ValueRange{index(b, k), at}));
    for (int64_t row = 0; row < rows; ++row) {
      SmallVector<Value> place{index(b, row), at};
      Value accumulator = startsAtZero ? zeroVector(b, type)
                                       : Value(vector::LoadOp::create(b, type, result, place));
      for (int64_t k = 0; k < depth; ++k) {
        Value scalar = memref::LoadOp::create(b, lhs, ValueRange{index(b, row), index(b, k)});
        accumulator =
            multiplyAdd(b, vector::BroadcastOp::create(b, type, scalar), panel[k], accumulator);
      }
      vector::StoreOp::create(b, accumulator, result, place);
    }
  }
}
