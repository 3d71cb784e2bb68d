/// Modules that are not executed, only analyzed for the amount of arithmetic in the program.
#ifndef TESSERA_CORE_COUNTED_H
#define TESSERA_CORE_COUNTED_H

#include "llvm/ADT/StringRef.h"

namespace tessera::core {

/// Marks such a module. A language that lowers to loops directly then emits plain loops that
/// perform each operation of the program once: no vectors, whose lanes may be idle.
inline constexpr llvm::StringLiteral countedAttr = "tessera.counted";

} // namespace tessera::core

#endif
