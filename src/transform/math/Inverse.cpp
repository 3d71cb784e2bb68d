/// Inverse trigonometric functions of floats of 32 bits, computed in 64 bits.
#include "transform/math/Coefficients.h"
#include "transform/math/Functions.h"
#include <limits>
#include <numbers>

namespace tessera::transform::math {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// atan(z) for 0 <= z <= 1.
Term atanOfSmall(Term z) {
  return z * polynomial(z * z, atanShort);
}

/// The angle of the point (x, y), all in 64 bits: of the smaller coordinate over the larger one,
/// put into its eighth of the circle.
Term angleOf(Term y, Term x) {
  Term a = abs(y), b = abs(x);
  Term isSteep = a > b;
  Term small = select(isSteep, b, a), large = select(isSteep, a, b);
  Term ratio = small / large;
  ratio = select(large == 0, 0, ratio);
  ratio = select(small == infinity, 1, ratio);
  Term eighth = atanOfSmall(ratio);
  Term quarter = select(isSteep, pi / 2 - eighth, eighth);
  Term half = select(asInteger(x) < 0, pi - quarter, quarter);
  Term angle = copysign(half, y);
  return select(isNan(x) | isNan(y), x + y, angle);
}

/// sqrt(1 - x^2).
Term cathetus(Term x) {
  return sqrt((1 - x) * (1 + x));
}

} // namespace

Term atan(Term x) {
  Term wide = toDouble(x);
  return toSingle(angleOf(wide, wide.like(1)));
}

Term atan2(Term y, Term x) {
  return toSingle(angleOf(toDouble(y), toDouble(x)));
}

Term asin(Term x) {
  Term wide = toDouble(x);
  return toSingle(angleOf(wide, cathetus(wide)));
}

Term acos(Term x) {
  Term wide = toDouble(x);
  return toSingle(angleOf(cathetus(wide), wide));
}

} // namespace tessera::transform::math
