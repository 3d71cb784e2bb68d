#include "lang/weld/transform/ExpandBuilder.h"
#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_DROPDEADBUILDERS
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

/// Whether an inner loop fills nothing else, so that it would remain without a builder.
static bool leavesInnerLoop(ForOp loop, const llvm::DenseSet<Value> &derived) {
  return loop
      .walk([&](ForOp inner) {
        bool hasOthers = inner == loop || llvm::any_of(inner.getResults(), [&](Value value) {
                           return !derived.contains(value);
                         });
        return hasOthers ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

static bool dropBuilder(ForOp loop, unsigned builder) {
  if (!loop.getResult(builder).use_empty() || loop.numBuilders() == 1)
    return false;
  auto derived = transform::derivedFrom(loop, builder);
  if (!derived || leavesInnerLoop(loop, *derived))
    return false;
  for (MergeOp merge : transform::mergesInto(loop, *derived))
    if (merge.canFail())
      return false;
  OpBuilder before(loop);
  SmallVector<Value> kept(loop.getBuilders());
  kept.erase(kept.begin() + builder);
  auto made = ForOp::create(before, loop.getLoc(), loop.iteratorList(), kept);
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  auto drop = [](OpBuilder &, MergeOp, const transform::ExpandBuilder::Values &) {
    return transform::ExpandBuilder::Values();
  };
  transform::ExpandBuilder expand(*derived, drop);
  SmallVector<Value> old(loop.block().getArguments());
  old.erase(old.begin() + builder);
  for (auto [from, into] : llvm::zip_equal(old, made.block().getArguments()))
    expand.mapping.map(from, into);
  OpBuilder inner = OpBuilder::atBlockEnd(&made.block());
  auto yielded = expand.clone(loop.block(), loop.builderArguments()[builder], {}, inner);
  YieldOp::create(inner, loop.yield().getLoc(), yielded);
  SmallVector<Value> results(loop.getResults());
  results.erase(results.begin() + builder);
  for (auto [from, into] : llvm::zip_equal(results, made.getResults()))
    from.replaceAllUsesWith(into);
  loop.erase();
  return true;
}

namespace {

struct DropDeadBuilders : transform::impl::DropDeadBuildersBase<DropDeadBuilders> {
  void runOnOperation() override {
    while (dropOne())
      continue;
  }

private:
  bool dropOne() {
    return getOperation()
        .walk([](ForOp loop) {
          for (unsigned builder = 0; builder < loop.numBuilders(); ++builder)
            if (dropBuilder(loop, builder))
              return WalkResult::interrupt();
          return WalkResult::advance();
        })
        .wasInterrupted();
  }
};

} // namespace
