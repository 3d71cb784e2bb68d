/// Numbers in texts: JSON, CSV.
#ifndef TESSERA_CLI_NUMBERS_H
#define TESSERA_CLI_NUMBERS_H

#include "cli/Tensor.h"
#include "support/Decimal.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace tessera::cli {

/// How a token reads as a number of some type.
enum class NumberOutcome { Good, NotANumber, WrongType, OutOfRange };

template <typename T>
concept WideFloat = std::is_floating_point_v<T>;
template <typename T>
concept NarrowFloat = std::is_same_v<T, runtime::Half> || std::is_same_v<T, runtime::BFloat16>;
template <typename T>
concept Integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

inline NumberOutcome parseNumber(llvm::StringRef token, WideFloat auto &value) {
  auto [end, error] = std::from_chars(token.begin(), token.end(), value);
  if (end != token.end() || error == std::errc::invalid_argument)
    return NumberOutcome::NotANumber;
  if (error == std::errc())
    return NumberOutcome::Good;
  // Out of range is also reported for tiny numbers, which are zero or subnormal.
  std::string text = token.str();
  value = sizeof value == 4 ? strtof(text.c_str(), nullptr) : strtod(text.c_str(), nullptr);
  return std::isinf(value) ? NumberOutcome::OutOfRange : NumberOutcome::Good;
}

/// Directly from the text: converting by a wider type would round twice.
template <NarrowFloat T> NumberOutcome parseNumber(llvm::StringRef token, T &value) {
  double wide = 0;
  NumberOutcome outcome = parseNumber(token, wide);
  if (outcome != NumberOutcome::Good || !std::isfinite(wide)) {
    value = wide;
    return outcome;
  }
  bool isHalf = std::is_same_v<T, runtime::Half>;
  llvm::APFloat exact(isHalf ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat());
  auto status =
      exact.convertFromString(roundableDecimal(token), llvm::APFloat::rmNearestTiesToEven);
  if (!status)
    return llvm::consumeError(status.takeError()), NumberOutcome::NotANumber;
  value.bits = exact.bitcastToAPInt().getZExtValue();
  return exact.isInfinity() ? NumberOutcome::OutOfRange : NumberOutcome::Good;
}

/// A number with a point or an exponent is well-formed but not an integer; one with a sign may be
/// out of the range of an unsigned type.
inline NumberOutcome parseNumber(llvm::StringRef token, Integer auto &value) {
  auto [end, error] = std::from_chars(token.begin(), token.end(), value);
  if (end == token.end() && error == std::errc())
    return NumberOutcome::Good;
  if (end == token.end() && error == std::errc::result_out_of_range)
    return NumberOutcome::OutOfRange;
  llvm::StringRef digits = token;
  if (digits.consume_front("-") && !digits.empty() && llvm::all_of(digits, llvm::isDigit))
    return llvm::all_of(digits, [](char c) { return c == '0'; }) ? NumberOutcome::Good
                                                                 : NumberOutcome::OutOfRange;
  double real;
  return parseNumber(token, real) == NumberOutcome::NotANumber ? NumberOutcome::NotANumber
                                                               : NumberOutcome::WrongType;
}

template <std::same_as<bool> T> NumberOutcome parseNumber(llvm::StringRef token, T &value) {
  value = token == "true";
  if (value || token == "false")
    return NumberOutcome::Good;
  double number;
  return parseNumber(token, number) == NumberOutcome::NotANumber ? NumberOutcome::NotANumber
                                                                 : NumberOutcome::WrongType;
}

/// The same for a type that is only known at run time; `value` is aligned.
inline NumberOutcome parseNumber(llvm::StringRef token, Scalar scalar, void *value) {
  return withElement(scalar, [&]<typename T>(T number) {
    NumberOutcome outcome = parseNumber(token, number);
    *static_cast<T *>(value) = number;
    return outcome;
  });
}

} // namespace tessera::cli

#endif
