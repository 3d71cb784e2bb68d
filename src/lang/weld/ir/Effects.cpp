/// Which operations may fail, and their effects.
#include "lang/weld/ir/Sizes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera::weld::ir;
namespace ir = tessera::weld::ir;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addEffects(MayFail op, Effects &effects) {
  if (op.canFail())
    effects.emplace_back(MemoryEffects::Write::get(), Failure::get());
}

static Speculation::Speculatability speculatabilityOf(MayFail op) {
  if (op.canFail())
    return Speculation::NotSpeculatable;
  return op->getNumRegions() ? Speculation::RecursivelySpeculatable : Speculation::Speculatable;
}

#define WELD_EFFECTS(Op)                                                                           \
  void Op::getEffects(Effects &effects) {                                                          \
    addEffects(*this, effects);                                                                    \
  }                                                                                                \
  Speculation::Speculatability Op::getSpeculatability() {                                          \
    return speculatabilityOf(*this);                                                               \
  }
WELD_EFFECTS(BinaryOp)
WELD_EFFECTS(ForOp)
WELD_EFFECTS(MergeOp)
WELD_EFFECTS(LookupOp)
WELD_EFFECTS(SliceOp)
WELD_EFFECTS(DeserializeOp)
WELD_EFFECTS(AssertOp)
WELD_EFFECTS(CudfOp)
#undef WELD_EFFECTS

/// Only for integers: a zero divisor, or a negative exponent.
bool BinaryOp::canFail() {
  auto lane = dyn_cast_or_null<IntegerType>(laneType(getType()));
  Binary function = getFunction();
  bool divides = function == Binary::Div || function == Binary::Rem;
  if (!lane || (!divides && function != Binary::Pow))
    return false;
  if (function == Binary::Pow && lane.isUnsigned())
    return false;
  auto broadcast = getRhs().getDefiningOp<BroadcastOp>();
  std::optional<int64_t> rhs = constantInt(broadcast ? broadcast.getOperand() : getRhs());
  return !rhs || (divides ? *rhs == 0 : *rhs < 0);
}

bool ForOp::canFail() {
  return !haveSameCount(iteratorList());
}

bool MergeOp::canFail() {
  return isa<VecMergerType>(getType());
}

bool LookupOp::canFail() {
  if (!isa<VecType>(getCollection().getType()))
    return true;
  std::optional<int64_t> index = constantInt(getKey());
  std::optional<int64_t> size = countOf(getCollection()).number;
  return !index || !size || *index < 0 || *index >= *size;
}

/// Fails only for a start outside the vector or a negative size.
bool SliceOp::canFail() {
  std::optional<int64_t> start = constantInt(getStart()), size = constantInt(getSize());
  return start != 0 || !size || *size < 0;
}

bool DeserializeOp::canFail() {
  return true;
}

bool AssertOp::canFail() {
  return constantInt(getCondition()) != 1;
}

/// A C function may do anything.
bool CudfOp::canFail() {
  return true;
}

bool ir::mayFail(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        auto failing = dyn_cast<MayFail>(inner);
        return failing && failing.canFail() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool ir::callsForeign(Operation *op) {
  return op->walk([](CudfOp) { return WalkResult::interrupt(); }).wasInterrupted();
}
