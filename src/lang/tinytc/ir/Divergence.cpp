#include "lang/tinytc/ir/Divergence.h"
#include "lang/tinytc/ir/Uniformity.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tessera::tinytc::ir;
namespace ir = tessera::tinytc::ir;

StringRef ir::describe(Divergence::Kind kind) {
  static constexpr const char *texts[] = {
      "not all work-items of the group reach this barrier",
      "not all work-items of the subgroup reach this operation on matrices",
      "an operand that must be the same in the whole subgroup is not",
  };
  return texts[kind];
}

namespace {

/// The work-items of whom some go another way.
enum class Among { Group, Subgroup };

} // namespace

/// The range of all work-items is that of each subgroup where it is as wide as one.
static bool isOfOneSubgroup(const Form &lane, Operation *function) {
  uint64_t width = uint64_t(lane.range->second) - uint64_t(lane.range->first);
  return width == std::abs(lane.stride) * uint64_t(subgroupSizeOf(function) - 1);
}

/// The number of a lane, or a multiple of it, or a comparison of such with what all share: for more
/// than one lane that is different somewhere. What varies otherwise may happen to be the same.
static bool isProof(const Uniformity &uniformity, Value value, Among who) {
  if (uniformity.of(value).spread == Spread::Lane)
    return true;
  auto compare = value.getDefiningOp<CompareOp>();
  if (!compare)
    return false;
  Form left = uniformity.of(compare.getLhs()), right = uniformity.of(compare.getRhs());
  const Form &lane = left.spread == Spread::Lane ? left : right;
  const Form &bound = left.spread == Spread::Lane ? right : left;
  bool isNumber = bound.range && bound.range->first == bound.range->second;
  return lane.spread == Spread::Lane && lane.range && isNumber &&
         (who == Among::Group || isOfOneSubgroup(lane, compare->getParentOfType<func::FuncOp>())) &&
         lane.range->first < bound.range->first && bound.range->first < lane.range->second;
}

/// Around the operation, up to its SPMD region.
static bool isProvablyParted(const Uniformity &uniformity, Operation *op) {
  Among who = isa<BarrierOp>(op) ? Among::Group : Among::Subgroup;
  for (Operation *outer = op->getParentOp(); outer && !isa<ParallelOp>(outer);
       outer = outer->getParentOp()) {
    if (auto branch = dyn_cast<IfOp>(outer);
        branch && isProof(uniformity, branch.getCondition(), who))
      return true;
    if (auto loop = dyn_cast<ForOp>(outer);
        loop && isProof(uniformity, loop.getTo(), who) && uniformity.isUniform(loop.getFrom()))
      return true;
  }
  return false;
}

static bool usesMatrix(Operation *op) {
  auto isMatrix = [](Type type) { return isa<CoopMatrixType>(type); };
  return llvm::any_of(op->getOperandTypes(), isMatrix) ||
         (isa<CoopLoadOp>(op) && llvm::any_of(op->getResultTypes(), isMatrix));
}

/// Those of which the language says that they must be dynamically uniform.
static SmallVector<Value> uniformOperands(Operation *op) {
  if (auto load = dyn_cast<CoopLoadOp>(op))
    return {load.getRow(), load.getColumn()};
  if (auto store = dyn_cast<CoopStoreOp>(op))
    return {store.getRow(), store.getColumn()};
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return {broadcast.getLane()};
  return {};
}

void ir::findDivergence(Operation *function, function_ref<void(const Divergence &)> report) {
  Uniformity uniformity(function);
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isInSpmdRegion(op) || op->getNumRegions() || isa<YieldOp>(op))
      return;
    bool needsAll = isa<BarrierOp>(op) || usesMatrix(op);
    if (needsAll && isProvablyParted(uniformity, op))
      report({isa<BarrierOp>(op) ? Divergence::Barrier : Divergence::Matrix, op});
    else if (llvm::any_of(uniformOperands(op),
                          [&](Value v) { return isProof(uniformity, v, Among::Subgroup); }))
      report({Divergence::Operand, op});
  });
}
