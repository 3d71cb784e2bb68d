/// Whether code of the dialect allocates memory.
#ifndef TESSERA_LANG_WELD_TRANSFORM_ALLOCATIONS_H
#define TESSERA_LANG_WELD_TRANSFORM_ALLOCATIONS_H

#include "lang/weld/ir/Dialect.h"

namespace tessera::weld {

/// Whether code in the region may allocate: everything but loops over scalars does.
bool allocates(mlir::Region &region);
/// Whether what is merged into a builder points to other memory.
bool keepsPointers(mlir::Type builder);
/// The merges into a builder of a loop, through `if` and nested loops; nullopt if it is part of a
/// struct.
std::optional<llvm::SmallVector<ir::MergeOp>> mergesInto(ir::ForOp loop, unsigned builder);

} // namespace tessera::weld

#endif
