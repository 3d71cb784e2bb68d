/// The dialects and interface implementations that a compilation needs.
#ifndef TESSERA_COMPILER_DIALECTS_H
#define TESSERA_COMPILER_DIALECTS_H

#include "backend/Backend.h"

namespace tessera {

void registerDialects(mlir::DialectRegistry &registry, const Backend &backend);

} // namespace tessera

#endif
