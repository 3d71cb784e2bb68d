#include "backend/cpu/contraction/VectorBody.h"
#include "backend/cpu/Passes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

Value cpu::loadVector(KernelBuilder &b, const View &view, int64_t lanes, int64_t vector,
                      Value mask) {
  auto type = VectorType::get({lanes}, view.element());
  if (!view.stride(Column))
    return vector::BroadcastOp::create(
        b, type, memref::LoadOp::create(b, view.memory, ValueRange{view.offset}));
  Value at = add(b, view.offset, vector * lanes);
  if (!mask)
    return vector::LoadOp::create(b, type, view.memory, ValueRange{at});
  return vector::MaskedLoadOp::create(b, type, view.memory, ValueRange{at}, mask, zeroOf(b, type));
}

void cpu::storeVector(KernelBuilder &b, Value value, const View &view, int64_t vector, Value mask) {
  auto lanes = cast<VectorType>(value.getType()).getNumElements();
  Value at = add(b, view.offset, vector * lanes);
  if (mask)
    vector::MaskedStoreOp::create(b, view.memory, ValueRange{at}, mask, value);
  else
    vector::StoreOp::create(b, value, view.memory, ValueRange{at});
}

bool cpu::isVectorizable(Operation &op) {
  return op.getNumRegions() == 0 && op.hasTrait<OpTrait::Vectorizable>() && op.getNumResults() == 1;
}

static Value spread(KernelBuilder &b, Value value, int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, VectorType::get({lanes}, value.getType()), value);
}

Value cpu::emitVectorBody(KernelBuilder &b, const ElementBody &body, ArrayRef<Value> inputs,
                          int64_t lanes) {
  IRMapping mapping;
  for (auto [argument, input] : llvm::zip(body.block->getArguments(), inputs))
    mapping.map(argument, input);
  for (auto [outside, here] : body.captured)
    mapping.map(outside, here);
  for (Operation &op : body.block->without_terminator()) {
    OperationState state(b.getLoc(), op.getName());
    for (Value operand : op.getOperands())
      state.addOperands(spread(b, mapping.lookup(operand), lanes));
    state.addTypes(VectorType::get({lanes}, op.getResult(0).getType()));
    state.addAttributes(op.getAttrs());
    mapping.map(op.getResult(0), b.create(state)->getResult(0));
  }
  return spread(b, mapping.lookup(body.block->getTerminator()->getOperand(0)), lanes);
}
