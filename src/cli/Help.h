/// The texts made from the tables: help, the manual page, completions.
#ifndef TESSERA_CLI_HELP_H
#define TESSERA_CLI_HELP_H

#include "cli/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::cli {

/// `tessera --help` (null), `tessera COMMAND --help`.
void printHelp(llvm::raw_ostream &out, const Command *command);
void printVersion(llvm::raw_ostream &out);
/// The manual page in mdoc.
void printManPage(llvm::raw_ostream &out);

void printBashCompletions(llvm::raw_ostream &out);
void printZshCompletions(llvm::raw_ostream &out);
void printFishCompletions(llvm::raw_ostream &out);

/// The options of a command in one group, in the order of the table.
llvm::SmallVector<const Option *> optionsOf(const Command &command, Group group);

} // namespace tessera::cli

#endif
