#include "backend/cpu/Passes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERREDUCTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

bool isReduction(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() && op.getNumReductionLoops() > 0;
}

//===- The loop that becomes vectors ----------------------------------------------------------===//

/// How an operand's place moves with a loop: not at all, from element to element, or otherwise.
enum class Motion { None, Along, Apart };

Motion motionOf(linalg::GenericOp op, OpOperand &operand, unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || !map.isFunctionOfDim(loop))
    return Motion::None;
  auto [strides, offset] = type.getStridesAndOffset();
  AffineExpr last = map.getResults().back();
  bool isOnlyLast = llvm::none_of(map.getResults().drop_back(),
                                  [&](AffineExpr index) { return index.isFunctionOfDim(loop); });
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  bool isUnit = isOnlyLast && strides.back() == 1 &&
                !simplifyAffineExpr(last - dim, map.getNumDims(), 0).isFunctionOfDim(loop);
  return isUnit ? Motion::Along : Motion::Apart;
}

/// The more operands are walked along, the better; a few iterations make no vector.
unsigned chooseInner(linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int best = INT_MIN;
  unsigned inner = op.getNumLoops() - 1;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    int score = 0;
    for (OpOperand &operand : op->getOpOperands()) {
      Motion motion = motionOf(op, operand, loop);
      score += motion == Motion::Along ? 1 : motion == Motion::Apart ? -1 : 0;
    }
    bool isShort = !ShapedType::isDynamic(ranges[loop]) && ranges[loop] < 8;
    score -= isShort ? 100 : 0;
    bool isReduced = op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
    if (score > best || (score == best && isReduced)) {
      best = score;
      inner = loop;
    }
  }
  return inner;
}

//===- The operation that combines ------------------------------------------------------------===//

/// What a result ends with: combine(old, value), where nothing else asks for the old value.
Operation *combinerOf(linalg::GenericOp op, unsigned result) {
  Value old = op.getRegionOutputArgs()[result];
  Operation *combiner = op.getBody()->getTerminator()->getOperand(result).getDefiningOp();
  bool isPlain = combiner && combiner->getNumOperands() == 2 && old.hasOneUse() &&
                 *old.user_begin() == combiner;
  return isPlain ? combiner : nullptr;
}

/// Whether partial results may be combined in another order than one by one.
bool isAssociative(Operation *combiner) {
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(combiner);
      flags && isa<arith::AddFOp, arith::MulFOp>(combiner))
    return bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                              arith::FastMathFlags::reassoc);
  return isa<arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::MaximumFOp, arith::MinimumFOp>(combiner);
}

/// Beyond counting, all are alike.
int64_t product(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? INT64_MAX : result;
}

//===- Loops ----------------------------------------------------------------------------------===//

/// Emits the loops of one operation.
class Nest {
public:
  Nest(OpBuilder &b, linalg::GenericOp op) : b(b), op(op), loc(op.getLoc()) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    counters.resize(sizes.size());
    inner = chooseInner(op);
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (loop != inner)
        (isReduced(loop) ? reduced : kept).push_back(loop);
    zero = core::constantIndex(b, loc, 0);
    one = core::constantIndex(b, loc, 1);
    for (OpOperand &operand : op.getDpsInitsMutable())
      (isWalked(operand) ? walked : sums)
          .push_back({&operand, unsigned(walked.size() + sums.size())});
  }

  void emit() {
    if (!isReduced(inner))
      return emitRows();
    reduced.push_back(inner);
    if (isWorthSplitting())
      return emitParts();
    inParallel(kept,
               [&] { store(reduce(zero, sizes[reduced.front()], load(places())), places()); });
  }

private:
  bool isReduced(unsigned loop) {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  }

  /// The product of the sizes; unknown ones count as `otherwise`.
  int64_t iterations(ArrayRef<unsigned> loops, int64_t otherwise) {
    int64_t count = 1;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    for (unsigned loop : loops)
      count = product(count, ShapedType::isDynamic(ranges[loop]) ? otherwise : ranges[loop]);
    return count;
  }

  Value smaller(Value a, Value c) { return arith::MinSIOp::create(b, loc, a, c); }

  void forEach(Value from, Value to, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, loc, from, to, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  void inOrder(ArrayRef<unsigned> loops, function_ref<void()> body) {
    if (loops.empty())
      return body();
    forEach(zero, sizes[loops.front()], [&](Value counter) {
      counters[loops.front()] = counter;
      inOrder(loops.drop_front(), body);
    });
  }

  /// Nothing is parallel where all of it is known to be little.
  void inParallel(ArrayRef<unsigned> loops, function_ref<void()> body) {
    int64_t work = iterations(reduced, 64);
    if (loops.empty() || product(work, iterations(loops, cpu::minChunk)) <= cpu::minChunk)
      return inOrder(loops, body);
    SmallVector<Value> upper;
    for (unsigned loop : loops)
      upper.push_back(sizes[loop]);
    parallel(upper, work, [&](ValueRange indices) {
      for (auto [loop, index] : llvm::zip(loops, indices))
        counters[loop] = index;
      body();
    });
  }

  void parallel(ArrayRef<Value> upper, int64_t work, function_ref<void(ValueRange)> body) {
    SmallVector<Value> lower(upper.size(), zero), steps(upper.size(), one);
    auto loop = scf::ParallelOp::create(b, loc, lower, upper, steps);
    loop->setAttr(cpu::workAttr, b.getI64IntegerAttr(work));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVars());
  }

  //===- One point ----------------------------------------------------------------------------===//

  struct Place {
    Value memory;
    SmallVector<Value> indices;
  };

  /// A result of the operation.
  struct Result {
    OpOperand *operand;
    unsigned number;
  };

  /// Each iteration computes another element of it: no sum, though the loops make one of others.
  bool isWalked(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (isReduced(loop) && map.isFunctionOfDim(loop))
        return true;
    return false;
  }

  Place placeOf(OpOperand &operand) {
    Place place{operand.get(), {}};
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned result = 0; result < map.getNumResults(); ++result) {
      AffineMap index = map.getSubMap(result);
      auto dim = dyn_cast<AffineDimExpr>(index.getResult(0));
      place.indices.push_back(dim ? counters[dim.getPosition()]
                                  : Value(affine::AffineApplyOp::create(b, loc, index, counters)));
    }
    return place;
  }
  /// Of the sums; only the loops that are kept count for them.
  SmallVector<Place> places() {
    SmallVector<Place> result;
    for (const Result &sum : sums)
      result.push_back(placeOf(*sum.operand));
    return result;
  }

  Value load(const Place &place) {
    return memref::LoadOp::create(b, loc, place.memory, place.indices);
  }
  void store(Value value, const Place &place) {
    memref::StoreOp::create(b, loc, value, place.memory, place.indices);
  }
  SmallVector<Value> load(ArrayRef<Place> from) {
    SmallVector<Value> values;
    for (const Place &place : from)
      values.push_back(load(place));
    return values;
  }
  void store(ArrayRef<Value> values, ArrayRef<Place> to) {
    for (auto [value, place] : llvm::zip(values, to))
      store(value, place);
  }

  /// The body for the counters as they are: stores what is walked through, returns the sums.
  SmallVector<Value> point(ArrayRef<Value> old) {
    IRMapping mapping;
    for (auto [sum, value] : llvm::zip(sums, old))
      mapping.map(op.getRegionOutputArgs()[sum.number], value);
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      bool isMemory = isa<MemRefType>(operand.get().getType());
      if (!argument.use_empty() && !mapping.contains(argument))
        mapping.map(argument, isMemory ? load(placeOf(operand)) : operand.get());
    }
    for (Operation &inner : op.getBody()->without_terminator())
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), counters[index.getDim()]);
      else if (isQuick && &inner == combinerOf(op, 0))
        return quickExtreme(inner, old, mapping);
      else
        b.clone(inner, mapping);
    auto computed = [&](const Result &result) {
      return mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(result.number));
    };
    for (const Result &result : walked)
      store(computed(result), placeOf(*result.operand));
    return llvm::map_to_vector(sums, computed);
  }

  //===- A reduction in registers -------------------------------------------------------------===//

  using Values = SmallVector<Value>;

  Values carry(ArrayRef<unsigned> loops, const Values &old) {
    if (loops.empty())
      return point(old);
    return carry(loops, zero, sizes[loops.front()], old);
  }
  Values carry(ArrayRef<unsigned> loops, Value from, Value to, const Values &old) {
    auto loop = scf::ForOp::create(b, loc, from, to, one, old);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    counters[loops.front()] = loop.getInductionVar();
    Values next = carry(loops.drop_front(), Values(loop.getRegionIterArgs()));
    if (!next.empty()) // Without values, the loop came with its end.
      scf::YieldOp::create(b, loc, next);
    return Values(loop.getResults());
  }

  /// All iterations of the first reduced loop from one to another, with all of the others.
  Values reduce(Value from, Value to, const Values &old) {
    bool isExtreme = sums.size() == 1 && walked.empty() &&
                     isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(combinerOf(op, 0));
    if (!isExtreme)
      return carry(reduced, from, to, old);
    isQuick = true;
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    Values quick = carry(reduced, from, to, {old[0], isNan(old[0])});
    isQuick = false;
    Value null = core::zero(b, loc, quick[0].getType());
    Value isZero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, quick[0], null);
    Value isDoubtful = arith::SelectOp::create(b, loc, quick[1], yes, isZero);
    auto again = scf::IfOp::create(b, loc, quick[0].getType(), isDoubtful, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(again.thenBlock());
    scf::YieldOp::create(b, loc, carry(reduced, from, to, old));
    b.setInsertionPointToStart(again.elseBlock());
    scf::YieldOp::create(b, loc, quick[0]);
    return {again.getResult(0)};
  }

  Value isNan(Value value) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  }

  /// See Note [Quick extremes].
  Values quickExtreme(Operation &combiner, ArrayRef<Value> old, IRMapping &mapping) {
    Value sum = op.getRegionOutputArgs()[0];
    Value value =
        mapping.lookupOrDefault(combiner.getOperand(combiner.getOperand(0) == sum ? 1 : 0));
    auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
    Value extreme = isa<arith::MaximumFOp>(combiner)
                        ? arith::MaxNumFOp::create(b, loc, old[0], value, flags).getResult()
                        : arith::MinNumFOp::create(b, loc, old[0], value, flags).getResult();
    return {extreme, arith::OrIOp::create(b, loc, old[1], isNan(value))};
  }

  //===- Rows that are added to ---------------------------------------------------------------===//

  /// The vectors lie along a loop that is kept: pieces of rows stay in the nearest cache while
  /// everything is added to them.
  void emitRows() {
    constexpr int64_t piece = 1024;
    Value width = core::constantIndex(b, loc, piece);
    Value pieces = arith::CeilDivSIOp::create(b, loc, sizes[inner], width);
    SmallVector<Value> upper{pieces};
    for (unsigned loop : kept)
      upper.insert(upper.end() - 1, sizes[loop]);
    int64_t work = product(iterations(reduced, 64), std::min(piece, iterations({inner}, piece)));
    auto body = [&](ValueRange indices) {
      for (auto [loop, index] : llvm::zip(kept, indices))
        counters[loop] = index;
      Value from = arith::MulIOp::create(b, loc, indices.back(), width);
      Value to = smaller(arith::AddIOp::create(b, loc, from, width), sizes[inner]);
      addRows(from, to);
    };
    parallel(upper, work, body);
  }

  void addRows(Value from, Value to) {
    inOrder(reduced, [&] {
      forEach(from, to, [&](Value counter) {
        counters[inner] = counter;
        store(point(load(places())), places());
      });
    });
  }

  //===- Partial results ----------------------------------------------------------------------===//

  static constexpr int64_t partWork = 2 * cpu::minChunk;

  /// Few results of many elements: the reduction itself is what can be shared out.
  bool isWorthSplitting() {
    auto canSplit = [&](const Result &sum) {
      Operation *combiner = combinerOf(op, sum.number);
      return combiner && isAssociative(combiner) && arith::getNeutralElement(combiner);
    };
    if (!llvm::all_of(sums, canSplit) ||
        op->getParentOfType<scf::ParallelOp>()) // There, nobody is left to share it.
      return false;
    constexpr int64_t few = 16, large = int64_t(1) << 40;
    return iterations(kept, large) <= few && iterations(reduced, large) > 2 * partWork;
  }

  /// Parts have a size that depends on the operation alone, so every number of threads gives the
  /// same result.
  void emitParts() {
    ArrayRef<unsigned> rest = ArrayRef(reduced).drop_front();
    Value others = one;
    for (unsigned loop : rest)
      others = arith::MulIOp::create(b, loc, others, sizes[loop]);
    others = arith::MaxSIOp::create(b, loc, others, one);
    Value length =
        arith::CeilDivSIOp::create(b, loc, core::constantIndex(b, loc, partWork), others);
    Value size = sizes[reduced.front()];
    Value parts = arith::CeilDivSIOp::create(b, loc, size, length);
    Values partial, neutral;
    for (const Result &sum : sums) {
      partial.push_back(allocateParts(sum, parts));
      neutral.push_back(
          arith::ConstantOp::create(b, loc, *arith::getNeutralElement(combinerOf(op, sum.number))));
    }
    parallel(parts, partWork, [&](ValueRange part) {
      Value from = arith::MulIOp::create(b, loc, part[0], length);
      Value to = smaller(arith::AddIOp::create(b, loc, from, length), size);
      inOrder(kept, [&] {
        Values computed = reduce(from, to, neutral);
        for (auto [value, memory] : llvm::zip(computed, partial))
          store(value, partPlace(memory, part[0]));
      });
    });
    for (auto [sum, memory] : llvm::zip(sums, partial)) {
      combineParts(sum, memory, parts);
      memref::DeallocOp::create(b, loc, memory);
    }
  }

  Value allocateParts(const Result &sum, Value parts) {
    auto type = cast<MemRefType>(sum.operand->get().getType());
    SmallVector<int64_t> shape(kept.size() + 1, ShapedType::kDynamic);
    Values extents{parts};
    for (unsigned loop : kept)
      extents.push_back(sizes[loop]);
    return memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()), extents);
  }

  Place partPlace(Value partial, Value part) {
    Place place{partial, {part}};
    for (unsigned loop : kept)
      place.indices.push_back(counters[loop]);
    return place;
  }

  /// In the order of the parts.
  void combineParts(const Result &sum, Value partial, Value parts) {
    Operation *combiner = combinerOf(op, sum.number);
    inOrder(kept, [&] {
      Place place = placeOf(*sum.operand);
      auto loop = scf::ForOp::create(b, loc, zero, parts, one, load(place));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value value = load(partPlace(partial, loop.getInductionVar()));
      Value old = op.getRegionOutputArgs()[sum.number];
      IRMapping mapping;
      for (Value operand : combiner->getOperands())
        mapping.map(operand, operand == old ? loop.getRegionIterArgs()[0] : value);
      scf::YieldOp::create(b, loc, b.clone(*combiner, mapping)->getResult(0));
      b.setInsertionPointAfter(loop);
      store(loop.getResult(0), place);
    });
  }

  OpBuilder &b;
  linalg::GenericOp op;
  Location loc;
  SmallVector<Value> sizes, counters;  ///< By loop.
  SmallVector<Result> walked, sums;    ///< The results.
  SmallVector<unsigned> kept, reduced; ///< Loops; those of vectors are in neither or the last.
  unsigned inner = 0;
  Value zero, one;
  bool isQuick = false; ///< Extremes of numbers, and whether all are.
};

struct LowerReductions final : cpu::impl::LowerReductionsBase<LowerReductions> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isReduction(op))
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      OpBuilder b(op);
      Nest(b, op).emit();
      op.erase();
    }
  }
};

} // namespace

// Note [Quick extremes]
//
// The largest of some numbers is NaN if one of them is, and +0 is larger than -0. In vectors that
// takes six instructions, one after the other, where the processor's own maximum is one. So the
// first attempt takes it for granted that there is no NaN, of which it keeps account beside, and
// that zeros are alike. Only where there was one, or where the result is a zero, the loop is run
// again with all rules. With a NaN the first result is poison, which nobody looks at.
