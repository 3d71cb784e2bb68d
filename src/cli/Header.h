/// The C header of a library made by `tessera build`.
#ifndef TESSERA_CLI_HEADER_H
#define TESSERA_CLI_HEADER_H

#include "backend/Backend.h"
#include "lang/Language.h"

namespace tessera::cli {

/// One prototype a function, and where all its sizes are known a second one with C's own arrays.
/// Functions in C that the program calls have theirs, too. The runtime's header is inside, so that
/// this one file and the library are enough. `path` names the include guard.
std::string headerText(llvm::StringRef path, llvm::ArrayRef<const Signature *> functions,
                       llvm::ArrayRef<ForeignFunction> foreign, const Backend &backend);

} // namespace tessera::cli

#endif
