#include "backend/cpu/Passes.h"
#include "schedule/Contraction.h"
#include "schedule/LoopGroups.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_SCHEDULECONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Both operands must have one type; a sum of floats must be free to be taken in parts.
schedule::Tiles tilesFor(ArrayRef<schedule::Access> accesses,
                         const core::Contraction &contraction) {
  auto elementOf = [&](core::Operand operand) { return accesses[operand].type.getElementType(); };
  Type lhs = elementOf(core::Lhs), sum = elementOf(core::Result);
  if (lhs != elementOf(core::Rhs) || !contraction.isReorderable)
    return schedule::Tiles::None;
  if (lhs.isBF16() && sum.isF32())
    return schedule::Tiles::Bfloat;
  return lhs.isInteger(8) && sum.isInteger(32) ? schedule::Tiles::Byte : schedule::Tiles::None;
}

schedule::Group depthLoopsOf(const schedule::LoopGroups &groups) {
  schedule::Group loops = groups.depth;
  for (const schedule::Group &group : groups.outerDepth)
    llvm::append_range(loops, group);
  return loops;
}

/// What the model has to know of a contraction on tensors.
std::optional<schedule::ContractionShape> shapeOf(linalg::LinalgOp op,
                                                  const core::Contraction &contraction) {
  SmallVector<schedule::Access> accesses = schedule::accessesOf(op);
  SmallVector<int64_t> sizes = schedule::loopSizesOf(accesses);
  auto groups = schedule::groupLoops(contraction, accesses);
  if (!groups)
    return std::nullopt;
  schedule::ContractionShape shape{schedule::sizeOf(groups->row, sizes),
                                   schedule::sizeOf(groups->column, sizes),
                                   schedule::sizeOf(groups->depth, sizes)};
  schedule::Group outer;
  for (const schedule::Group &group : groups->outer)
    llvm::append_range(outer, group);
  shape.outer = schedule::sizeOf(outer, sizes);
  Type element = accesses[core::Result].type.getElementType();
  shape.elementBytes = element.getIntOrFloatBitWidth() / 8;
  shape.isNarrow = llvm::any_of(contraction.widenings, [](core::Widening widening) {
    return widening != core::Widening::None;
  });
  shape.isReorderable = contraction.isReorderable;
  shape.tiles = tilesFor(accesses, contraction);
  shape.hasWindows = contraction.hasWindows;
  shape.wholeDepth = schedule::sizeOf(depthLoopsOf(*groups), sizes);
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
  shape.canBeAcross = accesses[lhs].map.isProjectedPermutation() &&
                      schedule::groupLoops(contraction, accesses, /*isAcross=*/true);
  return shape;
}

struct ScheduleContractions final : cpu::impl::ScheduleContractionsBase<ScheduleContractions> {
  using ScheduleContractionsBase::ScheduleContractionsBase;

  void runOnOperation() override {
    schedule::Machine machine;
    machine.vectorBytes = vectorBytes;
    machine.registers = vectorBytes >= 64 ? 32 : 16;
    machine.l1 = l1;
    machine.l2 = l2;
    machine.l3 = l3;
    machine.hasBfloatTiles = bfloatTiles;
    machine.hasByteTiles = byteTiles;
    getOperation().walk([&](linalg::LinalgOp op) {
      std::optional<core::Contraction> contraction = core::matchContraction(op);
      if (!contraction || op->hasAttr(schedule::scheduleAttr) || // Somebody knows better.
          !cpu::canSum(getElementTypeOrSelf(op.getDpsInits()[0].getType())))
        return;
      std::optional<schedule::ContractionShape> shape = shapeOf(op, *contraction);
      if (!shape)
        return;
      schedule::Contraction choice = schedule::chooseContraction(*shape, machine);
      // All but one kernel read vectors of lhs where they are.
      if (shape->isLhsDense || choice.kernel == schedule::Contraction::Kernel::Inner)
        op->setAttr(schedule::scheduleAttr, choice.toAttribute(getContext()));
    });
  }
};

} // namespace
