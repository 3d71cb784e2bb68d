#include "core/Build.h"
#include "transform/Passes.h"
#include "transform/Sizes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::transform {
#define GEN_PASS_DEF_TRAPCONTRADICTIONS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Two sizes that must be equal.
struct Contradiction {
  int64_t first, second;
};

std::optional<int64_t> constantSize(transform::SizeAnalysis &sizes, Value tensor, int64_t dim) {
  auto [of, value] = sizes.sizeOf(tensor, dim);
  return of ? std::nullopt : std::optional(value);
}

/// Finds operands that give one loop of an operation different sizes.
std::optional<Contradiction> contradictionIn(transform::SizeAnalysis &sizes, linalg::LinalgOp op) {
  SmallVector<std::optional<int64_t>> ranges(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      std::optional<int64_t> size = constantSize(sizes, operand.get(), dim);
      if (!loop || !size)
        continue;
      std::optional<int64_t> &range = ranges[loop.getPosition()];
      if (range && *range != *size)
        return Contradiction{*range, *size};
      range = size;
    }
  }
  return std::nullopt;
}

/// Finds a cast to a size that the tensor does not have.
std::optional<Contradiction> contradictionIn(transform::SizeAnalysis &sizes, tensor::CastOp cast) {
  auto to = dyn_cast<RankedTensorType>(cast.getType());
  if (!to || !isa<RankedTensorType>(cast.getSource().getType()))
    return std::nullopt;
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    std::optional<int64_t> size = constantSize(sizes, cast.getSource(), dim);
    if (!to.isDynamicDim(dim) && size && *size != to.getDimSize(dim))
      return Contradiction{*size, to.getDimSize(dim)};
  }
  return std::nullopt;
}

/// A value of the type, for code after a trap.
Value placeholder(OpBuilder &b, Location loc, RankedTensorType type) {
  SmallVector<Value> sizes(type.getNumDynamicDims(), core::constantIndex(b, loc, 0));
  return tensor::EmptyOp::create(b, loc, type, sizes);
}

struct TrapContradictions final : transform::impl::TrapContradictionsBase<TrapContradictions> {
  void runOnOperation() override {
    transform::SizeAnalysis sizes;
    SmallVector<std::pair<Operation *, Contradiction>> found;
    getOperation().walk([&](Operation *op) {
      std::optional<Contradiction> contradiction;
      if (auto cast = dyn_cast<tensor::CastOp>(op))
        contradiction = contradictionIn(sizes, cast);
      else if (auto structured = dyn_cast<linalg::LinalgOp>(op);
               structured && structured.hasPureTensorSemantics())
        contradiction = contradictionIn(sizes, structured);
      if (contradiction)
        found.push_back({op, *contradiction});
    });
    core::Sites sites(getOperation());
    for (auto [op, contradiction] : found)
      replace(op, contradiction, sites);
    sites.attach();
  }

  void replace(Operation *op, Contradiction contradiction, core::Sites &sites) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    Value always = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value first = core::constantIndex(b, loc, contradiction.first);
    Value second = core::constantIndex(b, loc, contradiction.second);
    core::trapIf(b, sites, always, {loc, "sizes differ: {0} and {1}", ""}, {first, second});
    for (Value result : op->getResults())
      result.replaceAllUsesWith(placeholder(b, loc, cast<RankedTensorType>(result.getType())));
    op->erase();
  }
};

} // namespace
