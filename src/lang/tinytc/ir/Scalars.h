/// The table of scalars in terms of MLIR's types.
#ifndef TESSERA_LANG_TINYTC_IR_SCALARS_H
#define TESSERA_LANG_TINYTC_IR_SCALARS_H

#include "lang/tinytc/Types.h"
#include "mlir/IR/Types.h"

namespace tessera::tinytc::ir {

mlir::Type typeOf(tinytc::ScalarType scalar, mlir::MLIRContext *context);
/// nullopt for types that are not scalars of tinytc.
std::optional<tinytc::ScalarType> scalarOf(mlir::Type type);

} // namespace tessera::tinytc::ir

#endif
