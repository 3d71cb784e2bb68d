#include "lang/weld/ir/Sizes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera::weld::ir;
namespace ir = tessera::weld::ir;

std::optional<int64_t> ir::constantInt(Value value) {
  IntegerAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || attr.getValue().getBitWidth() > 64)
    return std::nullopt;
  auto type = cast<IntegerType>(attr.getType());
  return type.isUnsigned()      ? static_cast<int64_t>(attr.getValue().getZExtValue())
         : type.getWidth() == 1 ? attr.getValue().getBoolValue()
                                : attr.getValue().getSExtValue();
}

/// Whether the builder of a `result` was empty before the loop.
static bool isFresh(Value builder) {
  return builder.getDefiningOp<NewBuilderOp>() != nullptr;
}

/// The size of an appender into which a loop merges once per iteration.
static std::optional<Count> countOfLoop(Value builder) {
  auto loop = builder.getDefiningOp<ForOp>();
  if (!loop || !isa<AppenderType>(builder.getType()) || !loop.getMerges())
    return std::nullopt;
  unsigned number = cast<OpResult>(builder).getResultNumber();
  auto merges = cast<MergeCountAttr>((*loop.getMerges())[number]);
  if (merges.getValue() != MergeCount::Once || !isFresh(loop.getBuilders()[number]))
    return std::nullopt;
  for (const IteratorOperands &iterator : loop.iteratorList())
    if (std::optional<Count> count = countOf(iterator))
      return count;
  return std::nullopt;
}

Count ir::countOf(Value vec) {
  if (auto make = vec.getDefiningOp<MakeVecOp>())
    return {make.getElements().size(), {}};
  if (auto string = vec.getDefiningOp<StringOp>())
    return {string.getBytes().size(), {}};
  if (auto sort = vec.getDefiningOp<SortOp>())
    return countOf(sort.getVec());
  if (auto result = vec.getDefiningOp<ResultOp>()) {
    if (std::optional<Count> count = countOfLoop(result.getTarget()))
      return *count;
    if (isa<VecMergerType>(result.getTarget().getType()))
      if (auto fresh = result.getTarget().getDefiningOp<NewBuilderOp>())
        return countOf(fresh.getArgument());
  }
  return {std::nullopt, vec};
}

/// `rangeiter(0L, len(v), 1L)`, or one whose bounds are numbers.
static std::optional<Count> countOfRange(Value start, Value end, Value stride) {
  std::optional<int64_t> from = constantInt(start), to = constantInt(end),
                         step = constantInt(stride);
  if (!from || !step || *step <= 0)
    return std::nullopt;
  if (auto length = end.getDefiningOp<LenOp>())
    if (*from == 0 && *step == 1 && isa<VecType>(length.getCollection().getType()))
      return countOf(length.getCollection());
  if (!to || *from < 0 || *to < *from)
    return std::nullopt;
  return Count{*from == *to ? 0 : (*to - *from - 1) / *step + 1, {}};
}

std::optional<Count> ir::countOf(const IteratorOperands &iterator) {
  if (iterator.kind == IteratorKind::Plain)
    return countOf(iterator.data());
  if (iterator.kind == IteratorKind::Range)
    return countOfRange(iterator.operands[0], iterator.operands[1], iterator.operands[2]);
  return std::nullopt;
}

bool ir::haveSameCount(ArrayRef<IteratorOperands> iterators) {
  const IteratorOperands &first = iterators.front();
  std::optional<Count> count = countOf(first);
  bool isWhole = first.kind == IteratorKind::Simd || first.kind == IteratorKind::Fringe;
  if (!count && !isWhole)
    return false;
  return llvm::all_of(iterators.drop_front(), [&](const IteratorOperands &other) {
    return first.isSameAs(other) || (count && countOf(other) == count);
  });
}
