/// Versions, for --version, `doctor` and everything else that shows them.
#ifndef TESSERA_CLI_VERSION_H
#define TESSERA_CLI_VERSION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"

namespace tessera::cli {

constexpr llvm::StringRef version = TESSERA_VERSION;
constexpr llvm::StringRef llvmVersion = LLVM_VERSION_STRING;
constexpr llvm::StringRef releaseDate = TESSERA_DATE; ///< "January 1, 2027", for the manual page.

} // namespace tessera::cli

#endif
