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

/// The reader's body is copied to each merge of the producer; if there are several, it has at most
/// this many operations.
static constexpr unsigned maxCopiedOps = 16;

namespace {

struct Pair {
  ForOp producer, reader;
  ResultOp vec;
  unsigned number;  ///< The number of the reader's iterator over it.
  unsigned builder; ///< The producer's builder for it.
  llvm::DenseSet<Value> derived = {};
  SmallVector<ResultOp> between = {}; ///< Results of the producer's builders, before the reader.
  bool isKept = false;                ///< The vector has other uses after the reader.
};

} // namespace

/// The loop that makes the vector of this iterator.
static ForOp producerOf(const IteratorOperands &iterator, ForOp reader) {
  if (iterator.kind != IteratorKind::Plain)
    return {};
  auto vec = iterator.data().getDefiningOp<ResultOp>();
  auto producer = vec ? vec.getTarget().getDefiningOp<ForOp>() : ForOp();
  if (!producer || producer->getBlock() != reader->getBlock() ||
      !isa<AppenderType>(vec.getTarget().getType()))
    return {};
  unsigned builder = cast<OpResult>(vec.getTarget()).getResultNumber();
  return producer.getBuilders()[builder].getDefiningOp<NewBuilderOp>() ? producer : ForOp();
}

/// Whether the vector may be made with the reader: all its other uses come after the reader.
static bool comesAfter(ResultOp result, Pair &pair) {
  unsigned numReads = 0;
  for (OpOperand &use : result->getUses()) {
    if (result == pair.vec && use.getOwner() == pair.reader && ++numReads == 1)
      continue;
    Operation *user = pair.reader->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (!user || !pair.reader->isBeforeInBlock(user))
      return false;
    pair.isKept |= result == pair.vec;
  }
  return true;
}

/// Whether the producer can move to the position of the reader.
static bool canMove(Pair &pair) {
  for (Operation *user : pair.producer->getUsers()) {
    Operation *op = pair.reader->getBlock()->findAncestorOpInBlock(*user);
    if (op && pair.reader->isBeforeInBlock(op))
      continue;
    auto result = dyn_cast_or_null<ResultOp>(op);
    if (!result || !comesAfter(result, pair))
      return false;
    pair.between.push_back(result);
  }
  return true;
}

/// Whether each iteration of the producer is one of the reader. Otherwise the numbers of
/// iterations, and the elements of other vectors, do not correspond.
static bool keepsIndices(const Pair &pair) {
  ForOp reader = pair.reader, producer = pair.producer;
  if (reader.numIterators() == 1 && reader.index().use_empty())
    return true;
  return transform::countMerges(producer, pair.builder) == MergeCount::Once;
}

/// Whether the reader may find different counts where the producer has not. It does not if both
/// iterate over the same other vectors, and the producer appends once per iteration.
static bool readerChecks(const Pair &pair) {
  ForOp reader = pair.reader, producer = pair.producer;
  if (!reader.canFail() || transform::countMerges(producer, pair.builder) != MergeCount::Once)
    return reader.canFail();
  SmallVector<IteratorOperands> checked = producer.iteratorList();
  for (auto [number, iterator] : llvm::enumerate(reader.iteratorList()))
    if (number != pair.number && llvm::none_of(checked, [&](const IteratorOperands &other) {
          return iterator.isSameAs(other);
        }))
      return true;
  return false;
}

static bool keepsErrors(const Pair &pair) {
  ForOp reader = pair.reader, producer = pair.producer;
  if (transform::bodyMayFail(producer) && transform::bodyMayFail(reader))
    return false;
  // The reader's checks come after the whole producer.
  if (readerChecks(pair) && mayFail(producer))
    return false;
  return !mayFail(producer) || !transform::failsBetween(producer, reader);
}

static bool isWorthIt(const Pair &pair) {
  ForOp reader = pair.reader;
  SmallVector<MergeOp> merges = transform::mergesInto(pair.producer, pair.derived);
  Type element = reader.elements()[pair.number].getType();
  for (MergeOp merge : merges) // A simd value is several elements.
    if (merge.getValue().getType() != element)
      return false;
  unsigned size = 0;
  reader.walk([&](Operation *) { ++size; });
  return merges.size() <= 1 || (size <= maxCopiedOps && !callsForeign(reader));
}

//===-- The change --------------------------------------------------------===//

namespace {

/// Replaces two loops by one, in which the builders of the reader replace that of the vector.
class Fusion {
public:
  explicit Fusion(Pair &pair) : pair(pair), reader(pair.reader), producer(pair.producer) {}

  void run() {
    makeLoop();
    auto read = [&](OpBuilder &to, MergeOp merge, const Values &builders) {
      return readElement(to, merge, builders);
    };
    transform::ExpandBuilder expander(pair.derived, read);
    expand = &expander;
    mapArguments();
    OpBuilder inner = OpBuilder::atBlockEnd(&made.block());
    Values targets(made.builderArguments().slice(pair.builder, numInserted()));
    Values yielded =
        expander.clone(producer.block(), producer.builderArguments()[pair.builder], targets, inner);
    YieldOp::create(inner, reader.yield().getLoc(), yielded);
    replace();
  }

private:
  using Values = transform::ExpandBuilder::Values;

  unsigned numInserted() { return pair.isKept + reader.numBuilders(); }
  /// The position in the new loop of a builder of the producer, other than that of the vector.
  unsigned placeOf(unsigned builder) {
    return builder < pair.builder ? builder : builder - 1 + numInserted();
  }

  /// Counts are compared in the order of the loop that checks them, and the error for a vector that
  /// is gone has the reader's position.
  SmallVector<IteratorOperands> joinIterators() {
    SmallVector<IteratorOperands> all;
    bool checks = readerChecks(pair);
    if (!checks)
      addProducers(all, std::nullopt);
    for (auto [number, iterator] : llvm::enumerate(reader.iteratorList())) {
      bool isRead = number == pair.number;
      if (isRead && checks)
        addProducers(all, iterator.loc);
      places.push_back(isRead ? 0 : transform::placeOf(iterator, all));
    }
    return all;
  }

  void addProducers(SmallVector<IteratorOperands> &all, std::optional<Location> loc) {
    for (IteratorOperands iterator : producer.iteratorList()) {
      iterator.loc = loc.value_or(iterator.loc);
      producerPlaces.push_back(transform::placeOf(iterator, all));
    }
  }

  void makeLoop() {
    SmallVector<IteratorOperands> iterators = joinIterators();
    SmallVector<Value> builders(producer.getBuilders());
    if (!pair.isKept)
      builders.erase(builders.begin() + pair.builder);
    builders.insert(builders.begin() + pair.builder + pair.isKept, reader.getBuilders().begin(),
                    reader.getBuilders().end());
    OpBuilder before(reader);
    Location loc = producer.canFail() ? producer.getLoc() : reader.getLoc();
    made = ForOp::create(before, loc, iterators, builders);
    transform::takeAnnotations(made, producer, reader);
  }

  void mapArguments() {
    for (unsigned builder = 0; builder < producer.numBuilders(); ++builder)
      if (builder != pair.builder)
        expand->mapping.map(producer.builderArguments()[builder],
                            made.builderArguments()[placeOf(builder)]);
    expand->mapping.map(producer.index(), made.index());
    for (auto [old, place] : llvm::zip_equal(producer.elements(), producerPlaces))
      expand->mapping.map(old, made.elements()[place]);
  }

  /// Emits the reader's body for a value that the producer merges.
  Values readElement(OpBuilder &to, MergeOp merge, ArrayRef<Value> builders) {
    Value element = expand->mapping.lookupOrDefault(merge.getValue());
    Values next;
    if (pair.isKept)
      next.push_back(MergeOp::create(to, merge.getLoc(), builders.front(), element));
    IRMapping mapping;
    for (auto [old, fresh] :
         llvm::zip_equal(reader.builderArguments(), builders.drop_front(pair.isKept)))
      mapping.map(old, fresh);
    mapping.map(reader.index(), made.index());
    for (auto [number, old] : llvm::enumerate(reader.elements()))
      mapping.map(old, number == pair.number ? element : Value(made.elements()[places[number]]));
    for (Operation &op : reader.block().without_terminator())
      to.clone(op, mapping);
    for (Value value : reader.yield().getValues())
      next.push_back(mapping.lookupOrDefault(value));
    return next;
  }

  void replace() {
    for (ResultOp result : llvm::reverse(pair.between))
      result->moveAfter(made);
    reader.replaceAllUsesWith(
        made.getResults().slice(pair.builder + pair.isKept, reader.numBuilders()));
    for (unsigned builder = 0; builder < producer.numBuilders(); ++builder)
      if (builder != pair.builder)
        producer.getResult(builder).replaceAllUsesWith(made.getResult(placeOf(builder)));
    reader.erase();
    Operation *fresh = producer.getBuilders()[pair.builder].getDefiningOp();
    if (pair.isKept)
      producer.getResult(pair.builder).replaceAllUsesWith(made.getResult(pair.builder));
    else
      pair.vec.erase();
    producer.erase();
    if (!pair.isKept)
      fresh->erase();
  }

  Pair &pair;
  ForOp reader, producer, made;
  SmallVector<unsigned> places,
      producerPlaces; ///< Positions of both loops' iterators in the new one.
  transform::ExpandBuilder *expand = nullptr;
};

} // namespace

static bool tryFuse(ForOp reader) {
  for (auto [number, iterator] : llvm::enumerate(reader.iteratorList())) {
    ForOp producer = producerOf(iterator, reader);
    if (!producer)
      continue;
    auto vec = iterator.data().getDefiningOp<ResultOp>();
    unsigned builder = cast<OpResult>(vec.getTarget()).getResultNumber();
    auto derived = transform::derivedFrom(producer, builder);
    if (!derived)
      continue;
    Pair pair{producer, reader, vec, static_cast<unsigned>(number), builder, *derived};
    if (!canMove(pair) || !keepsIndices(pair) || !keepsErrors(pair) || !isWorthIt(pair))
      continue;
    Fusion(pair).run();
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
