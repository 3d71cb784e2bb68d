/// Views, and loads and stores through them.
#include "lang/tinytc/ir/Dialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::tinytc::ir;

Value SubviewOp::getViewSource() {
  return getOperand();
}
Value ExpandOp::getViewSource() {
  return getOperand();
}
Value FuseOp::getViewSource() {
  return getOperand();
}

//===-- Builders and accessors --------------------------------------------===//

void SubviewOp::build(OpBuilder &builder, OperationState &state, MemrefType result, Value operand,
                      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  build(builder, state, result, operand, dynamicOffsets, dynamicSizes, staticOffsets, staticSizes);
}

void ExpandOp::build(OpBuilder &builder, OperationState &state, MemrefType result, Value operand,
                     int64_t mode, ArrayRef<OpFoldResult> factors) {
  SmallVector<Value> dynamicFactors;
  SmallVector<int64_t> staticFactors;
  dispatchIndexOpFoldResults(factors, dynamicFactors, staticFactors);
  build(builder, state, result, operand, mode, dynamicFactors, staticFactors);
}

SmallVector<OpFoldResult> SubviewOp::mixedOffsets() {
  return getMixedValues(getStaticOffsets(), getOffsets(), getContext());
}
SmallVector<OpFoldResult> SubviewOp::mixedSizes() {
  return getMixedValues(getStaticSizes(), getSizes(), getContext());
}
SmallVector<OpFoldResult> ExpandOp::mixedFactors() {
  return getMixedValues(getStaticFactors(), getFactors(), getContext());
}

SmallVector<int64_t> SubviewOp::keptModes() {
  SmallVector<int64_t> modes;
  for (int64_t mode = 0; mode < getOperand().getType().order(); ++mode)
    if (keepsMode(mode))
      modes.push_back(mode);
  return modes;
}

//===-- Verifiers ---------------------------------------------------------===//

static LogicalResult verifyView(Operation *op, MemrefType from, MemrefType to, int64_t order) {
  if (from.getElement() != to.getElement() || from.getSpace() != to.getSpace())
    return op->emitOpError("changes the element type or the address space");
  return to.order() == order ? success() : op->emitOpError("has a result of the wrong order");
}

static LogicalResult wantsSize(Operation *op, MemrefType type, int64_t mode, int64_t size) {
  if (type.size(mode) == size)
    return success();
  return op->emitOpError("has a result with the wrong size of mode ") << mode;
}

/// Checks a stride; a known one may become dynamic.
static LogicalResult wantsStride(Operation *op, MemrefType type, int64_t mode, int64_t stride) {
  if (type.stride(mode) == stride || type.stride(mode) == dynamic)
    return success();
  return op->emitOpError("has a result with the wrong stride of mode ") << mode;
}

/// Checks that modes of the operand outside of [first, last] are unchanged in the result, where
/// those after `last` are moved by `shift`.
static LogicalResult wantsOthersKept(Operation *op, MemrefType from, MemrefType to, int64_t first,
                                     int64_t last, int64_t shift) {
  for (int64_t mode = 0; mode < from.order(); ++mode) {
    if (mode >= first && mode <= last)
      continue;
    int64_t target = mode < first ? mode : mode + shift;
    if (failed(wantsSize(op, to, target, from.size(mode))) ||
        failed(wantsStride(op, to, target, from.stride(mode))))
      return failure();
  }
  return success();
}

static LogicalResult verifyList(Operation *op, ArrayRef<int64_t> numbers, size_t numDynamic) {
  if (size_t(llvm::count(numbers, dynamic)) != numDynamic)
    return op->emitOpError("has a list with the wrong number of values");
  for (int64_t number : numbers)
    if (number != dynamic && number < 0)
      return op->emitOpError("has a negative number in a list");
  return success();
}

LogicalResult SubviewOp::verify() {
  MemrefType from = getOperand().getType(), to = getType();
  if (failed(verifyList(*this, getStaticOffsets(), getOffsets().size())) ||
      failed(verifyList(*this, getStaticSizes(), getSizes().size())))
    return failure();
  if (int64_t(getStaticOffsets().size()) != from.order() ||
      int64_t(getStaticSizes().size()) != from.order())
    return emitOpError("does not have one slice per mode of its operand");
  SmallVector<int64_t> kept = keptModes();
  if (failed(verifyView(*this, from, to, kept.size())))
    return failure();
  for (auto [target, mode] : llvm::enumerate(kept))
    if (failed(wantsSize(*this, to, target, getStaticSizes()[mode])) ||
        failed(wantsStride(*this, to, target, from.stride(mode))))
      return failure();
  return success();
}

LogicalResult ExpandOp::verify() {
  MemrefType from = getOperand().getType(), to = getType();
  int64_t mode = getMode();
  if (failed(verifyList(*this, getStaticFactors(), getFactors().size())))
    return failure();
  if (mode < 0 || mode >= from.order() || numFactors() < 2)
    return emitOpError("has no such mode, or fewer than two factors");
  if (failed(verifyView(*this, from, to, from.order() + numFactors() - 1)) ||
      failed(wantsOthersKept(*this, from, to, mode, mode, numFactors() - 1)))
    return failure();
  int64_t stride = from.stride(mode), known = 1;
  for (auto [number, factor] : llvm::enumerate(getStaticFactors())) {
    if (failed(wantsSize(*this, to, mode + number, factor)) ||
        failed(wantsStride(*this, to, mode + number, stride)))
      return failure();
    stride = product(stride, factor);
    if (factor != dynamic)
      known = product(known, factor);
  }
  int64_t size = from.size(mode);
  bool isRight = size == known;
  if (!getFactors().empty() && known != dynamic)
    isRight = known ? size % known == 0 : size == 0;
  if (size != dynamic && !isRight)
    return emitOpError("has factors whose product is ") << known;
  return success();
}

LogicalResult FuseOp::verify() {
  MemrefType from = getOperand().getType(), to = getType();
  int64_t first = getFrom(), last = getTo();
  if (first < 0 || first >= last || last >= from.order())
    return emitOpError("fuses modes that do not exist");
  if (failed(verifyView(*this, from, to, from.order() - (last - first))) ||
      failed(wantsOthersKept(*this, from, to, first, last, first - last)))
    return failure();
  int64_t size = from.size(first);
  for (int64_t mode = first; mode < last; ++mode) {
    int64_t end = product(from.stride(mode), from.size(mode));
    if (end != dynamic && from.stride(mode + 1) != dynamic && end != from.stride(mode + 1))
      return emitOpError("fuses modes with a gap between them");
    size = product(size, from.size(mode + 1));
  }
  if (failed(wantsSize(*this, to, first, size)))
    return failure();
  return wantsStride(*this, to, first, from.stride(first));
}

LogicalResult SizeOp::verify() {
  auto memref = dyn_cast<MemrefType>(getOperand().getType());
  int64_t mode = getMode(), order = memref ? memref.order() : 1;
  return mode >= 0 && mode < order ? success() : emitOpError("has no mode ") << mode;
}

static LogicalResult verifyIndices(Operation *op, Type type, size_t number) {
  auto memref = dyn_cast<MemrefType>(type);
  if (number == size_t(memref ? memref.order() : 1))
    return success();
  return op->emitOpError("has a wrong number of indices: ") << number;
}

LogicalResult LoadOp::verify() {
  return verifyIndices(*this, getOperand().getType(), getIndices().size());
}

LogicalResult StoreOp::verify() {
  if (getBefore() && getFlag() != StoreFlag::AtomicAdd)
    return emitOpError("returns the old value, but does not add to it");
  if (getBefore() && getBefore().getType() != getValue().getType())
    return emitOpError("returns a value of another type");
  return verifyIndices(*this, getTarget().getType(), getIndices().size());
}

//===-- Matrices ----------------------------------------------------------===//

static LogicalResult verifyMatrix(Operation *op, CoopMatrixType matrix, MemrefType memref) {
  if (memref.order() == 2 && memref.getElement() == matrix.getComponent())
    return success();
  return op->emitOpError("has a matrix of ") << matrix.getComponent() << " and a tensor of order "
                                             << memref.order() << " of " << memref.getElement();
}

LogicalResult CoopLoadOp::verify() {
  return verifyMatrix(*this, getType(), getSource().getType());
}

LogicalResult CoopStoreOp::verify() {
  if (getBefore() &&
      (getFlag() != StoreFlag::AtomicAdd || getBefore().getType() != getMatrix().getType()))
    return emitOpError("returns the old value, but does not add to it");
  return verifyMatrix(*this, getMatrix().getType(), getTarget().getType());
}

LogicalResult CoopMulAddOp::verify() {
  CoopMatrixType a = getA().getType(), b = getB().getType(), c = getC().getType(), d = getType();
  if (a.getUse() != MatrixUse::A || b.getUse() != MatrixUse::B || c.getUse() != MatrixUse::Acc ||
      d.getUse() != MatrixUse::Acc)
    return emitOpError("has a matrix of another use");
  if (a.getColumns() != b.getRows() || c.getRows() != a.getRows() ||
      c.getColumns() != b.getColumns() || d.getRows() != c.getRows() ||
      d.getColumns() != c.getColumns())
    return emitOpError("has sizes that do not fit");
  Type product = promote(a.getComponent(), b.getComponent());
  if (!product || !promotes(product, c.getComponent()) ||
      !canCast(c.getComponent(), d.getComponent()))
    return emitOpError("has components that do not promote");
  return success();
}
