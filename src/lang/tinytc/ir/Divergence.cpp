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

/// The range of a multiple of lanes' numbers, where all of `who` have all of it; nothing otherwise.
static std::optional<std::pair<int64_t, int64_t>> rangeAmong(const Form &form, Among who,
                                                             Operation *op) {
  bool isKnown =
      form.spread == Spread::Lane && form.range &&
      (who == Among::Group || isOfOneSubgroup(form, op->getParentOfType<mlir::func::FuncOp>()));
  return isKnown ? form.range : std::nullopt;
}

/// Whether a comparison of such with a number is true for some and false for others. What varies
/// otherwise may happen to be the same.
static bool isProof(const Uniformity &uniformity, CompareOp compare, Among who) {
  Form left = uniformity.of(compare.getLhs()), right = uniformity.of(compare.getRhs());
  const Form &lane = left.spread == Spread::Lane ? left : right;
  const Form &bound = left.spread == Spread::Lane ? right : left;
  auto range = rangeAmong(lane, who, compare);
  if (!range || !bound.range || bound.range->first != bound.range->second)
    return false;
  int64_t number = bound.range->first;
  bool asksForOne =
      compare.getFunction() == Compare::Equal || compare.getFunction() == Compare::NotEqual;
  bool isOne = (uint64_t(number) - uint64_t(range->first)) % std::abs(lane.stride) == 0;
  return range->first < number && number < range->second && (!asksForOne || isOne);
}

/// Whether the first number of the range ends the loop after another number of iterations than the
/// last one.
static bool isProof(const Uniformity &uniformity, ForOp loop, Among who) {
  auto range = rangeAmong(uniformity.of(loop.getTo()), who, loop);
  std::optional<int64_t> from = constantInt(loop.getFrom()),
                         step = loop.getStep() ? constantInt(loop.getStep()) : 1;
  if (!range || !from || !step || *step <= 0)
    return false;
  auto iterations = [&](int64_t to) {
    return to <= *from ? 0 : (uint64_t(to) - uint64_t(*from) - 1) / *step + 1;
  };
  return iterations(range->first) != iterations(range->second);
}

/// Around the operation, up to its SPMD region.
static bool isProvablyParted(const Uniformity &uniformity, Operation *op) {
  Among who = isa<BarrierOp>(op) ? Among::Group : Among::Subgroup;
  for (Operation *outer = op->getParentOp(); outer && !isa<ParallelOp>(outer);
       outer = outer->getParentOp()) {
    if (auto branch = dyn_cast<IfOp>(outer))
      if (auto compare = branch.getCondition().getDefiningOp<CompareOp>();
          compare && isProof(uniformity, compare, who))
        return true;
    if (auto loop = dyn_cast<ForOp>(outer); loop && isProof(uniformity, loop, who))
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
                          [&](Value v) { return uniformity.of(v).spread == Spread::Lane; }))
      report({Divergence::Operand, op});
  });
}
