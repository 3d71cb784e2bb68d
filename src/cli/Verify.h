/// `check --verify`: compares the diagnostics of a file with the comments in it that expect them.
#ifndef TESSERA_CLI_VERIFY_H
#define TESSERA_CLI_VERIFY_H

#include "cli/Compilation.h"

namespace tessera::cli {

/// A comment `//! error RULE[: text]` expects a diagnostic of that rule on its line, `//! @-1 ...`
/// one on the line above; the text must be part of the message. Each expectation must be met and
/// each diagnostic expected.
int verifyDiagnostics(Source &source, const LanguageOptions &options, const Invocation &invocation,
                      Terminal &terminal);

} // namespace tessera::cli

#endif
