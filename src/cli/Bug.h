/// How a failure of the compiler itself is reported.
#ifndef TESSERA_CLI_BUG_H
#define TESSERA_CLI_BUG_H

#include "cli/Compilation.h"
#include "cli/Interrupt.h"

namespace tessera::cli {

/// Reports a bug in tessera and leaves a reproducer, or reports that given MLIR cannot be compiled;
/// returns the exit status.
int reportBug(const CompilerBug &bug, const Source &source, Terminal &terminal);

/// While it exists, a crash is reported as a bug in tessera, incomplete files are removed, and a
/// program from standard input is saved.
class CrashGuard {
public:
  explicit CrashGuard(const SourceFile &file);

private:
  std::string copy, text;
  LastWords words;
  FaultGuard guard;
};

/// Writes a file next to the user's or, if that is impossible, among the temporary ones; never
/// overwrites another reproducer. Returns its name; "" if neither is possible.
std::string writeReproducer(llvm::StringRef contents);

} // namespace tessera::cli

#endif
