/// The reference results: C's functions in the next wider format.
#ifndef TESSERA_TESTS_MATH_REFERENCE_H
#define TESSERA_TESTS_MATH_REFERENCE_H

#include <cmath>
#include <limits>

namespace tessera::math_test {

template <typename Float> struct WiderOf;
template <> struct WiderOf<float> {
  using Type = double;
};
template <> struct WiderOf<double> {
  using Type = long double;
};
template <typename Float> using Wider = typename WiderOf<Float>::Type;

/// The functions by their names in the math dialect.
namespace reference {
using namespace std;

template <typename Float> Float rsqrt(Float x) {
  return 1 / sqrt(x);
}
} // namespace reference

/// The distance between adjacent numbers of the format around `exact`, which may be out of its
/// range.
template <typename Float> Wider<Float> lastPlace(Wider<Float> exact) {
  using Limits = std::numeric_limits<Float>;
  int exponent = exact == 0 ? Limits::min_exponent : std::ilogb(exact) + 1;
  exponent = std::min(std::max(exponent, Limits::min_exponent), Limits::max_exponent);
  return std::ldexp(Wider<Float>(1), exponent - Limits::digits);
}

/// The error in units of the last place; infinite if the kind of number is wrong. Infinity counts
/// as the number after the largest one.
template <typename Float> double errorOf(Float result, Wider<Float> exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(result))
    return std::isnan(exact) && std::isnan(result) ? 0 : wrong;
  if (exact == 0)
    return result == 0 && std::signbit(result) == std::signbit(exact) ? 0 : wrong;
  if (std::isinf(exact))
    return result == exact ? 0 : wrong;
  using Limits = std::numeric_limits<Float>;
  Wider<Float> next = std::ldexp(Wider<Float>(1), Limits::max_exponent);
  Wider<Float> value = std::isinf(result) ? std::copysign(next, Wider<Float>(result)) : result;
  Wider<Float> bounded = std::abs(exact) > next ? std::copysign(next, exact) : exact;
  return std::abs(value - bounded) / lastPlace<Float>(bounded);
}

} // namespace tessera::math_test

#endif
