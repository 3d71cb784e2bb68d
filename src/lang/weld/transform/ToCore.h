/// The lowering of the dialect.
#ifndef TESSERA_LANG_WELD_TRANSFORM_TOCORE_H
#define TESSERA_LANG_WELD_TRANSFORM_TOCORE_H

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tessera::weld {

/// Replaces the functions of a module by functions in buffer form [core.9].
void lowerToCore(mlir::ModuleOp module);

} // namespace tessera::weld

#endif
