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
      report(begin, diag::DigitStartsName);
      return Tok::Identifier;
    }
    if (signedExponent) {
      ++at;
      skipWhile(isDigit);
    }
    report(begin, diag::Exponent);
    return kind == Tok::Integer ? Tok::Float : kind;
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
    if (peek() == '"' || peek() == '\'')
      return string();
    if (peek() == '.' && isAlpha(peek(1)) && !list.tokens.empty())
      return member();
    size_t begin = at;
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

  void string() {
    size_t begin = at;
    skipUnknown();
    report(begin, diag::String).hint("`print` takes one number or one matrix");
    push(Tok::Error, begin);
  }

  /// `.T`, `.shape`.
  void member() {
    size_t begin = at++;
    skipWhile(continuesName);
    StringRef name = since(begin);
    Report report = this->report(begin, diag::Member);
    if (name == ".T")
      report.hint("transpose with two loops: `b[j, i] = a{{i, j};`");
    if (name == ".shape" || name == ".size" || name == ".length")
      report.hint("`a $ 0` is the size of dimension 0 of `a`");
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
