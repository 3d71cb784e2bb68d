/// Names of instructions, in all versions.
#ifndef TESSERA_LANG_TINYTC_INSTRUCTIONS_H
#define TESSERA_LANG_TINYTC_INSTRUCTIONS_H

#include "lang/tinytc/Syntax.h"

namespace tessera::tinytc {

/// Whether an instruction may begin with this word.
bool isInstruction(llvm::StringRef word);
/// All such words, with prefixes such as `arith.`: those of the seed description, or of all
/// versions.
llvm::ArrayRef<llvm::StringRef> instructionWords(bool isSeed = false);

/// An instruction of a later version that Tessera does not support: docs/languages/tinytc.md lists
/// them.
struct UnreadInstruction {
  llvm::StringRef name, version;
  llvm::StringRef advice; ///< What to write instead.
};
/// Null for all other words.
const UnreadInstruction *unreadInstruction(llvm::StringRef word);
/// What to write instead of an instruction of other languages; "" for all others.
llvm::StringRef adviceFor(llvm::StringRef word);
/// Whether it is a dialect of MLIR, whose instructions are named `memref.load`.
bool isDialect(llvm::StringRef word);

/// By the word after the point in the seed description, or by that of version 0.4.
std::optional<BinaryOp> binaryNamed(llvm::StringRef name);
std::optional<UnaryOp> unaryNamed(llvm::StringRef seedName);
std::optional<UnaryOp> laterUnaryNamed(llvm::StringRef name);
std::optional<CompareOp> compareNamed(llvm::StringRef seedName);
std::optional<CompareOp> laterCompareNamed(llvm::StringRef name);
std::optional<BlasOp> blasNamed(llvm::StringRef name);
std::optional<Builtin::Kind> builtinNamed(llvm::StringRef name);
/// The type of the builtin's value.
ScalarType typeOf(Builtin::Kind kind);

} // namespace tessera::tinytc

#endif
