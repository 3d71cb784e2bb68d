#include "backend/cpu/MatmulKernel.h"
#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERCONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

int64_t numberOf(DictionaryAttr schedule, StringRef name) { return cast<IntegerAttr>(schedule.get(name)).getInt(); }

/// Kernels read and write whole vectors: neighbours in a row must be neighbours in memory.
bool hasDenseRows(Value buffer) {
  auto [strides, offset] = cast<MemRefType>(buffer.getType()).getStridesAndOffset();
  return strides.back() == 1;
}

struct LowerContractions final : cpu::impl::LowerContractionsBase<LowerContractions> {
  void runOnOperation() override {
    SmallVector<linalg::MatmulOp> ops;
    getOperation().walk([&](linalg::MatmulOp op) { ops.push_back(op); });
    for (linalg::MatmulOp op : ops)
      lower(op);
  }

  void lower(linalg::MatmulOp op) {
    auto schedule = op->getAttrOfType<DictionaryAttr>(cpu::scheduleAttr);
    if (!schedule)
      return lowerNaively(op);
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1], result = op.getDpsInits()[0];
    if (!llvm::all_of(ValueRange{lhs, rhs, result}, hasDenseRows)) {
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(getElementTypeOrSelf(result)));
      linalg::FillOp::create(b, zero, result);
      return lowerNaively(op);
    }
    if (cast<StringAttr>(schedule.get("kernel")).getValue() == "unrolled")
      cpu::emitUnrolledMatmul(b, lhs, rhs, result, numberOf(schedule, "lanes"));
    else
      callBlocked(b, schedule, {lhs, rhs, result});
    op.erase();
  }

  /// One function serves all products of a schedule.
  void callBlocked(ImplicitLocOpBuilder &b, DictionaryAttr schedule, ArrayRef<Value> operands) {
    Type element = getElementTypeOrSelf(operands[0]);
    func::FuncOp &kernel = kernels[{schedule, element}];
    if (!kernel) {
      cpu::MatmulSchedule numbers{numberOf(schedule, "lanes"), numberOf(schedule, "rows"), numberOf(schedule, "vectors"),
                                  numberOf(schedule, "depth"), numberOf(schedule, "width")};
      kernel = cpu::emitBlockedMatmul(getOperation(), "matmul." + std::to_string(kernels.size() - 1), element, numbers);
    }
    SmallVector<Value> arguments;
    for (Value operand : operands)
      arguments.push_back(memref::CastOp::create(b, cpu::blockedOperandType(element), operand));
    func::CallOp::create(b, kernel, arguments);
  }

  /// acc = fma(a, b, acc), k innermost and ascending: the oracle's form.
  void lowerNaively(linalg::MatmulOp op) {
    OpBuilder b(op);
    auto body = [](OpBuilder &nested, Location loc, ValueRange v) {
      Value next = isa<FloatType>(v[2].getType())
                       ? Value(math::FmaOp::create(nested, loc, v[0], v[1], v[2]))
                       : arith::AddIOp::create(nested, loc, v[2], arith::MulIOp::create(nested, loc, v[0], v[1]));
      linalg::YieldOp::create(nested, loc, next);
    };
    linalg::GenericOp::create(b, op.getLoc(), TypeRange{}, op.getDpsInputs(), op.getDpsInits(), op.getIndexingMapsArray(),
                              op.getIteratorTypesArray(), body);
    op.erase();
  }

  llvm::DenseMap<std::pair<Attribute, Type>, func::FuncOp> kernels;
};

} // namespace
