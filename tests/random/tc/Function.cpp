/// The built-in functions. Compiled with -ffp-contract=off.
#include "Number.h"
#include <cmath>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

namespace {

/// The error allowed for functions, in units in the last place.
constexpr double maxUlps = 8;

/// Functions of one argument, computed in float64: how they vary, and whether they are correctly
/// rounded.
struct Row {
  Builtin builtin;
  double (*value)(double);
  enum Kind {
    Exact,     ///< Correctly rounded and monotonic.
    Steps,     ///< Exact, in steps of 1.
    Monotone,  ///< Wrong by a few units.
    Lipschitz, ///< Wrong by a few units, with a slope of at most 1.
    Wild       ///< Known only at exact arguments.
  } kind;
};

const Row rows[] = {
    {Builtin::sqrt, [](double x) { return std::sqrt(x); }, Row::Exact},
    {Builtin::ceil, [](double x) { return std::ceil(x); }, Row::Steps},
    {Builtin::floor, [](double x) { return std::floor(x); }, Row::Steps},
    {Builtin::trunc, [](double x) { return std::trunc(x); }, Row::Steps},
    {Builtin::round, [](double x) { return std::round(x); }, Row::Steps},
    {Builtin::acos, [](double x) { return std::acos(x); }, Row::Monotone},
    {Builtin::acosh, [](double x) { return std::acosh(x); }, Row::Monotone},
    {Builtin::asin, [](double x) { return std::asin(x); }, Row::Monotone},
    {Builtin::asinh, [](double x) { return std::asinh(x); }, Row::Monotone},
    {Builtin::atan, [](double x) { return std::atan(x); }, Row::Monotone},
    {Builtin::atanh, [](double x) { return std::atanh(x); }, Row::Monotone},
    {Builtin::cbrt, [](double x) { return std::cbrt(x); }, Row::Monotone},
    {Builtin::erf, [](double x) { return std::erf(x); }, Row::Monotone},
    {Builtin::erfc, [](double x) { return std::erfc(x); }, Row::Monotone},
    {Builtin::exp, [](double x) { return std::exp(x); }, Row::Monotone},
    {Builtin::exp2, [](double x) { return std::exp2(x); }, Row::Monotone},
    {Builtin::expm1, [](double x) { return std::expm1(x); }, Row::Monotone},
    {Builtin::log, [](double x) { return std::log(x); }, Row::Monotone},
    {Builtin::log10, [](double x) { return std::log10(x); }, Row::Monotone},
    {Builtin::log1p, [](double x) { return std::log1p(x); }, Row::Monotone},
    {Builtin::log2, [](double x) { return std::log2(x); }, Row::Monotone},
    {Builtin::rcbrt, [](double x) { return 1 / std::cbrt(x); }, Row::Wild},
    {Builtin::rsqrt, [](double x) { return 1 / std::sqrt(x); }, Row::Monotone},
    {Builtin::sinh, [](double x) { return std::sinh(x); }, Row::Monotone},
    {Builtin::tanh, [](double x) { return std::tanh(x); }, Row::Monotone},
    {Builtin::sin, [](double x) { return std::sin(x); }, Row::Lipschitz},
    {Builtin::cos, [](double x) { return std::cos(x); }, Row::Lipschitz},
    {Builtin::cosh, [](double x) { return std::cosh(x); }, Row::Wild},
    {Builtin::tan, [](double x) { return std::tan(x); }, Row::Wild},
    {Builtin::lgamma, [](double x) { return std::lgamma(x); }, Row::Wild},
    {Builtin::tgamma, [](double x) { return std::tgamma(x); }, Row::Wild},
    {Builtin::logb, [](double x) { return std::logb(x); }, Row::Wild},
};

/// A value that may be a few units off.
Number off(double real, double error, Scalar type) {
  double result = computed(real, type);
  if (!std::isfinite(result) || std::isnan(error))
    return std::isfinite(real) || error > 0 ? Number::unknown() : Number::ofFloat(result);
  error += (maxUlps * 2 * roundoffOf(type)) * (std::fabs(result) + error) + tiniestOf(type);
  return Number::ofFloat(result, error);
}

/// The difference of the values at both ends of the argument's range.
double spread(const Row &row, const Number &argument) {
  double middle = row.value(argument.real);
  double low = row.value(argument.real - argument.error),
         high = row.value(argument.real + argument.error);
  double error = std::fmax(std::fabs(low - middle), std::fabs(high - middle));
  return std::isnan(low) || std::isnan(high) ? Number::unknown().error : error;
}

Number ofOne(const Row &row, const Number &argument, Scalar type) {
  if (!argument.isKnown() || (row.kind == Row::Wild && !argument.isExact()))
    return Number::unknown();
  double real = row.value(argument.real);
  switch (row.kind) {
  case Row::Exact:
    if (argument.isExact())
      return Number::ofFloat(computed(real, type));
    return off(real, spread(row, argument), type);
  case Row::Steps:
    return Number::ofFloat(real, argument.isExact() ? 0 : spread(row, argument));
  case Row::Lipschitz:
    return off(real, argument.error, type);
  default:
    return off(real, argument.isExact() ? 0 : spread(row, argument), type);
  }
}

Number largerOrSmaller(bool isMax, const Number &a, const Number &b, Scalar type) {
  if (a.isExact() && std::isnan(a.real))
    return b;
  if (b.isExact() && std::isnan(b.real))
    return a;
  return smallerOrLarger(isMax, type, a, b);
}

Number absolute(const Number &value) {
  return Number::ofFloat(std::fabs(value.real), value.error);
}

Number fused(const Number &a, const Number &b, const Number &c, Scalar type) {
  if (!a.isExact() || !b.isExact() || !c.isExact())
    return arithmetic(BinaryOp::Add, type, arithmetic(BinaryOp::Mul, type, a, b), c);
  return Number::ofFloat(type == Scalar::F64
                             ? std::fma(a.real, b.real, c.real)
                             : std::fma(float(a.real), float(b.real), float(c.real)));
}

/// The larger of the difference and 0.
Number difference(const Number &a, const Number &b, Scalar type) {
  if (a.isExact() && b.isExact() && a.real <= b.real)
    return Number();
  Number result = arithmetic(BinaryOp::Sub, type, a, b);
  return std::isnan(result.real) ? result : smallerOrLarger(/*isMax=*/true, type, result, Number());
}

Number length(llvm::ArrayRef<Number> arguments, Scalar type) {
  Number sum;
  for (const Number &argument : arguments) {
    Number square = arithmetic(BinaryOp::Mul, type, argument, argument);
    sum = arithmetic(BinaryOp::Add, type, sum, square);
  }
  Number root = function(Builtin::sqrt, type, sum);
  return off(root.real, root.error, type);
}

Number ofTwo(double (*value)(double, double), llvm::ArrayRef<Number> arguments, Scalar type) {
  bool areExact = arguments[0].isExact() && arguments[1].isExact();
  return areExact ? off(value(arguments[0].real, arguments[1].real), 0, type) : Number::unknown();
}

Number exactOfTwo(double (*value)(double, double), llvm::ArrayRef<Number> arguments) {
  bool areExact = arguments[0].isExact() && arguments[1].isExact();
  return areExact ? Number::ofFloat(value(arguments[0].real, arguments[1].real))
                  : Number::unknown();
}

} // namespace

Number random::function(Builtin builtin, Scalar type, llvm::ArrayRef<Number> a) {
  for (const Row &row : rows)
    if (row.builtin == builtin)
      return ofOne(row, a[0], type);
  switch (builtin) {
  case Builtin::fabs:
    return absolute(a[0]);
  case Builtin::fmax:
  case Builtin::fmin:
    return largerOrSmaller(builtin == Builtin::fmax, a[0], a[1], type);
  case Builtin::fdivide:
    return arithmetic(BinaryOp::Div, type, a[0], a[1]);
  case Builtin::fma:
    return fused(a[0], a[1], a[2], type);
  case Builtin::fdim:
    return difference(a[0], a[1], type);
  case Builtin::fmod:
    return exactOfTwo([](double x, double y) { return std::fmod(x, y); }, a);
  case Builtin::remainder:
    return exactOfTwo([](double x, double y) { return std::remainder(x, y); }, a);
  case Builtin::pow:
    return ofTwo([](double x, double y) { return std::pow(x, y); }, a, type);
  case Builtin::atan2:
    return ofTwo([](double x, double y) { return std::atan2(x, y); }, a, type);
  case Builtin::hypot:
    return ofTwo([](double x, double y) { return std::hypot(x, y); }, a, type);
  case Builtin::norm3d:
  case Builtin::norm4d:
    return length(a, type);
  default:
    return Number::unknown();
  }
}
