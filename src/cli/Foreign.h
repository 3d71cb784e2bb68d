/// Functions of other libraries that a program calls: --load.
#ifndef TESSERA_CLI_FOREIGN_H
#define TESSERA_CLI_FOREIGN_H

#include "cli/Compilation.h"

namespace tessera::cli {

/// Loads the libraries, and looks for each function in them, in their order, and then in this
/// process. Reports what cannot be had; nothing is returned then, and `status` is set.
std::optional<std::vector<jit::Foreign>>
findForeign(const Source &source, const Invocation &invocation, Terminal &terminal, int &status);

} // namespace tessera::cli

#endif
