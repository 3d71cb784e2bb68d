/// Reductions over ranges that may be empty.
#ifndef TESSERA_TRANSFORM_KEEPINITIALS_H
#define TESSERA_TRANSFORM_KEEPINITIALS_H

#include "mlir/IR/PatternMatch.h"

namespace tessera::transform {

/// The pattern of the pass `keep-initials`, which takes precedence over MLIR's own: one of the
/// elementwise fusion patterns drops initial values that a body does not read.
void populateKeepInitials(mlir::RewritePatternSet &patterns);

} // namespace tessera::transform

#endif
