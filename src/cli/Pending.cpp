/// Commands that have a row in the table and no code yet. A command that gets its own file leaves
/// here.
#include "cli/Commands.h"

using namespace tessera::cli;

#define PENDING(id)                                                                                \
  int tessera::cli::run##id(const Invocation &, Terminal &) {                                      \
    return Bug;                                                                                    \
  }
PENDING(Bench)
