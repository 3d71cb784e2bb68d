/// Arithmetic on numbers that are known when a program is compiled: the checker's, and that of the
/// dialect's folds.
#ifndef TESSERA_LANG_TINYTC_CONSTANTS_H
#define TESSERA_LANG_TINYTC_CONSTANTS_H

#include "lang/tinytc/Syntax.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace tessera::tinytc {

/// Nothing where the result is undefined, or where devices may compute another one.
std::optional<llvm::APInt> compute(BinaryOp op, const llvm::APInt &left, const llvm::APInt &right);
std::optional<llvm::APFloat> compute(BinaryOp op, llvm::APFloat left, const llvm::APFloat &right);

/// The same of literals of this type. A result that no literal can be, NaN or infinity, is not
/// known either.
std::optional<Literal> compute(BinaryOp op, const Literal &left, const Literal &right,
                               const Type &type);
std::optional<Literal> compute(UnaryOp op, const Literal &operand, const Type &type);
/// Where it is exact.
std::optional<Literal> convert(const Literal &literal, const Type &from, const Type &to);

} // namespace tessera::tinytc

#endif
