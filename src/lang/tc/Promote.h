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

/// The common type of two operands. That of bool and bool is bool: arithmetic asks for more.
Scalar promote(Scalar a, Scalar b);
/// What arithmetic on a value of this type computes in: a bool counts as an int32 [tc.own.4].
Scalar arithmeticType(Scalar type);
/// Whether a value may become one of type `to` without being asked: the common type is `to`.
bool convertsTo(Scalar from, Scalar to);

/// The width of an expression of type int32 whose operands have theirs.
Width widthOf(const Expr &expr);
/// The type that a value is computed in: int32, but wide, is int64.
Scalar computedIn(const Expr &expr);
/// Where values of two expressions meet in one operation.
Width widthOf(const Expr &a, const Expr &b);

} // namespace tessera::tc

#endif
