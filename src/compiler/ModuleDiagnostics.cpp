#include "compiler/ModuleDiagnostics.h"

using namespace tessera;

SourceRange tessera::rangeIn(const SourceFile &file, mlir::Location loc) {
  auto place = loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!place || place.getFilename().getValue() != file.name() || place.getLine() == 0 ||
      place.getLine() > file.numLines())
    return {};
  uint32_t column = std::max(place.getColumn(), 1u) - 1;
  uint32_t length = file.line(place.getLine()).size();
  uint32_t begin = file.lineStart(place.getLine()) + std::min(column, length);
  return {begin, begin};
}

/// Drops notes that quote the operation, which is in the file anyway.
ModuleDiagnostics::ModuleDiagnostics(mlir::MLIRContext &context, const SourceFile &file,
                                     DiagnosticEngine &engine)
    : file(file), handler(&context, [this, &engine](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          engine.report(&this->file, rangeIn(this->file, diagnostic.getLocation()), diag::BadModule,
                        diagnostic.str());
        return mlir::success();
      }) {}
