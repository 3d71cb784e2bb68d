#include "transform/Destinations.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace tessera::transform;

OpOperand *tessera::transform::destinationUse(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  Operation *op = result.getOwner();
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return &insert.getDestMutable();
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return style.getDpsInitOperand(result.getResultNumber());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return &loop.getInitsMutable()[result.getResultNumber()];
  return nullptr;
}

Value tessera::transform::destinationOf(Value value) {
  while (OpOperand *use = destinationUse(value))
    value = use->get();
  return value;
}

bool tessera::transform::mayShare(Value value, Value other) {
  if (value == other)
    return true;
  if (OpOperand *destination = destinationUse(value))
    return mayShare(destination->get(), other);
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return false;
  Operation *op = result.getOwner();
  if (isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          op))
    return mayShare(op->getOperand(0), other);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return llvm::any_of(op->getRegions(), [&](Region &region) {
      return mayShare(region.front().getTerminator()->getOperand(result.getResultNumber()), other);
    });
  return false;
}
