#include "transform/math/Coefficients.h"
#include "transform/math/Format.h"
#include "transform/math/Functions.h"
#include <limits>

namespace tessera::transform::math {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// x = 2^exponent (1 + fraction), with 1 + fraction from sqrt(1/2) to sqrt(2).
struct Parts {
  Term exponent, fraction;
};

/// Of positive finite x. Numbers below the normal ones are scaled first.
Parts partsOf(Term x) {
  const Format &format = formatOf(x);
  double lift = format.fraction + 1, offset = std::ldexp(1.0, format.fraction);
  Term isTiny = x < format.leastNormal;
  Term normal = select(isTiny, x * std::ldexp(1.0, lift), x);
  int64_t root = bitsOf(x, 0.70710678118654752);
  Term bits = asInteger(normal) + (bitsOf(x, 1) - root);
  // The integer e is in the low bits of 2^fraction + e.
  Term biased = asFloat((bits >> format.fraction) | bitsOf(x, offset));
  Term bias = select(isTiny, x.like(offset + format.bias + lift), offset + format.bias);
  Term significand = asFloat((bits & ((int64_t(1) << format.fraction) - 1)) + root);
  return {biased - bias, significand - 1};
}

/// log(1 + f) = f + rest(f).
Term restOfLog(Term f) {
  if (f.isSingle()) {
    Term square = f * f;
    return fma(square * f, polynomial(f, log32), square * -0.5);
  }
  // With s = f / (2 + f) it is 2 atanh(s) = f - s (f - r), r = 2 atanh(s) / s - 2; and the first
  // terms are f - f^2/2.
  Term s = f / (f + 2), z = s * s, half = f * f * 0.5;
  Term r = z * polynomial(z, log64);
  return s * (half + r) - half;
}

/// What a logarithm is for zero, negative numbers, infinity and what is not a number.
Term withSpecials(Term x, Term y) {
  Term outside = select(x == 0, y.like(-infinity), notANumber);
  Term positive = select(x > 0, y, outside);
  return select(x == infinity, x, positive);
}

/// A logarithm's base: step = log(2), scale = log(e).
struct Base {
  Split step, scale;
};
constexpr Base natural32{ln2Of32, {1, 0}}, natural64{ln2Of64, {1, 0}};
constexpr Base binary32{{1, 0}, log2OfEOf32}, binary64{{1, 0}, log2OfEOf64};
constexpr Base decimal32{log10Of2Of32, log10OfEOf32}, decimal64{log10Of2Of64, log10OfEOf64};

/// exponent * step + (fraction + rest) * scale.
Term logOf(Parts x, Term rest, const Base &base) {
  Term f = x.fraction;
  if (base.scale.high != 1)
    rest = fma(f, base.scale.low, rest * base.scale.high);
  if (base.step.low != 0)
    rest = fma(x.exponent, base.step.low, rest);
  Term ofFraction = base.scale.high == 1 ? f + rest : fma(f, base.scale.high, rest);
  return fma(x.exponent, base.step.high, ofFraction);
}

Term logOf(Term x, const Base &base32, const Base &base64) {
  Parts parts = partsOf(x);
  return withSpecials(x, logOf(parts, restOfLog(parts.fraction), x.isSingle() ? base32 : base64));
}

} // namespace

Term log(Term x) {
  return logOf(x, natural32, natural64);
}

Term log2(Term x) {
  return logOf(x, binary32, binary64);
}

Term log10(Term x) {
  return logOf(x, decimal32, decimal64);
}

/// log(1 + x) of the rounded sum; its rounding error, divided by the sum, corrects it.
Term log1p(Term x) {
  Pair sum = exactSum(x, x.like(1));
  Parts parts = partsOf(sum.high);
  Term rest = restOfLog(parts.fraction) + sum.low / sum.high;
  Term y = logOf(parts, rest, x.isSingle() ? natural32 : natural64);
  return select(x == 0, x, withSpecials(sum.high, y));
}

} // namespace tessera::transform::math
