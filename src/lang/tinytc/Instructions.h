/// Names of instructions, in all versions.
#ifndef TESSERA_LANG_TINYTC_INSTRUCTIONS_H
#define TESSERA_LANG_TINYTC_INSTRUCTIONS_H

#include "lang/tinytc/Syntax.h"

namespace tessera::tinytc {

/// Whether an instruction may begin with this word.
bool isInstruction(llvm::StringRef word);
/// The nearest such word, with `arith.` and the like; "" where none is near.
llvm::StringRef nearestInstruction(llvm::StringRef word);

/// By the word behind the point of the seed, or by that of 0.4.
std::optional<BinaryOp> binaryNamed(llvm::StringRef name);
std::optional<UnaryOp> unaryNamed(llvm::StringRef seedName);
std::optional<UnaryOp> laterUnaryNamed(llvm::StringRef name);
std::optional<CompareOp> compareNamed(llvm::StringRef seedName);
std::optional<CompareOp> laterCompareNamed(llvm::StringRef name);
std::optional<BlasOp> blasNamed(llvm::StringRef name);
std::optional<Builtin::Kind> builtinNamed(llvm::StringRef name);

} // namespace tessera::tinytc

#endif
