/// Arithmetic on numbers that are known when a program is compiled, for the checker and the folds
/// of the dialect.
#ifndef TESSERA_LANG_TINYTC_CONSTANTS_H
#define TESSERA_LANG_TINYTC_CONSTANTS_H

#include "lang/tinytc/Syntax.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace tessera::tinytc {

/// nullopt if the result is undefined or differs among devices.
std::optional<llvm::APInt> compute(BinaryOp op, const llvm::APInt &left, const llvm::APInt &right);
std::optional<llvm::APFloat> compute(BinaryOp op, llvm::APFloat left, const llvm::APFloat &right);

/// The same for literals of this type. NaN and infinity have no literals and count as unknown.
std::optional<Literal> compute(BinaryOp op, const Literal &left, const Literal &right,
                               const Type &type);
std::optional<Literal> compute(UnaryOp op, const Literal &operand, const Type &type);
/// nullopt if it is not exact.
std::optional<Literal> convert(const Literal &literal, const Type &from, const Type &to);

} // namespace tessera::tinytc

#endif
