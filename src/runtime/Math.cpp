/// Functions that the C library lacks. Each is computed in the next wider format, so that rounding
/// in between does not matter: floats in double, doubles in x86's long double.
#include "runtime/Generated.h"
#include <cmath>
#include <limits>

namespace {

template <typename Wide> constexpr Wide pi = 3.14159265358979323846264338327950288L;
template <typename Wide> constexpr Wide rootOfPi = 1.77245385090551602729816748334114518L;
template <typename Wide> constexpr Wide rootOfTwo = 1.41421356237309504880168872420969808L;
template <typename Wide> constexpr Wide infinity = std::numeric_limits<Wide>::infinity();
template <typename Wide> constexpr Wide notANumber = std::numeric_limits<Wide>::quiet_NaN();

/// sin(pi x + turns pi/2). The reduction to an eighth of a turn is exact.
template <typename Wide> Wide sinOfPi(Wide x, int turns) {
  if (!std::isfinite(x))
    return notANumber<Wide>;
  Wide turn = std::fmod(std::fabs(x), Wide(2));
  int quarter = int(std::nearbyint(2 * turn));
  Wide angle = pi<Wide> * (turn - Wide(quarter) / 2);
  quarter += turns;
  Wide y = quarter & 1 ? std::cos(angle) : std::sin(angle);
  if (y == 0) // sinpi of an integer has the integer's sign; cospi has none.
    return turns ? Wide(0) : std::copysign(Wide(0), x);
  y = quarter & 2 ? -y : y;
  return turns || !std::signbit(x) ? y : -y;
}

/// exp(x^2) erfc(x). From 10 on, the asymptotic series: its terms fall below 2^-64 before they
/// rise.
template <typename Wide> Wide scaledErfc(Wide x) {
  if (x < 10)
    return std::exp(x * x) * std::erfc(x);
  Wide term = 1, sum = 1, step = 1 / (2 * x * x);
  for (int k = 1; k < 60 && std::fabs(term) > Wide(1e-21L); ++k) {
    term *= -(2 * k - 1) * step;
    sum += term;
  }
  return sum / (x * rootOfPi<Wide>);
}

/// The solution of erfc(x) = q for 0 < q <= 1/2, by Newton's method on log(erfc(x)) = log(q), which
/// is almost a parabola.
template <typename Wide> Wide inverseErfcOfSmall(Wide q) {
  Wide logarithm = std::log(q);
  Wide x = std::sqrt(-logarithm) * Wide(0.8L);
  for (int i = 0; i < 40; ++i) {
    Wide scaled = scaledErfc(x);
    Wide step = (std::log(scaled) - x * x - logarithm) * scaled * rootOfPi<Wide> / 2;
    x += step;
    if (std::fabs(step) <= std::fabs(x) * 2 * std::numeric_limits<Wide>::epsilon())
      break;
  }
  return x;
}

/// The solution of erf(x) = y for |y| <= 1/2, by Halley's method.
template <typename Wide> Wide inverseErfOfSmall(Wide y) {
  Wide x = y * rootOfPi<Wide> / 2;
  for (int i = 0; i < 6 && y != 0; ++i) {
    Wide newton = (std::erf(x) - y) * rootOfPi<Wide> / 2 * std::exp(x * x);
    x -= newton / (1 + x * newton);
  }
  return x;
}

template <typename Wide> Wide inverseErf(Wide y) {
  if (std::isnan(y) || std::fabs(y) > 1)
    return notANumber<Wide>;
  if (std::fabs(y) == 1)
    return y * infinity<Wide>;
  if (std::fabs(y) <= Wide(0.5L))
    return inverseErfOfSmall(y);
  return std::copysign(inverseErfcOfSmall(1 - std::fabs(y)), y);
}

template <typename Wide> Wide inverseErfc(Wide q) {
  if (std::isnan(q) || q < 0 || q > 2)
    return notANumber<Wide>;
  if (q == 0 || q == 2)
    return q == 0 ? infinity<Wide> : -infinity<Wide>;
  if (q < Wide(0.5L))
    return inverseErfcOfSmall(q);
  return q > Wide(1.5L) ? -inverseErfcOfSmall(2 - q) : inverseErfOfSmall(1 - q);
}

/// I0 and I1: up to 30 their series, whose terms all have the same sign; beyond, their asymptotic
/// series.
template <typename Wide> Wide besselI(Wide x, int order) {
  Wide a = std::fabs(x), term = 1, sum = 1;
  if (std::isinf(x))
    return order ? x : a;
  if (!(a > 30)) {
    for (int k = 1; k < 200 && term > sum * Wide(1e-21L); ++k) {
      term *= a * a / 4 / (Wide(k) * (k + order));
      sum += term;
    }
    return order ? x / 2 * sum : sum;
  }
  for (int k = 1; k < 60 && std::fabs(term) > Wide(1e-21L); ++k) {
    int odd = 2 * k - 1;
    term *= Wide(odd * odd - 4 * order * order) / (8 * a * k);
    sum += term;
  }
  Wide root = std::exp(a / 2); // exp(a) may be too large although the result is not.
  Wide y = root * (root * (sum / std::sqrt(2 * pi<Wide> * a)));
  return order ? std::copysign(y, x) : y;
}

} // namespace

#define TESSERA_DEFINE(name, formula)                                                              \
  double tessera_rt_##name(double argument) {                                                      \
    using Wide = long double;                                                                      \
    Wide x = argument;                                                                             \
    return double(formula);                                                                        \
  }                                                                                                \
  float tessera_rt_##name##f(float argument) {                                                     \
    using Wide = double;                                                                           \
    Wide x = argument;                                                                             \
    return float(formula);                                                                         \
  }

TESSERA_DEFINE(cospi, sinOfPi<Wide>(x, 1))
TESSERA_DEFINE(sinpi, sinOfPi<Wide>(x, 0))
TESSERA_DEFINE(erfcx, scaledErfc(x))
TESSERA_DEFINE(erfinv, inverseErf(x))
TESSERA_DEFINE(erfcinv, inverseErfc(x))
TESSERA_DEFINE(normcdf, std::erfc(-x / rootOfTwo<Wide>) / 2)
TESSERA_DEFINE(normcdfinv, -rootOfTwo<Wide> *inverseErfc(2 * x))
TESSERA_DEFINE(cyl_bessel_i0, besselI(x, 0))
TESSERA_DEFINE(cyl_bessel_i1, besselI(x, 1))

/// C's functions also write the sign to a global variable.
double tessera_rt_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
float tessera_rt_lgammaf(float x) {
  int sign;
  return lgammaf_r(x, &sign);
}

#define TESSERA_DEFINE_FAR(name)                                                                   \
  double tessera_rt_far_##name(double x, double y, double low, double high) {                      \
    return x >= low && x <= high ? y : std::name(x);                                               \
  }                                                                                                \
  float tessera_rt_far_##name##f(float x, float y, float low, float high) {                        \
    return x >= low && x <= high ? y : std::name(x);                                               \
  }
TESSERA_DEFINE_FAR(cos)
TESSERA_DEFINE_FAR(log)
TESSERA_DEFINE_FAR(log10)
TESSERA_DEFINE_FAR(log2)
TESSERA_DEFINE_FAR(sin)
TESSERA_DEFINE_FAR(tan)
