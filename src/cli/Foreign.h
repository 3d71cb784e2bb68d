/// Functions of other libraries that a program calls: --load.
#ifndef TESSERA_CLI_FOREIGN_H
#define TESSERA_CLI_FOREIGN_H

#include "cli/Compilation.h"

namespace tessera::cli {

/// Loads the libraries, and looks for each function in them, in their order, and then in this
/// process. Reports what cannot be had; nothing is returned then, and `status` is set.
std::optional<std::vector<jit::Foreign>>
findForeign(const Source &source, const Invocation &invocation, Terminal &terminal, int &status);

/// For `build` and `emit`: whether the libraries of --load, where there are any, have all that the
/// program calls. Without them its functions are symbols of whatever it is linked with.
bool hasForeign(const Source &source, const Invocation &invocation, Terminal &terminal,
                int &status);

/// How a linker finds a library of --load: by its path, or where the system has it.
std::string linkWord(llvm::StringRef library);

} // namespace tessera::cli

#endif
