/// From tokens to tree. Never fails: reports errors, recovers at `;`, `}` or the next keyword, and
/// continues.
#ifndef TESSERA_LANG_TTL_PARSER_H
#define TESSERA_LANG_TTL_PARSER_H

#include "lang/ttl/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::ttl {

struct ParseOptions {
  bool emptyBodies = false; ///< --std=reference accepts `{}`.
};

std::unique_ptr<Program> parse(const SourceFile &file, ParseOptions options,
                               DiagnosticEngine &diagnostics);

/// A report that is never shown, for what would only echo another one.
Report ignoredReport();

} // namespace tessera::ttl

#endif
