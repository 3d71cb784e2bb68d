/// Statements of other languages, and those that lack a TTL keyword.
#include "lang/ttl/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

/// `float[2, 2]`, where `matrix<float>[2, 2]` is meant.
Type Parser::rejectArrayType() {
  Token element = take();
  StringRef name = text(element);
  mend(element.range, diag::ArrayType, name).fix(element.range, ("matrix<" + name + ">").str());
  return parseSizes(element.range, element.kind == Tok::KwInt ? Type::Int : Type::Float);
}

/// `var x = 1;`: a literal tells which type is meant.
void Parser::rejectUntyped() {
  Token name = peek();
  Report report = fail(name.range, diag::ExpectedType, found(name));
  SourceRange front{name.range.begin, name.range.begin};
  bool isLiteral = peek(1).kind == Tok::Assign && peek(3).kind == Tok::Semicolon;
  if (isLiteral && peek(2).kind == Tok::Integer)
    report.fix(front, "int ");
  else if (isLiteral && peek(2).kind == Tok::Float)
    report.fix(front, "float ");
  else
    report.hint("a definition names its type: `var int {0} = ...;`", text(name));
}

/// Types of other languages. After `bool`, parsing continues as if it were `int`.
bool Parser::rejectForeignType() {
  Token token = peek();
  if (text(token) == "bool") {
    mend(token.range, diag::ForeignType, text(token))
        .hint("conditions have the type `int`: 0 is false, everything else is true")
        .fix(token.range, "int");
    take();
    return true;
  }
  bool isUntyped = peek(1).kind == Tok::Assign || peek(1).kind == Tok::Foreign;
  if (isUntyped) {
    rejectUntyped();
    return false;
  }
  const char *hint =
      llvm::StringSwitch<const char *>(text(token))
          .Cases({"auto", "let", "const"}, "a definition names its type: `var int x = 1;`")
          .Cases({"double", "float32", "float64", "real"}, "`float` has 32 bits")
          .Cases({"long", "short", "unsigned", "int32", "int64"}, "`int` has 32 bits and a sign")
          .Cases({"char", "string", "str"}, "the types are `int`, `float` and matrices of them")
          .Cases({"array", "vector", "tensor", "Matrix"},
                 "matrices have any number of dimensions: `matrix<float>[2, 3]`")
          .Default(nullptr);
  if (!hint)
    return false;
  fail(token.range, diag::ForeignType, text(token)).hint("{0}", hint);
  return false;
}

/// `int x = 1;`. `int(x);` is meant as a conversion.
Stmt *Parser::rejectMissingVar() {
  Token type = peek();
  if (peek(1).kind == Tok::LParen)
    return parseExprStmt();
  mend(type.range, diag::NoVar, text(type)).fix({type.range.begin, type.range.begin}, "var ");
  return parseDefinition(type.range);
}

/// `for (var int i in ...)` or `for (int i in ...)`.
void Parser::rejectLoopDefinition() {
  SourceRange begin = peek().range;
  while (isAt(Tok::KwVar) || isType(peek().kind))
    take();
  if (!isAt(Tok::Identifier)) {
    fail(begin, diag::KeywordAsName, program.file->text(begin));
    return;
  }
  Token name = peek();
  fail(begin.upTo(name.range), diag::LoopDefinition, text(name))
      .fix({begin.begin, name.range.begin}, "");
  isRecovering = false;
}

/// `for (i = 0; i < n; i++)`: TTL's loops have no `;` between the parentheses.
bool Parser::isLoopOfAnotherLanguage() const {
  if (peek(1).kind != Tok::LParen)
    return false;
  size_t next = pastClose(1);
  for (size_t ahead = 2; ahead < next; ++ahead)
    if (peek(ahead).kind == Tok::Semicolon)
      return peek(next - 1).kind == Tok::RParen;
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

/// `x += 2;` or `x++;`: an assignment as other languages write it.
Stmt *Parser::rejectUpdate() {
  Token name = take(), sign = peek();
  StringRef variable = text(name), operation = text(sign).take_front(1);
  bool isStep = text(sign) == "++" || text(sign) == "-";
  if (sign.kind == Tok::Minus) // The lexer reads `--` as two tokens.
    sign.range.end = peek(1).range.end;
  if (!isStep && !text(sign).ends_with("="))
    return rejectForeignOperator(), nullptr;
  std::string head = ("= " + variable + " " + operation).str();
  Report report = fail(sign.range, diag::ForeignOperator, text(sign));
  if (isStep)
    report.fix(sign.range, head + " 1");
  else
    report.hint("write `{0} {1} ...`", variable, head);
  if (isStep)
    return nullptr;
  if (peek(2).kind == Tok::Semicolon) // A longer operand would need parentheses.
    report.fix(sign.range, head);
  return nullptr;
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
  bool defines = llvm::StringSwitch<bool>(text(word))
                     .Cases({"let", "const", "auto", "double", "long"}, true)
                     .Default(false);
  Report report = fail(word.range, diag::UnknownStatement, text(word));
  if (defines)
    report.hint("a definition has the form `var int x = 1;`");
  for (auto [spelling, kind] : keywords)
    if (!nearestName(text(word), spelling).empty()) {
      report.fix(word.range, spelling);
      tokens[at].kind = kind;
      isRecovering = false;
      return parseStmt();
    }
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
