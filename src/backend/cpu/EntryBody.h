/// The function between the runtime and an entry: converts argument slots to MLIR's C interface,
/// and results back.
#ifndef TESSERA_BACKEND_CPU_ENTRYBODY_H
#define TESSERA_BACKEND_CPU_ENTRYBODY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/IR/Module.h"

namespace tessera::cpu {

/// Builds the `body` of a tessera_signature from a row of the table that describe-entries makes.
llvm::Function *buildEntryBody(llvm::Module &code, mlir::DictionaryAttr entry);

} // namespace tessera::cpu

#endif
