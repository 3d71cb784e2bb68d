#include "backend/cpu/MatmulKernel.h"
#include "backend/cpu/Passes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERCONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Kernels read and write whole vectors: neighbours in a row must be neighbours in memory.
bool hasDenseRows(Value buffer) {
  auto [strides, offset] = cast<MemRefType>(buffer.getType()).getStridesAndOffset();
  return strides.back() == 1;
}

/// The fill with zero right in front, of the buffer that the product is added to.
linalg::FillOp zeroFillOf(linalg::MatmulOp op) {
  auto fill = dyn_cast_or_null<linalg::FillOp>(op->getPrevNode());
  if (!fill || fill.getOutputs()[0] != op.getDpsInits()[0])
    return {};
  Value value = fill.getInputs()[0];
  return matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero()) ? fill
                                                                                : linalg::FillOp();
}

struct LowerContractions final : cpu::impl::LowerContractionsBase<LowerContractions> {
  void runOnOperation() override {
    SmallVector<linalg::MatmulOp> ops;
    getOperation().walk([&](linalg::MatmulOp op) { ops.push_back(op); });
    for (linalg::MatmulOp op : ops)
      lower(op);
  }

  void lower(linalg::MatmulOp op) {
    auto attribute = op->getAttrOfType<DictionaryAttr>(schedule::scheduleAttr);
    if (!attribute)
      return lowerNaively(op);
    SmallVector<Value> operands{op.getDpsInputs()[0], op.getDpsInputs()[1], op.getDpsInits()[0]};
    if (!llvm::all_of(operands, hasDenseRows))
      return lowerNaively(op);
    ImplicitLocOpBuilder b(op.getLoc(), op);
    linalg::FillOp fill = zeroFillOf(op);
    auto schedule = schedule::Contraction::fromAttribute(attribute);
    if (schedule.kernel == schedule::Contraction::Kernel::Unrolled)
      cpu::emitUnrolledMatmul(b, operands, cpu::sizesOf(operands), fill != nullptr, schedule.lanes);
    else
      callBlocked(b, attribute, operands, fill != nullptr);
    if (fill)
      fill.erase(); // The kernel starts from zero by itself.
    op.erase();
  }

  /// One function serves all products of a schedule.
  void callBlocked(ImplicitLocOpBuilder &b, DictionaryAttr schedule, ArrayRef<Value> operands,
                   bool startsAtZero) {
    Type element = getElementTypeOrSelf(operands[0]);
    func::FuncOp &kernel = kernels[{schedule, element}];
    if (!kernel)
      kernel =
          cpu::emitBlockedMatmul(getOperation(), "matmul." + std::to_string(kernels.size() - 1),
                                 element, schedule::Contraction::fromAttribute(schedule));
    SmallVector<Value> arguments;
    for (Value operand : operands)
      arguments.push_back(memref::CastOp::create(b, cpu::blockedOperandType(element), operand));
    arguments.push_back(arith::ConstantIntOp::create(b, startsAtZero, 1));
    func::CallOp::create(b, kernel, arguments);
  }

  /// acc = fma(a, b, acc), k innermost and ascending: the oracle's form.
  void lowerNaively(linalg::MatmulOp op) {
    OpBuilder b(op);
    auto body = [](OpBuilder &nested, Location loc, ValueRange v) {
      Value next = isa<FloatType>(v[2].getType())
                       ? Value(math::FmaOp::create(nested, loc, v[0], v[1], v[2]))
                       : arith::AddIOp::create(nested, loc, v[2],
                                               arith::MulIOp::create(nested, loc, v[0], v[1]));
      linalg::YieldOp::create(nested, loc, next);
    };
    linalg::GenericOp::create(b, op.getLoc(), TypeRange{}, op.getDpsInputs(), op.getDpsInits(),
                              op.getIndexingMapsArray(), op.getIteratorTypesArray(), body);
    op.erase();
  }

  llvm::DenseMap<std::pair<Attribute, Type>, func::FuncOp> kernels;
};

} // namespace
