/// Hyperbolic functions and their inverses for 32-bit floats, computed in 64 bits; tanh is in
/// Exponential.cpp.
#include "transform/math/Functions.h"
#include <limits>

namespace tessera::transform::math {

/// With e = expm1(m) for the magnitude m of x it is (e + e / (e + 1)) / 2. Beyond 100 it is
/// infinite as a 32-bit float.
Term sinh(Term x) {
  Term e = expm1(notAbove(abs(toDouble(x)), 100));
  return toSingle(copysign((e + e / (e + 1)) * 0.5, toDouble(x)));
}

Term cosh(Term x) {
  Term e = exp(notAbove(abs(toDouble(x)), 100));
  return toSingle((e + 1 / e) * 0.5);
}

/// log(x + sqrt(x^2 + 1)), as log1p of a value that is small for small x.
Term asinh(Term x) {
  Term a = abs(toDouble(x)), square = a * a;
  Term y = log1p(a + square / (sqrt(square + 1) + 1));
  return toSingle(
      copysign(select(a == std::numeric_limits<double>::infinity(), a, y), toDouble(x)));
}

/// log(x + sqrt(x^2 - 1)), with t = x - 1.
Term acosh(Term x) {
  Term t = toDouble(x) - 1;
  Term y = log1p(t + sqrt(t * (t + 2)));
  return select(x < 1, std::numeric_limits<double>::quiet_NaN(), toSingle(y));
}

Term atanh(Term x) {
  Term a = abs(toDouble(x));
  return toSingle(copysign(log1p((a + a) / (1 - a)) * 0.5, toDouble(x)));
}

} // namespace tessera::transform::math
