/// Which code may run speculatively.
#ifndef TESSERA_LANG_WELD_TRANSFORM_CHEAP_H
#define TESSERA_LANG_WELD_TRANSFORM_CHEAP_H

#include "lang/weld/ir/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace tessera::weld::transform {

/// Whether the time does not depend on data: the operation contains no loop, and neither copies nor
/// compares vectors.
bool isBounded(mlir::Operation &op);
/// Whether it neither fails nor takes time or memory without bound.
bool isHarmless(mlir::Operation &op);
bool isHarmless(mlir::Block &block);
/// Whether it is more than a few instructions.
bool isLong(mlir::Operation &op);
/// The operations of the loop's own block that compute the values; nullopt if they are expensive or
/// may fail.
std::optional<llvm::SetVector<mlir::Operation *>> cheapSlice(ir::ForOp op, mlir::ValueRange values);
/// Whether a branch around the block may cost more than the block.
bool isCheap(mlir::Block &block);

} // namespace tessera::weld::transform

#endif
