#include "backend/cpu/MatmulKernel.h"
#include "backend/cpu/Passes.h"

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
    getOperation().walk([&](linalg::MatmulOp op) {
      schedule::Contraction choice =
          schedule::chooseContraction(cpu::sizesOf(op.getDpsInputs()), {lanes});
      op->setAttr(schedule::scheduleAttr, choice.toAttribute(getContext()));
    });
  }
};

} // namespace
