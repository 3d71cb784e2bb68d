/// Converts to and from bfloat16 with integer operations. LLVM would turn the operations between an
/// extension and a rounding into bfloat16 instructions, which flush subnormal numbers to zero and
/// exist for few vector lengths; so it gets to see neither.
#include "backend/cpu/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace tessera::cpu {
#define GEN_PASS_DEF_ROUNDBFLOATS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

/// Whether the cast reinterprets bfloats as bits.
bool takesBits(arith::BitcastOp op) {
  return getElementTypeOrSelf(op.getIn().getType()).isBF16() && isa<VectorType>(op.getType()) &&
         getElementTypeOrSelf(op.getType()).isInteger(16);
}

bool roundsToBfloat(arith::TruncFOp op) {
  return getElementTypeOrSelf(op.getIn().getType()).isF32() &&
         getElementTypeOrSelf(op.getType()).isBF16();
}

/// Scalars are left to LLVM, which keeps track of values it has rounded across blocks.
bool extendsBfloat(arith::ExtFOp op) {
  auto vector = dyn_cast<VectorType>(op.getIn().getType());
  return vector && vector.getElementType().isBF16();
}

Value filled(ImplicitLocOpBuilder &b, Type type, int64_t number) {
  TypedAttr attribute = b.getI32IntegerAttr(int32_t(number));
  auto vector = dyn_cast<VectorType>(type);
  return arith::ConstantOp::create(
      b, vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(attribute))) : attribute);
}

/// The bits that the bfloats were made from, if in the same block: LLVM does not support all
/// vectors of bfloats, not even to pass them between blocks.
Value bitsOf(ImplicitLocOpBuilder &b, Value value) {
  Type type = withElement(value.getType(), b.getI16Type());
  auto made = value.getDefiningOp<arith::BitcastOp>();
  if (made && made.getIn().getType() == type)
    return made.getIn();
  return arith::BitcastOp::create(b, type, value);
}

/// A bfloat is the upper half of a float.
Value extended(ImplicitLocOpBuilder &b, Value value, Type type) {
  Type word = withElement(type, b.getI32Type());
  Value upper = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, word, bitsOf(b, value)),
                                      filled(b, word, 16));
  Value number = arith::BitcastOp::create(b, withElement(type, b.getF32Type()), upper);
  return number.getType() == type ? number : arith::ExtFOp::create(b, type, number);
}

/// Adds half a unit to the bits, less one if the unit is even; a carry goes into the exponent, and
/// turns the largest number into infinity.
Value rounded(ImplicitLocOpBuilder &b, Value value) {
  Type word = withElement(value.getType(), b.getI32Type());
  auto constant = [&](int64_t number) { return filled(b, word, number); };
  Value bits = arith::BitcastOp::create(b, word, value), half = constant(16);
  Value upper = arith::ShRUIOp::create(b, bits, half);
  Value isOdd = arith::AndIOp::create(b, upper, constant(1));
  Value bias = arith::AddIOp::create(b, isOdd, constant(0x7fff));
  Value nearest = arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, bias), half);
  Value quiet = arith::OrIOp::create(b, upper, constant(0x40));
  // Compares the bits without the sign: LLVM would compare bfloats, and does not support vectors of
  // every size.
  Value magnitude = arith::ShLIOp::create(b, bits, constant(1));
  Value isNaN =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude, constant(0xff000000));
  Value chosen = arith::SelectOp::create(b, isNaN, quiet, nearest);
  Value low = arith::TruncIOp::create(b, withElement(word, b.getI16Type()), chosen);
  return arith::BitcastOp::create(b, withElement(word, b.getBF16Type()), low);
}

struct RoundBfloats final : tessera::cpu::impl::RoundBfloatsBase<RoundBfloats> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      auto narrowing = dyn_cast<arith::TruncFOp>(op);
      auto widening = dyn_cast<arith::ExtFOp>(op);
      if (narrowing && roundsToBfloat(narrowing))
        op->replaceAllUsesWith(ValueRange(rounded(b, narrowing.getIn())));
      else if (widening && extendsBfloat(widening))
        op->replaceAllUsesWith(ValueRange(extended(b, widening.getIn(), widening.getType())));
      else if (auto bits = dyn_cast<arith::BitcastOp>(op);
               bits && takesBits(bits) && bits.getIn().getDefiningOp<arith::BitcastOp>())
        op->replaceAllUsesWith(ValueRange(bitsOf(b, bits.getIn())));
      else
        return;
      op->erase();
    });
  }
};

} // namespace
