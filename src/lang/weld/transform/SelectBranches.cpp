#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/Passes.h"
#include "mlir/IR/Matchers.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_SELECTBRANCHES
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

static bool isKnown(Value value, bool wanted) {
  return matchPattern(value, wanted ? m_One() : m_Zero());
}

/// `if(a, b, false)` is `a & b`, and `if(a, true, b)` is `a | b`.
static Value choose(OpBuilder &builder, Location loc, Value condition, Value onTrue,
                    Value onFalse) {
  if (onTrue.getType().isInteger(1)) {
    if (isKnown(onFalse, false))
      return BinaryOp::create(builder, loc, Binary::BitAnd, condition, onTrue);
    if (isKnown(onTrue, true))
      return BinaryOp::create(builder, loc, Binary::BitOr, condition, onFalse);
  }
  return SelectOp::create(builder, loc, condition, onTrue, onFalse);
}

static bool wantsSelect(IfOp op) {
  StringRef asked = annotation(op, "predicate");
  if (asked == "false" || op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isScalar))
    return false;
  return transform::isHarmless(op.thenBlock()) && transform::isHarmless(op.elseBlock()) &&
         (asked == "true" ||
          (transform::isCheap(op.thenBlock()) && transform::isCheap(op.elseBlock())));
}

static void select(IfOp op) {
  for (Block *block : {&op.thenBlock(), &op.elseBlock()})
    for (Operation &inner : llvm::make_early_inc_range(block->without_terminator()))
      inner.moveBefore(op);
  OpBuilder builder(op);
  for (auto [result, onTrue, onFalse] :
       llvm::zip(op.getResults(), op.thenYield().getValues(), op.elseYield().getValues()))
    result.replaceAllUsesWith(choose(builder, op.getLoc(), op.getCondition(), onTrue, onFalse));
  op->erase();
}

namespace {

struct SelectBranches : transform::impl::SelectBranchesBase<SelectBranches> {
  void runOnOperation() override {
    SmallVector<IfOp> branches;
    getOperation().walk([&](IfOp op) { branches.push_back(op); }); // Inner ones first.
    for (IfOp op : branches)
      if (wantsSelect(op))
        select(op);
  }
};

} // namespace
