#include "support/Decimal.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace tessera;
using llvm::StringRef;

/// Halfway between two doubles, a number has at most 767 digits; any more only say that it lies
/// beyond.
static constexpr size_t maxDigits = 800;

/// Far beyond every format, and far from overflow.
static constexpr int64_t maxExponent = 1'000'000'000'000;

static int64_t exponentOf(StringRef text) {
  text.consume_front("+");
  int64_t exponent = 0;
  if (!text.empty() && text.getAsInteger(10, exponent))
    exponent = text.starts_with("-") ? -maxExponent : maxExponent;
  return std::clamp(exponent, -maxExponent, maxExponent);
}

std::string tessera::roundableDecimal(StringRef number) {
  if (number.size() <= maxDigits || number.contains_insensitive("x"))
    return number.str();
  size_t end = std::min(number.find_first_of("eE"), number.size());
  int64_t exponent = exponentOf(number.substr(end + 1));
  std::string digits;
  bool isFraction = false, isBeyond = false;
  for (char c : number.take_front(end)) {
    isFraction |= c == '.';
    if (!llvm::isDigit(c))
      continue;
    bool isLeadingZero = digits.empty() && c == '0';
    exponent += isFraction ? -int(isLeadingZero) : !isLeadingZero;
    if (digits.size() < maxDigits && !isLeadingZero)
      digits += c;
    else
      isBeyond |= c != '0';
  }
  StringRef sign = number.starts_with("-") ? "-" : "";
  return (sign + "0." + digits + (isBeyond ? "1" : "0") + "e" + llvm::Twine(exponent)).str();
}
