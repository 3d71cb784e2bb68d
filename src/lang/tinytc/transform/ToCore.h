/// Lowers the dialect to core.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_TOCORE_H
#define TESSERA_LANG_TINYTC_TRANSFORM_TOCORE_H

#include "llvm/ADT/StringRef.h"
#include <memory>

namespace mlir {
class ModuleOp;
class Pass;
} // namespace mlir

namespace tessera::tinytc {

/// On a module: undefined cases become errors at run time.
inline constexpr llvm::StringLiteral checkedAttr = "tessera.checked";

/// Replaces the kernels of a module by functions in buffer form [core.9]: work-groups are
/// iterations of a parallel loop, and the work-items of a subgroup are the lanes of vectors.
void lowerToCore(mlir::ModuleOp module);

std::unique_ptr<mlir::Pass> createLowerToCore();

} // namespace tessera::tinytc

#endif
