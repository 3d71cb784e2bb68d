#include "transform/math/Coefficients.h"
#include "transform/math/Exponential.h"
#include "transform/math/Format.h"
#include "transform/math/Functions.h"
#include "transform/math/Logarithm.h"

namespace tessera::transform::math {

namespace {

Pair product(Pair a, Pair b) {
  Pair high = exactProduct(a.high, b.high);
  return exactSumOrdered(high.high, high.low + fma(a.high, b.low, a.low * b.high));
}

/// f / (2 + f), in twice the precision.
Pair quotient(Term f) {
  Pair divisor = exactSumOrdered(f.like(2), f);
  Term inverse = 1 / divisor.high;
  Term high = f * inverse;
  Pair back = exactProduct(high, divisor.high);
  Term rest = ((f - back.high) - back.low) - high * divisor.low;
  return {high, rest * inverse};
}

/// log2(1 + f) to about 64 bits: 2 log2(e) (s + s^3 (1/3 + s^2 (1/5 + ...))), s = f / (2 + f).
Pair log2OfFraction(Term f) {
  Pair s = quotient(f), z = exactProduct(s.high, s.high);
  z.low = fma(s.high + s.high, s.low, z.low);
  Pair third = exactSumOrdered(f.like(thirdOf64.high), z.high * polynomial(z.high, powLog));
  third.low = third.low + thirdOf64.low;
  Pair cubic = product(product(s, z), third);
  Pair sum = exactSumOrdered(s.high, cubic.high);
  sum.low = sum.low + (s.low + cubic.low);
  return product(sum, {f.like(2 * log2OfEOf64.high), f.like(2 * log2OfEOf64.low)});
}

/// y log2(x) to about 64 bits, for positive finite x. It is bounded because splitting infinity
/// would give NaN.
Pair exponentOf(Term x, Term y) {
  Parts parts = partsOf(x);
  Pair fraction = log2OfFraction(parts.fraction);
  Pair logarithm = exactSumOrdered(parts.exponent, fraction.high);
  logarithm.low = logarithm.low + fraction.low;
  Term factor = notAbove(notBelow(y, -0x1p65), 0x1p65);
  Pair high = exactProduct(logarithm.high, factor);
  return {high.high, fma(logarithm.low, factor, high.low)};
}

/// 2^(high + low).
Term powerOf(Pair exponent) {
  Term bounded = notAbove(notBelow(exponent.high, -1100), 1100);
  Rounded n = nearest(bounded, 1);
  Term isInside = abs(exponent.high) < 1100;
  Term rest = (bounded - n.number) + select(isInside, exponent.low, 0);
  Term y = polynomial(rest, exp2Of64);
  // Slightly less than 1024 is still finite.
  Term limit = select(exponent.low < 0, bounded * 0x1.fffffffffffffp-1, bounded);
  return scaledPower(y, n.bits, limit);
}

/// The results for x = 1 and for infinities, where the logarithm does not help.
Term magnitudeOfDouble(Term x, Term y) {
  Term regular = powerOf(exponentOf(x, y));
  Term grows = (x > 1) ^ (y < 0);
  Term limit = select(grows, x.like(infinity), 0);
  Term isLimit = (x == 0) | (x == infinity) | ((abs(y) == infinity) & (x != 1));
  Term result = select(isLimit, limit, regular);
  result = select((x == 1) & (abs(y) == infinity), 1, result);
  return select(isNan(x) | isNan(y), x + y, result);
}

/// For single precision, the bits of a double's logarithm suffice.
Term magnitudeOfSingle(Term x, Term y) {
  Term logarithm = log2(toDouble(x)), wide = toDouble(y);
  Term exponent = select((x == 1) & !isNan(y), 0, wide * logarithm);
  return toSingle(exp2(exponent));
}

} // namespace

/// C's rules: 1 if x is 1 or y is 0, even if the other is NaN; negative x have real powers if y is
/// an integer, negative ones if it is odd.
Term pow(Term x, Term y) {
  Term magnitude = x.isSingle() ? magnitudeOfSingle(abs(x), y) : magnitudeOfDouble(abs(x), y);
  Term isInteger = trunc(y) == y, half = y * 0.5;
  Term isOdd = isInteger & (trunc(half) != half);
  Term sign = select((asInteger(x) < 0) & isOdd, x.like(-1), 1);
  Term signedPower = copysign(magnitude, sign);
  Term isReal = (x >= 0) | isInteger | (x == -infinity) | isNan(x);
  Term power = select(isReal, signedPower, notANumber);
  return select((x == 1) | (y == 0), 1, power);
}

Term cbrt(Term x) {
  Term root = exp2(log2(abs(toDouble(x))) * (1.0 / 3));
  return toSingle(copysign(root, toDouble(x)));
}

Term rsqrt(Term x) {
  return 1 / sqrt(x);
}

} // namespace tessera::transform::math
