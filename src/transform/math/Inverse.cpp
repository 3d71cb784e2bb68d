/// Inverse trigonometric functions. Each is a number of quarter turns, plus or minus a small angle
/// computed by a polynomial.
#include "transform/math/Coefficients.h"
#include "transform/math/Functions.h"

namespace tessera::transform::math {

namespace {

/// quarters * pi/2 + (first + rest), where `first` is from -1 to 1 and `rest` is much smaller: pi
/// has twice the precision, and the bits that `first` loses in the sum are added back.
Term turned(Term quarters, Term first, Term rest) {
  const Split &quarter = first.isSingle() ? halfPiOf32 : halfPiOf64;
  Pair sum = exactSumOrdered(quarters * quarter.high, first);
  return sum.high + (sum.low + fma(quarters, quarter.low, rest));
}

/// atan(z) - z for 0 <= z <= 1.
Term restOfAtan(Term z) {
  Term square = z * z;
  return z * square * polynomial(square, z.isSingle() ? llvm::ArrayRef(atan32) : atan64);
}

/// With m for the magnitude of x, asin(m) = root + rest up to 1/2; beyond it,
/// acos(m) = 2 asin(sqrt((1 - m) / 2)) is twice that.
struct Halved {
  Term isLarge, root, rest;
};

Halved halved(Term x) {
  Term magnitude = abs(x), isLarge = magnitude > 0.5;
  Term half = fma(magnitude, -0.5, 0.5); // Exact where it is used.
  Term square = select(isLarge, half, x * x);
  Term root = select(isLarge, sqrt(half), magnitude);
  Term p = polynomial(square, x.isSingle() ? llvm::ArrayRef(asin32) : asin64);
  return {isLarge, root, root * square * p};
}

} // namespace

Term asin(Term x) {
  Halved h = halved(x);
  Term scale = select(h.isLarge, -2, x.like(1)), quarters = select(h.isLarge, 1, x.like(0));
  return copysign(turned(quarters, scale * h.root, scale * h.rest), x);
}

Term acos(Term x) {
  Halved h = halved(x);
  Term isNegative = x < 0;
  Term scale = select(h.isLarge, select(isNegative, -2, x.like(2)), copysign(x.like(1), -x));
  Term quarters = select(h.isLarge, select(isNegative, 2, x.like(0)), 1);
  return turned(quarters, scale * h.root, scale * h.rest);
}

Term atan(Term x) {
  Term magnitude = abs(x), isSteep = magnitude > 1;
  Term ratio = select(isSteep, 1, magnitude) / select(isSteep, magnitude, 1);
  Term scale = select(isSteep, -1, x.like(1)), quarters = select(isSteep, 1, x.like(0));
  return copysign(turned(quarters, scale * ratio, scale * restOfAtan(ratio)), x);
}

/// The angle of the point (x, y): the arctangent of the smaller coordinate over the larger one,
/// moved into its octant.
Term atan2(Term y, Term x) {
  Term a = abs(y), b = abs(x);
  Term isSteep = a > b, isLeft = asInteger(x) < 0;
  Term small = select(isSteep, b, a), large = select(isSteep, a, b);
  Term ratio = small / large;
  ratio = select(large == 0, 0, ratio);
  ratio = select(small == infinity, 1, ratio);
  Term scale = select(isSteep ^ isLeft, -1, x.like(1));
  Term quarters = select(isSteep, 1, select(isLeft, 2, x.like(0)));
  Term angle = copysign(turned(quarters, scale * ratio, scale * restOfAtan(ratio)), y);
  return select(isNan(x) | isNan(y), x + y, angle);
}

} // namespace tessera::transform::math
