#include "lang/weld/Lexer.h"
#include "lang/Scanner.h"
#include "lang/weld/Advice.h"
#include "lang/weld/Diagnostics.h"
#include "lang/weld/Strings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::isDigit;
using llvm::isHexDigit;
using llvm::StringRef;

namespace {

struct Spelling {
  StringRef text;
  Tok kind;
};

constexpr Spelling punctuation[] = {
#define WELD_TOKEN(name, text)
#define WELD_KEYWORD(name, text)
#define WELD_PUNCTUATION(name, text) {text, Tok::name},
#include "lang/weld/Tokens.def"
};

Tok kindOfWord(StringRef text) {
  if (scalarNamed(text))
    return Tok::ScalarName;
  if (builtinNamed(text))
    return Tok::BuiltinName;
  return llvm::StringSwitch<Tok>(text)
#define WELD_TOKEN(name, text)
#define WELD_KEYWORD(name, spelling) .Case(spelling, Tok::name)
#define WELD_PUNCTUATION(name, text)
#include "lang/weld/Tokens.def"
      .Default(Tok::Identifier);
}

bool continuesWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

/// A number at the beginning of a text [weld.lex.5, weld.lex.6].
struct Number {
  Tok kind = Tok::Integer;
  size_t length = 0;
};

class NumberScanner {
public:
  explicit NumberScanner(StringRef text) : text(text) {}

  Number scan() {
    if (prefix("0x", isHexDigit) || prefix("0b", [](char c) { return c == '0' || c == '1'; }))
      return integer();
    digits(isDigit);
    bool hasPoint = peek() == '.' && isDigit(peek(1));
    if (hasPoint) {
      ++at;
      digits(isDigit);
    }
    bool hasExponent = exponent();
    if (take('f') || take('F') || hasPoint || hasExponent)
      return {Tok::Float, at};
    return integer();
  }

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  bool take(char c) {
    bool isThere = peek() == c;
    at += isThere;
    return isThere;
  }

  void digits(bool (*belongs)(char)) {
    while (at < text.size() && belongs(text[at]))
      ++at;
  }

  /// `letters` and at least one digit.
  bool prefix(StringRef letters, bool (*isDigitOfIt)(char)) {
    if (!text.starts_with(letters) || text.size() <= 2 || !isDigitOfIt(text[2]))
      return false;
    at = 2;
    digits(isDigitOfIt);
    return true;
  }

  bool exponent() {
    bool isSigned = peek(1) == '+' || peek(1) == '-';
    if (llvm::toLower(peek()) != 'e' || !isDigit(peek(isSigned ? 2 : 1)))
      return false;
    at += isSigned ? 2 : 1;
    digits(isDigit);
    return true;
  }

  /// The `c` of a hexadecimal number is a digit.
  Number integer() {
    for (StringRef suffix : {"c", "C", "si", "l", "L"})
      if (text.substr(at).starts_with(suffix))
        return {Tok::Integer, at + suffix.size()};
    return {Tok::Integer, at};
  }

  StringRef text;
  size_t at = 0;
};

class Lexer : Scanner {
public:
  Lexer(const SourceFile &file, DiagnosticEngine &diagnostics) : Scanner(file, diagnostics) {}

  TokenList run() {
    list.tokens.reserve(text.size() / 3 + 1);
    while (skipBlanksAndComments(), at < text.size())
      lexToken();
    push(Tok::End, at);
    return std::move(list);
  }

private:
  void push(Tok kind, size_t begin) { list.tokens.push_back({kind, rangeSince(begin)}); }

  void skipBlanksAndComments() {
    for (;;) {
      skipWhile([](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
      if (peek() == '#')
        comment();
      else if (rest().starts_with("//") || rest().starts_with("/*"))
        foreignComment();
      else
        return;
    }
  }

  void comment() {
    size_t begin = at;
    skipLine();
    list.comments.push_back(rangeSince(begin));
  }

  /// Reports its first two characters and skips it like a comment, unless a `//` after an operand
  /// may be the division of another language.
  void foreignComment() {
    size_t begin = at;
    bool isBlock = peek(1) == '*', isDivision = !isBlock && followsOperandOnLine();
    at += 2;
    Report report = this->report(begin, diag::ForeignComment);
    size_t end = isBlock ? text.find("*/", at) : text.find('\n', at);
    at = end == StringRef::npos ? text.size() : end + (isBlock ? 2 : 0);
    if (isDivision) {
      report.hint("`/` divides integers and truncates toward zero");
      push(Tok::Error, begin);
    } else if (!isBlock) {
      report.fix({uint32_t(begin), uint32_t(begin + 2)}, "#");
    }
  }

  void lexToken() {
    if (isDigit(peek()))
      return number();
    if (continuesWord(peek()))
      return word();
    if (peek() == '"')
      return string();
    if (peek() == '.' && isDigit(peek(1)) && !followsOperand())
      return malformed(at);
    if (const Spelling *symbol = longestSymbol())
      return take(symbol->text.size(), symbol->kind);
    unknown();
  }

  /// `s.0` is a mistaken field, not a fraction.
  bool followsOperand() const {
    if (list.tokens.empty() || list.tokens.back().range.end != at)
      return false;
    Tok kind = list.tokens.back().kind;
    return kind == Tok::Identifier || kind == Tok::RParen || kind == Tok::RBrace;
  }

  bool followsOperandOnLine() const {
    if (list.tokens.empty() || text.slice(list.tokens.back().range.end, at).contains('\n'))
      return false;
    return endsOperand(list.tokens.back().kind);
  }

  void take(size_t length, Tok kind) {
    size_t begin = at;
    at += length;
    push(kind, begin);
  }

  const Spelling *longestSymbol() const {
    const Spelling *longest = nullptr;
    for (const Spelling &symbol : punctuation)
      if (rest().starts_with(symbol.text) &&
          (!longest || symbol.text.size() > longest->text.size()))
        longest = &symbol;
    return longest;
  }

  void word() {
    size_t length = rest().take_while(continuesWord).size();
    take(length, kindOfWord(rest().take_front(length)));
  }

  void number() {
    size_t begin = at;
    Number number = NumberScanner(rest()).scan();
    at += number.length;
    if (continuesWord(peek()) || (peek() == '.' && peek(1) != '$'))
      return malformed(begin);
    push(number.kind, begin);
  }

  /// Takes everything that looks like one number.
  void malformed(size_t begin) {
    while (continuesWord(peek()) || (peek() == '.' && peek(1) != '$'))
      ++at;
    Report report = this->report(begin, diag::MalformedNumber);
    StringRef found = since(begin);
    if (found.ends_with("."))
      report.hint("a decimal point has digits on both sides")
          .fix({uint32_t(at), uint32_t(at)}, "0");
    else if (found.starts_with("."))
      report.hint("a decimal point has digits on both sides")
          .fix({uint32_t(begin), uint32_t(begin)}, "0");
    push(Tok::Error, begin);
  }

  void string() {
    size_t begin = at++;
    bool isGood = true;
    while (peek() != '"') {
      if (at == text.size() || peek() == '\n') {
        report(begin, diag::OpenString);
        skipRestOfString();
        return push(Tok::Error, begin);
      }
      isGood &= stringCharacter();
    }
    ++at;
    push(isGood ? Tok::String : Tok::Error, begin);
  }

  /// An odd number of quotes on the next line shows that the string ends there.
  void skipRestOfString() {
    StringRef next =
        text.substr(std::min(at + 1, text.size())).take_until([](char c) { return c == '\n'; });
    if (next.count('"') % 2)
      at += 1 + next.find('"') + 1;
  }

  /// Takes one character or escape sequence; false if it is not allowed.
  bool stringCharacter() {
    size_t begin = at;
    if (peek() == '\\') {
      at += std::max<size_t>(escapeSize(rest()), 1);
      bool isLast = at == text.size() || peek() == '\n'; // The string is not closed.
      return at - begin > 1 || isLast || rejectEscape(begin);
    }
    at += std::max<size_t>(characterSize(rest()), 1);
    bool isControl = static_cast<unsigned char>(text[begin]) < 0x20 && text[begin] != '\t';
    if (!isControl && text[begin] != 0x7f && characterSize(text.substr(begin)))
      return true;
    std::string escape = escapedString(since(begin));
    report(begin, diag::StringCharacter).fix(rangeSince(begin), escape);
    return false;
  }

  bool rejectEscape(size_t begin) {
    at += std::max<size_t>(characterSize(rest()), 1);
    report(begin, diag::StringEscape)
        .hint("the escape sequences are {0}; a backslash is `\\\\`", escapeSequences);
    return false;
  }

  void unknown() {
    size_t begin = at;
    skipUnknown();
    Report reported = report(begin, diag::UnknownCharacter);
    StringRef found = since(begin);
    if (found.starts_with("\\"))
      reported.hint("a function is written `|x| x + 1`");
    bool isQuoted = found.size() > 2 && found.consume_front("'") && found.consume_back("'");
    if (isQuoted && !found.contains('"') && found.size() > 1)
      reported.fix(rangeSince(begin), ("\"" + found + "\"").str());
    else if (isQuoted && found.size() == 1)
      reported.hint("a character is a number, `{0}c`; a text is written `\"{1}\"`",
                    unsigned(static_cast<unsigned char>(found[0])), found);
    else if (text[begin] == '\'')
      reported.hint("strings are enclosed in `\"`");
    push(Tok::Error, begin);
  }

  TokenList list;
};

} // namespace

TokenList tessera::weld::lex(const SourceFile &file, DiagnosticEngine &diagnostics) {
  return Lexer(file, diagnostics).run();
}

StringRef tessera::weld::describe(Tok kind) {
  static constexpr const char *texts[] = {
#define WELD_TOKEN(name, text) text,
#include "lang/weld/Tokens.def"
  };
  return texts[static_cast<int>(kind)];
}

bool tessera::weld::isReserved(Tok kind) {
  return kind == Tok::ScalarName || kind == Tok::BuiltinName ||
         (kind >= Tok::KwLet && kind <= Tok::KwVecMerger);
}

std::optional<Scalar> tessera::weld::scalarNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Scalar>>(name)
#define WELD_SCALAR(text, type, suffix) .Case(text, Scalar::type)
#include "lang/weld/Types.def"
      .Default(std::nullopt);
}

std::optional<Builtin> tessera::weld::builtinNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Builtin>>(name)
#define WELD_BUILTIN(name, text, arity) .Case(text, Builtin::name)
#include "lang/weld/Builtins.def"
      .Default(std::nullopt);
}
