#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_CHOOSESTRATEGIES
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

static Strategy strategyOfAppender(MergeCount merges) {
  return merges == MergeCount::Once         ? Strategy::Indexed
         : merges == MergeCount::AtMostOnce ? Strategy::Compress
                                            : Strategy::General;
}

/// Whether the only merge is of `{i, x}`, i being the number of the iteration: a map.
static bool mergesAtIndex(ForOp loop, unsigned builder) {
  auto merge = loop.yield().getValues()[builder].getDefiningOp<MergeOp>();
  if (!merge || merge.getTarget() != loop.builderArguments()[builder])
    return false;
  auto pair = merge.getValue().getDefiningOp<MakeStructOp>();
  return pair && pair.getFields()[0] == loop.index();
}

/// The annotations of the builder that the loop was given, if that is known.
static StringRef annotationOf(ForOp loop, unsigned builder, StringRef name) {
  auto fresh = loop.getBuilders()[builder].getDefiningOp<NewBuilderOp>();
  return fresh ? annotation(fresh, name) : "";
}

static Strategy strategyOfDict(ForOp loop, unsigned builder, Type key) {
  StringRef wanted = annotationOf(loop, builder, "impl");
  if (wanted == "local")
    return Strategy::Local;
  if (wanted == "global" || wanted == "partitioned")
    return Strategy::Partitioned;
  auto integer = dyn_cast<IntegerType>(key);
  return integer && integer.getWidth() <= 8 ? Strategy::Dense : Strategy::Adaptive;
}

static Strategy choose(ForOp loop, unsigned builder) {
  Type type = loop.getBuilders()[builder].getType();
  auto merges = cast<MergeCountAttr>((*loop.getMerges())[builder]).getValue();
  if (isa<AppenderType>(type))
    return strategyOfAppender(merges);
  if (isa<MergerType>(type))
    return Strategy::Accumulate;
  if (isa<VecMergerType>(type))
    return mergesAtIndex(loop, builder) ? Strategy::Map : Strategy::Scatter;
  if (auto dict = dyn_cast<DictMergerType>(type))
    return strategyOfDict(loop, builder, dict.getKey());
  return merges == MergeCount::Many ? Strategy::General : Strategy::Count;
}

namespace {

struct ChooseStrategies : transform::impl::ChooseStrategiesBase<ChooseStrategies> {
  void runOnOperation() override {
    getOperation().walk([](ForOp loop) {
      if (!loop.getMerges())
        return;
      SmallVector<Attribute> strategies;
      for (unsigned builder = 0; builder < loop.numBuilders(); ++builder)
        strategies.push_back(StrategyAttr::get(loop.getContext(), choose(loop, builder)));
      loop.setStrategiesAttr(ArrayAttr::get(loop.getContext(), strategies));
    });
  }
};

} // namespace
