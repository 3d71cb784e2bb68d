/// The requirements of collective operations on their operands.
#include "lang/tinytc/ir/Dialect.h"

using namespace mlir;
using namespace tessera::tinytc::ir;

using Memref = TypedValue<MemrefType>;

SmallVector<Memref, 2> AxpbyOp::getInputs() {
  return {getA()};
}
SmallVector<Memref, 2> CumsumOp::getInputs() {
  return {getA()};
}
SmallVector<Memref, 2> SumOp::getInputs() {
  return {getA()};
}
SmallVector<Memref, 2> GemmOp::getInputs() {
  return {getA(), getB()};
}
SmallVector<Memref, 2> GemvOp::getInputs() {
  return {getA(), getB()};
}
SmallVector<Memref, 2> GerOp::getInputs() {
  return {getA(), getB()};
}
SmallVector<Memref, 2> HadamardOp::getInputs() {
  return {getA(), getB()};
}

SmallVector<bool, 2> AxpbyOp::getTransposes() {
  return {getTransA()};
}
SmallVector<bool, 2> CumsumOp::getTransposes() {
  return {};
}
SmallVector<bool, 2> SumOp::getTransposes() {
  return {getTransA()};
}
SmallVector<bool, 2> GemmOp::getTransposes() {
  return {getTransA(), getTransB()};
}
SmallVector<bool, 2> GemvOp::getTransposes() {
  return {getTransA()};
}
SmallVector<bool, 2> GerOp::getTransposes() {
  return {};
}
SmallVector<bool, 2> HadamardOp::getTransposes() {
  return {};
}

//===-- Types of elements -------------------------------------------------===//

static LogicalResult wantsPromotion(BlasOp op, StringRef what, Type from, Type to) {
  if (promotes(from, to))
    return success();
  return op->emitOpError("has ") << what << " of type " << from << ", which does not promote to "
                                 << to;
}

/// alpha <= f(inputs) <= output, and beta <= output.
static LogicalResult verifyElements(BlasOp op) {
  Type combined;
  for (Memref input : op.getInputs()) {
    Type element = input.getType().getElement();
    combined = combined ? promote(combined, element) : element;
    if (!combined)
      return op->emitOpError("has inputs whose types do not promote to each other");
  }
  Type output = op.getOutput().getType().getElement();
  if (failed(wantsPromotion(op, "alpha", op.getAlpha().getType(), combined)) ||
      failed(wantsPromotion(op, "inputs", combined, output)) ||
      failed(wantsPromotion(op, "beta", op.getBeta().getType(), output)))
    return failure();
  if (op.getAtomic() && !isConstant(op.getBeta(), 0) && !isConstant(op.getBeta(), 1))
    return op->emitOpError("is atomic, and beta is neither constant 0 nor 1");
  return success();
}

//===-- Orders and shapes -------------------------------------------------===//

static LogicalResult wantsOrder(BlasOp op, MemrefType type, int64_t least, int64_t most) {
  if (type.order() >= least && type.order() <= most)
    return success();
  return op->emitOpError("has an operand of order ") << type.order();
}

using Shape = SmallVector<int64_t, 2>;

static Shape shapeOf(MemrefType type, bool isTransposed = false) {
  Shape shape(type.getShape());
  if (isTransposed && shape.size() == 2)
    std::swap(shape[0], shape[1]);
  return shape;
}

static LogicalResult wantsShape(BlasOp op, ArrayRef<int64_t> shape, ArrayRef<int64_t> wanted) {
  if (shape == wanted)
    return success();
  return op->emitOpError("has sizes that do not fit");
}

LogicalResult AxpbyOp::verify() {
  MemrefType a = getA().getType(), b = getOutput().getType();
  if (failed(wantsOrder(*this, b, 0, 2)) ||
      failed(wantsShape(*this, shapeOf(a, getTransA()), b.getShape())))
    return failure();
  return verifyElements(*this);
}

LogicalResult CumsumOp::verify() {
  MemrefType a = getA().getType();
  if (int64_t(getMode()) < 0 || int64_t(getMode()) >= a.order())
    return emitOpError("has no mode ") << int64_t(getMode());
  if (failed(wantsShape(*this, a.getShape(), getOutput().getType().getShape())))
    return failure();
  return verifyElements(*this);
}

LogicalResult SumOp::verify() {
  MemrefType a = getA().getType(), b = getOutput().getType();
  if (failed(wantsOrder(*this, b, 0, 1)) ||
      failed(wantsOrder(*this, a, b.order() + 1, b.order() + 1)) ||
      failed(
          wantsShape(*this, b.getShape(), ArrayRef(shapeOf(a, getTransA())).take_front(b.order()))))
    return failure();
  return verifyElements(*this);
}

LogicalResult GemmOp::verify() {
  MemrefType a = getA().getType(), b = getB().getType(), c = getOutput().getType();
  for (MemrefType type : {a, b, c})
    if (failed(wantsOrder(*this, type, 2, 2)))
      return failure();
  Shape left = shapeOf(a, getTransA()), right = shapeOf(b, getTransB());
  if (failed(wantsShape(*this, left[1], right[0])) ||
      failed(wantsShape(*this, c.getShape(), {left[0], right[1]})))
    return failure();
  return verifyElements(*this);
}

LogicalResult GemvOp::verify() {
  MemrefType a = getA().getType(), b = getB().getType(), c = getOutput().getType();
  if (failed(wantsOrder(*this, a, 2, 2)) || failed(wantsOrder(*this, b, 1, 1)) ||
      failed(wantsOrder(*this, c, 1, 1)))
    return failure();
  Shape left = shapeOf(a, getTransA());
  if (failed(wantsShape(*this, left[1], b.rows())) || failed(wantsShape(*this, c.rows(), left[0])))
    return failure();
  return verifyElements(*this);
}

LogicalResult GerOp::verify() {
  MemrefType a = getA().getType(), b = getB().getType(), c = getOutput().getType();
  if (failed(wantsOrder(*this, a, 1, 1)) || failed(wantsOrder(*this, b, 1, 1)) ||
      failed(wantsShape(*this, c.getShape(), {a.rows(), b.rows()})))
    return failure();
  return verifyElements(*this);
}

LogicalResult HadamardOp::verify() {
  MemrefType a = getA().getType(), b = getB().getType(), c = getOutput().getType();
  if (failed(wantsOrder(*this, c, 1, 2)) || failed(wantsShape(*this, a.getShape(), c.getShape())) ||
      failed(wantsShape(*this, b.getShape(), c.getShape())))
    return failure();
  return verifyElements(*this);
}
