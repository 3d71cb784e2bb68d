#include "transform/math/Logarithm.h"
#include "transform/math/Coefficients.h"
#include "transform/math/Format.h"
#include "transform/math/Functions.h"
#include <limits>

namespace tessera::transform::math {

namespace {

constexpr double rootOfHalf = 0.70710678118654752;

/// The exponent field, read as an integer, is 2^23 times the exponent; it is left that way.
Parts partsOfSingle(Term bits) {
  Term field = (bits - bitsOf(bits, rootOfHalf)) & (int64_t(-1) << single.fraction);
  return {toFloat(field), asFloat(bits - field) - 1, 0x1p-23};
}

/// Few processors convert 64-bit integers, so the exponent is put into the low bits of 2^52.
Parts partsOfDouble(Term bits) {
  int64_t root = bitsOf(bits, rootOfHalf);
  Term above = bits + (bitsOf(bits, 1) - root);
  Term exponent = asFloat((above >> wide.fraction) | bitsOf(bits, 0x1p52)) - (0x1p52 + wide.bias);
  Term significand = asFloat((above & ((int64_t(1) << wide.fraction) - 1)) + root);
  return {exponent, significand - 1, 1};
}

/// The base of a logarithm: step = log(2), scale = log(e); `single` is the polynomial for 32-bit
/// floats.
struct Base {
  Split step, scale;
  llvm::ArrayRef<double> single;
};
constexpr Base natural32{ln2Of32, {1, 0}, log32}, natural64{ln2Of64, {1, 0}, {}};
constexpr Base binary32{{1, 0}, log2OfEOf32, log2Of32}, binary64{{1, 0}, log2OfEOf64, {}};
constexpr Base decimal32{log10Of2Of32, log10OfEOf32, log10Of32};
constexpr Base decimal64{log10Of2Of64, log10OfEOf64, {}};

/// log(1 + f) - f, for 64-bit floats.
Term restOfLog(Term f) {
  // With s = f / (2 + f) it is 2 atanh(s) = 2 s + s r, and 2 s = f - s f.
  Term s = f / (f + 2), z = s * s, half = f * f * 0.5;
  Term r = z * polynomial(z, log64);
  return s * (half + r) - half;
}

/// (f + rest) * scale + correction.
Term logOfFraction(Term f, const Base &base, std::optional<Term> correction) {
  auto corrected = [&](Term rest) { return correction ? rest + *correction : rest; };
  bool isNatural = base.scale.high == 1;
  if (f.isSingle()) {
    Term square = f * f, p = polynomial(f, base.single);
    if (isNatural)
      return correction ? f + corrected(square * p) : fma(square, p, f);
    return fma(f, base.scale.high, corrected(fma(square, p, f * base.scale.low)));
  }
  Term rest = restOfLog(f);
  if (isNatural)
    return f + corrected(rest);
  return fma(f, base.scale.high, corrected(fma(f, base.scale.low, rest * base.scale.high)));
}

Term logOf(const Parts &x, const Base &base, std::optional<Term> correction = std::nullopt) {
  Term n = x.exponent;
  Split step = base.step;
  // The single-precision ln(2) happens to be very accurate; with an fma, so are its products.
  if (n.at().hasFma && base.scale.high == 1)
    step = {step.high + step.low, 0};
  if (step.low != 0)
    correction = correction ? fma(n, step.low * x.unit, *correction) : n * (step.low * x.unit);
  return fma(n, step.high * x.unit, logOfFraction(x.fraction, base, correction));
}

double largest(Term x) {
  return x.isSingle() ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

/// Handles zero, negative numbers, infinity and NaN.
Term withSpecials(Term x, Term y) {
  // Infinite, or less than every logarithm except those of numbers near the largest.
  Term excess = x - largest(x);
  Term bounded = select(exceeds(excess, y), excess, y);
  return select(x > 0, bounded, select(x == 0, y.like(-infinity), notANumber));
}

/// The runtime handles everything but positive normal numbers.
Term logOf(Term x, const Base &base32, const Base &base64, llvm::StringRef name) {
  Term y = logOf(partsOfNormal(x), x.isSingle() ? base32 : base64);
  return unlessFar(x, y, {formatOf(x).leastNormal, largest(x)}, name);
}

} // namespace

Parts partsOfNormal(Term x) {
  return x.isSingle() ? partsOfSingle(asInteger(x)) : partsOfDouble(asInteger(x));
}

Parts partsOf(Term x) {
  const Format &format = formatOf(x);
  double lift = format.fraction + 1;
  Term isTiny = x < format.leastNormal;
  Parts parts = partsOfNormal(select(isTiny, x * std::ldexp(1.0, lift), x));
  parts.exponent = select(isTiny, parts.exponent - lift / parts.unit, parts.exponent);
  return parts;
}

Term log(Term x) {
  return logOf(x, natural32, natural64, "log");
}

Term log2(Term x) {
  return logOf(x, binary32, binary64, "log2");
}

Term log10(Term x) {
  return logOf(x, decimal32, decimal64, "log10");
}

/// log(1 + x), computed from the rounded sum, which is normal or zero, and corrected by its
/// rounding error divided by the sum.
Term log1p(Term x) {
  Pair sum = exactSum(x, x.like(1));
  Term y = logOf(partsOfNormal(sum.high), x.isSingle() ? natural32 : natural64, sum.low / sum.high);
  return select(x == 0, x, withSpecials(sum.high, y));
}

} // namespace tessera::transform::math
