/// The way out of the dialect.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_TOCORE_H
#define TESSERA_LANG_TINYTC_TRANSFORM_TOCORE_H

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tessera::tinytc {

/// Replaces the kernels of a module by functions in buffer form [core.9]: groups are iterations of a
/// parallel loop, and the work-items of a subgroup are the lanes of vectors.
void lowerToCore(mlir::ModuleOp module);

} // namespace tessera::tinytc

#endif
