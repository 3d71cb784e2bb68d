/// Which buffer a tensor will be written into: destinations, followed upwards.
#ifndef TESSERA_TRANSFORM_DESTINATIONS_H
#define TESSERA_TRANSFORM_DESTINATIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace tessera::transform {

/// The operand that `value` is written over; null where it is made anew or comes from elsewhere.
inline mlir::OpOperand *destinationUse(mlir::Value value) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result)
    return nullptr;
  mlir::Operation *op = result.getOwner();
  if (auto insert = llvm::dyn_cast<mlir::tensor::InsertOp>(op))
    return &insert.getDestMutable();
  if (auto style = llvm::dyn_cast<mlir::DestinationStyleOpInterface>(op))
    return style.getDpsInitOperand(result.getResultNumber());
  if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op))
    return &loop.getInitsMutable()[result.getResultNumber()];
  return nullptr;
}

/// The value at the upper end.
inline mlir::Value destinationOf(mlir::Value value) {
  while (mlir::OpOperand *use = destinationUse(value))
    value = use->get();
  return value;
}

} // namespace tessera::transform

#endif
