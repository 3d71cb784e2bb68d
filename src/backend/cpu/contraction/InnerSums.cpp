#include "backend/cpu/contraction/InnerSums.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/VectorBody.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

/// The sum's addition, on vectors.
Value plus(KernelBuilder &b, Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x)))
    return arith::AddFOp::create(b, x, y);
  return arith::AddIOp::create(b, x, y);
}

/// Adds the upper half of each group of lanes to the lower half: in one vector, which becomes half
/// as long, or in two, whose groups are concatenated.
Value addHalves(KernelBuilder &b, Value first, Value second, int64_t groupSize) {
  int64_t lanes = cast<VectorType>(first.getType()).getNumElements();
  SmallVector<int64_t> lower, upper;
  for (int64_t lane = 0; lane < (first == second ? lanes : 2 * lanes); ++lane)
    (lane % groupSize < groupSize / 2 ? lower : upper).push_back(lane);
  return plus(b, vector::ShuffleOp::create(b, first, second, lower),
              vector::ShuffleOp::create(b, first, second, upper));
}

/// One vector with the sum of each of the given vectors, whose number is a power of two.
Value sumEach(KernelBuilder &b, SmallVector<Value> vectors) {
  int64_t lanes = cast<VectorType>(vectors.front().getType()).getNumElements();
  int64_t groupSize = lanes;
  for (; vectors.size() > 1 && groupSize > 1; groupSize /= 2) {
    SmallVector<Value> half;
    for (size_t i = 0; i < vectors.size(); i += 2)
      half.push_back(addHalves(b, vectors[i], vectors[i + 1], groupSize));
    vectors = half;
  }
  for (; groupSize > 1; groupSize /= 2)
    vectors[0] = addHalves(b, vectors[0], vectors[0], groupSize);
  return vectors[0];
}

class InnerSums {
public:
  InnerSums(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule,
            ArrayRef<SmallVector<View>> lhs, ArrayRef<View> rhs)
      : b(b), product(product), lanes(schedule.depthLanes), unroll(schedule.unroll), lhs(lhs),
        rhs(rhs), type(VectorType::get({lanes}, product.element())) {}

  SmallVector<Value> emit(Value depth) {
    int64_t step = lanes * unroll;
    Value whole = multiply(b, divide(b, depth, index(b, step)), step);
    SmallVector<Value> sums(lhs.size() * rhs.size() * unroll, zeroOf(b, type));
    sums = emitLoop(index(b, 0), whole, step, sums, [&](Value k, ValueRange carried) {
      SmallVector<Value> next;
      for (int64_t u = 0; u < unroll; ++u)
        llvm::append_range(next, emitStep(add(b, k, u * lanes), {}, part(carried, u)));
      return next;
    });
    SmallVector<Value> total = addUnrolled(sums);
    total = emitLoop(whole, depth, lanes, total, [&](Value k, ValueRange carried) {
      Value left = smaller(b, subtract(b, depth, k), index(b, lanes));
      Value mask = vector::CreateMaskOp::create(b, VectorType::get({lanes}, b.getI1Type()),
                                                ValueRange{left});
      return emitStep(k, mask, carried);
    });
    SmallVector<Value> rows;
    for (size_t row = 0; row < lhs.size(); ++row)
      rows.push_back(
          sumEach(b, llvm::to_vector(ArrayRef(total).slice(row * rhs.size(), rhs.size()))));
    return rows;
  }

private:
  using Step = llvm::function_ref<SmallVector<Value>(Value, ValueRange)>;

  SmallVector<Value> emitLoop(Value begin, Value end, int64_t step, ArrayRef<Value> start,
                              Step body) {
    auto loop = scf::ForOp::create(b, begin, end, index(b, step), start);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(b, body(loop.getInductionVar(), loop.getRegionIterArgs()));
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  size_t count() const { return lhs.size() * rhs.size(); }
  ValueRange part(ValueRange sums, int64_t u) { return sums.slice(u * count(), count()); }

  SmallVector<Value> addUnrolled(ArrayRef<Value> sums) {
    SmallVector<Value> all(sums);
    for (; all.size() > count(); all.resize(all.size() / 2))
      for (size_t i = 0; i < all.size() / 2; ++i)
        all[i] = plus(b, all[i], all[i + all.size() / 2]);
    return all;
  }

  Value load(View view, Value k, Value mask) {
    view = view.from(b, Depth, k);
    view.strides[Column] = index(b, 1);
    return widen(b, loadVector(b, view, lanes, 0, mask), view.widening, product.element());
  }

  SmallVector<Value> emitStep(Value k, Value mask, ValueRange sums) {
    SmallVector<Value> columns, next;
    for (const View &column : rhs)
      columns.push_back(load(column, k, mask));
    for (const SmallVector<View> &row : lhs) {
      Value same = row.front().stride(Column) ? Value() : load(row.front(), k, mask);
      for (size_t column = 0; column < rhs.size(); ++column)
        next.push_back(multiplyAdd(b, product.accumulation,
                                   same ? same : load(row[column], k, mask), columns[column],
                                   sums[next.size()]));
    }
    return next;
  }

  KernelBuilder &b;
  const Product &product;
  int64_t lanes, unroll;
  ArrayRef<SmallVector<View>> lhs;
  ArrayRef<View> rhs;
  VectorType type;
};

} // namespace

SmallVector<Value> cpu::emitInnerSums(KernelBuilder &b, const Product &product,
                                      const schedule::Contraction &schedule,
                                      ArrayRef<SmallVector<View>> lhs, ArrayRef<View> rhs,
                                      Value depth) {
  return InnerSums(b, product, schedule, lhs, rhs).emit(depth);
}
