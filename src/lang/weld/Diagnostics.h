/// Weld's diagnostics by name, from Diagnostics.def.
#ifndef TESSERA_LANG_WELD_DIAGNOSTICS_H
#define TESSERA_LANG_WELD_DIAGNOSTICS_H

#include "support/Diagnostics.h"

namespace tessera::weld::diag {
#define WELD_DIAGNOSTIC(name, severity, rule, text)                                                \
  inline constexpr DiagnosticKind name{#name, rule, Severity::severity, text};
#include "lang/weld/Diagnostics.def"
} // namespace tessera::weld::diag

#endif
