/// Tokens to tree. Never fails: reports, recovers at `;`, `}` or the next keyword, and goes on.
#ifndef TESSERA_LANG_TTL_PARSER_H
#define TESSERA_LANG_TTL_PARSER_H

#include "lang/ttl/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::ttl {

struct ParseOptions {
  bool emptyBodies = false; ///< --std=reference takes `{}`.
};

std::unique_ptr<Program> parse(const SourceFile &file, ParseOptions options,
                               DiagnosticEngine &diagnostics);

/// A report that nobody sees: of what would only be an echo of another one.
Report ignoredReport();

} // namespace tessera::ttl

#endif
