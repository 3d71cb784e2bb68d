#include "backend/cpu/Passes.h"
#include "core/Build.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_SMALLELEMENTWISE
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Rows that may be unrolled.
constexpr int64_t maxRows = 16;

bool isRowMajorOperand(linalg::GenericOp op, OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return true;
  auto [strides, offset] = type.getStridesAndOffset();
  return op.getMatchingIndexingMap(&operand).isIdentity() && strides.back() == 1;
}

bool isVectorizable(Operation &op) {
  return op.getNumRegions() == 0 && op.hasTrait<OpTrait::Vectorizable>() && op.getNumResults() == 1;
}

/// Whether it is static, elementwise, and has a few rows of at most one vector each.
bool isSmall(linalg::GenericOp op, int64_t lanes) {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0 ||
      op.getNumParallelLoops() != op.getNumLoops() || op.getNumDpsInits() != 1 ||
      op.hasIndexSemantics())
    return false;
  int64_t rows = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (llvm::any_of(ranges, ShapedType::isDynamic) || llvm::is_contained(ranges, 0))
    return false;
  for (int64_t range : ArrayRef(ranges).drop_back())
    rows *= range;
  return rows <= maxRows && ranges.back() <= lanes &&
         llvm::all_of(op->getOpOperands(),
                      [&](OpOperand &operand) { return isRowMajorOperand(op, operand); }) &&
         llvm::all_of(op.getBody()->without_terminator(), isVectorizable);
}

/// Emits one row: its operands as vectors, the body on vectors, a store.
class RowEmitter {
public:
  RowEmitter(OpBuilder &b, linalg::GenericOp op)
      : b(b), op(op), columns(op.getStaticLoopRanges().back()) {}

  void emit(ArrayRef<Value> indices) {
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands()) {
      Value argument = op.getMatchingBlockArgument(&operand);
      if (op.isDpsInput(&operand) || op.payloadUsesValueFromOperand(&operand))
        mapping.map(argument, load(operand.get(), indices));
    }
    for (Operation &inner : op.getBody()->without_terminator())
      emit(inner, mapping);
    Value result = vectorOf(op.getBody()->getTerminator()->getOperand(0), mapping);
    vector::StoreOp::create(b, op.getLoc(), result, op.getDpsInits()[0], indices);
  }

private:
  VectorType typeOf(Type element) { return VectorType::get({columns}, element); }

  Value load(Value operand, ArrayRef<Value> indices) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type)
      return operand;
    return vector::LoadOp::create(b, op.getLoc(), typeOf(type.getElementType()), operand, indices);
  }

  Value vectorOf(Value value, IRMapping &mapping) {
    value = mapping.lookupOrDefault(value);
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, op.getLoc(), typeOf(value.getType()), value);
  }

  void emit(Operation &inner, IRMapping &mapping) {
    OperationState state(inner.getLoc(), inner.getName());
    for (Value operand : inner.getOperands())
      state.addOperands(vectorOf(operand, mapping));
    state.addTypes(typeOf(inner.getResult(0).getType()));
    state.addAttributes(inner.getAttrs());
    mapping.map(inner.getResult(0), b.create(state)->getResult(0));
  }

  OpBuilder &b;
  linalg::GenericOp op;
  int64_t columns;
};

struct SmallElementwise final : cpu::impl::SmallElementwiseBase<SmallElementwise> {
  using SmallElementwiseBase::SmallElementwiseBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isSmall(op, lanes))
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      OpBuilder b(op);
      emitRows(b, op, {});
      op.erase();
    }
  }

  /// Emits a row for every combination of the outer indices.
  void emitRows(OpBuilder &b, linalg::GenericOp op, SmallVector<Value> indices) {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    if (indices.size() + 1 == ranges.size()) {
      indices.push_back(core::constantIndex(b, op.getLoc(), 0));
      return RowEmitter(b, op).emit(indices);
    }
    for (int64_t i = 0; i < ranges[indices.size()]; ++i) {
      SmallVector<Value> next(indices);
      next.push_back(core::constantIndex(b, op.getLoc(), i));
      emitRows(b, op, next);
    }
  }
};

} // namespace
