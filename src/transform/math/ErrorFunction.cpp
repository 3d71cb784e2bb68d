#include "transform/math/Coefficients.h"
#include "transform/math/Functions.h"

namespace tessera::transform::math {

/// Up to a bound x + x p(x^2); beyond it 1 - q(|x|)^8, a root of erfc being almost a polynomial.
/// The powers magnify the error of q, but erfc is small there.
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

} // namespace tessera::transform::math
