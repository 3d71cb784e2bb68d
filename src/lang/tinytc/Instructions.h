/// Names of instructions, in all versions.
#ifndef TESSERA_LANG_TINYTC_INSTRUCTIONS_H
#define TESSERA_LANG_TINYTC_INSTRUCTIONS_H

#include "lang/tinytc/Syntax.h"

namespace tessera::tinytc {

/// Whether an instruction may begin with this word.
bool isInstruction(llvm::StringRef word);
/// All such words, with prefixes such as `arith.`.
llvm::ArrayRef<llvm::StringRef> instructionWords();
/// The version that has this instruction, which Tessera does not support; "" for all others.
llvm::StringRef versionWith(llvm::StringRef word);
/// What to write instead of an instruction that other languages have; "" for all others.
llvm::StringRef adviceFor(llvm::StringRef word);

/// By the word after the point in the seed description, or by that of version 0.4.
std::optional<BinaryOp> binaryNamed(llvm::StringRef name);
std::optional<UnaryOp> unaryNamed(llvm::StringRef seedName);
std::optional<UnaryOp> laterUnaryNamed(llvm::StringRef name);
std::optional<CompareOp> compareNamed(llvm::StringRef seedName);
std::optional<CompareOp> laterCompareNamed(llvm::StringRef name);
std::optional<BlasOp> blasNamed(llvm::StringRef name);
std::optional<Builtin::Kind> builtinNamed(llvm::StringRef name);

} // namespace tessera::tinytc

#endif
