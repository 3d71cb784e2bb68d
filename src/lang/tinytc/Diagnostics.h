/// tinytc's diagnostics by name, from Diagnostics.def.
#ifndef TESSERA_LANG_TINYTC_DIAGNOSTICS_H
#define TESSERA_LANG_TINYTC_DIAGNOSTICS_H

#include "support/Diagnostics.h"

namespace tessera::tinytc::diag {
#define TINYTC_DIAGNOSTIC(name, severity, rule, text)                                              \
  inline constexpr DiagnosticKind name{#name, rule, Severity::severity, text};
#define TINYTC_DEVICE_DIAGNOSTIC(name, rule, text)                                                 \
  inline constexpr DiagnosticKind name{#name, rule, Severity::Error, text, true};
#include "lang/tinytc/Diagnostics.def"
} // namespace tessera::tinytc::diag

#endif
