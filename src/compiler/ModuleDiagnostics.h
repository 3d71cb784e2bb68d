/// Converts MLIR's messages about a module to our diagnostics.
#ifndef TESSERA_COMPILER_MODULEDIAGNOSTICS_H
#define TESSERA_COMPILER_MODULEDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "support/Diagnostics.h"

namespace tessera {

namespace diag {
#define MODULE_DIAGNOSTIC(name, rule, text)                                                        \
  inline constexpr DiagnosticKind name{#name, rule, Severity::Error, text};
#include "compiler/Diagnostics.def"
} // namespace diag

/// While it lives, reports every error of a context at its position in the file.
class ModuleDiagnostics {
public:
  ModuleDiagnostics(mlir::MLIRContext &context, const SourceFile &file, DiagnosticEngine &engine);

private:
  const SourceFile &file;
  mlir::ScopedDiagnosticHandler handler;
};

/// The position of a location in the file, or the beginning of the file without one.
SourceRange rangeIn(const SourceFile &file, mlir::Location loc);

} // namespace tessera

#endif
