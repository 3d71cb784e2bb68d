/// Tests that both kinds of loop fusion need.
#ifndef TESSERA_LANG_WELD_TRANSFORM_FUSION_H
#define TESSERA_LANG_WELD_TRANSFORM_FUSION_H

#include "lang/weld/ir/Dialect.h"

namespace tessera::weld::transform {

/// Whether an iteration may fail, not counting the checks before the first one.
bool bodyMayFail(ir::ForOp loop);
/// Whether anything strictly between two operations of a block may fail.
bool failsBetween(mlir::Operation *first, mlir::Operation *second);
/// The position of an iterator in a list, to which it is added if it is not there.
unsigned placeOf(const ir::IteratorOperands &iterator,
                 llvm::SmallVectorImpl<ir::IteratorOperands> &all);
/// Gives a fused loop the annotations of both. What one forbids is forbidden; otherwise the second
/// decides.
void takeAnnotations(ir::ForOp made, ir::ForOp first, ir::ForOp second);

} // namespace tessera::weld::transform

#endif
