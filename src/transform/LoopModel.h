/// Limits the cost of bufferization's queries about loops.
#ifndef TESSERA_TRANSFORM_LOOPMODEL_H
#define TESSERA_TRANSFORM_LOOPMODEL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tessera::transform {

/// Bounds the time of bufferization's queries about nests and chains of loops. Call it after
/// registering scf's own models, which it wraps.
void registerLoopModel(mlir::DialectRegistry &registry);

} // namespace tessera::transform

#endif
