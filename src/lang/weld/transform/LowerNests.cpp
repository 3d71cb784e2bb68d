/// Nested loops, and which of them uses threads: the outer one, unless it has so few iterations
/// that its long inner loops can use more threads.
#include "core/Attributes.h"
#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

bool weld::mayBeLong(ir::ForOp op) {
  auto around = op->getParentOfType<ir::ForOp>();
  return around && !around->getParentOfType<ir::ForOp>() && !hasLoops(op) &&
         llvm::all_of(op.getBuilders().getTypes(), llvm::IsaPred<ir::MergerType, ir::AppenderType>);
}

/// The operands that determine the number of elements of an iterator; none if its checks may fail.
static ValueRange operandsOfCount(const ir::IteratorOperands &iterator) {
  if (iterator.kind == ir::IteratorKind::Plain)
    return ArrayRef(iterator.operands).take_front(1);
  if (iterator.kind == ir::IteratorKind::Range)
    return ArrayRef(iterator.operands).take_front(2);
  return {};
}

/// An estimate that ignores strides.
Value CoreLowering::countInside(const ir::IteratorOperands &iterator) {
  if (iterator.kind == ir::IteratorKind::Plain)
    return leaves(iterator.data())[1];
  return make<arith::SubIOp>(leaf(iterator.operands[1]), leaf(iterator.operands[0]));
}

/// How many chunks an inner loop has in the first iteration if it is long, otherwise 0. If other
/// iterations differ, that only costs time. Null if this is not known before the loop.
Value CoreLowering::chunksInside(ir::ForOp op, ArrayRef<Walk> walks) {
  for (auto inner : op.block().getOps<ir::ForOp>()) {
    ir::IteratorOperands iterator = inner.iteratorList().front();
    ValueRange bounds = operandsOfCount(iterator);
    auto slice = transform::cheapSlice(op, bounds);
    if (bounds.empty() || !slice || !mayBeLong(inner))
      continue;
    auto ofFirst = [&] {
      values[op.index()] = {number(0)};
      for (auto [walk, element] : llvm::zip_equal(walks, op.elements()))
        values[element] = elementOf(walk, number(0));
      for (Operation &part : op.block())
        if (slice->contains(&part))
          lowerOp(part);
      Value count = countInside(iterator);
      Value isLong = compare(Predicate::sge, count, number(minLong));
      Value chunks = make<arith::DivSIOp>(count, number(innerChunk));
      return Leaves{arith::SelectOp::create(b, loc, isLong, chunks, number(0))};
    };
    Value hasFirst = compare(Predicate::sgt, walks.front().count, number(0));
    return either(hasFirst, i64, ofFirst, [&] { return Leaves{number(0)}; })[0];
  }
  return nullptr;
}

/// Runs body(first), body(first + 1), ... in any order; each contains a loop of `inside` chunks, if
/// that is known. If the inner loops use the threads, one thread runs all bodies.
void CoreLowering::forChunks(Value numChunks, Value first, llvm::function_ref<void(Value)> body,
                             Value inside) {
  OpBuilder::InsertionGuard guard(b);
  Value zero = core::constantIndex(b, loc, 0), one = core::constantIndex(b, loc, 1);
  Value count = make<arith::SubIOp>(numChunks, first), atOnce;
  if (inside) {
    atOnce = callFor("tessera_rt_chunks_at_once", i64, {count, inside});
    count = make<arith::DivUIOp>(count, atOnce);
  }
  Value end = arith::IndexCastOp::create(b, loc, b.getIndexType(), count);
  auto parallel = scf::ParallelOp::create(b, loc, zero, end, one);
  parallel->setAttr(core::grainAttr, b.getI64IntegerAttr(1));
  b.setInsertionPointToStart(parallel.getBody());
  Value chunk = arith::IndexCastOp::create(b, loc, i64, parallel.getInductionVars()[0]);
  if (inside) {
    Value begin = make<arith::MulIOp>(chunk, atOnce);
    auto together = forLoop(begin, make<arith::AddIOp>(begin, atOnce), {});
    b.setInsertionPointToStart(together.getBody());
    chunk = together.getInductionVar();
  }
  body(make<arith::AddIOp>(chunk, first));
}
