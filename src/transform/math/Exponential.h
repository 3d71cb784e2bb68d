/// Shared by the functions built on exponentials.
#ifndef TESSERA_TRANSFORM_MATH_EXPONENTIAL_H
#define TESSERA_TRANSFORM_MATH_EXPONENTIAL_H

#include "transform/math/Term.h"

namespace tessera::transform::math {

/// x * factor, rounded to the nearest integer: as a float, and in the low bits of an integer.
/// |x * factor| must be less than 2^22 or 2^51.
struct Rounded {
  Term number, bits;
};
Rounded nearest(Term x, double factor);

/// y 2^exponent, for y close to 1 and the exponent in the low bits; `x` is the sum of both
/// logarithms. Overflows to infinity and underflows to zero. In 64 bits.
Term scaledPower(Term y, Term exponent, Term x);

/// The exponential of the sum.
Term exp(Pair x);

/// 2^exponent; the exponent, in the low bits, must be that of a normal number.
Term powerOfTwo(Term like, Term exponent);

} // namespace tessera::transform::math

#endif
