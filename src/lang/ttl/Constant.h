/// What an `int` expression made of literals is worth at compile time.
#ifndef TESSERA_LANG_TTL_CONSTANT_H
#define TESSERA_LANG_TTL_CONSTANT_H

#include "lang/ttl/Syntax.h"
#include <optional>

namespace tessera::ttl {

/// Nothing where a variable or call is involved, or where the value does not fit `int`. Known once
/// the expression was checked.
std::optional<int64_t> constantValue(const Expr &expr);
/// What the checker keeps for `constantValue`; those of the operands are known.
std::optional<int64_t> computeConstant(const Expr &expr);

/// `lhs op rhs` without regard to the width of `int`; nothing for a zero divisor and for operators
/// that do not compute an `int`.
std::optional<int64_t> constantResult(BinaryOp op, int64_t lhs, int64_t rhs);

/// Whether sums and products in the expression may leave `int`; sizes and literals bound them.
bool mayOverflow(const Expr &expr);

} // namespace tessera::ttl

#endif
