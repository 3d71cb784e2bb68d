#include "cli/Commands.h"
#include "cli/Help.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

/// Errors in the command line are reported before its options are known, so this one is searched
/// for.
static bool asksForJson(ArrayRef<const char *> words) {
  for (StringRef word : words) {
    if (word == "--")
      return false;
    if (word == "--json")
      return true;
  }
  return false;
}

static int dispatch(const Invocation &invocation, Terminal &terminal) {
  if (invocation.has(Opt::Version))
    return printVersion(terminal.out), Success;
  if (invocation.has(Opt::Help) || !invocation.command)
    return printHelp(terminal.out, invocation.command), Success;
  return invocation.command->run(invocation, terminal);
}

int tessera::cli::runTool(ArrayRef<const char *> words, Terminal &terminal) {
  terminal.style.json = asksForJson(words);
  std::optional<Invocation> invocation = parseArguments(words, terminal);
  int status = invocation ? dispatch(*invocation, terminal) : UsageError;
  terminal.flush();
  return status;
}
