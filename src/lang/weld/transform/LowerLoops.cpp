/// Loops: the iterations of one chunk, in order.
#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

Leaves CoreLowering::lower(ir::ForOp op) {
  SmallVector<Walk> walks = walksOf(op);
  Value count = walks[0].count;
  Leaves builders;
  for (Value builder : op.getBuilders())
    llvm::append_range(builders, leaves(builder));
  auto inOrder = [&] {
    Leaves roomy = reserved(op, builders, count, /*hasPieces=*/false);
    return loop(op, walks, number(0), count, roomy);
  };
  auto shared = [&] { return inParallel(op, walks, builders); };
  if (ir::callsForeign(op))
    return inOrder();
  if (!isInLoop)
    return shared();
  if (!mayBeLong(op))
    return inOrder();
  return either(compare(Predicate::sge, count, number(minLong)),
                leafTypes(op.getBuilders().getTypes()), shared, inOrder);
}

/// The merges of a loop that no pass has analyzed.
static ir::MergeCount countMerges(ir::ForOp op, ArrayRef<ir::MergeOp> merges) {
  if (merges.size() != 1)
    return ir::MergeCount::Many;
  Operation *around = merges.front()->getParentOp();
  if (around == op)
    return ir::MergeCount::Once;
  while (isa<ir::IfOp>(around))
    around = around->getParentOp();
  return around == op ? ir::MergeCount::AtMostOnce : ir::MergeCount::Many;
}

/// What is known of an appender's merges, if the number of iterations is bounded by memory: only
/// vectors have no more elements than fit there.
std::optional<Reservation> CoreLowering::reservationOf(ir::ForOp op, unsigned builder) {
  if (!isa<ir::AppenderType>(op.getBuilders()[builder].getType()))
    return std::nullopt;
  auto merges = mergesInto(op, builder);
  if (!merges)
    return std::nullopt;
  auto counts = op.getMerges();
  ir::MergeCount count =
      counts ? cast<ir::MergeCountAttr>((*counts)[builder]).getValue() : countMerges(op, *merges);
  if (count == ir::MergeCount::Many)
    return std::nullopt;
  auto isSimd = [](ir::MergeOp merge) { return isa<ir::SimdType>(merge.getValue().getType()); };
  bool someSimd = llvm::any_of(*merges, isSimd), allSimd = llvm::all_of(*merges, isSimd);
  bool isExact = count == ir::MergeCount::Once && someSimd == allSimd;
  for (ir::MergeOp merge : *merges)
    roomy.insert(merge);
  return Reservation{someSimd ? numLanes : 1, isExact};
}

bool CoreLowering::runsOverVector(ir::ForOp op) {
  return llvm::any_of(op.iteratorList(), [](const ir::IteratorOperands &iterator) {
    return iterator.kind == ir::IteratorKind::Plain || iterator.kind == ir::IteratorKind::Simd ||
           iterator.kind == ir::IteratorKind::Fringe;
  });
}

/// Reserves space in the builders for what the loop merges, if that is known. Otherwise each piece
/// of a parallel loop reserves its own.
Leaves CoreLowering::reserved(ir::ForOp op, const Leaves &builders, Value count, bool hasPieces) {
  Leaves result;
  ArrayRef<Value> rest = builders;
  for (auto [index, builder] : llvm::enumerate(op.getBuilders())) {
    Leaves own(rest.take_front(leafTypes(builder.getType()).size()));
    rest = rest.drop_front(own.size());
    auto known = reservationOf(op, index);
    if (known && (known->isExact || runsOverVector(op)))
      own = withRoom(cast<ir::AppenderType>(builder.getType()).getElement(), own,
                     product(count, known->perIteration));
    else if (known && !hasPieces)
      llvm::for_each(mergesInto(op, index).value(), [&](ir::MergeOp merge) { roomy.erase(merge); });
    llvm::append_range(result, own);
  }
  return result;
}

/// Whether the allocations of an iteration can be freed at its end.
bool CoreLowering::wantsOwnRegion(ir::ForOp op) {
  return allocates(op.getBody()) && llvm::none_of(op.getBuilders().getTypes(), keepsPointers);
}

/// The leaves of each builder.
SmallVector<Leaves> CoreLowering::split(ir::ForOp op, ArrayRef<Value> builders) {
  SmallVector<Leaves> parts;
  for (Value builder : op.getBuilders()) {
    parts.emplace_back(builders.take_front(leafTypes(builder.getType()).size()));
    builders = builders.drop_front(parts.back().size());
  }
  return parts;
}

/// Splits a list of values into the states of the builders.
SmallVector<Leaves> CoreLowering::apart(ArrayRef<Value> all, ArrayRef<Leaves> like) {
  SmallVector<Leaves> states;
  for (const Leaves &old : like) {
    states.emplace_back(all.take_front(old.size()));
    all = all.drop_front(old.size());
  }
  return states;
}

/// Whether all that is merged goes to the loop's own index, and nothing else can fail.
static bool mergesAtIndex(ir::ForOp op, ArrayRef<ir::MergeOp> merges) {
  auto isAtIndex = [&](ir::MergeOp merge) {
    auto pair = merge.getValue().getDefiningOp<ir::MakeStructOp>();
    return merge->getBlock() == &op.block() && pair && pair->getOperand(0) == op.index();
  };
  return llvm::all_of(merges, isAtIndex) &&
         llvm::all_of(op.block().without_terminator(), [&](Operation &inner) {
           return llvm::is_contained(merges, &inner) ||
                  (isMemoryEffectFree(&inner) && isSpeculatable(&inner));
         });
}

/// Checks indices once before the loop, where one comparison suffices.
void CoreLowering::checkIndices(ir::ForOp op, Value lo, Value hi, const Leaves &builders) {
  for (auto [index, own] : llvm::enumerate(split(op, builders))) {
    auto merges = mergesInto(op, index);
    if (!isa<ir::VecMergerType>(op.getBuilders()[index].getType()) || !merges || merges->empty() ||
        !mergesAtIndex(op, *merges))
      continue;
    llvm::SaveAndRestore place(loc, merges->front().getLoc());
    Value first = make<arith::MaxSIOp>(lo, own[1]);
    trapIf(compare(Predicate::slt, first, hi), outOfBounds, {first, own[1]});
    roomy.insert_range(*merges);
  }
}

/// Whether the loop is inside another one and has few operations. Rows are then often short, but
/// LLVM would interleave more vectors than they have.
static bool runsOverRows(ir::ForOp op) {
  constexpr int64_t maxOps = 8;
  return op->getParentOfType<ir::ForOp>() &&
         llvm::range_size(op.block().without_terminator()) <= maxOps &&
         llvm::all_of(op.block(), [](Operation &inner) {
           return inner.getNumRegions() == 0 && !isa<ir::UnaryOp>(inner);
         });
}

static void annotate(scf::ForOp loop, LLVM::LoopVectorizeAttr vectorize,
                     LLVM::LoopInterleaveAttr interleave) {
  MLIRContext *ctx = loop.getContext();
  auto annotation = LLVM::LoopAnnotationAttr::get(ctx, {}, vectorize, interleave, {}, {}, {}, {},
                                                  {}, {}, {}, {}, {}, {}, {}, {});
  OperationName branch(LLVM::BrOp::getOperationName(), ctx);
  loop->setAttr(LLVM::BrOp::getLoopAnnotationAttrName(branch), annotation);
}

void CoreLowering::setVectorizing(scf::ForOp loop, bool isWanted) {
  MLIRContext *ctx = loop.getContext();
  auto isDisabled = BoolAttr::get(ctx, !isWanted);
  annotate(loop, LLVM::LoopVectorizeAttr::get(ctx, isDisabled, {}, {}, {}, {}, {}, {}), {});
}

/// Follows the annotation `vectorize`; rows are computed two vectors at a time.
void CoreLowering::steerVectorizer(ir::ForOp op, scf::ForOp loop) {
  StringRef asked = ir::annotation(op, "vectorize");
  if (!asked.empty())
    setVectorizing(loop, asked != "false");
  else if (runsOverRows(op))
    annotate(loop, {}, LLVM::LoopInterleaveAttr::get(op.getContext(), b.getI32IntegerAttr(2)));
}

/// One iteration: the loop's state after it.
Leaves CoreLowering::round(ir::ForOp op, ArrayRef<Walk> walks, ArrayRef<Leaves> states,
                           ValueRange current, Value index) {
  for (auto [builder, own] : llvm::zip_equal(op.builderArguments(), states)) {
    values[builder] = Leaves(current.take_front(own.size()));
    current = current.drop_front(own.size());
  }
  values[op.index()] = {index};
  for (auto [walk, element] : llvm::zip_equal(walks, op.elements()))
    values[element] = elementOf(walk, index);
  return yielded(op.block());
}

/// All iterations, in order.
Leaves CoreLowering::rounds(ir::ForOp op, ArrayRef<Walk> walks, Value lo, Value hi,
                            ArrayRef<Leaves> states) {
  OpBuilder::InsertionGuard guard(b);
  bool isOwn = wantsOwnRegion(op);
  Leaves initial;
  for (const Leaves &state : states)
    llvm::append_range(initial, state);
  auto loop = forLoop(lo, hi, initial);
  steerVectorizer(op, loop);
  b.setInsertionPointToStart(loop.getBody());
  Leaves next = round(op, walks, states, loop.getRegionIterArgs(), loop.getInductionVar());
  if (isOwn)
    call("tessera_rt_region_reset", {}, region);
  scf::YieldOp::create(b, loc, next);
  return Leaves(loop.getResults());
}

/// The builders after all iterations, or after those that a condition chooses.
Leaves CoreLowering::exactly(ir::ForOp op, ArrayRef<Walk> walks, Value lo, Value hi,
                             const Leaves &builders, Value condition) {
  SmallVector<Leaves> states = carried(op, builders, /*isQuick=*/false);
  Leaves all = condition ? siftedRounds(op, walks, lo, hi, states, condition)
                         : rounds(op, walks, lo, hi, states);
  return released(op, builders, apart(all, states), /*isQuick=*/false);
}

Leaves CoreLowering::loop(ir::ForOp op, ArrayRef<Walk> walks, Value lo, Value hi,
                          const Leaves &builders) {
  if (auto filtered = filter(op, walks, lo, hi, builders))
    return *filtered;
  Value outer = region, condition = isInLoop ? Value() : siftingCondition(op);
  bool outerInLoop = isInLoop, isOwn = wantsOwnRegion(op);
  bool isQuick = !isInLoop && !condition && hasQuickExtremes(op);
  isInLoop = true;
  if (isOwn)
    region = createRegion();
  checkIndices(op, lo, hi, builders);
  Leaves result = isQuick ? quickly(op, walks, lo, hi, builders)
                          : exactly(op, walks, lo, hi, builders, condition);
  if (isOwn)
    call("tessera_rt_region_free", {}, region);
  region = outer;
  isInLoop = outerInLoop;
  return result;
}
