/// How a failure of the compiler itself is told.
#ifndef TESSERA_CLI_BUG_H
#define TESSERA_CLI_BUG_H

#include "cli/Compilation.h"
#include "cli/Interrupt.h"

namespace tessera::cli {

/// Says that it is our bug and leaves a reproducer, or that given MLIR cannot be compiled; returns
/// the exit status.
int reportBug(const CompilerBug &bug, const Source &source, Terminal &terminal);

/// While it lives, a crash says that it is our bug, files under construction are removed, and a
/// program from standard input is kept.
class CrashGuard {
public:
  explicit CrashGuard(const SourceFile &file);

private:
  std::string copy, text;
  LastWords words;
  FaultGuard guard;
};

/// Writes a file beside the user's or, where that cannot be, among the temporary ones; never in
/// place of the reproducer of another bug. Its name; "" where neither is possible.
std::string writeReproducer(llvm::StringRef contents);

} // namespace tessera::cli

#endif
