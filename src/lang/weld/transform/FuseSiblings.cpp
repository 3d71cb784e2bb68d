#include "lang/weld/ir/Sizes.h"
#include "lang/weld/transform/Fusion.h"
#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_FUSESIBLINGS
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

//===-- Iterators that a loop has twice -----------------------------------===//

static void dropIterator(ForOp loop, unsigned number, unsigned same) {
  SmallVector<IteratorOperands> iterators = loop.iteratorList();
  unsigned start = 0;
  for (unsigned i = 0; i < number; ++i)
    start += iterators[i].operands.size();
  BlockArgument repeated = loop.elements()[number];
  repeated.replaceAllUsesWith(loop.elements()[same]);
  loop.block().eraseArgument(repeated.getArgNumber());
  loop.getIteratorsMutable().erase(start, iterators[number].operands.size());
  SmallVector<Attribute> kinds(loop.getKinds().getValue());
  kinds.erase(kinds.begin() + number);
  loop.setKindsAttr(ArrayAttr::get(loop.getContext(), kinds));
}

static void dropRepeated(ForOp loop) {
  for (unsigned number = loop.numIterators() - 1; number > 0; --number) {
    SmallVector<IteratorOperands> earlier = loop.iteratorList();
    IteratorOperands iterator = earlier[number];
    earlier.truncate(number);
    unsigned same = transform::placeOf(iterator, earlier);
    if (same < number)
      dropIterator(loop, number, same);
  }
}

//===-- Which loops become one --------------------------------------------===//

/// The operations between both loops that the second needs; nullopt if they depend on the first or
/// must not move.
static std::optional<SmallVector<Operation *>> neededBetween(ForOp first, ForOp second) {
  llvm::SetVector<Operation *> needed;
  auto need = [&](Operation *user) {
    user->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (def->getBlock() == first->getBlock() && !def->isBeforeInBlock(first))
            needed.insert(def);
    });
  };
  need(second);
  for (unsigned i = 0; i < needed.size(); ++i) {
    if (needed[i] == first || mayFail(needed[i]))
      return std::nullopt;
    need(needed[i]);
  }
  SmallVector<Operation *> ordered(needed.begin(), needed.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

static bool keepsErrors(ForOp first, ForOp second) {
  return !transform::bodyMayFail(second) ||
         (!transform::bodyMayFail(first) && !transform::failsBetween(first, second));
}

namespace {

/// All iterators of both, and where those of the second are among them.
struct Joined {
  SmallVector<IteratorOperands> iterators;
  SmallVector<unsigned> places;
};

} // namespace

/// nullopt if the second has iterators that the first lacks, unless all are known to have the same
/// length.
static std::optional<Joined> join(ForOp first, ForOp second) {
  Joined joined{first.iteratorList(), {}};
  for (const IteratorOperands &iterator : second.iteratorList())
    joined.places.push_back(transform::placeOf(iterator, joined.iterators));
  bool hasShared =
      llvm::any_of(joined.places, [&](unsigned p) { return p < first.numIterators(); });
  bool hasMore = joined.iterators.size() > first.numIterators();
  if (!hasShared || (hasMore && !haveSameCount(joined.iterators)))
    return std::nullopt;
  return joined;
}

static void takeBody(ForOp from, ForOp into, ArrayRef<Value> arguments,
                     SmallVectorImpl<Value> &yielded) {
  for (auto [old, fresh] : llvm::zip_equal(from.block().getArguments(), arguments))
    old.replaceAllUsesWith(fresh);
  llvm::append_range(yielded, from.yield().getValues());
  from.yield().erase();
  into.block().getOperations().splice(into.block().end(), from.block().getOperations());
}

static void fuse(ForOp first, ForOp second, const Joined &joined) {
  OpBuilder builder(first);
  SmallVector<Value> builders(first.getBuilders());
  llvm::append_range(builders, second.getBuilders());
  auto made = ForOp::create(builder, first.getLoc(), joined.iterators, builders);
  transform::takeAnnotations(made, first, second);
  ArrayRef<BlockArgument> targets = made.builderArguments();
  SmallVector<Value> ofFirst(targets.take_front(first.numBuilders()));
  ofFirst.push_back(made.index());
  llvm::append_range(ofFirst, made.elements().take_front(first.numIterators()));
  SmallVector<Value> ofSecond(targets.drop_front(first.numBuilders()));
  ofSecond.push_back(made.index());
  for (unsigned place : joined.places)
    ofSecond.push_back(made.elements()[place]);
  SmallVector<Value> yielded;
  takeBody(first, made, ofFirst, yielded);
  takeBody(second, made, ofSecond, yielded);
  OpBuilder end = OpBuilder::atBlockEnd(&made.block());
  YieldOp::create(end, first.getLoc(), yielded);
  first.replaceAllUsesWith(made.getResults().take_front(first.numBuilders()));
  second.replaceAllUsesWith(made.getResults().drop_front(first.numBuilders()));
  first.erase();
  second.erase();
}

static bool tryFuse(ForOp first, ForOp second) {
  if (annotation(first, "vectorize") != annotation(second, "vectorize") ||
      !keepsErrors(first, second))
    return false;
  std::optional<Joined> joined = join(first, second);
  std::optional<SmallVector<Operation *>> needed = neededBetween(first, second);
  if (!joined || !needed)
    return false;
  for (Operation *op : *needed)
    op->moveBefore(first);
  fuse(first, second, *joined);
  return true;
}

/// Whether two loops read the same data; a cheap first test.
static bool haveCommon(ForOp first, ForOp second) {
  SmallVector<IteratorOperands> ofFirst = first.iteratorList();
  return llvm::any_of(second.iteratorList(), [&](const IteratorOperands &iterator) {
    return llvm::any_of(ofFirst,
                        [&](const IteratorOperands &other) { return iterator.isSameAs(other); });
  });
}

static bool fuseOnePair(Block &block) {
  SmallVector<ForOp> loops(block.getOps<ForOp>());
  for (unsigned i = 0; i < loops.size(); ++i)
    for (unsigned j = i + 1; j < loops.size(); ++j)
      if (haveCommon(loops[i], loops[j]) && tryFuse(loops[i], loops[j]))
        return true;
  return false;
}

namespace {

struct FuseSiblings : transform::impl::FuseSiblingsBase<FuseSiblings> {
  void runOnOperation() override {
    getOperation().walk(dropRepeated);
    getOperation().walk([](Block *block) {
      while (fuseOnePair(*block))
        continue;
    });
  }
};

} // namespace
