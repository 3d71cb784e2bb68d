#include "lang/weld/ir/Sizes.h"
#include "lang/weld/transform/MergeCounts.h"
#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_INFERSIZES
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

namespace {

/// A minimum and a maximum; 2 means more than one.
struct Merges {
  unsigned least = 0, most = 0;

  static Merges unknown() { return {0, 2}; }
  Merges operator+(Merges other) const {
    return {std::min(least + other.least, 2u), std::min(most + other.most, 2u)};
  }
  Merges operator|(Merges other) const {
    return {std::min(least, other.least), std::max(most, other.most)};
  }
};

/// Counts merges between one value of a builder and later ones. Memoizes by value, because
/// consecutive branches have many more paths than values.
class MergeCounter {
public:
  explicit MergeCounter(Value start) { known[start] = {}; }

  Merges until(Value value) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    Merges merges = count(value);
    known[value] = merges;
    return merges;
  }

private:
  Merges count(Value value);

  llvm::DenseMap<Value, Merges> known;
};

} // namespace

static Merges mergesInBody(ForOp loop, unsigned builder) {
  return MergeCounter(loop.builderArguments()[builder]).until(loop.yield().getValues()[builder]);
}

/// The merges in all iterations of an inner loop.
static Merges mergesOfLoop(ForOp loop, unsigned builder) {
  Merges once = mergesInBody(loop, builder);
  if (once.most == 0)
    return once;
  std::optional<Count> count = countOf(loop.iteratorList().front());
  if (count && count->number == 0)
    return {};
  return count && count->number == 1 ? once : Merges::unknown();
}

Merges MergeCounter::count(Value value) {
  if (auto merge = value.getDefiningOp<MergeOp>()) {
    bool isOne = merge.getValue().getType() == cast<BuilderType>(merge.getType()).getMergeType();
    return until(merge.getTarget()) + (isOne ? Merges{1, 1} : Merges::unknown());
  }
  auto result = dyn_cast<OpResult>(value);
  unsigned number = result ? result.getResultNumber() : 0;
  if (auto branch = value.getDefiningOp<IfOp>())
    return until(branch.thenYield().getValues()[number]) |
           until(branch.elseYield().getValues()[number]);
  if (auto loop = value.getDefiningOp<ForOp>())
    return until(loop.getBuilders()[number]) + mergesOfLoop(loop, number);
  return Merges::unknown();
}

MergeCount transform::countMerges(ForOp loop, unsigned builder) {
  Merges range = mergesInBody(loop, builder);
  if (range.least == 1 && range.most == 1)
    return MergeCount::Once;
  return range.most <= 1 ? MergeCount::AtMostOnce : MergeCount::Many;
}

/// `len(result(...))` of a loop over v is `len(v)`, so the vector need not be built for it.
static void forwardLength(LenOp op) {
  if (!isa<VecType>(op.getCollection().getType()))
    return;
  Count count = countOf(op.getCollection());
  if (count.vec && count.vec != op.getCollection())
    op.getCollectionMutable().assign(count.vec);
}

namespace {

struct InferSizes : transform::impl::InferSizesBase<InferSizes> {
  void runOnOperation() override {
    getOperation().walk([](ForOp loop) {
      SmallVector<Attribute> merges;
      for (unsigned builder = 0; builder < loop.numBuilders(); ++builder)
        merges.push_back(
            MergeCountAttr::get(loop.getContext(), transform::countMerges(loop, builder)));
      loop.setMergesAttr(ArrayAttr::get(loop.getContext(), merges));
    });
    getOperation().walk(forwardLength);
  }
};

} // namespace
