#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_PREDICATEMERGES
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

//===-- What leaves a merger unchanged ------------------------------------===//

static Value identity(OpBuilder &builder, Location loc, Type type, Combine combine) {
  if (auto fields = dyn_cast<StructType>(type)) {
    SmallVector<Value> values;
    for (Type field : fields.getFields())
      values.push_back(identity(builder, loc, field, combine));
    return MakeStructOp::create(builder, loc, values);
  }
  if (auto simd = dyn_cast<SimdType>(type))
    return BroadcastOp::create(builder, loc, type,
                               identity(builder, loc, simd.getElement(), combine));
  return ConstantOp::create(builder, loc, identityOf(type, combine));
}

//===-- Which branches ----------------------------------------------------===//

/// What a branch merges into a builder from outside; null if nothing.
struct Merged {
  Value target, value;
};

static std::optional<Merged> mergedBy(YieldOp yield, unsigned number) {
  Value value = yield.getValues()[number];
  auto isOutside = [&](Value each) {
    return !yield->getParentOp()->isAncestor(each.getParentBlock()->getParentOp());
  };
  if (isOutside(value))
    return Merged{value, {}};
  auto merge = value.getDefiningOp<MergeOp>();
  if (!merge || !isOutside(merge.getTarget()))
    return std::nullopt;
  return Merged{merge.getTarget(), merge.getValue()};
}

static bool wantsPredicate(IfOp op) {
  StringRef asked = annotation(op, "predicate");
  if (asked == "false" || op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), llvm::IsaPred<MergerType>))
    return false;
  if (!transform::isHarmless(op.thenBlock()) || !transform::isHarmless(op.elseBlock()))
    return false;
  return asked == "true" ||
         (transform::isCheap(op.thenBlock()) && transform::isCheap(op.elseBlock()));
}

//===-- The change --------------------------------------------------------===//

static void inlineBefore(Block &block, Operation *op) {
  for (Operation &inner : llvm::make_early_inc_range(block.without_terminator()))
    if (!isa<MergeOp>(inner))
      inner.moveBefore(op);
}

static void predicate(IfOp op) {
  SmallVector<std::pair<Merged, Merged>> sides;
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    std::optional<Merged> onTrue = mergedBy(op.thenYield(), number),
                          onFalse = mergedBy(op.elseYield(), number);
    if (!onTrue || !onFalse || onTrue->target != onFalse->target)
      return;
    Type a = onTrue->value ? onTrue->value.getType() : Type();
    Type b = onFalse->value ? onFalse->value.getType() : Type();
    if (a && b && a != b)
      return;
    sides.push_back({*onTrue, *onFalse});
  }
  for (Region &region : op->getRegions()) // Only merges that are yielded.
    for (MergeOp merge : region.getOps<MergeOp>())
      if (!merge->hasOneUse() || !isa<YieldOp>(*merge->user_begin()))
        return;
  inlineBefore(op.thenBlock(), op);
  inlineBefore(op.elseBlock(), op);
  OpBuilder builder(op);
  for (auto [result, side] : llvm::zip(op.getResults(), sides)) {
    auto [onTrue, onFalse] = side;
    Value merged = onTrue.target;
    if (onTrue.value || onFalse.value) {
      Combine combine = cast<MergerType>(result.getType()).getCombine();
      Type type = (onTrue.value ? onTrue.value : onFalse.value).getType();
      auto valueOr = [&](Value value) {
        return value ? value : identity(builder, op.getLoc(), type, combine);
      };
      Value chosen = SelectOp::create(builder, op.getLoc(), op.getCondition(),
                                      valueOr(onTrue.value), valueOr(onFalse.value));
      merged = MergeOp::create(builder, op.getLoc(), merged, chosen);
    }
    result.replaceAllUsesWith(merged);
  }
  op->erase();
}

namespace {

struct PredicateMerges : transform::impl::PredicateMergesBase<PredicateMerges> {
  void runOnOperation() override {
    SmallVector<IfOp> branches;
    getOperation().walk([&](IfOp op) { branches.push_back(op); }); // Inner ones first.
    for (IfOp op : branches)
      if (wantsPredicate(op))
        predicate(op);
  }
};

} // namespace
