/// The exported parts of a compiled module: signatures, C functions, and the table of run-time
/// error sites. Their layouts are defined in runtime/Generated.h.
#ifndef TESSERA_BACKEND_CPU_ENTRIES_H
#define TESSERA_BACKEND_CPU_ENTRIES_H

#include "backend/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace tessera::cpu {

/// Replaces the site numbers in calls of the runtime by addresses of site structs.
void addSites(mlir::ModuleOp module, llvm::Module &code);

/// Adds one signature per entry, `tessera_signature.NAME`; for libraries also the C functions. The
/// runtime compares `level` with the processor before each call, unless it is "".
void addEntries(mlir::ModuleOp module, llvm::Module &code, const Target &target,
                llvm::StringRef level, Artifact artifact);

/// The C name of an entry: its own or, if C or its libraries use that name, the name prefixed with
/// the language.
std::string exportedName(llvm::StringRef language, llvm::StringRef name);

} // namespace tessera::cpu

#endif
