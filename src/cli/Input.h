/// Source files, from disk or from standard input.
#ifndef TESSERA_CLI_INPUT_H
#define TESSERA_CLI_INPUT_H

#include "support/Source.h"
#include <optional>

namespace tessera::cli {

class Terminal;

/// The name of standard input in messages.
inline constexpr llvm::StringLiteral standardInputName = "<stdin>";

/// `-` is standard input. Reports why a file cannot be read.
std::optional<SourceFile> readSource(llvm::StringRef path, Terminal &terminal);

} // namespace tessera::cli

#endif
