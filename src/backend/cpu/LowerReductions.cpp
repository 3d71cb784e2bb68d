#include "backend/cpu/Passes.h"
#include "backend/cpu/ReductionLoops.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERREDUCTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

bool isReduction(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() && op.getNumReductionLoops() > 0;
}

//===- Choosing the vector loop ---------------------------------------------------------------===//

/// How an operand moves with a loop: not at all, from element to adjacent element, or otherwise.
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

/// Prefers the loop along which the most operands are contiguous; a few iterations do not fill a
/// vector.
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

/// Whether partial results may be combined in any order.
bool isAssociative(Operation *combiner) {
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(combiner);
      flags && isa<arith::AddFOp, arith::MulFOp>(combiner))
    return bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                              arith::FastMathFlags::reassoc);
  return isa<arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::MaximumFOp, arith::MinimumFOp>(combiner);
}

//===- Loops ----------------------------------------------------------------------------------===//

/// Emits the loops of one operation.
class Nest : ReductionLoops {
public:
  explicit Nest(linalg::GenericOp op) : ReductionLoops(op), inner(chooseInner(op)) {
    divideLoops(/*except=*/inner);
  }

  void emit() {
    if (!isReduced(inner))
      return emitRows();
    reduced.push_back(inner);
    if (isWorthSplitting())
      return emitParts();
    auto sum = [&] { store(reduce(zero, sizes[reduced.front()], load(places())), places()); };
    int64_t work = iterations(reduced, assumedSize);
    if (isLittle(work))
      inOrder(kept, sum);
    else
      inParallel(kept, work, sum);
  }

private:
  /// The assumed value of an unknown size without better information.
  static constexpr int64_t assumedSize = 64;

  /// Nothing runs in parallel if the total is known to be small.
  bool isLittle(int64_t work) {
    return kept.empty() || boundedProduct(work, iterations(kept, minChunk)) <= minChunk;
  }

  //===- Sums of rows -------------------------------------------------------------------------===//

  /// Vectors lie along a loop that is not reduced: pieces of rows stay in the nearest cache while
  /// everything is added to them.
  void emitRows() {
    constexpr int64_t piece = 1024;
    Value width = index(b, piece);
    auto upper = llvm::map_to_vector(kept, [&](unsigned loop) { return sizes[loop]; });
    upper.push_back(ceilDivide(b, sizes[inner], width));
    int64_t work =
        boundedProduct(iterations(reduced, assumedSize), std::min(piece, iterations(inner, piece)));
    cpu::inParallel(b, upper, workAttr, work, [&](ValueRange indices) {
      for (auto [loop, index] : llvm::zip(kept, indices))
        counters[loop] = index;
      Value from = multiply(b, indices.back(), width);
      addRows(from, smaller(b, add(b, from, width), sizes[inner]));
    });
  }

  void addRows(Value from, Value to) {
    inOrder(reduced, [&] {
      forEach(b, from, to, one, [&](Value counter) {
        counters[inner] = counter;
        store(point(load(places())), places());
      });
    });
  }

  //===- Partial results ----------------------------------------------------------------------===//

  static constexpr int64_t partWork = 2 * minChunk;

  /// Whether the reduction itself is divided among threads: few results, each of many elements.
  bool isWorthSplitting() {
    auto canSplit = [&](const Result &sum) {
      Operation *combiner = combinerOf(op, sum.number);
      return combiner && isAssociative(combiner) && arith::getNeutralElement(combiner);
    };
    if (!llvm::all_of(sums, canSplit) ||
        op->getParentOfType<scf::ParallelOp>()) // Inside such a loop, no threads are free.
      return false;
    constexpr int64_t few = 16, large = int64_t(1) << 40;
    return iterations(kept, large) <= few && iterations(reduced, large) > 2 * partWork;
  }

  /// The size of the parts depends only on the operation, so every number of threads gives the same
  /// result.
  void emitParts() {
    Value length = ceilDivide(b, index(b, partWork), product(ArrayRef(reduced).drop_front()));
    Value size = sizes[reduced.front()], parts = ceilDivide(b, size, length);
    Values partial, neutral;
    for (const Result &sum : sums) {
      partial.push_back(allocateParts(sum, parts));
      neutral.push_back(
          arith::ConstantOp::create(b, *arith::getNeutralElement(combinerOf(op, sum.number))));
    }
    cpu::inParallel(b, parts, workAttr, partWork, [&](ValueRange part) {
      Value from = multiply(b, part[0], length), to = smaller(b, add(b, from, length), size);
      inOrder(kept, [&] {
        Values computed = reduce(from, to, neutral);
        for (auto [value, memory] : llvm::zip(computed, partial))
          store(value, partPlace(memory, part[0]));
      });
    });
    for (auto [sum, memory] : llvm::zip(sums, partial)) {
      combineParts(sum, memory, parts);
      memref::DeallocOp::create(b, memory);
    }
  }

  Value allocateParts(const Result &sum, Value parts) {
    auto type = cast<MemRefType>(sum.operand->get().getType());
    SmallVector<int64_t> shape(kept.size() + 1, ShapedType::kDynamic);
    Values extents{parts};
    for (unsigned loop : kept)
      extents.push_back(sizes[loop]);
    return memref::AllocOp::create(b, MemRefType::get(shape, type.getElementType()), extents);
  }

  Place partPlace(Value partial, Value part) {
    Place place{partial, {part}};
    for (unsigned loop : kept)
      place.indices.push_back(counters[loop]);
    return place;
  }

  /// Combines the results in the order of the parts.
  void combineParts(const Result &sum, Value partial, Value parts) {
    Operation *combiner = combinerOf(op, sum.number);
    inOrder(kept, [&] {
      Place place = placeOf(sum);
      auto loop = scf::ForOp::create(b, zero, parts, one, load(place));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value value = load(partPlace(partial, loop.getInductionVar()));
      Value old = op.getRegionOutputArgs()[sum.number];
      IRMapping mapping;
      for (Value operand : combiner->getOperands())
        mapping.map(operand, operand == old ? loop.getRegionIterArgs()[0] : value);
      scf::YieldOp::create(b, b.clone(*combiner, mapping)->getResult(0));
      b.setInsertionPointAfter(loop);
      store(loop.getResult(0), place);
    });
  }

  unsigned inner; ///< The loop of vectors: the last reduced loop, or one that is not reduced.
};

struct LowerReductions final : cpu::impl::LowerReductionsBase<LowerReductions> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isReduction(op))
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      Nest(op).emit();
      op.erase();
    }
  }
};

} // namespace
