/// `tessera opt`: passes by name over MLIR's text.
#ifndef TESSERA_COMPILER_OPT_H
#define TESSERA_COMPILER_OPT_H

#include "support/Diagnostics.h"
#include <optional>

namespace tessera {

/// Every pass that `opt` knows: ours, the back ends', and those of MLIR that are of use here.
std::vector<std::string> passNames();

struct OptJob {
  const SourceFile &file;
  llvm::ArrayRef<std::string> passes; ///< NAME or NAME=OPTIONS; every name is known.
  bool timePasses = false;
};

/// The module behind the passes. What is wrong with it is reported; wrong options of a pass are
/// told in `badOption`.
std::optional<std::string> runPasses(const OptJob &job, DiagnosticEngine &diagnostics,
                                     std::string &badOption);

} // namespace tessera

#endif
