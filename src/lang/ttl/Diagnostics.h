/// TTL's diagnostics by name, from Diagnostics.def.
#ifndef TESSERA_LANG_TTL_DIAGNOSTICS_H
#define TESSERA_LANG_TTL_DIAGNOSTICS_H

#include "support/Diagnostics.h"

namespace tessera::ttl::diag {
#define TTL_DIAGNOSTIC(name, severity, rule, text)                                                 \
  inline constexpr DiagnosticKind name{#name, rule, Severity::severity, text};
#include "lang/ttl/Diagnostics.def"
} // namespace tessera::ttl::diag

#endif
