/// The attributes through which front ends communicate with back ends [core.4].
#ifndef TESSERA_CORE_ATTRIBUTES_H
#define TESSERA_CORE_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tessera::core {

/// On a function: its exported name; the function is callable from outside. On its parameters and
/// results: their names.
inline constexpr llvm::StringLiteral entryAttr = "tessera.entry";
inline constexpr llvm::StringLiteral nameAttr = "tessera.name";
/// On parameters and results: the element type where MLIR's type does not determine it, and the
/// names of the sizes, one per dimension.
inline constexpr llvm::StringLiteral typeAttr = "tessera.type";
inline constexpr llvm::StringLiteral sizesAttr = "tessera.sizes";
/// On a parameter: it receives what the result of the same name holds before the call.
inline constexpr llvm::StringLiteral initialAttr = "tessera.initial";
/// On a function: it is in buffer form [core.9]. On an entry in that form: the tables that describe
/// the types of its arguments (as one struct) and of its result, and the names of the arguments.
inline constexpr llvm::StringLiteral buffersAttr = "tessera.buffers";
inline constexpr llvm::StringLiteral typesAttr = "tessera.types";
inline constexpr llvm::StringLiteral namesAttr = "tessera.names";
/// On such an entry: it calls C functions, which must not be called twice.
inline constexpr llvm::StringLiteral callsOutAttr = "tessera.calls_out";
/// On a kernel entry in that form, instead of its types: its parameters (core/Kernel.h).
inline constexpr llvm::StringLiteral kernelAttr = "tessera.kernel";
/// On a parallel loop: the iterations per chunk, where the number of elements does not measure the
/// work.
inline constexpr llvm::StringLiteral grainAttr = "tessera.grain";
/// On a contraction in buffer form: its result is private scratch memory, read only by the next
/// operation, and its operands do not overlap with what that operation writes.
inline constexpr llvm::StringLiteral scratchAttr = "tessera.scratch";
/// On the module: the language it was lowered from, which prefixes the names of its C functions.
inline constexpr llvm::StringLiteral languageAttr = "tessera.language";
/// On the module: the table of run-time error sites, dictionaries with file, line, column, message,
/// rule.
inline constexpr llvm::StringLiteral sitesAttr = "tessera.sites";

} // namespace tessera::core

#endif
