#include "cli/Json.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <charconv>
#include <cmath>
#include <cstdlib>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

/// Nobody means a tensor of more dimensions; without a limit, brackets could exhaust the stack.
constexpr size_t maxDepth = 32;

enum class Outcome { Good, NotANumber, WrongType, OutOfRange };

template <typename T>
concept WideFloat = std::is_floating_point_v<T>;
template <typename T>
concept NarrowFloat = std::is_same_v<T, runtime::Half> || std::is_same_v<T, runtime::BFloat16>;
template <typename T>
concept Integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

Outcome convert(StringRef token, WideFloat auto &value) {
  auto [end, error] = std::from_chars(token.begin(), token.end(), value);
  if (end != token.end() || error == std::errc::invalid_argument)
    return Outcome::NotANumber;
  if (error == std::errc())
    return Outcome::Good;
  // Out of range is reported for tiny numbers, too, which are merely zero or denormal.
  std::string text = token.str();
  value = sizeof value == 4 ? strtof(text.c_str(), nullptr) : strtod(text.c_str(), nullptr);
  return std::isinf(value) ? Outcome::OutOfRange : Outcome::Good;
}

/// From the text itself: by way of a wider type it would be rounded twice.
template <NarrowFloat T> Outcome convert(StringRef token, T &value) {
  double wide = 0;
  Outcome outcome = convert(token, wide);
  if (outcome != Outcome::Good || !std::isfinite(wide)) {
    value = wide;
    return outcome;
  }
  bool isHalf = std::is_same_v<T, runtime::Half>;
  llvm::APFloat exact(isHalf ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat());
  auto status = exact.convertFromString(token, llvm::APFloat::rmNearestTiesToEven);
  if (!status)
    return llvm::consumeError(status.takeError()), Outcome::NotANumber;
  value.bits = exact.bitcastToAPInt().getZExtValue();
  return exact.isInfinity() ? Outcome::OutOfRange : Outcome::Good;
}

/// A number with a point or an exponent is well formed and still no integer; one with a sign may
/// still be out of the range of a type that has none.
Outcome convert(StringRef token, Integer auto &value) {
  auto [end, error] = std::from_chars(token.begin(), token.end(), value);
  if (end == token.end() && error == std::errc())
    return Outcome::Good;
  if (end == token.end() && error == std::errc::result_out_of_range)
    return Outcome::OutOfRange;
  StringRef digits = token;
  if (digits.consume_front("-") && !digits.empty() && llvm::all_of(digits, llvm::isDigit))
    return llvm::all_of(digits, [](char c) { return c == '0'; }) ? Outcome::Good
                                                                 : Outcome::OutOfRange;
  double real;
  return convert(token, real) == Outcome::NotANumber ? Outcome::NotANumber : Outcome::WrongType;
}

template <std::same_as<bool> T> Outcome convert(StringRef token, T &value) {
  value = token == "true";
  if (value || token == "false")
    return Outcome::Good;
  uint8_t number = 0;
  Outcome outcome = convert(token, number);
  value = number == 1;
  return outcome == Outcome::Good && number > 1 ? Outcome::OutOfRange : outcome;
}

class Reader {
public:
  Reader(StringRef text, Scalar element, JsonTensor &result)
      : text(text), element(element), result(result) {}

  std::optional<JsonProblem> read() {
    if (!readValue(0))
      return problem;
    skipSpace();
    if (at < text.size() && !fail(at, "unexpected text behind the value"))
      return problem;
    return std::nullopt;
  }

private:
  enum class Kind { Unknown, Array, Number };

  bool fail(size_t offset, std::string message, JsonProblem::Kind kind = JsonProblem::Unreadable) {
    problem = {kind, offset, std::move(message)};
    return false;
  }

  void skipSpace() {
    while (at < text.size() && StringRef(" \t\r\n").contains(text[at]))
      ++at;
  }

  bool accept(char c) {
    skipSpace();
    bool isHere = at < text.size() && text[at] == c;
    at += isHere;
    return isHere;
  }

  bool readValue(size_t depth) {
    skipSpace();
    if (at == text.size())
      return fail(at, "the text ends where a value should be");
    size_t begin = at;
    if (StringRef(",]").contains(text[at]))
      return fail(at, "expected a number or `[`");
    bool isArray = accept('[');
    if (!checkKind(begin, depth, isArray ? Kind::Array : Kind::Number))
      return false;
    return isArray ? readArray(begin, depth) : readNumber();
  }

  bool checkKind(size_t begin, size_t depth, Kind kind) {
    if (kinds.size() == depth)
      kinds.push_back(kind);
    if (kinds[depth] == kind)
      return true;
    return fail(begin,
                kind == Kind::Array ? "an array beside a number" : "a number beside an array");
  }

  bool readArray(size_t begin, size_t depth) {
    if (depth == maxDepth)
      return fail(begin, "more than " + std::to_string(maxDepth) + " brackets inside each other");
    bool isFirst = result.shape.size() == depth;
    if (isFirst)
      result.shape.push_back(0);
    int64_t count = 0;
    if (!accept(']'))
      do {
        if (!readValue(depth + 1))
          return false;
        ++count;
      } while (accept(','));
    if (count && !accept(']'))
      return fail(at, at == text.size() ? "a `]` is missing at the end" : "expected `,` or `]`");
    return checkSize(begin, depth, count, isFirst);
  }

  bool checkSize(size_t begin, size_t depth, int64_t count, bool isFirst) {
    if (isFirst)
      result.shape[depth] = count;
    if (result.shape[depth] == count)
      return true;
    return fail(begin, "this array has size " + std::to_string(count) + ", those before it size " +
                           std::to_string(result.shape[depth]));
  }

  /// The characters of a number, a word, or what stands between quotes.
  std::optional<StringRef> readToken() {
    bool isQuoted = accept('"');
    size_t begin = at;
    auto belongs = [&](char c) {
      return isQuoted ? c != '"' : llvm::isAlnum(c) || c == '-' || c == '+' || c == '.';
    };
    while (at < text.size() && belongs(text[at]))
      ++at;
    StringRef token = text.slice(begin, at);
    if (isQuoted && !accept('"'))
      return fail(begin - 1, "a quote is missing at the end"), std::nullopt;
    if (token.empty())
      return fail(begin, "expected a number or `[`"), std::nullopt;
    bool isWord = token == "nan" || token == "inf" || token == "-inf" || token == "-nan";
    if (isQuoted && !isWord)
      return fail(begin - 1, text.slice(begin - 1, at).str(), JsonProblem::WrongType), std::nullopt;
    return token;
  }

  bool readNumber() {
    size_t begin = at;
    std::optional<StringRef> token = readToken();
    if (!token)
      return false;
    return withElement(element, [&](auto value) { return append(begin, *token, value); });
  }

  template <typename T> bool append(size_t begin, StringRef token, T value) {
    switch (convert(token, value)) {
    case Outcome::Good:
      result.bytes.insert(result.bytes.end(), reinterpret_cast<const char *>(&value),
                          reinterpret_cast<const char *>(&value + 1));
      return true;
    case Outcome::NotANumber:
      if (token != "true" && token != "false" && token != "null")
        return fail(begin, "`" + token.str() + "` is not a number");
      [[fallthrough]];
    case Outcome::WrongType:
      return fail(begin, token.str(), JsonProblem::WrongType);
    case Outcome::OutOfRange:
      return fail(begin, token.str(), JsonProblem::OutOfRange);
    }
    return false;
  }

  StringRef text;
  Scalar element;
  JsonTensor &result;
  JsonProblem problem;
  llvm::SmallVector<Kind, 4> kinds; ///< What stands at each depth.
  size_t at = 0;
};

} // namespace

std::optional<JsonProblem> cli::readJson(StringRef text, Scalar element, JsonTensor &result) {
  return Reader(text, element, result).read();
}
