#include "transform/math/Coefficients.h"
#include "transform/math/Format.h"
#include "transform/math/Functions.h"

namespace tessera::transform::math {

namespace {

constexpr double oneOverPi = 0.31830988618379067;

/// x = turns * pi + angle + correction, with an angle from -pi/2 to pi/2. The low bits of `parity`
/// hold the number of turns, rounded up. See Note [Reducing angles].
struct Reduced {
  Term angle, correction, parity;
};

Reduced reduceSingle(Term x, Term turns, Term parity) {
  llvm::ArrayRef<double> parts = x.at().hasFma ? llvm::ArrayRef(piOf32) : piShortOf32;
  Term angle = x;
  for (double part : parts.drop_back())
    angle = fma(turns, -part, angle);
  return {angle, turns * -parts.back(), parity};
}

Reduced reduceDouble(Term x, Term turns, Term parity) {
  if (x.at().hasFma) {
    Term first = fma(turns, -piOf64[0], x);
    Term angle = fma(turns, -piOf64[1], first);
    Term error = fma(turns, -piOf64[1], first - angle);
    return {angle, fma(turns, -piOf64[2], error), parity};
  }
  Term first = (x - turns * piShortOf64[0]) - turns * piShortOf64[1];
  Pair second = exactProduct(turns, turns.like(piShortOf64[2]));
  Pair angle = exactSum(first, -second.high);
  return {angle.high, angle.low - second.low - turns * piShortOf64[3], parity};
}

/// Turns are integers, or integers plus a half.
Reduced reduce(Term x, bool isHalf) {
  double shift = formatOf(x).roundingTerm;
  Term shifted = isHalf ? fma(x, oneOverPi, 0.5) + shift : fma(x, oneOverPi, shift);
  Term turns = isHalf ? (shifted - shift) - 0.5 : shifted - shift;
  return x.isSingle() ? reduceSingle(x, turns, asInteger(shifted))
                      : reduceDouble(x, turns, asInteger(shifted));
}

/// sin(a) = a + a^3 p(a^2). Adding p's first term last saves a rounding.
Term sinOfAngle(Term angle, Term correction) {
  llvm::ArrayRef<double> terms = angle.isSingle() ? llvm::ArrayRef(sin32) : sin64;
  Term square = angle * angle, cube = square * angle;
  Term higher = fma(cube * square, polynomial(square, terms.drop_front()), correction);
  return angle + fma(cube, terms[0], higher);
}

/// The sine of the angle, negated after an odd number of turns.
Term sinOf(const Reduced &x) {
  Term y = sinOfAngle(x.angle, x.correction);
  return asFloat(asInteger(y) ^ (x.parity << (y.bits() - 1)));
}

Reach reach(Term x) {
  double bound = x.isSingle() ? (x.at().hasFma ? 0x1p17 : 0x1p12) : 0x1p24;
  return {-bound, bound};
}

} // namespace

Term sin(Term x) {
  Term y = select(x == 0, x, sinOf(reduce(x, false))); // The sum of zeros of different signs is +0.
  return unlessFar(x, y, reach(x), "sin");
}

Term cos(Term x) {
  return unlessFar(x, sinOf(reduce(x, true)), reach(x), "cos");
}

/// For 32-bit floats, in 64 bits.
Term tan(Term x) {
  Term wide = toDouble(x);
  Term y = sinOf(reduce(wide, false)) / sinOf(reduce(wide, true));
  return unlessFar(x, select(x == 0, x, toSingle(y)), {-0x1p24, 0x1p24}, "tan");
}

// Note [Reducing angles]
//
// The number of turns, x / pi rounded, has at most 17 or 24 bits. The first part of pi has all the
// bits of the format, the last of weight 2^-22 or 2^-51. So x - turns * first, which is less than
// 2, needs no more bits than the format has: with an fma it is exact. In 64 bits turns * second, at
// most 2^-30, is exact because the second part has 29 bits. Where the angle is not larger than
// that, so is the difference; where it is, the rounding error can be computed. It and turns * third
// are the correction. In 32 bits each of the other parts adds a rounding error, half a unit of the
// angle's last place. Without an fma the first parts have so few bits that their products with the
// turns are exact.

} // namespace tessera::transform::math
