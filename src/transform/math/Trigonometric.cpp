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
  Term y = toDouble(x);
  Rounded n = nearest(y, twoOverPi);
  Term rest = n.number.at().hasFma
                  ? fma(n.number, -halfPi[1], fma(n.number, -halfPi[0], y))
                  : fma(n.number, -halfPiShort[2],
                        fma(n.number, -halfPiShort[1], fma(n.number, -halfPiShort[0], y)));
  Term angle = toSingle(rest);
  return {angle, angle.like(0), lowHalf(n.bits)};
}

Reduced reduceDouble(Term x) {
  Rounded n = nearest(x, twoOverPi);
  Term k = n.number;
  if (x.at().hasFma) {
    Term first = fma(k, -halfPi[0], x);
    Term angle = fma(k, -halfPi[1], first);
    Term correction = fma(k, -halfPi[2], fma(k, -halfPi[1], first - angle));
    return {angle, correction, n.bits};
  }
  Term first = (x - k * halfPiShort[0]) - k * halfPiShort[1];
  Pair second = exactProduct(k, k.like(halfPiShort[2]));
  Pair angle = exactSum(first, -second.high);
  return {angle.high, angle.low - second.low - k * halfPiShort[3], n.bits};
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
  Term half = square * 0.5, high = 1 - half, low = (1 - high) - half;
  Term tail = fma(square * square, polynomial(square, cos64), -(x.angle * x.correction));
  return high + (low + tail);
}

/// sin(x + turns * pi/2).
Term sinus(Term x, int turns) {
  Reduced reduced = x.isSingle() ? reduceSingle(x) : reduceDouble(x);
  Term quadrant = turns == 0 ? reduced.quadrant : reduced.quadrant + turns;
  Term square = reduced.angle * reduced.angle;
  Term y = select((quadrant & 1) == 0, sinOf(reduced, square), cosOf(reduced, square));
  return asFloat(asInteger(y) ^ ((quadrant & 2) << (x.bits() - 2)));
}

} // namespace

Term sin(Term x) {
  return select(x == 0, x, sinus(x, 0)); // The sum of zeros of different signs is +0.
}

Term cos(Term x) {
  return sinus(x, 1);
}

// Note [Reducing angles]
//
// n = x / (pi/2), rounded, is exact up to 2^51. The first part of pi/2 has 53 bits, the last of
// weight 2^-52. So x - n * first, which is less than 1, needs no more than 53 bits: with an fma it
// is exact, however large n is. The other parts are n * 2^-54 and n * 2^-107 at most; they are
// right for |x| <= 2^43, where n is still within 0.001 of the quotient and the angle within the
// interval of the polynomials. Beyond, errors grow; a float there is the name of many thousand
// turns. Without an fma the first parts have 27 bits, and their products with n are exact for |x|
// <= 2^26.

} // namespace tessera::transform::math
