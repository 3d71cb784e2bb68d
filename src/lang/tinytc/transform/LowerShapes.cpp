/// Pieces of code that all constructs share: numbers, vectors of lanes, masks.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

Value CoreLowering::number(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

static TypedAttr filled(Type type, Attribute value) {
  if (auto vector = dyn_cast<VectorType>(type))
    return DenseElementsAttr::get(vector, value);
  return cast<TypedAttr>(value);
}

/// A float or an integer, or a vector of such.
Value CoreLowering::fill(Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  Attribute attribute = isa<FloatType>(element) ? Attribute(b.getFloatAttr(element, value))
                                                : b.getIntegerAttr(element, int64_t(value));
  return arith::ConstantOp::create(b, loc, filled(type, attribute));
}

Value CoreLowering::fillInt(Type type, const APInt &value) {
  return arith::ConstantOp::create(
      b, loc, filled(type, b.getIntegerAttr(getElementTypeOrSelf(type), value)));
}

Type CoreLowering::vectorOf(Type scalar) {
  return VectorType::get(lanes, scalar);
}

/// The type with this element type and as many elements as the value.
Type CoreLowering::like(Value value, Type element) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? Type(VectorType::get(vector.getShape(), element)) : element;
}

Value CoreLowering::inLanes(Value value) {
  if (!value || hasLanes(value))
    return value;
  return vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), value);
}

Number CoreLowering::inLanes(Number value) {
  return {inLanes(value.re), inLanes(value.im)};
}

Value CoreLowering::inLanesOf(Value value, Value other) {
  if (hasLanes(value) || !hasLanes(other))
    return value;
  return vector::BroadcastOp::create(b, loc, like(other, value.getType()), value);
}

/// 0, 1, 2...
Value CoreLowering::laneNumbers() {
  auto numbers = llvm::to_vector(llvm::seq<int64_t>(lanes));
  auto type = cast<VectorType>(vectorOf(i64));
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers)));
}

/// The first `bound` lanes.
Value CoreLowering::lanesBelow(Value bound) {
  return compareInts(arith::CmpIPredicate::slt, laneNumbers(), bound);
}

Value CoreLowering::activeLanes() {
  return mask ? mask : arith::ConstantOp::create(b, loc, filled(vectorOf(i1), b.getBoolAttr(true)));
}

Value CoreLowering::anyOf(Value flags) {
  Type bits = b.getIntegerType(cast<VectorType>(flags.getType()).getNumElements());
  Value word = LLVM::BitcastOp::create(b, loc, bits, flags);
  return compareInts(arith::CmpIPredicate::ne, word, fill(bits, 0));
}

Value CoreLowering::andOf(Value flags, Value condition) {
  return flags ? make<arith::AndIOp>(flags, condition) : inLanes(condition);
}

void CoreLowering::when(Value condition, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}

Value CoreLowering::compareInts(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  Value left = inLanesOf(lhs, rhs), right = inLanesOf(rhs, lhs);
  return arith::CmpIOp::create(b, loc, predicate, left, right);
}

/// Allocates in the entry block of the function; each chunk of work-groups has its own slot.
Value CoreLowering::stackSlot(Type type, int64_t count, int64_t alignment) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&target.front());
  return LLVM::AllocaOp::create(b, loc, pointerType, type, number(count), alignment);
}

static int64_t bytesOfSlot(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  int64_t bits = isa<LLVM::LLVMPointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
  return llvm::divideCeil(bits * (vector ? vector.getNumElements() : 1), 8);
}

/// The stack has room for some slots besides local memory. Others are buffers, which the back end
/// keeps until the work-group ends.
Value CoreLowering::groupSlot(Type type, int64_t count) {
  constexpr int64_t mostOnStack = 1 << 20;
  int64_t bytes = int64_t(llvm::PowerOf2Ceil(bytesOfSlot(type))) * count;
  if (bytesOnStack + bytes <= mostOnStack) {
    bytesOnStack += bytes;
    return stackSlot(type, count, 64);
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(groups.getBody());
  Value memory = memref::AllocOp::create(b, loc, MemRefType::get(bytes, b.getI8Type()));
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memory);
  address = arith::IndexCastOp::create(b, loc, i64, address);
  return LLVM::IntToPtrOp::create(b, loc, pointerType, address);
}

void CoreLowering::forEach(Value from, Value to, Value step, llvm::function_ref<void(Value)> body) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::ForOp::create(b, loc, from, to, step);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}
