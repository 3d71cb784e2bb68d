/// A module that is not executed, only looked at for how much arithmetic it asks for.
#ifndef TESSERA_CORE_COUNTED_H
#define TESSERA_CORE_COUNTED_H

#include "llvm/ADT/StringRef.h"

namespace tessera::core {

/// On such a module. A language that goes to loops at once makes plain ones then, in which each
/// operation that the program asks for is done once: no vectors, whose lanes may be idle.
inline constexpr llvm::StringLiteral countedAttr = "tessera.counted";

} // namespace tessera::core

#endif
