#include "lang/ttl/Lexer.h"
#include "lang/Scanner.h"
#include "lang/ttl/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::isAlnum;
using llvm::isAlpha;
using llvm::isDigit;
using llvm::StringRef;

namespace {

struct Spelling {
  StringRef text;
  Tok kind;
};

/// Longest first, so that the first match is the right one. Operators of other languages that would
/// otherwise be read as several TTL operators are tokens too, so that the message can name them.
constexpr Spelling punctuation[] = {
    {"...", Tok::Ellipsis}, {"<<=", Tok::Foreign},     {">>=", Tok::Foreign},
    {"===", Tok::Foreign},  {"!==", Tok::Foreign},     {"=<", Tok::Foreign},
    {"=>", Tok::Foreign},   {"<>", Tok::Foreign},      {">>", Tok::Foreign},
    {"**", Tok::Foreign},   {"&=", Tok::Foreign},      {"|=", Tok::Foreign},
    {"<=", Tok::LessEqual}, {">=", Tok::GreaterEqual}, {"==", Tok::EqualEqual},
    {"!=", Tok::NotEqual},  {"&&", Tok::Foreign},      {"||", Tok::Foreign},
    {"+=", Tok::Foreign},   {"-=", Tok::Foreign},      {"*=", Tok::Foreign},
    {"/=", Tok::Foreign},   {"++", Tok::Foreign},      {"<<", Tok::Foreign},
    {"->", Tok::Foreign},   {"..", Tok::Foreign},      {":=", Tok::Foreign},
    {"(", Tok::LParen},     {")", Tok::RParen},        {"{", Tok::LBrace},
    {"}", Tok::RBrace},     {"[", Tok::LBracket},      {"]", Tok::RBracket},
    {",", Tok::Comma},      {";", Tok::Semicolon},     {"=", Tok::Assign},
    {"?", Tok::Question},   {"#", Tok::Hash},          {"$", Tok::Dollar},
    {"+", Tok::Plus},       {"-", Tok::Minus},         {"*", Tok::Star},
    {"/", Tok::Slash},      {"<", Tok::Less},          {">", Tok::Greater},
    {"!", Tok::Not},        {"&", Tok::And},           {"|", Tok::Or},
    {":", Tok::Foreign},
};

Tok keywordOrIdentifier(StringRef text) {
  return llvm::StringSwitch<Tok>(text)
#define TTL_KEYWORD(name, spelling) .Case(spelling, Tok::name)
#define TTL_TOKEN(name, text)
#define TTL_PUNCTUATION(name, text)
#include "lang/ttl/Tokens.def"
      .Default(Tok::Identifier);
}

/// What TTL has instead of a member of other languages; null if there is no advice.
const char *adviceForMember(StringRef name) {
  return llvm::StringSwitch<const char *>(name)
      .Cases({"T", "t", "transpose"}, "transpose with two loops: `b[j, i] = a{i, j};`")
      .Cases({"shape", "size", "length", "len"}, "`a $ 0` is the size of dimension 0 of `a`")
      .Cases({"rows", "cols", "columns", "ndim"}, "`a $ 0` is the size of dimension 0 of `a`")
      .Cases({"dot", "matmul", "mm"}, "`a # b` multiplies matrices")
      .Default(nullptr);
}

/// `1000.0` for `1e3`; "" where that would be long.
std::string withoutExponent(StringRef number) {
  auto [mantissa, power] = number.split(number[number.find_insensitive("e")]);
  int shift = 0;
  power.consume_front("+");
  if (power.getAsInteger(10, shift) || std::abs(shift) > 12)
    return "";
  auto [whole, fraction] = mantissa.split('.');
  std::string digits = (whole + fraction).str();
  int point = int(whole.size()) + shift;
  if (point < 1) {
    digits.insert(0, 1 - point, '0');
    point = 1;
  }
  digits.resize(std::max<size_t>(digits.size(), point + 1), '0');
  return digits.insert(point, ".");
}

/// `255` for `0xFF`, `1000` for `1_000`, `1.5` for `1.5f`; "" if it does not fit, nothing if it is
/// not a number in another language.
std::optional<std::string> numberInTtl(StringRef number) {
  std::string plain = number.str();
  std::erase(plain, '_');
  StringRef digits = plain;
  uint64_t value = 0;
  if (digits.starts_with("0") && digits.size() > 2 && isAlpha(digits[1])) {
    if (digits.getAsInteger(0, value))
      return std::nullopt;
    return value > INT32_MAX ? "" : std::to_string(value);
  }
  StringRef suffix = digits.ltrim("0123456789.");
  digits = digits.drop_back(suffix.size());
  bool isSuffix = suffix.size() <= 3 && suffix.find_first_not_of("dDfFlLuU") == StringRef::npos;
  if (!isSuffix || number.ends_with("_"))
    return std::nullopt;
  bool lacksPoint = suffix.find_first_of("dDfF") != StringRef::npos && !digits.contains('.');
  return digits.str() + (lacksPoint ? ".0" : "");
}

class Lexer : Scanner {
public:
  Lexer(const SourceFile &file, DiagnosticEngine &diagnostics) : Scanner(file, diagnostics) {}

  TokenList run() {
    list.tokens.reserve(text.size() / 4 + 1);
    while (skipBlanksAndComments(), at < text.size())
      lexToken();
    push(Tok::End, at);
    return std::move(list);
  }

private:
  void push(Tok kind, size_t begin) { list.tokens.push_back({kind, rangeSince(begin)}); }

  void skipBlanksAndComments() {
    for (;;) {
      skipWhile([](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
      if (rest().starts_with("//"))
        lineComment();
      else if (rest().starts_with("/*"))
        blockComment();
      else
        return;
    }
  }

  void lineComment() {
    size_t begin = at;
    skipLine();
    comment(begin);
  }

  void blockComment() {
    size_t begin = at, end = text.find("*/", at + 2);
    bool isClosed = end != StringRef::npos;
    at = isClosed ? end + 2 : text.size();
    comment(begin);
    if (isClosed)
      return;
    diagnostics.report(&file, {uint32_t(begin), uint32_t(begin + 2)}, diag::UnclosedComment);
    push(Tok::Error, begin); // Silences errors about what the comment swallows.
  }

  void comment(size_t begin) { list.comments.push_back(rangeSince(begin)); }

  void lexToken() {
    if (isAlpha(peek()))
      return name();
    if (isDigit(peek()))
      return number();
    if (peek() == '.' && isDigit(peek(1)))
      return pointWithoutInteger();
    if (peek() == '_')
      return wrongName(diag::UnderscoreStartsName);
    if (startsInclude())
      return include();
    for (auto [spelling, kind] : punctuation)
      if (rest().starts_with(spelling))
        return symbol(spelling, kind);
    unknown();
  }

  static bool continuesName(char c) { return isAlnum(c) || c == '_'; }

  void name() {
    size_t begin = at;
    skipWhile(continuesName);
    push(keywordOrIdentifier(since(begin)), begin);
  }

  /// Takes what looks like one word and reports it; to the parser it is a name.
  void wrongName(const DiagnosticKind &kind) {
    size_t begin = at;
    skipWhile(continuesName);
    report(begin, kind);
    push(Tok::Identifier, begin);
  }

  /// digits [ "." digits ]. `0...8` is an integer and a range, and so is the mistyped `0..8`.
  void number() {
    size_t begin = at;
    Tok kind = Tok::Integer;
    skipWhile(isDigit);
    if (peek() == '.' && isDigit(peek(1))) {
      kind = Tok::Float;
      ++at;
      skipWhile(isDigit);
    } else if (peek() == '.' && peek(1) != '.') {
      kind = Tok::Float;
      ++at;
      report(begin, diag::NoDigitsAfterPoint).fix({uint32_t(at), uint32_t(at)}, "0");
    }
    if (isAlpha(peek()) || peek() == '_')
      kind = numberWithLetters(begin, kind);
    push(kind, begin);
  }

  /// `1e5` or `9x`.
  Tok numberWithLetters(size_t begin, Tok kind) {
    size_t letters = at;
    skipWhile(continuesName);
    StringRef tail = since(letters);
    bool signedExponent = tail.size() == 1 && (peek() == '+' || peek() == '-') && isDigit(peek(1));
    bool isExponent = tail.consume_front_insensitive("e") &&
                      (signedExponent || (!tail.empty() && llvm::all_of(tail, isDigit)));
    if (!isExponent) {
      if (rejectForeignNumber(begin))
        return kind;
      report(begin, diag::DigitStartsName);
      return Tok::Identifier;
    }
    if (signedExponent) {
      ++at;
      skipWhile(isDigit);
    }
    Report report = this->report(begin, diag::Exponent);
    if (std::string digits = withoutExponent(since(begin)); !digits.empty())
      report.hint("write all digits: `{0}`", digits);
    return Tok::Float;
  }

  /// `0xFF` or `1.5f`: whether it looks like a number of another language, which is then reported.
  bool rejectForeignNumber(size_t begin) {
    StringRef number = since(begin);
    auto own = numberInTtl(number);
    constexpr Tok types[] = {Tok::KwInt, Tok::KwFloat, Tok::RBracket};
    if (!own || (!list.tokens.empty() && llvm::is_contained(types, list.tokens.back().kind)))
      return false;
    Report report = this->report(begin, diag::ForeignNumber);
    bool mayNeedMoreBits =
        !number.starts_with_insensitive("0x") && number.find_first_of("dDlLuU") != StringRef::npos;
    if (own->empty())
      report.hint("`int` has 32 bits and a sign");
    else if (mayNeedMoreBits)
      report.hint("write `{0}`: `int` and `float` have 32 bits", *own);
    else
      report.fix(rangeSince(begin), *own);
    return true;
  }

  void pointWithoutInteger() {
    size_t begin = at++;
    skipWhile(isDigit);
    report(begin, diag::NoDigitsBeforePoint).fix({uint32_t(begin), uint32_t(begin)}, "0");
    push(Tok::Float, begin);
  }

  void symbol(StringRef spelling, Tok kind) {
    size_t begin = at;
    at += spelling.size();
    push(kind, begin);
  }

  void unknown() {
    size_t begin = at;
    if (peek() == '\'' && isRightAfterOperand())
      return transpose();
    if (peek() == '"' || peek() == '\'')
      return string();
    if (startsMember())
      return member();
    skipUnknown();
    Report report = this->report(begin, diag::UnknownCharacter);
    StringRef character = since(begin);
    if (character == "@" && isAfterOperand())
      report.hint("`#` multiplies matrices").fix(rangeSince(begin), "#");
    if (character == "%")
      report.hint("`a - a / b * b` is the remainder of `a / b`");
    push(Tok::Error, begin);
  }

  bool isAfterOperand() const {
    constexpr Tok ends[] = {Tok::Identifier, Tok::RParen, Tok::RBracket, Tok::RBrace};
    return !list.tokens.empty() && llvm::is_contained(ends, list.tokens.back().kind);
  }

  bool isRightAfterOperand() const {
    return isAfterOperand() && list.tokens.back().range.end == at;
  }

  /// `#include <stdio.h>` on the rest of a line, whatever it names.
  bool startsInclude() const {
    constexpr Tok ends[] = {Tok::Semicolon, Tok::RBrace, Tok::Hash};
    if (!rest().starts_with("#include"))
      return false;
    StringRef line = rest().take_until([](char c) { return c == '\n'; }).rtrim();
    return line.consume_front("#include") && (line.ends_with(">") || line.ends_with("\"")) &&
           (line.ltrim().starts_with("<") || line.ltrim().starts_with("\"")) &&
           (list.tokens.empty() || llvm::is_contained(ends, list.tokens.back().kind));
  }

  void include() {
    symbol("#include", Tok::Hash);
    skipLine();
  }

  void string() {
    size_t begin = at;
    skipUnknown();
    Report report = this->report(begin, diag::String);
    if (isPrinted())
      report.hint("`print` takes one number or one matrix");
    push(Tok::Error, begin);
  }

  /// Whether the next token is the first argument of `print`, or of another language's `printf`.
  bool isPrinted() const {
    size_t count = list.tokens.size();
    return count >= 2 && list.tokens[count - 1].kind == Tok::LParen &&
           file.text(list.tokens[count - 2].range).starts_with("print");
  }

  /// `a'`.
  void transpose() {
    size_t begin = at++;
    report(begin, diag::UnknownCharacter).hint("{0}", adviceForMember("T"));
    push(Tok::Error, begin);
  }

  static bool isBlank(char c) { return c == ' ' || c == '\t'; }

  bool startsMember() const {
    StringRef name = rest();
    if (!name.consume_front(".") || list.tokens.empty())
      return false;
    bool isApart = isAfterOperand() && !name.empty() && isBlank(name.front());
    StringRef word = isApart ? name.ltrim(" \t") : name;
    return !word.empty() && isAlpha(word.front());
  }

  /// `.T`, `.shape`, `. T`.
  void member() {
    size_t begin = at++;
    skipWhile(isBlank);
    size_t first = at;
    skipWhile(continuesName);
    StringRef name = since(first);
    Report report = diagnostics.report(&file, rangeSince(begin), diag::Member, "." + name.str());
    if (const char *advice = adviceForMember(name))
      report.hint("{0}", advice);
    while (peek() == '.' && isAlpha(peek(1))) { // `.b` in `a.b.c` is enough.
      ++at;
      skipWhile(continuesName);
    }
    push(Tok::Error, begin);
  }

  TokenList list;
};

} // namespace

TokenList tessera::ttl::lex(const SourceFile &file, DiagnosticEngine &diagnostics) {
  return Lexer(file, diagnostics).run();
}

StringRef tessera::ttl::describe(Tok kind) {
  static constexpr const char *texts[] = {
#define TTL_TOKEN(name, text) text,
#include "lang/ttl/Tokens.def"
  };
  return texts[static_cast<int>(kind)];
}
