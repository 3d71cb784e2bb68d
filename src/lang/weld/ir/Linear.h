/// Builders are linear: on each path, a builder is used at most once.
#ifndef TESSERA_LANG_WELD_IR_LINEAR_H
#define TESSERA_LANG_WELD_IR_LINEAR_H

#include "mlir/IR/OpDefinition.h"

namespace tessera::weld::ir {

/// Checks the uses of all builders that the operation makes or passes to its regions.
llvm::LogicalResult verifyLinear(mlir::Operation *op);

/// Whether a region yields this builder after merges, on every path.
bool isDerivedFrom(mlir::Value yielded, mlir::Value builder);

/// A trait of all operations of the dialect.
template <typename ConcreteType> struct Linear : mlir::OpTrait::TraitBase<ConcreteType, Linear> {
  static llvm::LogicalResult verifyRegionTrait(mlir::Operation *op) { return verifyLinear(op); }
};

} // namespace tessera::weld::ir

#endif
