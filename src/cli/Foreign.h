/// Functions of other libraries that a program calls: --load.
#ifndef TESSERA_CLI_FOREIGN_H
#define TESSERA_CLI_FOREIGN_H

#include "cli/Compilation.h"

namespace tessera::cli {

/// Loads the libraries, and looks for each function in them, in order, and then in this process.
/// Reports missing ones; then it returns nullopt and sets `status`.
std::optional<std::vector<jit::Foreign>>
findForeign(const Source &source, const Invocation &invocation, Terminal &terminal, int &status);

/// For `build` and `emit`: whether the libraries of --load, if any are given, contain all functions
/// that the program calls. Without --load, its functions are undefined symbols.
bool hasForeign(const Source &source, const Invocation &invocation, Terminal &terminal,
                int &status);

/// How a linker finds a library of --load: by its path, or in the system's folders.
std::string linkWord(llvm::StringRef library);

} // namespace tessera::cli

#endif
