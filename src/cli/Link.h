/// Turns object code into archives, shared libraries and executables.
#ifndef TESSERA_CLI_LINK_H
#define TESSERA_CLI_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tessera::cli {

class Terminal;

enum class OutputKind { Object, Archive, SharedLibrary, Executable };

/// Programs that can link, best first; one of them is enough.
struct LinkTool {
  llvm::StringRef name, package;
  /// Compilers know where the C library is; a linker needs to be told.
  bool isCompiler;
};
llvm::ArrayRef<LinkTool> linkTools();

struct LinkJob {
  OutputKind kind;
  llvm::StringRef object;           ///< The bytes of the object.
  llvm::StringRef output;           ///< The name of the result, for messages and for its soname.
  std::vector<std::string> entries; ///< What a shared library exports; the rest is hidden.
  std::vector<std::string> libraries = {}; ///< What a shared library needs, for linkers.
};

/// The bytes of the result, with the runtime in it. Reports why there is none; then the status is
/// NotPossibleHere.
std::optional<std::string> link(const LinkJob &job, Terminal &terminal);

} // namespace tessera::cli

#endif
