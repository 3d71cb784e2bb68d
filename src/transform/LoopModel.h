/// What bufferization asks about loops.
#ifndef TESSERA_TRANSFORM_LOOPMODEL_H
#define TESSERA_TRANSFORM_LOOPMODEL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tessera::transform {

/// Bounds what bufferization pays for its questions about nests and chains of loops. To be called
/// behind the registration of scf's own models, whose answers it bounds.
void registerLoopModel(mlir::DialectRegistry &registry);

} // namespace tessera::transform

#endif
