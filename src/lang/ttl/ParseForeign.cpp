/// Statements of other languages, and those that lack a keyword of TTL.
#include "lang/ttl/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

/// `int x = 1;`. `int(x);` is meant as a conversion.
Stmt *Parser::rejectMissingVar() {
  Token type = peek();
  if (peek(1).kind == Tok::LParen)
    return parseExprStmt();
  mend(type.range, diag::NoVar, text(type)).fix({type.range.begin, type.range.begin}, "var ");
  return parseDefinition(type.range);
}

/// `for (var int i in ...)`, `for (int i in ...)` or `for (auto i in ...)`.
bool Parser::startsLoopDefinition() const {
  bool isForeign =
      isAt(Tok::Identifier) &&
      ((peek(1).kind == Tok::Identifier && peek(2).kind == Tok::KwIn) || isType(peek(1).kind));
  return isAt(Tok::KwVar) || isType(peek().kind) || isForeign;
}

void Parser::rejectLoopDefinition() {
  SourceRange begin = peek().range;
  while (isAt(Tok::KwVar) || isType(peek().kind) ||
         (isAt(Tok::Identifier) && peek(1).kind != Tok::KwIn && startsLoopDefinition()))
    take();
  if (!isAt(Tok::Identifier)) {
    fail(begin, diag::KeywordAsName, program.file->text(begin));
    return;
  }
  Token name = peek();
  Report report = fail(begin.upTo(name.range), diag::LoopDefinition, text(name));
  const Type *type = visibleType(text(name));
  if (type && type->kind == Type::Int)
    report.hint("without its type, `{0}` is the variable that is visible here, whose value changes",
                text(name));
  else
    report.hint("write `var int {0};` before the loop", text(name));
  isRecovering = false;
}

/// `for (i = 0; i < n; i++)`: TTL's loops have no `;` between the parentheses.
bool Parser::isLoopOfAnotherLanguage() const {
  if (peek(1).kind != Tok::LParen || !isClosed(1))
    return false;
  size_t next = pastClose(1);
  for (size_t ahead = 2; ahead < next; ++ahead)
    if (peek(ahead).kind == Tok::Semicolon)
      return true;
  return false;
}

/// Parses its body, if it has braces.
Stmt *Parser::rejectLoop() {
  SourceRange begin = peek().range;
  at += pastClose(1);
  fail(since(begin), diag::ForeignStatement, program.excerpt(since(begin)))
      .hint("loops have the form `for (i in a...b by s)`");
  isRecovering = false;
  return parseStmt();
}

/// A name before another word is not an expression: `retrun 0;`, `let x = 1;`.
bool Parser::startsWithMisspelling() const {
  Tok next = peek(1).kind;
  return next == Tok::Integer || next == Tok::Float || next == Tok::Identifier || isType(next);
}

/// Continues as if the word were the keyword that it resembles.
Stmt *Parser::rejectMisspelling() {
  static constexpr std::pair<StringRef, Tok> keywords[] = {{"return", Tok::KwReturn},
                                                           {"var", Tok::KwVar}};
  Token word = peek();
  if (peek(2).kind == Tok::LParen && llvm::is_contained({"def", "fn", "func", "fun"}, text(word)))
    return rejectNestedFunction();
  const char *advice =
      llvm::StringSwitch<const char *>(text(word))
          .Cases({"let", "const", "auto"}, "a definition has the form `var int x = 1;`")
          .Cases({"elif", "elsif", "elseif"}, "write `else if (...)`")
          .Case("print", "write `print(...);`")
          .Default(nullptr);
  Report report = fail(word.range, diag::UnknownStatement, text(word));
  if (advice)
    report.hint("{0}", advice);
  for (auto [spelling, kind] : keywords)
    if (!nearestName(text(word), spelling).empty()) {
      report.fix(word.range, spelling);
      tokens[at].kind = kind;
      isRecovering = false;
      return parseStmt();
    }
  return nullptr;
}

/// A missing `}`, or a function that is meant to be there.
Stmt *Parser::rejectFunctionInside() {
  Nesting nesting(*this, stmtDepth);
  if (isAt(Tok::End)) // Nested too deeply.
    return nullptr;
  Token token = peek();
  fail(token.range, diag::NestedFunction).hint("perhaps a `}` is missing before it");
  isRecovering = false;
  nestedFunctions.push_back(parseFunction());
  noteError(token.range.begin);
  return nullptr;
}

/// `def f() { ... }`: a function as other languages write it, which is skipped.
Stmt *Parser::rejectNestedFunction() {
  fail(peek().range, diag::NestedFunction)
      .hint("functions follow one another and begin with `function`");
  at += 2;
  at += pastClose(0);
  if (isAt(Tok::LBrace))
    skipBraces();
  isRecovering = false;
  return nullptr;
}

/// `v{0} = 1;`: an element, but in braces, which read it.
void Parser::rejectSliceTarget(const Slice &slice, SourceRange range) {
  Report report = fail(range, diag::SliceTarget).hint("assign one element with `m[i, j] = ...`");
  StringRef between = program.file->text({slice.base->range.end, range.end});
  uint32_t open = slice.base->range.end + between.find('{');
  bool isElement = llvm::none_of(slice.indices, [](const Expr *index) { return rangeOf(*index); });
  if (slice.base->as<Reference>() && isElement)
    report.fix({open, open + 1}, "[").fix({range.end - 1, range.end}, "]");
}

/// `while (...) {` or `while (...) x = ...`: `while` is an ordinary name, so `while(x);` is a call.
bool Parser::startsForeignLoop() const {
  bool isLoopName =
      llvm::StringSwitch<bool>(text(peek())).Cases({"while", "do", "switch"}, true).Default(false);
  if (!isLoopName)
    return false;
  if (peek(1).kind == Tok::LBrace)
    return true;
  return peek(1).kind == Tok::LParen && peek(pastClose(1)).kind != Tok::Semicolon;
}

Stmt *Parser::foreignLoop() {
  Nesting nesting(*this, stmtDepth);
  if (isAt(Tok::End)) // Nested too deeply.
    return nullptr;
  Token name = take();
  fail(name.range, diag::ForeignStatement, text(name))
      .hint("loops have the form `for (i in a...b by s)`");
  while (!isAt(Tok::LBrace) && !isAt(Tok::Semicolon) && !isAt(Tok::End))
    take();
  isRecovering = false;
  if (isAt(Tok::LBrace)) { // A report that the block is empty would be an echo.
    Token open = take();
    llvm::ArrayRef<Stmt *> body = parseStmts(open);
    return makeStmt(since(open.range), Compound{body});
  }
  accept(Tok::Semicolon);
  return nullptr;
}

/// `elif (x)`, where a call with that name would end with `;`. Parsing continues at an `if`.
bool Parser::acceptElseIf() {
  bool isSpelling = isAt(Tok::Identifier) && llvm::StringSwitch<bool>(text(peek()))
                                                 .Cases({"elif", "elsif", "elseif"}, true)
                                                 .Default(false);
  if (isRecovering || !isSpelling || peek(1).kind != Tok::LParen || !isClosed(1) ||
      peek(pastClose(1)).kind == Tok::Semicolon)
    return false;
  SourceRange range = peek().range;
  mend(range, diag::ForeignStatement, text(peek())).fix(range, "else if");
  tokens[at].kind = Tok::KwIf;
  return true;
}

/// `if (x) then y = 1;`, where `then` does not begin a statement of its own.
void Parser::rejectThen() {
  constexpr Tok afterName[] = {Tok::Assign, Tok::LBracket, Tok::LParen, Tok::Foreign, Tok::Minus};
  Token word = peek();
  bool isThen =
      isAt(Tok::Identifier) && text(word) == "then" && !llvm::is_contained(afterName, peek(1).kind);
  if (!isThen || isRecovering)
    return;
  mend(word.range, diag::ForeignStatement, "then").fix(word.range, "");
  take();
}
