/// Shared by what is made of exponentials.
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

/// 2^exponent, for an exponent in the low bits that is that of a normal number.
Term powerOfTwo(Term like, Term exponent);

} // namespace tessera::transform::math

#endif
