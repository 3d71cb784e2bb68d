#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "transform/Passes.h"
#include "transform/Sizes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_REFINELOOPTYPES
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// The type of a carried tensor with the sizes that are known before the loop and that it keeps.
RankedTensorType refinedType(tessera::transform::SizeAnalysis &sizes, scf::ForOp loop,
                             unsigned carried) {
  auto type = dyn_cast<RankedTensorType>(loop.getRegionIterArg(carried).getType());
  if (!type || type.hasStaticShape())
    return {};
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    auto [of, value] = sizes.sizeOf(loop.getInitArgs()[carried], dim);
    if (!of && sizes.isKept(loop, carried, dim))
      shape[dim] = value;
  }
  auto refined = RankedTensorType::get(shape, type.getElementType());
  return refined == type ? RankedTensorType() : refined;
}

struct RefineLoopTypes final : tessera::transform::impl::RefineLoopTypesBase<RefineLoopTypes> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      refine(loop);
  }

  /// Casts the carried tensor to its refined type before the loop, and back inside.
  void refine(scf::ForOp loop) {
    for (unsigned carried = 0; carried < loop.getNumRegionIterArgs(); ++carried) {
      tessera::transform::SizeAnalysis sizes;
      RankedTensorType type = refinedType(sizes, loop, carried);
      if (!type)
        continue;
      IRRewriter rewriter(loop);
      Value init =
          tensor::CastOp::create(rewriter, loop.getLoc(), type, loop.getInitArgs()[carried]);
      auto castBack = [](OpBuilder &b, Location loc, Type to, Value value) -> Value {
        return tensor::CastOp::create(b, loc, to, value);
      };
      SmallVector<Value> replacements = scf::replaceAndCastForOpIterArg(
          rewriter, loop, *loop.getTiedLoopInit(loop.getRegionIterArg(carried)), init, castBack);
      // Either the new loop's result or a cast of it.
      Value result = replacements[carried];
      if (auto cast = result.getDefiningOp<tensor::CastOp>())
        result = cast.getSource();
      auto refined = cast<scf::ForOp>(result.getDefiningOp());
      rewriter.replaceOp(loop, replacements);
      loop = refined;
    }
  }
};

} // namespace
