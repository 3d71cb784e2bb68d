#include "transform/math/Coefficients.h"
#include "transform/math/Exponential.h"
#include "transform/math/Functions.h"

namespace tessera::transform::math {

namespace {

constexpr double twoOverPi = 0.63661977236758134;

/// x = quadrant * pi/2 + angle + correction, |angle| <= pi/4; the quadrant counts modulo 4.
/// See Note [Reducing angles].
struct Reduced {
  Term angle, correction, quadrant;
};

Reduced reduceSingle(Term x) {
  Rounded n = nearest(x, twoOverPi);
  Term angle = x;
  for (double part : x.at().hasFma ? llvm::ArrayRef(halfPiOf32) : halfPiShortOf32)
    angle = fma(n.number, -part, angle);
  return {angle, angle, n.bits};
}

Reduced reduceDouble(Term x) {
  Rounded n = nearest(x, twoOverPi);
  Term k = n.number;
  if (x.at().hasFma) {
    Term first = fma(k, -halfPiOf64[0], x);
    Term angle = fma(k, -halfPiOf64[1], first);
    Term correction = fma(k, -halfPiOf64[2], fma(k, -halfPiOf64[1], first - angle));
    return {angle, correction, n.bits};
  }
  Term first = (x - k * halfPiShortOf64[0]) - k * halfPiShortOf64[1];
  Pair second = exactProduct(k, k.like(halfPiShortOf64[2]));
  Pair angle = exactSum(first, -second.high);
  return {angle.high, angle.low - second.low - k * halfPiShortOf64[3], n.bits};
}

Term sinOf(const Reduced &x, Term square) {
  Term cube = square * x.angle;
  if (cube.isSingle())
    return fma(cube, polynomial(square, sin32), x.angle);
  return x.angle + fma(cube, polynomial(square, sin64), x.correction);
}

Term cosOf(const Reduced &x, Term square) {
  if (square.isSingle())
    return fma(square, fma(square, polynomial(square, cos32), -0.5), 1);
  Term rest = fma(square, polynomial(square, cos64), -0.5);
  return 1 + fma(square, rest, -(x.angle * x.correction));
}

/// sin(x + turns * pi/2).
Term sinus(Term x, int turns) {
  Reduced reduced = x.isSingle() ? reduceSingle(x) : reduceDouble(x);
  Term quadrant = turns == 0 ? reduced.quadrant : reduced.quadrant + turns;
  Term square = reduced.angle * reduced.angle;
  Term y = select((quadrant & 1) == 0, sinOf(reduced, square), cosOf(reduced, square));
  return asFloat(asInteger(y) ^ ((quadrant & 2) << (x.bits() - 2)));
}

double reach(Term x) {
  return x.isSingle() ? (x.at().hasFma ? 0x1p17 : 0x1p12) : 0x1p24;
}

} // namespace

Term sin(Term x) {
  Term y = select(x == 0, x, sinus(x, 0)); // The sum of zeros of different signs is +0.
  return unlessFar(x, y, reach(x), "sin");
}

Term cos(Term x) {
  return unlessFar(x, sinus(x, 1), reach(x), "cos");
}

// Note [Reducing angles]
//
// n = x / (pi/2), rounded, is an integer of at most 17 or 24 bits. The first part of pi/2 has all
// the bits of the format, the last of weight 2^-23 or 2^-52. So x - n * first, which is less than
// 1, needs no more bits than the format has: with an fma it is exact. In 64 bits n * second, 2^-54
// n, is exact because the second part has 29 bits. Where the angle is not larger than that, so is
// the difference; where it is, the rounding error can be computed. It and n * third are the
// correction. In 32 bits each of the other parts adds a rounding error, half a unit of the angle's
// last place. Without an fma the first parts have so few bits that their products with n are exact.

} // namespace tessera::transform::math
