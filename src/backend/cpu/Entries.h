/// What the outside sees of a compiled module: signatures, C functions, and the table of places
/// that may fail. The layouts are those of runtime/Generated.h.
#ifndef TESSERA_BACKEND_CPU_ENTRIES_H
#define TESSERA_BACKEND_CPU_ENTRIES_H

#include "backend/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace tessera::cpu {

/// Turns the numbers that calls of the runtime pass into addresses of site structs.
void addSites(mlir::ModuleOp module, llvm::Module &code);

/// One signature an entry, `tessera_signature.NAME`; for libraries also the C functions. The
/// runtime compares `level` with the processor before each call; "" is not compared.
void addEntries(mlir::ModuleOp module, llvm::Module &code, const Target &target,
                llvm::StringRef level, Artifact artifact);

/// The C name of an entry: its own, unless C or its libraries have one of that name; then with the
/// language's in front.
std::string exportedName(llvm::StringRef language, llvm::StringRef name);

} // namespace tessera::cpu

#endif
