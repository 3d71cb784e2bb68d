#include "backend/cpu/LoopNest.h"
#include "backend/cpu/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

int64_t cpu::boundedProduct(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? INT64_MAX : result;
}

LoopNest::LoopNest(linalg::GenericOp op)
    : b(op.getLoc(), op), op(op), counters(op.getNumLoops()), zero(index(b, 0)), one(index(b, 1)) {
  for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, b.getLoc()))
    sizes.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size));
}

bool LoopNest::isReduced(unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

void LoopNest::divideLoops(std::optional<unsigned> except) {
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (loop != except)
      (isReduced(loop) ? reduced : kept).push_back(loop);
}

int64_t LoopNest::iterations(ArrayRef<unsigned> loops, int64_t otherwise) {
  int64_t count = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop : loops)
    count = boundedProduct(count, ShapedType::isDynamic(ranges[loop]) ? otherwise : ranges[loop]);
  return count;
}

Value LoopNest::product(ArrayRef<unsigned> loops) {
  Value count = one;
  for (unsigned loop : loops)
    count = multiply(b, count, sizes[loop]);
  return larger(b, count, one);
}

void LoopNest::inOrder(ArrayRef<unsigned> loops, function_ref<void()> body) {
  if (loops.empty())
    return body();
  forEach(b, zero, sizes[loops.front()], one, [&](Value counter) {
    counters[loops.front()] = counter;
    inOrder(loops.drop_front(), body);
  });
}

void LoopNest::inParallel(ArrayRef<unsigned> loops, int64_t work, function_ref<void()> body) {
  auto upper = llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
  cpu::inParallel(b, upper, workAttr, work, [&](ValueRange indices) {
    for (auto [loop, index] : llvm::zip_equal(loops, indices))
      counters[loop] = index;
    body();
  });
}

SmallVector<Value> LoopNest::placeOf(OpOperand &operand) {
  auto begun =
      llvm::map_to_vector(counters, [&](Value counter) { return counter ? counter : zero; });
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> place;
  for (unsigned result = 0; result < map.getNumResults(); ++result) {
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(result));
    place.push_back(loop ? begun[loop.getPosition()]
                         : Value(affine::AffineApplyOp::create(b, map.getSubMap(result), begun)));
  }
  return place;
}
