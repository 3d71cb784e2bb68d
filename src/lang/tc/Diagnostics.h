/// TC's diagnostics by name, from Diagnostics.def.
#ifndef TESSERA_LANG_TC_DIAGNOSTICS_H
#define TESSERA_LANG_TC_DIAGNOSTICS_H

#include "support/Diagnostics.h"

namespace tessera::tc::diag {
#define TC_DIAGNOSTIC(name, severity, rule, text)                                                  \
  inline constexpr DiagnosticKind name{#name, rule, Severity::severity, text};
#include "lang/tc/Diagnostics.def"
} // namespace tessera::tc::diag

#endif
