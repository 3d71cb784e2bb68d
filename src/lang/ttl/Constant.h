/// The values of `int` expressions that consist of literals.
#ifndef TESSERA_LANG_TTL_CONSTANT_H
#define TESSERA_LANG_TTL_CONSTANT_H

#include "lang/ttl/Syntax.h"
#include <optional>

namespace tessera::ttl {

/// nullopt if a variable or call is involved, or if the value does not fit `int`. The expression
/// must have been checked.
std::optional<int64_t> constantValue(const Expr &expr);
/// Computes what the checker stores for `constantValue`, from the stored values of the operands.
std::optional<int64_t> computeConstant(const Expr &expr);

/// `lhs op rhs` without regard to the width of `int`; nullopt for a zero divisor and for operators
/// that do not compute an `int`.
std::optional<int64_t> constantResult(BinaryOp op, int64_t lhs, int64_t rhs);

/// Whether sums and products in the expression may overflow `int`, judging by sizes and literals.
bool mayOverflow(const Expr &expr);

} // namespace tessera::ttl

#endif
