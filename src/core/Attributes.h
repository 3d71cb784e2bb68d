/// The attributes by which front ends talk to back ends [core.4].
#ifndef TESSERA_CORE_ATTRIBUTES_H
#define TESSERA_CORE_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tessera::core {

/// On a function: callable from outside, by this name. On its parameters and results: their names.
inline constexpr llvm::StringLiteral entryAttr = "tessera.entry";
inline constexpr llvm::StringLiteral nameAttr = "tessera.name";
/// On parameters and results: the element type where MLIR's says too little, and the names of the
/// sizes, one a dimension.
inline constexpr llvm::StringLiteral typeAttr = "tessera.type";
inline constexpr llvm::StringLiteral sizesAttr = "tessera.sizes";
/// On a parameter: it is what the result of the same name holds before the call.
inline constexpr llvm::StringLiteral initialAttr = "tessera.initial";
/// On a function: it is in buffer form [core.9]. On an entry in that form: the tables of types of
/// its arguments, as one struct, and of its result; and the names of the arguments.
inline constexpr llvm::StringLiteral buffersAttr = "tessera.buffers";
inline constexpr llvm::StringLiteral typesAttr = "tessera.types";
inline constexpr llvm::StringLiteral namesAttr = "tessera.names";
/// On such an entry: it calls functions in C, which must not be called again.
inline constexpr llvm::StringLiteral callsOutAttr = "tessera.calls_out";
/// On an entry in that form that is a kernel, instead of its types: its parameters (core/Kernel.h).
inline constexpr llvm::StringLiteral kernelAttr = "tessera.kernel";
/// On a parallel loop: how many iterations make a chunk, where the number of elements is not the
/// measure.
inline constexpr llvm::StringLiteral grainAttr = "tessera.grain";
/// On a contraction in buffer form: its result is scratch memory of its own, which only the
/// operation behind it reads; and its operands do not overlap with what that operation writes.
inline constexpr llvm::StringLiteral scratchAttr = "tessera.scratch";
/// On the module: the language that it was lowered from, which names its functions in C.
inline constexpr llvm::StringLiteral languageAttr = "tessera.language";
/// On the module: the table of places that may fail, dictionaries with file, line, column, message,
/// rule.
inline constexpr llvm::StringLiteral sitesAttr = "tessera.sites";

} // namespace tessera::core

#endif
