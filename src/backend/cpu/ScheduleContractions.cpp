#include "backend/cpu/Passes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_SCHEDULECONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Multiply-adds that may stand in the code one by one.
constexpr int64_t maxUnrolled = 512;

bool startsAtZero(linalg::MatmulOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.getInputs()[0], m_PosZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero()));
}

bool isSmall(linalg::MatmulOp op, int64_t lanes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (llvm::any_of(ranges, ShapedType::isDynamic) || llvm::is_contained(ranges, 0))
    return false;
  // In the order m, n, k; columns go by vectors.
  return ranges[0] * ((ranges[1] + lanes - 1) / lanes) * ranges[2] <= maxUnrolled && ranges[2] <= 32;
}

struct ScheduleContractions final : cpu::impl::ScheduleContractionsBase<ScheduleContractions> {
  using ScheduleContractionsBase::ScheduleContractionsBase;

  void runOnOperation() override { getOperation().walk([&](linalg::MatmulOp op) { schedule(op); }); }

  /// The kernels start from zero themselves, so the fill in front goes.
  void schedule(linalg::MatmulOp op) {
    if (!startsAtZero(op))
      return;
    auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    op.getDpsInitsMutable()[0].set(fill.getOutputs()[0]);
    if (fill->use_empty())
      fill.erase();
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
