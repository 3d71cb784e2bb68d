#include "transform/math/Coefficients.h"
#include "transform/math/Exponential.h"
#include "transform/math/Functions.h"

namespace tessera::transform::math {

/// x + x p(x^2) up to a bound; beyond it 1 - q(m)^8 for the magnitude m of x, since a root of erfc
/// is almost a polynomial. The powers magnify the error of q, but erfc is small there.
Term erf(Term x) {
  bool isSingle = x.isSingle();
  Term magnitude = abs(x);
  Term small = fma(x, polynomial(x * x, isSingle ? llvm::ArrayRef(erf32) : erf64), x);
  Term bounded = notAbove(magnitude, isSingle ? erfIsOne32 : erfIsOne64);
  Term root = polynomial(bounded, isSingle ? llvm::ArrayRef(erfcRoot32) : erfcRoot64);
  Term square = root * root, fourth = square * square;
  Term large = copysign(1 - fourth * fourth, x);
  return select(magnitude < (isSingle ? erfBound32 : erfBound64), small, large);
}

/// In 64 bits: 1 - erf(x) where that is accurate, else exp(-x^2) erfcx(x), with x^2 in twice the
/// precision. For negative x it is 2 - erfc(-x).
static Term erfcOf(Term x, llvm::ArrayRef<double> erfTerms, llvm::ArrayRef<double> erfcxTerms) {
  Term magnitude = notAbove(abs(x), 28);
  Term small = (1 - x) - x * polynomial(x * x, erfTerms);
  Term t = (magnitude - 3) / (magnitude + 3);
  Term scaledTail = polynomial(t, erfcxTerms) / (magnitude + magnitude + 1);
  Pair square = exactProduct(magnitude, magnitude);
  Term tail = exp(Pair{-square.high, -square.low}) * scaledTail;
  Term large = select(x < 0, 2 - tail, tail);
  return select(abs(x) < 0.75, small, large);
}

Term erfc(Term x) {
  if (x.isSingle())
    return toSingle(erfcOf(toDouble(x), erf32, erfcxShort));
  return erfcOf(x, erf64, erfcx64);
}

} // namespace tessera::transform::math
