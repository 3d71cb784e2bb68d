/// `tessera opt`: passes by name over MLIR's text.
#ifndef TESSERA_COMPILER_OPT_H
#define TESSERA_COMPILER_OPT_H

#include "support/Diagnostics.h"
#include <optional>

namespace tessera {

/// All passes that `opt` supports: ours, those of the back ends, and useful ones of MLIR.
std::vector<std::string> passNames();

struct OptJob {
  const SourceFile &file;
  llvm::ArrayRef<std::string> passes; ///< NAME or NAME=OPTIONS; all names are known.
  bool timePasses = false;
};

/// Returns the module after the passes. Reports errors in the module; `badOption` is set if a pass
/// has invalid options.
std::optional<std::string> runPasses(const OptJob &job, DiagnosticEngine &diagnostics,
                                     std::string &badOption);

} // namespace tessera

#endif
