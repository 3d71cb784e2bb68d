#include "backend/cpu/MatmulKernel.h"
#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_SCHEDULECONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Multiply-adds that may stand in the code one by one.
constexpr int64_t maxUnrolled = 512;

bool isSmall(linalg::MatmulOp op, int64_t lanes) {
  auto [rows, columns, depth] = cpu::MatmulSizes::of(op.getDpsInputs());
  bool isStatic = llvm::none_of(ArrayRef{rows, columns, depth}, ShapedType::isDynamic);
  return isStatic && rows * ((columns + lanes - 1) / lanes) * depth <= maxUnrolled && depth <= 32;
}

struct ScheduleContractions final : cpu::impl::ScheduleContractionsBase<ScheduleContractions> {
  using ScheduleContractionsBase::ScheduleContractionsBase;

  void runOnOperation() override { getOperation().walk([&](linalg::MatmulOp op) { schedule(op); }); }

  void schedule(linalg::MatmulOp op) {
    Builder b(&getContext());
    auto number = [&](StringRef name, int64_t value) { return b.getNamedAttr(name, b.getI64IntegerAttr(value)); };
    bool isWide = lanes >= 16;
    if (isSmall(op, lanes))
      op->setAttr(cpu::scheduleAttr, b.getDictionaryAttr({b.getNamedAttr("kernel", b.getStringAttr("unrolled")), number("lanes", lanes)}));
    else
      op->setAttr(cpu::scheduleAttr,
                  b.getDictionaryAttr({b.getNamedAttr("kernel", b.getStringAttr("blocked")), number("lanes", lanes),
                                       number("rows", isWide ? 14 : 6), number("vectors", 2), number("depth", 256),
                                       number("width", 1024)}));
  }
};

} // namespace
