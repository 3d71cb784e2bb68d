/// Which code may run although the program does not ask for it.
#ifndef TESSERA_LANG_WELD_TRANSFORM_CHEAP_H
#define TESSERA_LANG_WELD_TRANSFORM_CHEAP_H

#include "lang/weld/ir/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace tessera::weld::transform {

/// Whether the block neither fails nor runs forever.
bool isTotal(mlir::Block &block);
/// Whether it is more than a few instructions.
bool isLong(mlir::Operation &op);
/// What values are computed from in the loop's own block; nothing where that costs much or may
/// fail.
std::optional<llvm::SetVector<mlir::Operation *>> cheapSlice(ir::ForOp op, mlir::ValueRange values);
/// Whether a branch around the block may cost more than the block.
bool isCheap(mlir::Block &block);

} // namespace tessera::weld::transform

#endif
