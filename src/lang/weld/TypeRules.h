/// Which operations a type allows. A type that is in error or not known passes all tests.
#ifndef TESSERA_LANG_WELD_TYPERULES_H
#define TESSERA_LANG_WELD_TYPERULES_H

#include "lang/weld/Syntax.h"

namespace tessera::weld {

bool isOpen(const Type &type); ///< Not known, or in error.
bool isScalarOrUnknown(const Type &type);
/// The scalar of a simd value; any other type is returned as it is.
const Type &lane(const Type &type);

bool isNumeric(const Type &type); ///< Numbers, and simd values of them.
bool isFloat(const Type &type);   ///< f32 and f64, and simd values of them.
bool hasBits(const Type &type);   ///< Integers and bool, and simd values of them.
bool isBool(const Type &type);    ///< Only bool.
bool isScalarOrSimd(const Type &type);
/// What `==`, `<` and `sort` compare: scalars, and vectors and structs of them.
bool isComparable(const Type &type);
/// The same, or simd values.
bool isComparableOrSimd(const Type &type);
bool isKey(const Type &type);       ///< A key of a dictionary.
bool isStorable(const Type &type);  ///< An element of a vector, a value of a dictionary.
bool isMergeable(const Type &type); ///< Values that combining builders accept.
bool isSerializable(const Type &type);

} // namespace tessera::weld

#endif
