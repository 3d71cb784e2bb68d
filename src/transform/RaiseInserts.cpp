#include "mlir/IR/Matchers.h"
#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_RAISEINSERTS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// for i, j ... { u[i + c, j + d] = v{i, j} }, with no other use of u.
class CopyNest {
public:
  explicit CopyNest(tensor::InsertOp insert)
      : insert(insert), read(insert.getScalar().getDefiningOp<tensor::ExtractOp>()) {}

  bool matches() {
    return read && !insert.getIndices().empty() && collectLoops() && readsAtCounters() &&
           writesAtCounters() && isInBounds();
  }

  void raise() {
    scf::ForOp outer = loops.front();
    OpBuilder b(outer);
    Location loc = insert.getLoc();
    SmallVector<OpFoldResult> from, to, sizes, strides(loops.size(), b.getIndexAttr(1));
    for (auto [loop, shift] : llvm::zip(loops, shifts)) {
      Value begin = loop.getLowerBound();
      Value length = b.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), begin);
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      sizes.push_back(getAsOpFoldResult(b.createOrFold<arith::MaxSIOp>(loc, length, zero)));
      from.push_back(getAsOpFoldResult(begin));
      to.push_back(
          getAsOpFoldResult(shift ? b.createOrFold<arith::AddIOp>(loc, begin, shift) : begin));
    }
    Value part = tensor::ExtractSliceOp::create(b, loc, read.getTensor(), from, sizes, strides);
    Value whole = tensor::InsertSliceOp::create(b, loc, part, outer.getInitArgs()[slots.front()],
                                                to, sizes, strides);
    outer.getResult(slots.front()).replaceAllUsesWith(whole);
    // The nest now passes the matrix through; simplification removes the rest of it.
    insert.getResult().replaceAllUsesWith(insert.getDest());
    insert.erase();
  }

private:
  /// Collects loops from the innermost outwards while they carry the matrix and use it for nothing
  /// else.
  bool collectLoops() {
    Value carried = insert.getDest(), yielded = insert.getResult();
    for (size_t level = 0; level < insert.getIndices().size(); ++level) {
      auto argument = dyn_cast<BlockArgument>(carried);
      auto loop =
          argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
      if (!loop || argument.getArgNumber() == 0 || !argument.hasOneUse() || !yielded.hasOneUse() ||
          !matchPattern(loop.getStep(), m_One()))
        return false;
      unsigned slot = argument.getArgNumber() - 1;
      if (loop.getYieldedValues()[slot] != yielded)
        return false;
      loops.insert(loops.begin(), loop);
      slots.insert(slots.begin(), slot);
      carried = loop.getInitArgs()[slot];
      yielded = loop.getResult(slot);
    }
    return llvm::all_of(loops, [&](scf::ForOp loop) {
      return isOutside(loop.getLowerBound()) && isOutside(loop.getUpperBound());
    });
  }

  bool isOutside(Value value) {
    return !loops.front().getRegion().isAncestor(value.getParentRegion());
  }

  bool readsAtCounters() {
    return isOutside(read.getTensor()) && read.getIndices().size() == loops.size() &&
           llvm::all_of(llvm::zip(read.getIndices(), loops), [](auto pair) {
             return std::get<0>(pair) == std::get<1>(pair).getInductionVar();
           });
  }

  bool writesAtCounters() {
    for (auto [index, loop] : llvm::zip(insert.getIndices(), loops)) {
      Value counter = loop.getInductionVar(), shift;
      if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
        shift = sum.getLhs() == counter ? sum.getRhs() : sum.getLhs();
        bool isShifted = (sum.getLhs() == counter) != (sum.getRhs() == counter);
        if (!isShifted || !isOutside(shift))
          return false;
      } else if (index != counter) {
        return false;
      }
      shifts.push_back(shift);
    }
    return true;
  }

  /// Inserts that constants prove empty or out of bounds are left alone: slices must be neither.
  bool isInBounds() {
    auto to = insert.getDest().getType(), from = read.getTensor().getType();
    if (llvm::is_contained(to.getShape(), 0) || llvm::is_contained(from.getShape(), 0))
      return false;
    for (auto [dim, loop] : llvm::enumerate(loops)) {
      auto begin = getConstantIntValue(loop.getLowerBound()),
           end = getConstantIntValue(loop.getUpperBound());
      auto shift = shifts[dim] ? getConstantIntValue(shifts[dim]) : std::optional<int64_t>(0);
      bool isKnown = begin && end && shift;
      if (begin && end && *begin >= *end)
        return false;
      if (isKnown && !to.isDynamicDim(dim) &&
          (*begin + *shift < 0 || *end + *shift > to.getDimSize(dim)))
        return false;
      if (begin && end && !from.isDynamicDim(dim) && (*begin < 0 || *end > from.getDimSize(dim)))
        return false;
      if (!isKnown && !to.isDynamicDim(dim))
        return false; // A later pass may find that it is out of bounds.
    }
    return true;
  }

  tensor::InsertOp insert;
  tensor::ExtractOp read;
  SmallVector<scf::ForOp> loops;
  SmallVector<unsigned> slots;
  SmallVector<Value> shifts;
};

struct RaiseInserts final : tessera::transform::impl::RaiseInsertsBase<RaiseInserts> {
  void runOnOperation() override {
    SmallVector<tensor::InsertOp> inserts;
    getOperation().walk([&](tensor::InsertOp insert) { inserts.push_back(insert); });
    for (tensor::InsertOp insert : inserts) {
      CopyNest nest(insert);
      if (nest.matches())
        nest.raise();
    }
  }
};

} // namespace
