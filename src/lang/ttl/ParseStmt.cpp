#include "lang/ttl/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

/// Statements up to the `}` that closes `open`.
llvm::ArrayRef<Stmt *> Parser::parseStmts(Token open) {
  llvm::SmallVector<Stmt *> body;
  size_t numOuter = visible.size();
  while (!isAt(Tok::RBrace) && !isAt(Tok::End)) {
    size_t first = at;
    uint32_t errorBefore = firstError;
    if (Stmt *stmt = parseStmt())
      body.push_back(stmt);
    if (isRecovering)
      synchronize();
    if (firstError != errorBefore && isOneStmt(first)) {
      wrongStmts.push_back({tokens[first].range.begin, tokens[at - 1].range.end});
      firstError = errorBefore;
    }
  }
  visible.resize(numOuter);
  if (isAt(Tok::RBrace))
    take();
  else if (open.kind == Tok::LBrace) // A missing `{` has been reported.
    fail(open.range, diag::MissingBrace);
  return program.keep<Stmt *>(body);
}

/// Whether the tokens taken since `first` are one statement that defines nothing, as far as `;` and
/// brackets show. An error in it then does not affect the tree after it.
bool Parser::isOneStmt(size_t first) const {
  int open = 0;
  for (size_t i = first; i < at; ++i) {
    Tok kind = tokens[i].kind;
    bool isEnd = kind == Tok::Semicolon && i + 1 == at;
    bool startsAnother =
        i > first && llvm::is_contained({Tok::KwFor, Tok::KwIf, Tok::KwElse, Tok::KwReturn}, kind);
    bool definesForeign = i == first && kind == Tok::Identifier && // `let x = 1;`
                          i + 1 < at && tokens[i + 1].kind == Tok::Identifier;
    if (kind == Tok::KwVar || kind == Tok::KwFunction || startsAnother || definesForeign ||
        (kind == Tok::Semicolon && !isEnd))
      return false;
    open += llvm::is_contained({Tok::LParen, Tok::LBracket, Tok::LBrace}, kind);
    open -= llvm::is_contained({Tok::RParen, Tok::RBracket, Tok::RBrace}, kind);
    if (isEnd)
      return open == 0;
  }
  return false;
}

bool Parser::startsStmt(size_t ahead) const {
  switch (peek(ahead).kind) {
  case Tok::KwVar:
  case Tok::KwFor:
  case Tok::KwIf:
  case Tok::KwReturn:
  case Tok::KwElse:
    return true;
  case Tok::Identifier: {
    Tok next = peek(ahead + 1).kind;
    return next == Tok::Assign || next == Tok::LBracket || next == Tok::LParen;
  }
  default:
    return false;
  }
}

/// Skips `{` and, if there is one, the `}` that closes it: they enclose no TTL statements.
void Parser::skipBraces() {
  at += isClosed(0) ? pastClose(0) : 1;
}

/// Skips to where a statement may begin: after `;`, at a keyword, at a block, or at `}`.
void Parser::synchronize() {
  while (!isAt(Tok::End) && !isAt(Tok::RBrace)) {
    bool isBlock = isAt(Tok::LBrace) && (startsStmt(1) || peek(1).kind == Tok::LBrace);
    if (isBlock || (startsStmt() && !isAt(Tok::Identifier)) || isAt(Tok::KwFunction))
      break;
    if (isAt(Tok::LBrace))
      skipBraces();
    else if (take().kind == Tok::Semicolon)
      break;
  }
  if (!isAt(Tok::End))
    isRecovering = false;
}

/// statement = definition | assignment | callstmt | for | if | compound | return
Stmt *Parser::parseStmt() {
  if (isRecovering)
    return nullptr;
  switch (peek().kind) {
  case Tok::KwVar:
    return parseVarDef();
  case Tok::KwFor:
    return parseFor();
  case Tok::KwIf:
    return parseIf();
  case Tok::LBrace:
    return parseCompound();
  case Tok::KwReturn:
    return parseReturn();
  case Tok::Identifier:
    return parseNameStmt();
  default:
    return rejectStmt();
  }
}

/// What cannot begin a statement.
Stmt *Parser::rejectStmt() {
  Token token = peek();
  switch (token.kind) {
  case Tok::Semicolon:
    mend(token.range, diag::StraySemicolon).fix(token.range, "");
    take();
    return nullptr;
  case Tok::KwElse:
    fail(token.range, diag::ElseWithoutIf);
    isRecovering = false;
    while (accept(Tok::KwElse))
      continue;
    return parseStmt();
  case Tok::KwFunction:
    return rejectFunctionInside();
  case Tok::KwInt:
  case Tok::KwFloat:
  case Tok::KwVoid:
  case Tok::KwMatrix:
    return rejectMissingVar();
  case Tok::Integer:
  case Tok::Float:
  case Tok::LParen:
  case Tok::LBracket:
  case Tok::Minus:
  case Tok::Not:
    return parseExprStmt();
  case Tok::Error:
    skipQuietly();
    return nullptr;
  case Tok::Foreign:
    failForeignOperator();
    return nullptr;
  default:
    Report report = fail(token.range, diag::ExpectedStatement, found(token));
    if (token.kind == Tok::Hash)
      report.hint("a comment begins with `//`");
    take();
    return nullptr;
  }
}

/// Reports a missing `;` where it belongs. When what follows on another line can begin a statement,
/// only the `;` was forgotten.
void Parser::expectSemicolon(StringRef after) {
  if (accept(Tok::Semicolon) || isRecovering)
    return;
  if (isAt(Tok::Foreign) || isAt(Tok::Question)) {
    rejectForeignOperator();
    return;
  }
  if (isAt(Tok::Error)) {
    skipQuietly();
    return;
  }
  uint32_t end = previousEnd();
  SourceRange here{end, end};
  if (isAt(Tok::Comma)) {
    Report report = fail(here, diag::MissingSemicolon, after, found(peek()));
    if (after == "a definition")
      report.hint("each variable needs a definition of its own");
    return;
  }
  bool isOnNextLine = program.file->text({end, peek().range.begin}).contains('\n');
  if (isAt(Tok::RBrace) || (isOnNextLine && (startsStmt() || isAt(Tok::LBrace))))
    mend(here, diag::MissingSemicolon, after, found(peek())).fix(here, ";");
  else // What follows is meant to belong to the statement.
    fail(here, diag::MissingSemicolon, after, found(peek()));
}

/// definition = "var" type name [ "=" expr ] ";"
Stmt *Parser::parseVarDef() {
  return parseDefinition(take().range);
}

/// After the `var`, or after the type if there is one.
Stmt *Parser::parseDefinition(SourceRange begin, Type type) {
  VarDef def;
  def.typeRange = type.isInvalid() ? peek().range : begin;
  def.type = type.isInvalid() ? parseType(diag::RangeVariable) : type;
  def.typeRange = since(def.typeRange);
  def.name = parseName(diag::DefinitionForm);
  if (isAt(Tok::LBracket) && def.type.isScalar() && !isRecovering)
    def.type = rejectSizesAfterName(def.typeRange, def.type.kind);
  if (isAt(Tok::Foreign))
    rejectForeignOperator();
  def.init = accept(Tok::Assign) ? parseExpr() : nullptr;
  mendForeignBool(def.typeRange, def.init);
  declare(def.name, def.type);
  expectSemicolon("a definition");
  return makeStmt(since(begin), def);
}

/// for = "for" "(" name "in" expr "by" expr ")" statement
Stmt *Parser::parseFor() {
  Nesting nesting(*this, stmtDepth);
  if (isLoopOfAnotherLanguage())
    return rejectLoop();
  For loop{};
  SourceRange begin = take().range;
  expectOpening(Tok::LParen, diag::LoopForm, "loops have the form `for (i in a...b by s)`");
  if (startsLoopDefinition())
    rejectLoopDefinition();
  loop.variableName = parseName(diag::LoopForm);
  expect(Tok::KwIn, diag::LoopForm);
  loop.range = parseExpr();
  if (isAt(Tok::RParen) && !isRecovering) {
    SourceRange here{previousEnd(), previousEnd()};
    mend(here, diag::MissingStep, found(peek())).fix(here, " by 1");
    loop.step = make(here, IntLiteral{1});
  } else {
    expect(Tok::KwBy, diag::MissingStep);
    loop.step = parseExpr();
  }
  expect(Tok::RParen, diag::LoopForm);
  if (isRecovering)
    synchronize();
  loop.body = parseStmt();
  return makeStmt(since(begin), loop);
}

/// if = "if" "(" expr ")" statement [ "else" statement ]
Stmt *Parser::parseIf() {
  Nesting nesting(*this, stmtDepth);
  SourceRange begin = peek().range;
  llvm::SmallVector<If::Arm, 2> arms{parseArm()};
  Stmt *elseBody = nullptr;
  bool isBranch = true;
  while (isBranch && (acceptElseIf() || accept(Tok::KwElse))) {
    isBranch = isAt(Tok::KwIf);
    if (isBranch)
      arms.push_back(parseArm());
    else
      elseBody = parseStmt();
  }
  return makeStmt(since(begin), If{program.keep<If::Arm>(arms), elseBody});
}

/// "if" "(" expr ")" statement
If::Arm Parser::parseArm() {
  If::Arm arm{};
  SourceRange begin = take().range;
  expectOpening(Tok::LParen, diag::IfForm, "a condition stands in parentheses: `if (x == 1)`");
  arm.condition = parseExpr();
  expect(Tok::RParen, diag::IfForm);
  rejectThen();
  if (isRecovering)
    synchronize();
  arm.body = parseStmt();
  if (isRecovering)
    synchronize();
  arm.range = since(begin);
  return arm;
}

/// compound = "{" statement { statement } "}"
Stmt *Parser::parseCompound() {
  Nesting nesting(*this, stmtDepth);
  Token open = take();
  if (isAt(Tok::RBrace) && !options.emptyBodies)
    diagnostics.report(program.file, open.range.upTo(peek().range), diag::EmptyCompound)
        .hint("`--std=reference` accepts empty statements");
  llvm::ArrayRef<Stmt *> body = parseStmts(open);
  return makeStmt(since(open.range), Compound{body});
}

/// return = "return" expr ";"
Stmt *Parser::parseReturn() {
  SourceRange begin = take().range;
  Return stmt{};
  if (isAt(Tok::Semicolon)) {
    bool isVoid =
        enclosing->returnType.kind == Type::Void; // The checker rejects any `return` there.
    if (!isVoid)
      fail(begin, diag::ReturnNothing);
    isRecovering = false;
  } else {
    stmt.value = parseExpr();
  }
  expectSemicolon("`return`");
  return makeStmt(since(begin), stmt);
}

/// assignment = name [ "[" expr { "," expr } "]" ] "=" expr ";", or a call.
Stmt *Parser::parseNameStmt() {
  if (peek(1).kind == Tok::LBracket)
    return parseElementAssign();
  if (startsForeignLoop())
    return foreignLoop();
  if (startsForeignDefinition())
    return rejectForeignDefinition();
  if (startsWithMisspelling())
    return rejectMisspelling();
  if (startsUpdate(1)) {
    Token name = take();
    return rejectUpdate(name.range, text(name), text(name), visibleType(text(name)));
  }
  if (peek(1).kind != Tok::Assign && text(peek(1)) != ":=")
    return parseExprStmt();
  Token name = take();
  expect(Tok::Assign, diag::AssignmentForm);
  Expr *value = parseExpr();
  expectSemicolon("an assignment");
  return makeStmt(since(name.range), Assign{{text(name), name.range}, value});
}

Stmt *Parser::parseElementAssign() {
  Token name = take();
  take();
  llvm::SmallVector<Expr *> indices{parseExprs(Tok::RBracket, diag::AssignmentForm)};
  llvm::SmallVector<SourceRange> seams;
  parseMoreBrackets(indices, seams);
  if (startsUpdate(0) && !isRecovering)
    return rejectElementUpdate(name, indices);
  rejectSeams(name, indices.size(), seams);
  expect(Tok::Assign, diag::AssignmentForm);
  Expr *value = parseExpr();
  expectSemicolon("an assignment");
  return makeStmt(since(name.range),
                  ElementAssign{{text(name), name.range}, program.keep<Expr *>(indices), value});
}

/// `m[i] += 1;`
Stmt *Parser::rejectElementUpdate(Token name, llvm::ArrayRef<Expr *> indices) {
  std::string inside;
  for (const Expr *index : indices)
    inside += (inside.empty() ? "" : ", ") + program.excerpt(index->range);
  return rejectUpdate(since(name.range), (text(name) + "[" + inside + "]").str(),
                      (text(name) + "{" + inside + "}").str(), nullptr);
}

/// `m[i][j] = 1;`, meant as `m[i, j] = 1;`.
void Parser::rejectSeams(Token name, size_t numIndices, llvm::ArrayRef<SourceRange> seams) {
  const Type *type = visibleType(text(name));
  bool isKnown = type && !type->isInvalid();
  bool hasOtherRank = isKnown && type->rank() != int64_t(numIndices); // The checker says so.
  if (seams.empty() || isRecovering || hasOtherRank)
    return;
  Report report = mend(seams.front(), diag::AssignmentForm, "`,` between two indices", "`][`");
  if (isKnown)
    for (SourceRange seam : seams)
      report.fix(seam, ", ");
}

/// callstmt = call ";". Everything else that begins like an expression is a mistake worth naming.
Stmt *Parser::parseExprStmt() {
  Token first = peek();
  size_t begin = at;
  Expr *expr = parseBinary(0);
  bool isReported = isInvalid(*expr) || (replaced && replaced->at >= begin);
  const char *advice = nullptr;
  if (expr->as<Reference>() && isAt(Tok::Semicolon))
    advice = llvm::StringSwitch<const char *>(text(first))
                 .Case("break", "a loop runs to its end: put what it does into an `if`")
                 .Case("continue", "put the rest of the loop's body into an `if`")
                 .Default(nullptr);
  if (advice) {
    fail(expr->range, diag::ForeignStatement, text(first)).hint("{0}", advice);
    isRecovering = false;
  } else if (isReported) {
    skipQuietly();
  } else if (isAt(Tok::Assign)) {
    if (auto *slice = expr->as<Slice>())
      rejectSliceTarget(*slice, expr->range);
    else
      fail(expr->range, diag::NotAssignable,
           expr->as<Call>() ? "the result of a call" : "an expression");
  } else if (!expr->as<Call>() && !isRecovering && !isAt(Tok::Foreign) && !isAt(Tok::Question) &&
             !isAt(Tok::Error)) {
    fail(expr->range, diag::NotAStatement);
    isRecovering = !isAt(Tok::Semicolon);
  }
  expectSemicolon("a call");
  return makeStmt(since(first.range), CallStmt{expr});
}
