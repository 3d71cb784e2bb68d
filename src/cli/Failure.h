/// The report of a program that failed at run time: like a diagnostic of `check`, or as one object
/// with --json.
#ifndef TESSERA_CLI_FAILURE_H
#define TESSERA_CLI_FAILURE_H

#include "cli/Terminal.h"
#include "runtime/Failure.h"

namespace tessera::cli {

/// Prints the failure of the last call, with the lines of `source` that it concerns; returns the
/// exit status.
int reportFailure(const runtime::Failure &failure, const SourceFile &source, Terminal &terminal);

/// The same for a call in another process, which leaves only its text.
int reportFailure(int status, llvm::StringRef text, Terminal &terminal);

/// The text of a failure that a signal reports. `place` may be null, `hint` empty.
std::string faultText(const tessera_site *place, const SourceFile &source, llvm::StringRef message,
                      llvm::StringRef hint, PrintStyle style);

} // namespace tessera::cli

#endif
