/// How the scalar types of TC combine [tc.type.14].
#ifndef TESSERA_LANG_TC_PROMOTE_H
#define TESSERA_LANG_TC_PROMOTE_H

#include "lang/tc/Syntax.h"

namespace tessera::tc {

inline bool isFloat(Scalar type) {
  return kindOf(type) == ScalarKind::Float;
}
inline bool isInteger(Scalar type) {
  return kindOf(type) == ScalarKind::Signed || kindOf(type) == ScalarKind::Unsigned;
}

/// The common type of two operands. That of bool and bool is bool, which arithmetic promotes
/// further.
Scalar promote(Scalar a, Scalar b);
/// The type in which arithmetic on a value of this type is computed: a bool counts as an int32
/// [tc.own.4].
Scalar arithmeticType(Scalar type);
/// Whether values convert to type `to` implicitly: it is the common type.
bool convertsTo(Scalar from, Scalar to);

/// The width of an expression of type int32, given those of its operands.
Width widthOf(const Expr &expr);
/// The type that a value is computed in: for a wide int32, int64.
Scalar computedIn(const Expr &expr);
/// The width of an operation on the values of two expressions.
Width widthOf(const Expr &a, const Expr &b);

} // namespace tessera::tc

#endif
