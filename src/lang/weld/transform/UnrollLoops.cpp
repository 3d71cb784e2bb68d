#include "lang/weld/ir/Sizes.h"
#include "lang/weld/transform/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_UNROLLLOOPS
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

static constexpr int64_t maxIterations = 8;
static constexpr int64_t maxOps = 128; ///< In all iterations together.

/// The number of iterations to unroll; nullopt if the loop remains.
static std::optional<int64_t> iterationsOf(ForOp loop) {
  SmallVector<IteratorOperands> iterators = loop.iteratorList();
  for (const IteratorOperands &iterator : iterators)
    if (iterator.kind != IteratorKind::Plain && iterator.kind != IteratorKind::Range)
      return std::nullopt;
  std::optional<Count> count = countOf(iterators.front());
  if (!count || !count->number || !haveSameCount(iterators) || callsForeign(loop))
    return std::nullopt;
  int64_t size = 0;
  loop.getBody().walk([&](Operation *) { ++size; });
  if (*count->number > maxIterations || *count->number * size > maxOps)
    return std::nullopt;
  return count->number;
}

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return ConstantOp::create(builder, loc,
                            IntegerAttr::get(builder.getIntegerType(64, /*isSigned=*/true), value));
}

static Value elementAt(OpBuilder &builder, const IteratorOperands &iterator, int64_t index) {
  if (iterator.kind == IteratorKind::Range)
    return constant(builder, iterator.loc,
                    *constantInt(iterator.operands[0]) +
                        index * *constantInt(iterator.operands[2]));
  if (auto literal = iterator.data().getDefiningOp<MakeVecOp>())
    return literal.getElements()[index];
  return LookupOp::create(builder, iterator.loc, iterator.elementType(), iterator.data(),
                          constant(builder, iterator.loc, index));
}

static void unroll(ForOp loop, int64_t count) {
  OpBuilder builder(loop);
  SmallVector<IteratorOperands> iterators = loop.iteratorList();
  SmallVector<Value> builders(loop.getBuilders());
  for (int64_t index = 0; index < count; ++index) {
    IRMapping mapping;
    for (auto [old, fresh] : llvm::zip_equal(loop.builderArguments(), builders))
      mapping.map(old, fresh);
    mapping.map(loop.index(), constant(builder, loop.getLoc(), index));
    for (auto [argument, iterator] : llvm::zip_equal(loop.elements(), iterators))
      mapping.map(argument, elementAt(builder, iterator, index));
    for (Operation &op : loop.block().without_terminator())
      builder.clone(op, mapping);
    for (auto [old, value] : llvm::zip_equal(builders, loop.yield().getValues()))
      old = mapping.lookupOrDefault(value);
  }
  loop.replaceAllUsesWith(builders);
  loop.erase();
}

namespace {

struct UnrollLoops : transform::impl::UnrollLoopsBase<UnrollLoops> {
  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); }); // Inner ones first.
    for (ForOp loop : loops)
      if (std::optional<int64_t> count = iterationsOf(loop))
        unroll(loop, *count);
  }
};

} // namespace
