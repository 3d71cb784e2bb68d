#include "transform/math/Coefficients.h"
#include "transform/math/Functions.h"

namespace tessera::transform::math {

/// Up to a bound x + x p(x^2); beyond it 1 - q(|x|)^k, a root of erfc being almost a polynomial.
/// The powers magnify the error of q, but erfc is small there.
Term erf(Term x) {
  bool isSingle = x.isSingle();
  Term magnitude = abs(x);
  Term small = fma(x, polynomial(x * x, isSingle ? llvm::ArrayRef(erf32) : erf64), x);
  Term bounded = notAbove(magnitude, isSingle ? erfIsOne32 : erfIsOne64);
  Term power = polynomial(bounded, isSingle ? llvm::ArrayRef(erfcRoot32) : erfcRoot64);
  for (int squarings = isSingle ? 3 : 4; squarings > 0; --squarings)
    power = power * power;
  Term large = copysign(1 - power, x);
  return select(magnitude < (isSingle ? erfBound32 : erfBound64), small, large);
}

} // namespace tessera::transform::math
