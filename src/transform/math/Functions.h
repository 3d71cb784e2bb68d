/// The functions of the math dialect as plain arithmetic: no calls, tables or branches, so that
/// loops over them can be vectorized. docs/math.md lists their errors. Each takes floats of 32 or
/// 64 bits unless it says otherwise.
#ifndef TESSERA_TRANSFORM_MATH_FUNCTIONS_H
#define TESSERA_TRANSFORM_MATH_FUNCTIONS_H

#include "transform/math/Term.h"

namespace tessera::transform::math {

Term exp(Term x);
Term exp2(Term x);
Term expm1(Term x);
Term tanh(Term x);

Term log(Term x);
Term log2(Term x);
Term log10(Term x);
Term log1p(Term x);

Term erf(Term x);
Term erfc(Term x);

Term sin(Term x);
Term cos(Term x);
Term asin(Term x);
Term acos(Term x);
Term atan(Term x);
Term atan2(Term y, Term x);

Term pow(Term x, Term y);
Term rsqrt(Term x);

// 32 bits only.
Term acosh(Term x);
Term asinh(Term x);
Term atanh(Term x);
Term cbrt(Term x);
Term cosh(Term x);
Term sinh(Term x);
Term tan(Term x);

} // namespace tessera::transform::math

#endif
