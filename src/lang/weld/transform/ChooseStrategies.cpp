#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_CHOOSESTRATEGIES
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

/// More keys than this do not fit the caches.
static constexpr int64_t manyKeys = 1 << 18;

static Strategy strategyOfAppender(MergeCount merges) {
  return merges == MergeCount::Once         ? Strategy::Indexed
         : merges == MergeCount::AtMostOnce ? Strategy::Compress
                                            : Strategy::General;
}

/// Whether the only merge is of `{i, x}`, where i is the number of the iteration: a map.
static bool mergesAtIndex(ForOp loop, unsigned builder) {
  auto merge = loop.yield().getValues()[builder].getDefiningOp<MergeOp>();
  if (!merge || merge.getTarget() != loop.builderArguments()[builder])
    return false;
  auto pair = merge.getValue().getDefiningOp<MakeStructOp>();
  return pair && pair.getFields()[0] == loop.index();
}

static Strategy strategyOfDict(ForOp loop, unsigned builder, Type key) {
  auto fresh = loop.getBuilders()[builder].getDefiningOp<NewBuilderOp>();
  StringRef wanted = fresh ? annotation(fresh, "impl") : "";
  if (wanted == "local")
    return Strategy::Local;
  if (wanted == "global" || wanted == "partitioned")
    return Strategy::Partitioned;
  if (auto keys = fresh ? annotatedNumber(fresh, "num_keys") : std::nullopt)
    return *keys < manyKeys ? Strategy::Local : Strategy::Partitioned;
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
