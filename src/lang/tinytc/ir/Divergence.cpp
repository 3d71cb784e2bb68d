#include "lang/tinytc/ir/Divergence.h"
#include "lang/tinytc/ir/Compare.h"
#include "lang/tinytc/ir/Uniformity.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tessera::tinytc::ir;
namespace ir = tessera::tinytc::ir;

StringRef ir::describe(Divergence::Kind kind) {
  static constexpr const char *texts[] = {
      "not all work-items of the work-group reach this barrier",
      "not all work-items of the subgroup reach this operation on matrices",
      "an operand that must be the same in the whole subgroup differs among its work-items",
  };
  return texts[kind];
}

/// The values in the lanes of each subgroup; nullopt if they are unknown. The range over all
/// work-items and times holds for every subgroup at any time if it is only as wide as one subgroup.
static std::optional<std::pair<int64_t, int64_t>> rangeOfLanes(const Form &form, Operation *op) {
  if (form.spread != Spread::Lane || !form.range)
    return std::nullopt;
  int64_t size = subgroupSizeOf(op->getParentOfType<mlir::func::FuncOp>());
  uint64_t width = uint64_t(form.range->second) - uint64_t(form.range->first);
  bool isOne = width == std::abs(form.stride) * uint64_t(size - 1);
  return isOne ? form.range : std::nullopt;
}

/// Whether a comparison of a value with such lanes and a number is true for some lanes and false
/// for others. Values that vary in another way may happen to be equal.
static bool isProof(const Uniformity &uniformity, CompareOp compare) {
  Form left = uniformity.of(compare.getLhs()), right = uniformity.of(compare.getRhs());
  bool isLeft = left.spread == Spread::Lane;
  const Form &lane = isLeft ? left : right, &bound = isLeft ? right : left;
  auto range = rangeOfLanes(lane, compare);
  if (!range || !bound.range || bound.range->first != bound.range->second)
    return false;
  int64_t number = bound.range->first;
  auto isTrueFor = [&](int64_t at) {
    return compareAs(compare.getFunction(), isLeft ? at : number, isLeft ? number : at);
  };
  bool isOne = range->first <= number && number <= range->second &&
               (uint64_t(number) - uint64_t(range->first)) % std::abs(lane.stride) == 0;
  bool asksForOne =
      compare.getFunction() == Compare::Equal || compare.getFunction() == Compare::NotEqual;
  return asksForOne ? isOne : isTrueFor(range->first) != isTrueFor(range->second);
}

static uint64_t iterationsOf(int64_t first, int64_t end, int64_t step) {
  return end <= first ? 0 : (uint64_t(end) - uint64_t(first) - 1) / step + 1;
}

/// Whether work-items of a subgroup run different numbers of iterations, comparing those with the
/// first and the last value of a bound that differs among them. If the other bound is unknown, they
/// do unless none runs any, provided that the step does not exceed the difference.
static bool isProof(const Uniformity &uniformity, ForOp loop) {
  Form from = uniformity.of(loop.getFrom()), to = uniformity.of(loop.getTo());
  std::optional<int64_t> step = loop.getStep() ? constantInt(loop.getStep()) : 1;
  bool differsAtEnd = to.spread == Spread::Lane;
  const Form &other = differsAtEnd ? from : to;
  auto range = rangeOfLanes(differsAtEnd ? to : from, loop);
  if (!range || !step || *step <= 0 || other.spread > Spread::Subgroup)
    return false;
  std::optional<int64_t> known = constantInt(differsAtEnd ? loop.getFrom() : loop.getTo());
  if (!known)
    return uint64_t(range->second) - uint64_t(range->first) >= uint64_t(*step);
  auto iterations = [&](int64_t lane) {
    return differsAtEnd ? iterationsOf(*known, lane, *step) : iterationsOf(lane, *known, *step);
  };
  return iterations(range->first) != iterations(range->second);
}

static bool isProof(const Uniformity &uniformity, IfOp branch) {
  auto compare = branch.getCondition().getDefiningOp<CompareOp>();
  return compare && isProof(uniformity, compare);
}

/// Whether the last iterations leave out work-items that must reach `op`: the first variable runs
/// along the lanes, and then along the subgroups.
static bool isProof(ForeachOp loop, Operation *op) {
  auto function = loop->getParentOfType<mlir::func::FuncOp>();
  int64_t together = subgroupSizeOf(function);
  if (isa<BarrierOp>(op))
    together *= numSubgroupsOf(function);
  SmallVector<uint64_t> counts;
  for (auto [from, to] : llvm::zip_equal(loop.getFrom(), loop.getTo())) {
    std::optional<int64_t> first = constantInt(from), last = constantInt(to);
    if (!first || !last || *last <= *first)
      return false;
    counts.push_back(uint64_t(*last) - uint64_t(*first));
  }
  return counts.front() % together != 0;
}

/// The value in a subgroup, if it is a number or that of the subgroup; otherwise nullopt.
static std::optional<int64_t> valueIn(int64_t subgroup, Value value) {
  auto builtin = value.getDefiningOp<BuiltinOp>();
  bool isNumber = builtin && builtin.getKind() == Builtin::SubgroupId;
  return isNumber ? std::optional(subgroup) : constantInt(value);
}

/// Whether the number of times that a subgroup runs a region is known, and not the same for all.
static bool partsSubgroups(Operation *op,
                           function_ref<std::optional<int64_t>(int64_t subgroup)> timesOf) {
  int64_t count = numSubgroupsOf(op->getParentOfType<mlir::func::FuncOp>());
  std::optional<int64_t> first = timesOf(0);
  return first && llvm::any_of(llvm::seq<int64_t>(1, count),
                               [&](int64_t subgroup) { return timesOf(subgroup) != first; });
}

static bool partsSubgroups(IfOp branch) {
  auto compare = branch.getCondition().getDefiningOp<CompareOp>();
  return compare && partsSubgroups(branch, [&](int64_t subgroup) -> std::optional<int64_t> {
           auto left = valueIn(subgroup, compare.getLhs());
           auto right = valueIn(subgroup, compare.getRhs());
           if (!left || !right)
             return std::nullopt;
           return compareAs(compare.getFunction(), *left, *right);
         });
}

static bool partsSubgroups(ForOp loop) {
  std::optional<int64_t> step = loop.getStep() ? constantInt(loop.getStep()) : 1;
  return partsSubgroups(loop, [&](int64_t subgroup) -> std::optional<int64_t> {
    auto from = valueIn(subgroup, loop.getFrom()), to = valueIn(subgroup, loop.getTo());
    if (!from || !to || !step || *step <= 0)
      return std::nullopt;
    return iterationsOf(*from, *to, *step);
  });
}

/// Whether work-items part provably around the operation, up to its SPMD region.
static bool isProvablyParted(const Uniformity &uniformity, Operation *op) {
  for (Operation *outer = op->getParentOp(); outer && !isa<ParallelOp>(outer);
       outer = outer->getParentOp()) {
    if (auto loop = dyn_cast<ForeachOp>(outer))
      return isProof(loop, op);
    if (auto branch = dyn_cast<IfOp>(outer))
      if (isProof(uniformity, branch) || (isa<BarrierOp>(op) && partsSubgroups(branch)))
        return true;
    auto loop = dyn_cast<ForOp>(outer);
    if (loop && isProof(uniformity, loop))
      return true;
    bool isOwnBarrier = isa<BarrierOp>(op) && outer == op->getParentOp();
    if (loop && isOwnBarrier && partsSubgroups(loop))
      return true;
  }
  return false;
}

/// Whether a value, or the memory that it refers to, differs among lanes.
static bool differs(const Uniformity &uniformity, Value value) {
  auto doDiffer = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value each) { return differs(uniformity, each); });
  };
  if (uniformity.of(value).spread == Spread::Lane)
    return true;
  if (auto cast = value.getDefiningOp<CastOp>(); cast && isa<FloatType>(value.getType()))
    return differs(uniformity, cast.getOperand());
  if (auto load = value.getDefiningOp<LoadOp>(); load && isa<MemrefType>(value.getType()))
    return doDiffer(load.getIndices());
  if (auto view = value.getDefiningOp<SubviewOp>())
    return doDiffer(view.getOffsets()) || differs(uniformity, view.getOperand());
  if (auto view = value.getDefiningOp<ExpandOp>())
    return differs(uniformity, view.getOperand());
  if (auto view = value.getDefiningOp<FuseOp>())
    return differs(uniformity, view.getOperand());
  return false;
}

static bool usesMatrix(Operation *op) {
  auto isMatrix = [](Type type) { return isa<CoopMatrixType>(type); };
  return llvm::any_of(op->getOperandTypes(), isMatrix) ||
         (isa<CoopLoadOp>(op) && llvm::any_of(op->getResultTypes(), isMatrix));
}

/// The operands that the language requires to be dynamically uniform.
static SmallVector<Value> uniformOperands(Operation *op) {
  if (auto load = dyn_cast<CoopLoadOp>(op))
    return {load.getSource(), load.getRow(), load.getColumn()};
  if (auto store = dyn_cast<CoopStoreOp>(op))
    return {store.getTarget(), store.getRow(), store.getColumn()};
  if (auto scale = dyn_cast<CoopScaleOp>(op))
    return {scale.getScalar()};
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return {broadcast.getLane()};
  return {};
}

/// Whether not all work-items of a subgroup agree on a branch or loop whose result is a matrix.
static bool givesPartedMatrix(const Uniformity &uniformity, Operation *op) {
  if (!llvm::any_of(op->getResultTypes(), [](Type type) { return isa<CoopMatrixType>(type); }))
    return false;
  auto branch = dyn_cast<IfOp>(op);
  auto loop = dyn_cast<ForOp>(op);
  return (branch && isProof(uniformity, branch)) || (loop && isProof(uniformity, loop));
}

void ir::findDivergence(Operation *function, function_ref<void(const Divergence &)> report) {
  Uniformity uniformity(function);
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isInSpmdRegion(op) || isa<YieldOp>(op))
      return;
    bool needsAll = op->getNumRegions() == 0 && (isa<BarrierOp>(op) || usesMatrix(op));
    if (needsAll && isProvablyParted(uniformity, op))
      report({isa<BarrierOp>(op) ? Divergence::Barrier : Divergence::Matrix, op});
    else if (givesPartedMatrix(uniformity, op))
      report({Divergence::Matrix, op});
    else if (llvm::any_of(uniformOperands(op), [&](Value v) { return differs(uniformity, v); }))
      report({Divergence::Operand, op});
  });
}
