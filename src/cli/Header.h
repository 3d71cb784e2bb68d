/// The C header of a library made by `tessera build`.
#ifndef TESSERA_CLI_HEADER_H
#define TESSERA_CLI_HEADER_H

#include "backend/Backend.h"
#include "lang/Language.h"

namespace tessera::cli {

/// One prototype for each function, and if all its sizes are known, a second one with C's own
/// arrays. C functions that the program calls have theirs, too. The runtime's header is included,
/// so that this file and the library are sufficient. `path` names the include guard.
std::string headerText(llvm::StringRef path, llvm::ArrayRef<const Signature *> functions,
                       llvm::ArrayRef<ForeignFunction> foreign, const Backend &backend);

} // namespace tessera::cli

#endif
