#include "schedule/FindKernels.h"
#include "core/Attributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "schedule/TileOrder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

/// Describes the loops over tiles together with the loops within a tile.
static ContractionShape shapeInTileOrder(const LoopGroups &groups, ArrayRef<int64_t> sizes) {
  auto sizeOfAll = [&](ArrayRef<Group> parts) {
    Group loops;
    for (const Group &part : parts)
      llvm::append_range(loops, part);
    return sizeOf(loops, sizes);
  };
  ArrayRef<Group> outer(groups.outer);
  SmallVector<Group> depth(groups.outerDepth);
  depth.push_back(groups.depth);
  ContractionShape shape{sizeOfAll({groups.row, outer[outer.size() - 2]}),
                         sizeOfAll({groups.column, outer.back()}), sizeOfAll(depth)};
  shape.outer = sizeOfAll(outer.drop_back(2));
  shape.isInTileOrder = true;
  return shape;
}

static Group depthLoopsOf(const LoopGroups &groups) {
  Group loops = groups.depth;
  for (const Group &group : groups.outerDepth)
    llvm::append_range(loops, group);
  return loops;
}

std::optional<ContractionShape> schedule::shapeOf(linalg::LinalgOp op,
                                                  const core::Contraction &contraction) {
  SmallVector<Access> accesses = accessesOf(op);
  SmallVector<int64_t> sizes = loopSizesOf(accesses);
  if (auto ordered = groupInTileOrder(contraction, accesses)) {
    ContractionShape shape = shapeInTileOrder(*ordered, sizes);
    shape.isNarrow = shape.isReorderable = true;
    shape.tiles = tilesFor(contraction, accesses);
    return shape;
  }
  auto groups = groupLoops(contraction, accesses);
  if (!groups)
    return std::nullopt;
  ContractionShape shape{sizeOf(groups->row, sizes), sizeOf(groups->column, sizes),
                         sizeOf(groups->depth, sizes)};
  Group outer;
  for (const Group &group : groups->outer)
    llvm::append_range(outer, group);
  shape.outer = sizeOf(outer, sizes);
  Type element = accesses[core::Result].type.getElementType();
  shape.elementBytes = element.getIntOrFloatBitWidth() / 8;
  shape.isNarrow = llvm::any_of(contraction.widenings, [](core::Widening widening) {
    return widening != core::Widening::None;
  });
  shape.isReorderable = contraction.isReorderable;
  shape.tiles = tilesFor(contraction, accesses);
  shape.hasWindows = contraction.hasWindows;
  shape.wholeDepth = sizeOf(depthLoopsOf(*groups), sizes);
  shape.isDepthDense = !groups->depth.empty() &&
                       accesses[core::Lhs].isDenseAlong(groups->depth.back()) &&
                       accesses[core::Rhs].isDenseAlong(groups->depth.back());
  if (groups->column.empty())
    return shape;
  unsigned lane = groups->column.back();
  auto [lhs, rhs] =
      groups->isSwapped ? std::pair(core::Rhs, core::Lhs) : std::pair(core::Lhs, core::Rhs);
  shape.isRhsDense = accesses[rhs].isDenseAlong(lane);
  shape.isLhsSpread = !accesses[lhs].isUsedBy(lane);
  shape.isLhsDense = shape.isLhsSpread || accesses[lhs].isDenseAlong(lane);
  auto bytesAlong = [&](core::Operand operand, const Group &loops) -> int64_t {
    int64_t stride = loops.empty() ? 0 : accesses[operand].strideOf(loops.back());
    return ShapedType::isDynamic(stride) ? 0 : stride * shape.elementBytes;
  };
  shape.lhsStride = bytesAlong(lhs, groups->row);
  shape.rhsStride = bytesAlong(rhs, groups->depth);
  shape.lhsStep = bytesAlong(lhs, groups->depth);
  shape.canBeAcross = accesses[lhs].map.isProjectedPermutation() &&
                      groupLoops(contraction, accesses, /*isAcross=*/true);
  return shape;
}

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(type);
  return text;
}

/// The types, followed by a word for each property that differs from a plain product.
static std::string kindOf(linalg::LinalgOp op, const core::Contraction &contraction,
                          const ContractionShape &shape) {
  auto type = [&](core::Operand operand) { return typeText(op->getOperand(operand).getType()); };
  std::string kind = type(core::Lhs) + "*" + type(core::Rhs) + "+" + type(core::Result);
  struct Property {
    bool holds;
    StringLiteral name;
  };
  const Property properties[] = {
      {llvm::is_contained(contraction.widenings, core::Widening::Unsigned), "unsigned"},
      {contraction.accumulation == core::Accumulation::Fused, "fused"},
      {contraction.accumulation == core::Accumulation::Separate, "separate"},
      {contraction.isReorderable, "free-order"},
      {shape.isInTileOrder, "tile-order"},
      {shape.isDepthDense, "dense-depth"},
      {!shape.isRhsDense, "strided-rhs"},
      {!shape.isLhsSpread, "own-lhs"},
      {!shape.isLhsDense, "strided-lhs"}};
  for (auto [holds, name] : properties)
    if (holds)
      kind += "," + name.str();
  if (shape.hasWindows)
    kind += ",windows-" + sizeText(shape.wholeDepth);
  return kind;
}

static std::string functionOf(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto entry = function->getAttrOfType<StringAttr>(core::entryAttr);
  return (entry ? entry.getValue() : function.getSymName()).str();
}

std::vector<std::pair<linalg::LinalgOp, Kernel>> schedule::kernelsOf(ModuleOp module) {
  std::vector<std::pair<linalg::LinalgOp, Kernel>> kernels;
  module.walk([&](linalg::LinalgOp op) {
    auto attribute = op->getAttrOfType<DictionaryAttr>(scheduleAttr);
    std::optional<core::Contraction> contraction = core::matchContraction(op);
    if (!attribute || !contraction || !op->getParentOfType<func::FuncOp>())
      return;
    std::optional<ContractionShape> shape = shapeOf(op, *contraction);
    std::string error;
    std::optional<Contraction> model = Contraction::fromAttribute(attribute, error);
    if (!shape || !model)
      return;
    std::string function = functionOf(op);
    int64_t number =
        llvm::count_if(kernels, [&](auto &each) { return each.second.function == function; });
    kernels.push_back({op,
                       {function,
                        number,
                        kindOf(op, *contraction, *shape),
                        {shape->rows, shape->columns, shape->depth, shape->outer},
                        *model}});
  });
  return kernels;
}
