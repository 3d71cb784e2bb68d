#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/PrepackedBlocks.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;
using schedule::tileSide;

namespace {

/// A line of rhs is a vector whose lanes hold one group each.
class VectorBlock final : public PrepackedBlocks {
public:
  using PrepackedBlocks::PrepackedBlocks;

  int64_t tilesAcross() const override { return 1; }
  void emit(const PrepackedBlock &block, Value) override;

private:
  SmallVector<Value> emitLine(const Product &at, ValueRange sums);
  Value loadGroups(const View &view, int64_t count);
  Value elementOf(Value groups, int64_t number, const View &view, Type target);
};

} // namespace

void VectorBlock::emit(const PrepackedBlock &block, Value) {
  Value zero = zeroOf(b, VectorType::get({tileSide}, block.product.element()));
  SmallVector<Value> zeros(schedule.rows, zero);
  Part allLines{index(b, 0), index(b, tileSide)};
  forEach(b, index(b, 0), index(b, tileSide), index(b, schedule.rows), [&](Value row) {
    Product first = block.product;
    first.lhs = first.lhs.from(b, Row, row);
    auto sums = accumulate(block.depth, zeros, [&](Value k, ValueRange before) {
      Product step = first.from(b, axes.depth, k);
      return accumulate(allLines, before, [&](Value line, ValueRange now) {
        return emitLine(step.from(b, axes.lines, line), now);
      });
    });
    emitAround(block, block.product, row, sums);
  });
}

SmallVector<Value> VectorBlock::emitLine(const Product &at, ValueRange sums) {
  Value columns = loadGroups(at.rhs, tileSide);
  auto spread = VectorType::get({tileSide}, b.getI32Type());
  SmallVector<Value> next;
  for (auto [row, sum] : llvm::enumerate(sums)) {
    View lhs = at.lhs.from(b, Row, index(b, row));
    Value rows = vector::BroadcastOp::create(b, spread, loadGroups(lhs, 1));
    for (int64_t i = 0; i < group; ++i)
      sum = multiplyAdd(b, at.accumulation, elementOf(rows, i, lhs, at.element()),
                        elementOf(columns, i, at.rhs, at.element()), sum);
    next.push_back(sum);
  }
  return next;
}

/// Loads each group as a 32-bit number.
Value VectorBlock::loadGroups(const View &view, int64_t count) {
  auto elements = VectorType::get({count * group}, view.element());
  Value vector = vector::LoadOp::create(b, elements, view.memory, ValueRange{view.offset});
  return vector::BitCastOp::create(b, VectorType::get({count}, b.getI32Type()), vector);
}

/// A bfloat16 is the upper half of a float; bytes are shifted to the upper end and back.
Value VectorBlock::elementOf(Value groups, int64_t number, const View &view, Type target) {
  auto type = cast<VectorType>(groups.getType());
  int64_t bits = view.element().getIntOrFloatBitWidth();
  auto shift = [&](int64_t by) -> Value {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, b.getI32IntegerAttr(by)));
  };
  Value high = arith::ShLIOp::create(b, groups, shift(32 - bits * (number + 1)));
  if (isa<FloatType>(target)) {
    Value upper = arith::ShRUIOp::create(b, groups, shift(bits * number));
    return arith::BitcastOp::create(b, VectorType::get(type.getShape(), target),
                                    arith::ShLIOp::create(b, upper, shift(32 - bits)));
  }
  if (view.widening == core::Widening::Signed)
    return arith::ShRSIOp::create(b, high, shift(32 - bits));
  return arith::ShRUIOp::create(b, high, shift(32 - bits));
}

std::unique_ptr<PrepackedBlocks> cpu::makePrepackedVectors(KernelBuilder &b, const Product &product,
                                                           const schedule::Contraction &schedule) {
  return std::make_unique<VectorBlock>(b, product, schedule);
}
