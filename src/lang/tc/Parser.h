/// From tokens to tree. Never fails: reports errors, recovers at the next statement, `}` or `def`,
/// and continues.
#ifndef TESSERA_LANG_TC_PARSER_H
#define TESSERA_LANG_TC_PARSER_H

#include "lang/tc/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::tc {

/// A statement with a syntax error is not in the tree; see Def::firstSyntaxError.
std::unique_ptr<Program> parse(const SourceFile &file, DiagnosticEngine &diagnostics);

/// A report that is never shown, for what would only echo another one.
Report ignoredReport();

} // namespace tessera::tc

#endif
