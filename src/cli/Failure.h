/// How a run-time error is shown: like a diagnostic of the program, or as one object with --json.
#ifndef TESSERA_CLI_FAILURE_H
#define TESSERA_CLI_FAILURE_H

#include "cli/Terminal.h"
#include "runtime/Failure.h"

namespace tessera::cli {

/// Prints what the last failed call left, with the lines of `source` that it is about; returns the
/// exit status.
int reportFailure(const runtime::Failure &failure, const SourceFile &source, Terminal &terminal);

/// The same for a call in another process, which leaves only its text.
int reportFailure(int status, llvm::StringRef text, Terminal &terminal);

/// A failure that a signal reports, ready to be written. `place` may be null, `hint` empty.
std::string faultText(const tessera_site *place, const SourceFile &source, llvm::StringRef message,
                      llvm::StringRef hint, PrintStyle style);

} // namespace tessera::cli

#endif
