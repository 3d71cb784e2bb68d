/// The report of a program that failed at run time: as text, or as one object with --json.
#ifndef TESSERA_CLI_FAILURE_H
#define TESSERA_CLI_FAILURE_H

#include "cli/Terminal.h"
#include "runtime/Failure.h"

namespace tessera::cli {

/// Prints the failure of the last call; returns the exit status.
int reportFailure(const runtime::Failure &failure, Terminal &terminal);

/// The same for a call in another process, of which only the text is left.
int reportFailure(int status, llvm::StringRef text, Terminal &terminal);

/// The text of a failure that a signal reports. `place` may be null, `hint` empty.
std::string faultText(const tessera_site *place, llvm::StringRef message, llvm::StringRef hint,
                      PrintStyle style);

} // namespace tessera::cli

#endif
