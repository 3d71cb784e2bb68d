#include "lang/tinytc/Lexer.h"
#include "lang/Scanner.h"
#include "lang/tinytc/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::isAlpha;
using llvm::isDigit;
using llvm::isHexDigit;
using llvm::StringRef;

namespace {

struct Spelling {
  StringRef text;
  Tok kind;
};

constexpr Spelling punctuation[] = {
#define TINYTC_TOKEN(name, text)
#define TINYTC_PUNCTUATION(name, text) {text, Tok::name},
#include "lang/tinytc/Tokens.def"
};

bool continuesWord(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// The length of the run of such characters at the beginning.
size_t lengthOf(StringRef text, bool (*belongs)(char)) {
  return text.take_while(belongs).size();
}

/// The length of `e-5`; 0 if there is no exponent.
size_t exponentLength(StringRef text, char letter) {
  if (text.empty() || llvm::toLower(text[0]) != letter)
    return 0;
  size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
  size_t digits = lengthOf(text.drop_front(1 + sign), isDigit);
  return digits ? 1 + sign + digits : 0;
}

/// A number at the beginning of a text, without its sign; its length is 0 if there is none.
struct NumberForm {
  size_t length = 0;
  bool isFloat = false;
};

/// Digits, perhaps with a point among them and an exponent after them. A point needs a digit on one
/// side.
NumberForm numberWith(StringRef text, bool (*isDigitOfIt)(char), char exponent) {
  size_t before = lengthOf(text, isDigitOfIt), length = before;
  bool hasPoint = length < text.size() && text[length] == '.';
  size_t after = hasPoint ? lengthOf(text.drop_front(length + 1), isDigitOfIt) : 0;
  if (before + after == 0)
    return {};
  if (hasPoint)
    length += 1 + after;
  size_t power = exponentLength(text.drop_front(length), exponent);
  return {length + power, hasPoint || power != 0};
}

/// `0x4` is not a number, but the end of `x0x4` [tinytc.lex.6].
NumberForm numberAt(StringRef text) {
  if (text.starts_with_insensitive("0x"))
    if (NumberForm hex = numberWith(text.drop_front(2), isHexDigit, 'p'); hex.isFloat)
      return {hex.length + 2, true};
  return numberWith(text, isDigit, 'e');
}

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
  void push(Tok kind, size_t begin) {
    list.tokens.push_back({kind, rangeSince(begin)});
    list.hasErrors |= kind == Tok::Error;
    isInCalculation = kind == Tok::Calc || (isInCalculation && kind != Tok::RParen);
  }

  void take(size_t length, Tok kind) {
    size_t begin = at;
    at += length;
    push(kind, begin);
  }

  void skipBlanksAndComments() {
    for (;;) {
      skipWhile([](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
      if (peek() != ';')
        return;
      size_t begin = at;
      skipLine();
      list.comments.push_back(rangeSince(begin));
    }
  }

  void lexToken() {
    if (size_t length = signedNumber())
      return take(length, isFloat ? Tok::Float : Tok::Integer);
    if (isAlpha(peek()) || peek() == '_')
      return word();
    if (peek() == '.' && (isAlpha(peek(1)) || peek(1) == '_'))
      return take(1 + lengthOf(rest().drop_front(), continuesWord), Tok::Modifier);
    if (peek() == '"')
      return string();
    if (identifier())
      return;
    if (isForeignComment())
      return skipForeignComment();
    if (const Spelling *symbol = longestSymbol())
      return take(symbol->text.size(), symbol->kind);
    unknown();
  }

  /// A sign belongs to the number that follows without a blank.
  size_t signedNumber() {
    size_t sign = peek() == '+' || peek() == '-' ? 1 : 0;
    NumberForm form = numberAt(rest().drop_front(sign));
    isFloat = form.isFloat;
    return form.length ? sign + form.length : 0;
  }

  /// In `f32x4` and `x4`, the `x` separates modes.
  void word() {
    StringRef run = rest().take_while(continuesWord);
    if (run == "x" || (run[0] == 'x' && isDigit(run[1])))
      return take(1, Tok::Times);
    take(elementType(run).value_or(run.size()), Tok::Word);
  }

  /// The length of a type before `x`.
  static std::optional<size_t> elementType(StringRef run) {
    size_t end = run.find('x', run.starts_with("index") ? 5 : 0);
    if (end == StringRef::npos || (end + 1 < run.size() && !isDigit(run[end + 1])))
      return std::nullopt;
    StringRef name = run.take_front(end);
    bool isType = name == "bool" || name == "void" || scalarNamed(name);
    return isType ? std::optional(end) : std::nullopt;
  }

  /// `%a`, `%1`, `@f`, `$n` [tinytc.lex.3]. False if the character begins none.
  bool identifier() {
    Tok kind = peek() == '%'   ? Tok::Local
               : peek() == '@' ? Tok::Global
               : peek() == '$' ? Tok::Variable
                               : Tok::End;
    if (kind == Tok::End || !continuesWord(peek(1)))
      return false;
    StringRef name = rest().drop_front();
    if (peek(1) == '_') {
      malformedName();
      return true;
    }
    take(1 + lengthOf(name, isDigit(peek(1)) ? isDigit : continuesWord), kind);
    return true;
  }

  void malformedName() {
    size_t begin = at++;
    skipWhile(continuesWord);
    report(begin, diag::MalformedName).hint("a name is a number or begins with a letter");
    push(Tok::Error, begin);
  }

  const Spelling *longestSymbol() const {
    const Spelling *longest = nullptr;
    for (const Spelling &symbol : punctuation)
      if (rest().starts_with(symbol.text) &&
          (!longest || symbol.text.size() > longest->text.size()))
        longest = &symbol;
    return longest;
  }

  void string() {
    size_t begin = at;
    size_t end = text.find_first_of("\"\n", at + 1);
    bool isClosed = end != StringRef::npos && text[end] == '"';
    at = isClosed ? end + 1 : std::min(end, text.size());
    if (!isClosed)
      report(begin, diag::OpenString);
    else if (!llvm::all_of(since(begin), llvm::isPrint))
      report(begin, diag::StringCharacter);
    else
      return push(Tok::String, begin);
    push(Tok::Error, begin);
  }

  /// `//` or `/*`, but not the two operators of `!calc(8 4 2//)`.
  bool isForeignComment() const {
    return !isInCalculation && (rest().starts_with("//") || rest().starts_with("/*"));
  }

  static bool beginsOperand(StringRef text) {
    if (text.consume_front("%") || text.consume_front("$"))
      return !text.empty() && continuesWord(text[0]);
    return text.starts_with("(") || numberAt(text.ltrim("+-")).length;
  }

  enum class Slashes { Comment, Unclear, Division };

  /// What `//` is meant as: `64//2` divides, and `64 // 2` may divide or be a comment.
  Slashes meaningOfSlashes() const {
    StringRef after = rest().drop_front(2).take_until([](char c) { return c == '\n'; });
    bool touches = at > 0 && continuesWord(text[at - 1]);
    if (touches && beginsOperand(after))
      return Slashes::Division;
    bool isWord = touches && !after.empty() && continuesWord(after[0]); // `%a//wider`
    return isWord || beginsOperand(after.ltrim(" \t")) ? Slashes::Unclear : Slashes::Comment;
  }

  bool isAfterOperand() const {
    StringRef before = text.take_front(at).rtrim(" \t");
    return !before.empty() && continuesWord(before.back());
  }

  void skipForeignComment() {
    if (peek(1) == '*')
      return skipBlockComment();
    size_t begin = at;
    Slashes meaning = meaningOfSlashes();
    bool mayDivide = meaning != Slashes::Comment && isAfterOperand();
    at += 2;
    Report reported = report(begin, diag::UnknownCharacter).hint("a comment begins with `;`");
    if (meaning == Slashes::Comment)
      reported.fix(rangeSince(begin), ";");
    else if (rest().ltrim(" \t").starts_with("%"))
      reported.hint("`arith.div` divides values");
    else if (mayDivide)
      reported.hint("`!calc(8 2 /)` divides, in reverse Polish notation");
    if (meaning != Slashes::Division)
      skipLine();
    list.hasErrors = true;
    if (mayDivide) // What is before it is not complete.
      push(Tok::Error, begin);
  }

  /// The text of the comment is skipped, so that it causes no further errors.
  void skipBlockComment() {
    size_t begin = at;
    at += 2;
    report(begin, diag::UnknownCharacter).hint("a comment begins with `;`");
    list.hasErrors = true;
    size_t end = text.find("*/", at);
    if (end == StringRef::npos)
      skipLine();
    else
      at = end + 2;
  }

  void unknown() {
    size_t begin = at;
    skipUnknown();
    Report reported = report(begin, diag::UnknownCharacter);
    if (text.substr(begin).starts_with("#define"))
      reported.hint("`$name = value` defines a variable of the preprocessor");
    else if (text[begin] == '#')
      reported.hint("a comment begins with `;`");
    else if (text[begin] == '!')
      reported.hint("`arith.not` negates a value of type `bool`");
    push(Tok::Error, begin);
  }

  TokenList list;
  bool isFloat = false;
  bool isInCalculation = false; ///< Between the parentheses of `!calc`.
};

} // namespace

TokenList tessera::tinytc::lex(const SourceFile &file, DiagnosticEngine &diagnostics) {
  return Lexer(file, diagnostics).run();
}

StringRef tessera::tinytc::describe(Tok kind) {
  static constexpr const char *texts[] = {
#define TINYTC_TOKEN(name, text) text,
#include "lang/tinytc/Tokens.def"
  };
  return texts[static_cast<int>(kind)];
}
