#include "lang/weld/ir/Sizes.h"
#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

//===-- What moves --------------------------------------------------------===//

/// Whether everything that an operation uses is outside the loop or in `moved`.
static bool isInvariant(Operation *op, Operation *loop, const llvm::SetVector<Operation *> &moved) {
  return !op->walk([&](Operation *inner) {
              for (Value operand : inner->getOperands()) {
                Operation *owner = operand.getParentBlock()->getParentOp();
                bool isInside = loop->isAncestor(owner) && !op->isAncestor(owner);
                Operation *def = operand.getDefiningOp();
                if (isInside && def != op && !(def && moved.contains(def)))
                  return WalkResult::interrupt();
              }
              return WalkResult::advance();
            }).wasInterrupted();
}

/// Whether computing it earlier has no visible effect: it neither fails nor runs forever.
static bool canMove(Operation *op) {
  bool ends = !op->walk([](IterateOp) { return WalkResult::interrupt(); }).wasInterrupted();
  return ends && !mayFail(op) && !op->hasTrait<OpTrait::IsTerminator>();
}

/// Builders move only as a whole, from the new builder to its result.
static bool isBuilder(Operation *op) {
  return llvm::any_of(op->getResultTypes(), isBuilderLike);
}

/// The operations that make the value of `result`, if they are all invariant and each builder is
/// used only by the next.
static bool collectChain(ResultOp result, Operation *loop, llvm::SetVector<Operation *> &moved) {
  SmallVector<Operation *> chain{result};
  Value builder = result.getTarget();
  while (true) {
    Operation *op = builder.getDefiningOp();
    if (!op || op->getBlock() != result->getBlock() || op->getNumResults() != 1 ||
        !builder.hasOneUse() || !canMove(op))
      return false;
    chain.push_back(op);
    if (isa<NewBuilderOp>(op))
      break;
    if (auto merge = dyn_cast<MergeOp>(op))
      builder = merge.getTarget();
    else if (auto inner = dyn_cast<ForOp>(op))
      builder = inner.getBuilders()[0];
    else
      return false;
  }
  llvm::SetVector<Operation *> all = moved;
  for (Operation *op : llvm::reverse(chain)) {
    if (!isInvariant(op, loop, all))
      return false;
    all.insert(op);
  }
  moved = std::move(all);
  return true;
}

static llvm::SetVector<Operation *> invariantsOf(Operation *loop) {
  llvm::SetVector<Operation *> moved;
  for (Operation &op : loop->getRegion(0).front()) {
    if (auto result = dyn_cast<ResultOp>(op))
      collectChain(result, loop, moved);
    else if (!isBuilder(&op) && canMove(&op) && isInvariant(&op, loop, moved))
      moved.insert(&op);
  }
  return moved;
}

//===-- Whether there is an iteration -------------------------------------===//

static bool isKnownToRun(Operation *loop) {
  auto op = dyn_cast<ForOp>(loop);
  if (!op)
    return true; // `iterate` tests after its first iteration.
  SmallVector<IteratorOperands> iterators = op.iteratorList();
  std::optional<Count> count = countOf(iterators.front());
  return count && count->number.value_or(0) > 0 && haveSameCount(iterators);
}

/// Vectors, and ranges with stride 1: only their lengths matter.
static bool isSimple(const IteratorOperands &iterator) {
  return iterator.kind == IteratorKind::Plain ||
         (iterator.kind == IteratorKind::Range && constantInt(iterator.operands[2]) == 1);
}

namespace {

/// Writes code that tests whether a loop over simple iterators has an iteration.
struct Question {
  OpBuilder &b;
  Location loc;

  Value ask(ArrayRef<IteratorOperands> iterators) {
    const IteratorOperands &first = iterators.front();
    Value answer = first.data() ? make(Binary::Greater, length(first), zero())
                                : make(Binary::Greater, first.operands[1], first.operands[0]);
    for (const IteratorOperands &other : iterators.drop_front())
      answer = make(Binary::BitAnd, answer, make(Binary::Equal, length(first), length(other)));
    return answer;
  }

private:
  Value make(Binary function, Value lhs, Value rhs) {
    return BinaryOp::create(b, loc, function, lhs, rhs);
  }
  Value zero() {
    return ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(64, true), 0));
  }
  Value length(const IteratorOperands &iterator) {
    if (iterator.data())
      return LenOp::create(b, loc, b.getIntegerType(64, true), iterator.data());
    return make(Binary::Sub, iterator.operands[1], iterator.operands[0]);
  }
};

} // namespace

//===-- Values that are never read ----------------------------------------===//

/// The builder whose result is the dictionary; null if there is none.
static Type builderOf(DictType dict) {
  if (isCombinable(dict.getValue()))
    return DictMergerType::get(dict.getKey(), dict.getValue(), Combine::Add);
  auto group = dyn_cast<VecType>(dict.getValue());
  return group ? GroupBuilderType::get(dict.getKey(), group.getElement()) : Type();
}

static bool hasNothing(Type type) {
  if (auto fields = dyn_cast<StructType>(type))
    return llvm::all_of(fields.getFields(), hasNothing);
  auto dict = dyn_cast<DictType>(type);
  return dict ? bool(builderOf(dict)) : isa<VecType, SimdType>(type) || isScalar(type);
}

/// Zero, or empty.
static Value nothing(OpBuilder &b, Location loc, Type type) {
  if (auto fields = dyn_cast<StructType>(type)) {
    SmallVector<Value> values;
    for (Type field : fields.getFields())
      values.push_back(nothing(b, loc, field));
    return MakeStructOp::create(b, loc, values);
  }
  if (isa<VecType>(type))
    return MakeVecOp::create(b, loc, type, ValueRange());
  if (auto simd = dyn_cast<SimdType>(type))
    return BroadcastOp::create(b, loc, type, nothing(b, loc, simd.getElement()));
  if (auto dict = dyn_cast<DictType>(type))
    return ResultOp::create(b, loc, type, NewBuilderOp::create(b, loc, builderOf(dict), Value()));
  return ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(type)));
}

//===-- The change --------------------------------------------------------===//

/// Removes and returns the operations whose time or memory is not bounded, and those that depend on
/// them.
static llvm::SetVector<Operation *> takeLong(llvm::SetVector<Operation *> &moved) {
  llvm::SetVector<Operation *> slow;
  for (Operation *op : moved) {
    bool dependsOnSlow = op->walk([&](Operation *inner) {
                             return llvm::any_of(inner->getOperands(),
                                                 [&](Value operand) {
                                                   return slow.contains(operand.getDefiningOp());
                                                 })
                                        ? WalkResult::interrupt()
                                        : WalkResult::advance();
                           }).wasInterrupted();
    if (dependsOnSlow || isa<NewBuilderOp, MergeOp>(op) || !transform::isBounded(*op))
      slow.insert(op);
  }
  moved.set_subtract(slow);
  return slow;
}

/// `let all = if(there is an iteration, the slow values, zeros)`, before the loop.
static void guard(ForOp loop, const llvm::SetVector<Operation *> &slow) {
  SmallVector<IteratorOperands> iterators = loop.iteratorList();
  SmallVector<Value> used;
  for (Operation *op : slow)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !slow.contains(loop.block().findAncestorOpInBlock(*user));
          }))
        used.push_back(result);
  SmallVector<Type> types(ValueRange(used).getTypes());
  if (!llvm::all_of(iterators, isSimple) || !llvm::all_of(types, hasNothing))
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  auto branch = IfOp::create(b, loc, types, Question{b, loc}.ask(iterators));
  for (auto [value, guarded] : llvm::zip_equal(used, branch.getResults()))
    value.replaceUsesWithIf(guarded, [&](OpOperand &use) {
      return !slow.contains(loop.block().findAncestorOpInBlock(*use.getOwner()));
    });
  for (Operation *op : slow)
    op->moveBefore(&branch.thenBlock(), branch.thenBlock().end());
  b.setInsertionPointToEnd(&branch.thenBlock());
  YieldOp::create(b, loc, used);
  b.setInsertionPointToEnd(&branch.elseBlock());
  SmallVector<Value> none;
  for (Type type : types)
    none.push_back(nothing(b, loc, type));
  YieldOp::create(b, loc, none);
}

static void hoistFrom(Operation *loop) {
  llvm::SetVector<Operation *> moved = invariantsOf(loop), slow;
  if (!isKnownToRun(loop))
    slow = takeLong(moved);
  for (Operation *op : moved)
    op->moveBefore(loop);
  if (!slow.empty())
    guard(cast<ForOp>(loop), slow);
}

namespace {

struct HoistInvariants : transform::impl::HoistInvariantsBase<HoistInvariants> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) { // Inner loops first.
      if (isa<ForOp, IterateOp>(op))
        hoistFrom(op);
    });
  }
};

} // namespace
