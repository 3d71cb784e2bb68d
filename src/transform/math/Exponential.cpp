#include "transform/math/Exponential.h"
#include "transform/math/Coefficients.h"
#include "transform/math/Format.h"
#include "transform/math/Functions.h"
#include <limits>

namespace tessera::transform::math {

namespace {

constexpr double log2OfE = 1.4426950408889634;

/// The bounds where an exponential leaves the range of the format.
struct Limits {
  double zero;     ///< Below, the result is 0.
  double tiny;     ///< From here on the result is a normal number.
  double infinite; ///< Above, it is infinite.
  int lift;        ///< 2^lift makes every result a normal number.
};
constexpr Limits expLimits32{-104, -87, 0x1.62e42ep+6, 64};
constexpr Limits expLimits64{-746, -708, 0x1.62e42fefa39efp+9, 128};
constexpr Limits exp2Limits32{-151, -126, 0x1.fffffep+6, 64};
constexpr Limits exp2Limits64{-1076, -1022, 0x1.fffffffffffffp+9, 128};

/// x - n ln 2.
Term withoutPowers(Term x, Term n) {
  const Split &ln2 = x.isSingle() ? ln2Of32 : ln2Of64;
  return fma(n, -ln2.low, fma(n, -ln2.high, x));
}

/// y 2^exponent if the result may be too large or too small for a single multiplication; `x` is the
/// function's argument.
Term scaled(Term y, Term exponent, Term x, const Limits &limits) {
  Term isTiny = x < limits.tiny;
  Term lifted = select(isTiny, exponent + limits.lift, exponent);
  Term product = asFloat(asInteger(y) + (lifted << formatOf(y).fraction));
  Term lowered = product * std::ldexp(1.0, -limits.lift);
  Term finite = select(isTiny, lowered, product);
  Term infinite = x + std::numeric_limits<double>::infinity(); // NaN if x is NaN.
  return select(exceeds(x, x.like(limits.infinite)), infinite, finite);
}

/// expm1(r) = r + r^2 p(r) for |r| <= ln(2)/2.
Term expm1OfRest(Term r) {
  return fma(r * r, polynomial(r, r.isSingle() ? llvm::ArrayRef(expm1Rest32) : expm1Rest64), r);
}

} // namespace

Rounded nearest(Term x, double factor) {
  double shift = formatOf(x).roundingTerm;
  Term shifted = factor == 1 ? x + shift : fma(x, factor, shift);
  return {shifted - shift, asInteger(shifted)};
}

Term powerOfTwo(Term like, Term exponent) {
  return asFloat((exponent << formatOf(like).fraction) + bitsOf(like, 1));
}

Term scaledPower(Term y, Term exponent, Term x) {
  return scaled(y, exponent, x, exp2Limits64);
}

/// `low` is optional.
static Term expOfSum(Term x, std::optional<Term> low) {
  const Limits &limits = x.isSingle() ? expLimits32 : expLimits64;
  Term bounded = notBelow(x, limits.zero);
  Rounded n = nearest(bounded, log2OfE);
  Term rest = withoutPowers(bounded, n.number);
  rest = low ? rest + *low : rest;
  Term y = polynomial(rest, x.isSingle() ? llvm::ArrayRef(exp32) : exp64);
  return scaled(y, n.bits, x, limits);
}

Term exp(Term x) {
  return expOfSum(x, std::nullopt);
}

Term exp(Pair x) {
  return expOfSum(x.high, x.low);
}

Term exp2(Term x) {
  const Limits &limits = x.isSingle() ? exp2Limits32 : exp2Limits64;
  Term bounded = notBelow(x, limits.zero);
  Rounded n = nearest(bounded, 1);
  Term y = polynomial(bounded - n.number, x.isSingle() ? llvm::ArrayRef(exp2Of32) : exp2Of64);
  return scaled(y, n.bits, x, limits);
}

Term expm1(Term x) {
  bool isSingle = x.isSingle();
  Term bounded = notAbove(notBelow(x, isSingle ? -25 : -55), isSingle ? 89 : 710);
  Rounded n = nearest(bounded, log2OfE);
  Term rest = expm1OfRest(withoutPowers(bounded, n.number));
  // 2^n may be too large by one power of two; half of it is not.
  Term half = powerOfTwo(x, n.bits - 1);
  Term y = fma(half, rest, half - 0.5);
  return select(abs(x) < (isSingle ? 0x1p-25 : 0x1p-54), x, y + y);
}

/// With s = exp(-2 m) for the magnitude m of x it is (1 - s) / (1 + s). As s is 2^n + 2^n expm1(r),
/// the difference is written in terms of 2^n and expm1(r) and is exact enough for small x.
Term tanh(Term x) {
  Term bounded = notBelow(abs(x) * -2, x.isSingle() ? -25 : -55);
  Rounded n = nearest(bounded, log2OfE);
  Term rest = expm1OfRest(withoutPowers(bounded, n.number));
  Term power = powerOfTwo(x, n.bits);
  Term difference = fma(power, rest, power - 1), sum = fma(power, rest, power + 1);
  return copysign(difference / sum, x);
}

} // namespace tessera::transform::math
