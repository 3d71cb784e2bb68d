#include "cli/Json.h"
#include "cli/Numbers.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

/// No realistic tensor has more dimensions; without a limit, brackets could exhaust the stack.
constexpr size_t maxDepth = 32;

class Reader {
public:
  Reader(StringRef text, Scalar element, JsonTensor &result)
      : text(text), element(element), result(result) {}

  std::optional<JsonProblem> read() {
    if (!readValue(0))
      return problem;
    skipSpace();
    if (at < text.size() && !fail(at, "unexpected text after the value"))
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
      return fail(at, "expected a value, found the end of the text");
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
                kind == Kind::Array ? "an array next to a number" : "a number next to an array");
  }

  bool readArray(size_t begin, size_t depth) {
    if (depth == maxDepth)
      return fail(begin, "more than " + std::to_string(maxDepth) + " nested brackets");
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
      return fail(at, at == text.size() ? "missing `]` at the end" : "expected `,` or `]`");
    return checkSize(begin, depth, count, isFirst);
  }

  bool checkSize(size_t begin, size_t depth, int64_t count, bool isFirst) {
    if (isFirst)
      result.shape[depth] = count;
    if (result.shape[depth] == count)
      return true;
    return fail(begin, "this array has size " + std::to_string(count) +
                           ", but those before it have size " +
                           std::to_string(result.shape[depth]));
  }

  /// The characters of a number, a word, or the text between quotes.
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
      return fail(begin - 1, "missing quote at the end"), std::nullopt;
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
    switch (parseNumber(token, value)) {
    case NumberOutcome::Good:
      result.bytes.insert(result.bytes.end(), reinterpret_cast<const char *>(&value),
                          reinterpret_cast<const char *>(&value + 1));
      return true;
    case NumberOutcome::NotANumber:
      if (token != "true" && token != "false" && token != "null")
        return fail(begin, "`" + token.str() + "` is not a number");
      [[fallthrough]];
    case NumberOutcome::WrongType:
      return fail(begin, token.str(), JsonProblem::WrongType);
    case NumberOutcome::OutOfRange:
      return fail(begin, token.str(), JsonProblem::OutOfRange);
    }
    return false;
  }

  StringRef text;
  Scalar element;
  JsonTensor &result;
  JsonProblem problem;
  llvm::SmallVector<Kind, 4> kinds; ///< What occurs at each depth.
  size_t at = 0;
};

} // namespace

std::optional<JsonProblem> cli::readJson(StringRef text, Scalar element, JsonTensor &result) {
  return Reader(text, element, result).read();
}
