#include "lang/weld/transform/ExpandBuilder.h"
#include "lang/weld/transform/Fusion.h"
#include "lang/weld/transform/MergeCounts.h"
#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_FUSEPRODUCERS
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

/// The reader's body is copied to each merge of the producer; so many operations at most, if there
/// are several.
static constexpr unsigned maxCopiedOps = 16;

namespace {

struct Pair {
  ForOp producer, reader;
  ResultOp vec;
  unsigned number; ///< Of the reader's iterator over it.
  llvm::DenseSet<Value> derived;
};

} // namespace

/// The loop that makes the vector of this iterator, if nobody else wants it.
static ForOp producerOf(const IteratorOperands &iterator, ForOp reader) {
  if (iterator.kind != IteratorKind::Plain)
    return {};
  auto vec = iterator.data().getDefiningOp<ResultOp>();
  if (!vec || !vec->hasOneUse() || !vec.getTarget().hasOneUse())
    return {};
  auto producer = vec.getTarget().getDefiningOp<ForOp>();
  if (!producer || producer->getBlock() != reader->getBlock() || producer.numBuilders() != 1 ||
      !isa<AppenderType>(vec.getTarget().getType()) ||
      !producer.getBuilders()[0].getDefiningOp<NewBuilderOp>())
    return {};
  return producer;
}

/// T50: numbers of iterations, and elements of other vectors, belong together only if each
/// iteration of the producer is one of the reader.
static bool keepsIndices(const Pair &pair) {
  ForOp reader = pair.reader, producer = pair.producer;
  if (reader.numIterators() == 1 && reader.index().use_empty())
    return true;
  return transform::countMerges(producer, 0) == MergeCount::Once;
}

static bool keepsErrors(const Pair &pair) {
  ForOp reader = pair.reader, producer = pair.producer;
  if (transform::bodyMayFail(producer) && transform::bodyMayFail(reader))
    return false;
  // What the reader checks comes behind all of the producer.
  if (reader.canFail() && mayFail(producer))
    return false;
  return !mayFail(producer) || !transform::failsBetween(producer, reader);
}

static bool isWorthIt(const Pair &pair) {
  ForOp reader = pair.reader;
  SmallVector<MergeOp> merges = transform::mergesInto(pair.producer, pair.derived);
  Type element = reader.elements()[pair.number].getType();
  for (MergeOp merge : merges) // A simd is several elements.
    if (merge.getValue().getType() != element)
      return false;
  unsigned size = 0;
  reader.walk([&](Operation *) { ++size; });
  return merges.size() <= 1 || (size <= maxCopiedOps && !callsForeign(reader));
}

//===-- The change --------------------------------------------------------===//

static void fuse(Pair &pair) {
  ForOp reader = pair.reader, producer = pair.producer;
  SmallVector<IteratorOperands> iterators = producer.iteratorList();
  SmallVector<unsigned> places;
  for (auto [number, iterator] : llvm::enumerate(reader.iteratorList()))
    places.push_back(number == pair.number ? 0 : transform::placeOf(iterator, iterators));
  OpBuilder before(reader);
  Location loc = producer.canFail() ? producer.getLoc() : reader.getLoc();
  auto made = ForOp::create(before, loc, iterators, reader.getBuilders());
  made->setDiscardableAttrs(reader->getDiscardableAttrDictionary());

  transform::ExpandBuilder *self = nullptr;
  auto readElement = [&](OpBuilder &to, MergeOp merge,
                         const transform::ExpandBuilder::Values &builders) {
    IRMapping mapping;
    for (auto [old, fresh] : llvm::zip_equal(reader.builderArguments(), builders))
      mapping.map(old, fresh);
    mapping.map(reader.index(), made.index());
    for (auto [number, element] : llvm::enumerate(reader.elements()))
      mapping.map(element, number == pair.number ? self->mapping.lookupOrDefault(merge.getValue())
                                                 : Value(made.elements()[places[number]]));
    for (Operation &op : reader.block().without_terminator())
      to.clone(op, mapping);
    transform::ExpandBuilder::Values next;
    for (Value value : reader.yield().getValues())
      next.push_back(mapping.lookupOrDefault(value));
    return next;
  };
  transform::ExpandBuilder expand(pair.derived, readElement);
  self = &expand;
  expand.mapping.map(producer.index(), made.index());
  for (auto [old, fresh] : llvm::zip(producer.elements(), made.elements()))
    expand.mapping.map(old, fresh);
  OpBuilder inner = OpBuilder::atBlockEnd(&made.block());
  transform::ExpandBuilder::Values builders(made.builderArguments());
  auto yielded = expand.clone(producer.block(), producer.builderArguments()[0], builders, inner);
  YieldOp::create(inner, reader.yield().getLoc(), yielded);

  reader.replaceAllUsesWith(made.getResults());
  reader.erase();
  pair.vec.erase();
  Operation *fresh = producer.getBuilders()[0].getDefiningOp();
  producer.erase();
  fresh->erase();
}

static bool tryFuse(ForOp reader) {
  for (auto [number, iterator] : llvm::enumerate(reader.iteratorList())) {
    ForOp producer = producerOf(iterator, reader);
    auto derived = producer ? transform::derivedFrom(producer, 0) : std::nullopt;
    if (!derived)
      continue;
    Pair pair{producer, reader, iterator.data().getDefiningOp<ResultOp>(),
              static_cast<unsigned>(number), std::move(*derived)};
    if (!keepsIndices(pair) || !keepsErrors(pair) || !isWorthIt(pair))
      continue;
    fuse(pair);
    return true;
  }
  return false;
}

namespace {

struct FuseProducers : transform::impl::FuseProducersBase<FuseProducers> {
  void runOnOperation() override {
    while (fuseOne())
      continue;
  }

private:
  bool fuseOne() {
    return getOperation()
        .walk([](ForOp loop) {
          return tryFuse(loop) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
};

} // namespace
