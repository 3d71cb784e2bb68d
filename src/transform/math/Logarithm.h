/// Shared by the functions built on logarithms.
#ifndef TESSERA_TRANSFORM_MATH_LOGARITHM_H
#define TESSERA_TRANSFORM_MATH_LOGARITHM_H

#include "transform/math/Term.h"

namespace tessera::transform::math {

/// x = 2^(exponent * unit) (1 + fraction), with 1 + fraction from sqrt(1/2) to sqrt(2).
struct Parts {
  Term exponent, fraction;
  double unit;
};

/// For positive normal x.
Parts partsOfNormal(Term x);
/// For positive finite x. Subnormal numbers are scaled first.
Parts partsOf(Term x);

} // namespace tessera::transform::math

#endif
