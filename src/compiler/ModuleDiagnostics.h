/// What MLIR says about a module, as diagnostics of ours.
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

/// Reports every error of a context, while this lives, at its place in the file.
class ModuleDiagnostics {
public:
  ModuleDiagnostics(mlir::MLIRContext &context, const SourceFile &file, DiagnosticEngine &engine);

private:
  const SourceFile &file;
  mlir::ScopedDiagnosticHandler handler;
};

/// The place of a location in the file; its beginning where it has none.
SourceRange rangeIn(const SourceFile &file, mlir::Location loc);

} // namespace tessera

#endif
