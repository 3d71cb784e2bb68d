/// One function a command. They read the invocation, write to the terminal and return the exit
/// status.
#ifndef TESSERA_CLI_COMMANDS_H
#define TESSERA_CLI_COMMANDS_H

#include "cli/Arguments.h"
#include "cli/Terminal.h"

namespace tessera::cli {

#define COMMAND(id, ...) int run##id(const Invocation &, Terminal &);
#include "cli/Commands.def"

/// Parses the words behind the program's name and runs the command they name. Everything but the
/// process itself: tests call it with streams of their own.
int runTool(llvm::ArrayRef<const char *> words, Terminal &terminal);

} // namespace tessera::cli

#endif
