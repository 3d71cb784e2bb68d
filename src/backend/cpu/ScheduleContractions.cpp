#include "backend/cpu/Passes.h"
#include "schedule/FindKernels.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_SCHEDULECONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

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
      if (!contraction || op->hasAttr(schedule::scheduleAttr) || // A schedule was given.
          !cpu::canSum(getElementTypeOrSelf(op.getDpsInits()[0].getType())))
        return;
      std::optional<schedule::ContractionShape> shape = schedule::shapeOf(op, *contraction);
      if (!shape)
        return;
      schedule::Contraction choice = schedule::chooseContraction(*shape, machine);
      // Only the kernel `inner` does not read vectors of lhs in place.
      if (shape->isLhsDense || choice.kernel == schedule::Contraction::Kernel::Inner)
        op->setAttr(schedule::scheduleAttr, choice.toAttribute(getContext()));
    });
  }
};

} // namespace
