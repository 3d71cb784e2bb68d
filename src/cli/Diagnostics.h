/// The diagnostics of the command line: Diagnostics.def as data.
#ifndef TESSERA_CLI_DIAGNOSTICS_H
#define TESSERA_CLI_DIAGNOSTICS_H

#include "support/Diagnostics.h"

namespace tessera::cli::diag {

#define CLI_DIAGNOSTIC(name, rule, text)                                                           \
  inline constexpr DiagnosticKind name{#name, rule, Severity::Error, text};
#define CLI_NOTE_DIAGNOSTIC(name, rule, text)                                                      \
  inline constexpr DiagnosticKind name{#name, rule, Severity::Note, text};
#define CLI_WARNING_DIAGNOSTIC(name, rule, text)                                                   \
  inline constexpr DiagnosticKind name{#name, rule, Severity::Warning, text};
#include "cli/Diagnostics.def"

} // namespace tessera::cli::diag

#endif
