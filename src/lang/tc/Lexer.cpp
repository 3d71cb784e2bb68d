#include "lang/tc/Lexer.h"
#include "lang/Scanner.h"
#include "lang/tc/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::isDigit;
using llvm::isHexDigit;
using llvm::StringRef;

namespace {

struct Spelling {
  StringRef text;
  Tok kind;
};

constexpr Spelling punctuation[] = {
#define TC_TOKEN(name, text)
#define TC_KEYWORD(name, text)
#define TC_PUNCTUATION(name, text) {text, Tok::name},
#include "lang/tc/Tokens.def"
#define TC_FOREIGN(spelling, kind, hint, fix) {spelling, Tok::Foreign},
#include "lang/tc/Foreign.def"
};

constexpr ForeignRow foreignRows[] = {
#define TC_FOREIGN(spelling, kind, hint, fix) {spelling, diag::kind, hint, fix},
#include "lang/tc/Foreign.def"
};

Tok kindOfWord(StringRef text) {
  if (scalarNamed(text))
    return Tok::TypeName;
  return llvm::StringSwitch<Tok>(text)
#define TC_TOKEN(name, text)
#define TC_KEYWORD(name, spelling) .Case(spelling, Tok::name)
#define TC_PUNCTUATION(name, text)
#include "lang/tc/Tokens.def"
      .Default(Tok::Identifier);
}

/// What mathematics, and editors that improve text, write for operators; "" for other signs.
StringRef meantBySign(StringRef sign) {
  return llvm::StringSwitch<StringRef>(sign)
      .Cases({"×", "·", "∗"}, "*")
      .Case("÷", "/")
      .Cases({"−", "–"}, "-")
      .Case("≤", "<=")
      .Case("≥", ">=")
      .Case("≠", "!=")
      .Case("∈", "in")
      .Case("→", "->")
      .Default("");
}

bool continuesWord(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// A number of C at the beginning of a text; Tok::Error if there is none.
struct Number {
  Tok kind = Tok::Error;
  size_t length = 0;
};

/// Finds the longest number that a text begins with [tc.lex.8].
class NumberScanner {
public:
  explicit NumberScanner(StringRef text) : text(text) {}

  Number scan() {
    if (prefix("0x", isHexDigit))
      return hexadecimal();
    if (prefix("0b", [](char c) { return c == '0' || c == '1'; }))
      return integer();
    size_t before = digits(isDigit);
    // `0..2` is a mistaken range, not `0.` and `.2`.
    bool hasPoint = peek() == '.' && peek(1) != '.';
    size_t after = hasPoint ? (++at, digits(isDigit)) : 0;
    if (before + after == 0)
      return {};
    bool hasExponent = exponent('e');
    if (!hasPoint && !hasExponent)
      return integer();
    return floating();
  }

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  size_t digits(bool (*belongs)(char)) {
    size_t begin = at;
    while (at < text.size() && belongs(text[at]))
      ++at;
    return at - begin;
  }

  /// `letters` and at least one digit.
  bool prefix(StringRef letters, bool (*isDigitOfIt)(char)) {
    if (!text.starts_with_insensitive(letters) || text.size() <= 2 || !isDigitOfIt(text[2]))
      return false;
    at = 2;
    digits(isDigitOfIt);
    return true;
  }

  /// An integer, or digits with an optional point and a binary exponent.
  Number hexadecimal() {
    size_t end = at;
    if (peek() == '.' && peek(1) != '.') {
      ++at;
      digits(isHexDigit);
    }
    if (exponent('p'))
      return floating();
    at = end;
    return integer();
  }

  bool exponent(char letter) {
    bool isSigned = peek(1) == '+' || peek(1) == '-';
    if (llvm::toLower(peek()) != letter || !isDigit(peek(isSigned ? 2 : 1)))
      return false;
    at += isSigned ? 2 : 1;
    digits(isDigit);
    return true;
  }

  Number floating() {
    if (StringRef("fFlL").contains(peek()) && peek())
      ++at;
    return {Tok::Float, at};
  }

  Number integer() {
    constexpr StringRef suffixes[] = {"ull", "llu", "ul", "lu", "ll", "u", "l"};
    for (StringRef suffix : suffixes) {
      StringRef found = text.substr(at, suffix.size());
      bool isMixed = found.contains("lL") || found.contains("Ll");
      if (found.equals_insensitive(suffix) && !isMixed) {
        at += suffix.size();
        break;
      }
    }
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

  /// Reported by its first two characters and skipped like a comment.
  void foreignComment() {
    size_t begin = at;
    bool isBlock = peek(1) == '*';
    at += 2;
    Report report = this->report(begin, diag::ForeignComment);
    size_t end = isBlock ? text.find("*/", at) : text.find('\n', at);
    at = end == StringRef::npos ? text.size() : end + (isBlock ? 2 : 0);
    if (!isBlock && mayDivide(begin))
      report.hint("`/` divides integers as Python's `//` does; for floats, write `floor(x / y)`");
    else if (!isBlock)
      report.fix({uint32_t(begin), uint32_t(begin + 2)}, "#");
  }

  /// Whether the `//` at `begin` follows an operand and may be followed by another one, not by
  /// words.
  bool mayDivide(size_t begin) const {
    bool isOperand = !list.tokens.empty() &&
                     file.position(begin).line == file.position(list.tokens.back().range.end).line;
    Tok before = isOperand ? list.tokens.back().kind : Tok::End;
    isOperand = before == Tok::Identifier || before == Tok::RParen || before == Tok::Integer ||
                before == Tok::Float;
    StringRef after = text.substr(begin + 2).split('\n').first.trim(" \t\r");
    StringRef word = after.take_while(continuesWord), next = after.substr(word.size()).ltrim(" \t");
    bool isPhrase = !word.empty() && !isDigit(word[0]) && !next.empty() && llvm::isAlpha(next[0]) &&
                    !next.starts_with("where");
    return isOperand && !after.empty() && !isPhrase;
  }

  void lexToken() {
    if (continuesWord(peek()) || (peek() == '.' && isDigit(peek(1))))
      return wordOrNumber();
    if (const Spelling *symbol = longestSymbol())
      return take(symbol->text.size(), symbol->kind);
    unknown();
  }

  void take(size_t length, Tok kind) {
    size_t begin = at;
    at += length;
    push(kind, begin);
  }

  const Spelling *longestSymbol() const {
    const Spelling *longest = nullptr;
    for (const Spelling &symbol : punctuation)
      if (symbol.text.front() == peek() && rest().starts_with(symbol.text) &&
          (!longest || symbol.text.size() > longest->text.size()))
        longest = &symbol;
    return longest;
  }

  /// Takes whichever is longer; what is both is a number [tc.lex.4].
  void wordOrNumber() {
    Number number = NumberScanner(rest()).scan();
    size_t wordLength = rest().take_while(continuesWord).size();
    if (number.kind != Tok::Error && number.length >= wordLength)
      return this->number(number);
    word(wordLength);
  }

  void word(size_t length) {
    // `min=`, but not `min =` [tc.lex.13].
    if (const Spelling *symbol = longestSymbol(); symbol && symbol->text.size() > length)
      return take(symbol->text.size(), symbol->kind);
    Tok kind = kindOfWord(rest().take_front(length));
    take(length, kind);
    if (kind == Tok::Identifier && peek() == '.' && isDigit(peek(1)))
      dimensionSpecifier();
  }

  /// `.1` directly after a name is not a fraction.
  void dimensionSpecifier() {
    take(1, Tok::Dot);
    size_t begin = at;
    skipWhile(isDigit);
    if (continuesWord(peek()))
      return malformed(begin);
    rejectLeadingZero(begin);
    push(Tok::Integer, begin);
  }

  void number(Number number) {
    size_t begin = at;
    at += number.length;
    bool goesOn = continuesWord(peek()) || (peek() == '.' && peek(1) != '.');
    if (goesOn)
      return malformed(begin);
    if (number.kind == Tok::Integer)
      rejectLeadingZero(begin);
    push(number.kind, begin);
  }

  void rejectLeadingZero(size_t begin) {
    StringRef digits = since(begin);
    if (digits.size() < 2 || digits[0] != '0' || !isDigit(digits[1]))
      return;
    StringRef decimal = digits.ltrim('0');
    decimal =
        decimal.empty() || !isDigit(decimal[0]) ? digits.take_back(decimal.size() + 1) : decimal;
    report(begin, diag::LeadingZero)
        .hint("TC has no octal numbers")
        .fix({uint32_t(begin), uint32_t(at)}, decimal);
  }

  /// Takes everything that a reader would see as one number.
  void malformed(size_t begin) {
    while (continuesWord(peek()) || (peek() == '.' && peek(1) != '.'))
      ++at;
    report(begin, diag::MalformedNumber);
    push(Tok::Error, begin);
  }

  void unknown() {
    size_t begin = at;
    skipUnknown();
    Report report = this->report(begin, diag::UnknownCharacter);
    if (since(begin) == "@")
      report.hint("a product of matrices is a reduction: `C(i, j) +=! A(i, k) * B(k, j)`");
    if (StringRef meant = meantBySign(since(begin)); !meant.empty())
      report.fix(rangeSince(begin), meant);
    push(Tok::Error, begin);
  }

  TokenList list;
};

} // namespace

TokenList tessera::tc::lex(const SourceFile &file, DiagnosticEngine &diagnostics) {
  return Lexer(file, diagnostics).run();
}

StringRef tessera::tc::describe(Tok kind) {
  static constexpr const char *texts[] = {
#define TC_TOKEN(name, text) text,
#include "lang/tc/Tokens.def"
  };
  return texts[static_cast<int>(kind)];
}

const ForeignRow &tessera::tc::foreignRow(StringRef spelling) {
  for (const ForeignRow &row : foreignRows)
    if (row.spelling == spelling)
      return row;
  llvm_unreachable("the lexer makes Foreign tokens from these rows only");
}
