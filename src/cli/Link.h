/// Object code to archives, shared libraries and executables.
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
  /// Compilers know where the C library is; a linker has to be told.
  bool isCompiler;
};
llvm::ArrayRef<LinkTool> linkTools();

struct LinkJob {
  OutputKind kind;
  llvm::StringRef object; ///< Its bytes.
  llvm::StringRef output; ///< The name of the result, for messages and for the result itself.
  std::vector<std::string> entries; ///< What a shared library is for; the rest of it is hidden.
  std::vector<std::string> libraries = {}; ///< What a shared library needs, as linkers want it.
};

/// The bytes of the result, with the runtime in it. Reports why there is none; the status is
/// NotPossibleHere then.
std::optional<std::string> link(const LinkJob &job, Terminal &terminal);

} // namespace tessera::cli

#endif
