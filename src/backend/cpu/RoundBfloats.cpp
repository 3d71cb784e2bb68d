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

bool roundsToBfloat(arith::TruncFOp op) {
  return getElementTypeOrSelf(op.getIn().getType()).isF32() &&
         getElementTypeOrSelf(op.getType()).isBF16();
}

/// A bfloat is the upper half of a float. Half a unit is added to the bits, less one where the unit
/// is even; a carry goes into the exponent, and from the largest number to infinity.
Value rounded(ImplicitLocOpBuilder &b, Value value) {
  Type word = withElement(value.getType(), b.getI32Type());
  auto constant = [&](int64_t number) -> Value {
    auto vector = dyn_cast<VectorType>(word);
    TypedAttr attribute = b.getI32IntegerAttr(int32_t(number));
    return arith::ConstantOp::create(
        b, vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(attribute))) : attribute);
  };
  Value bits = arith::BitcastOp::create(b, word, value), half = constant(16);
  Value upper = arith::ShRUIOp::create(b, bits, half);
  Value isOdd = arith::AndIOp::create(b, upper, constant(1));
  Value bias = arith::AddIOp::create(b, isOdd, constant(0x7fff));
  Value nearest = arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, bias), half);
  Value quiet = arith::OrIOp::create(b, upper, constant(0x40));
  // Of the bits, without the sign: LLVM would compare bfloats, and has no such vectors of every
  // size.
  Value magnitude = arith::ShLIOp::create(b, bits, constant(1));
  Value isNaN =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude, constant(0xff000000));
  Value chosen = arith::SelectOp::create(b, isNaN, quiet, nearest);
  Value low = arith::TruncIOp::create(b, withElement(word, b.getI16Type()), chosen);
  return arith::BitcastOp::create(b, withElement(word, b.getBF16Type()), low);
}

struct RoundBfloats final : tessera::cpu::impl::RoundBfloatsBase<RoundBfloats> {
  void runOnOperation() override {
    getOperation().walk([](arith::TruncFOp op) {
      if (!roundsToBfloat(op))
        return;
      ImplicitLocOpBuilder b(op.getLoc(), op);
      op.replaceAllUsesWith(rounded(b, op.getIn()));
      op.erase();
    });
  }
};

} // namespace
