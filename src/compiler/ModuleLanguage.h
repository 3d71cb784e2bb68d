/// MLIR's text as one more language: for `--from`, which starts a compilation at a stage.
#ifndef TESSERA_COMPILER_MODULELANGUAGE_H
#define TESSERA_COMPILER_MODULELANGUAGE_H

#include "lang/Language.h"
#include "schedule/Records.h"

namespace tessera {

/// Not in the table of languages: it has no file extension.
extern const Language moduleLanguage;

/// The scheduled operations of a module printed at stage Scheduled. Reports errors in the module.
std::vector<schedule::GivenKernel> scheduledKernels(const SourceFile &file,
                                                    DiagnosticEngine &diagnostics);

} // namespace tessera

#endif
