/// MLIR's text as one more language: for `--from`, which enters a compilation at a stage.
#ifndef TESSERA_COMPILER_MODULELANGUAGE_H
#define TESSERA_COMPILER_MODULELANGUAGE_H

#include "lang/Language.h"
#include "schedule/Records.h"

namespace tessera {

/// Not in the table of languages: no extension leads here.
extern const Language moduleLanguage;

/// The kernels of a module that was printed at stage Scheduled, with their schedules. Reports what
/// is wrong with it.
std::vector<schedule::GivenKernel> scheduledKernels(const SourceFile &file,
                                                    DiagnosticEngine &diagnostics);

} // namespace tessera

#endif
