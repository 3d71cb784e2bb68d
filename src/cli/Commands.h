/// One function for each command. It reads the invocation, writes to the terminal and returns the
/// exit status.
#ifndef TESSERA_CLI_COMMANDS_H
#define TESSERA_CLI_COMMANDS_H

#include "cli/Arguments.h"
#include "cli/Terminal.h"

namespace tessera::cli {

#define COMMAND(id, ...) int run##id(const Invocation &, Terminal &);
#include "cli/Commands.def"

/// Parses the words after the program's name and runs the command. Independent of the process, so
/// tests call it with their own streams.
int runTool(llvm::ArrayRef<const char *> words, Terminal &terminal);

} // namespace tessera::cli

#endif
