#include "lang/tc/ParserImpl.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

/// Statements up to the `}` that closes `open`.
llvm::ArrayRef<Stmt *> Parser::parseStmts(Token open) {
  llvm::SmallVector<Stmt *> body;
  bool isLastWrong = false;
  foreignBraces = 0;
  while (!isAtEndOfBody()) {
    if (acceptSemicolon())
      continue;
    uint32_t begin = peek().range.begin, knownError = firstError;
    previous = body.empty() ? nullptr : body.back();
    Stmt *stmt = parseStmt();
    isLastWrong = isRecovering;
    if (!isRecovering)
      body.push_back(stmt);
    else
      synchronize();
    if (firstError < knownError)
      noteError(isOnPreviousLine(begin) ? previous->range.begin : begin);
  }
  if (isAt(Tok::RBrace))
    take();
  else if (!isLastWrong)
    rejectOpenBody(open);
  return program.keep<Stmt *>(body);
}

/// Skips each `}` of braces that a body does not have, as in `for i in 0:N { ... }`.
bool Parser::isAtEndOfBody() {
  for (; isAt(Tok::RBrace) && foreignBraces; --foreignBraces)
    take();
  return isAt(Tok::RBrace) || isAt(Tok::End) || isAt(Tok::KwDef);
}

void Parser::rejectOpenBody(Token open) {
  Report report = complain(open.range, diag::MissingBrace);
  if (isAt(Tok::KwDef))
    report.note(peek().range, "the next function begins here");
  noteError(peek().range.begin);
}

/// Whether the previous statement ends on this line: what is wrong here may be meant to belong to
/// it.
bool Parser::isOnPreviousLine(uint32_t begin) const {
  return previous &&
         program.file->position(previous->range.end).line == program.file->position(begin).line;
}

/// Accepts a `;` where a statement ends, after reporting it.
bool Parser::acceptSemicolon() {
  if (!isAtForeign(diag::Semicolon) || isRecovering)
    return false;
  complain(peek().range, diag::Semicolon, text(peek())).fix(peek().range, "");
  take();
  return true;
}

/// Skips to the next statement, `}` or def.
void Parser::synchronize() {
  while (!isAt(Tok::End) && !isAt(Tok::RBrace) && !isAt(Tok::KwDef) && !startsStmt(at))
    foreignBraces += take().kind == Tok::LBrace;
  isRecovering = false;
}

/// The reduction that is meant by an operator and a `=` after a space; None for other operators.
static Reduction spacedReduction(Tok kind) {
  switch (kind) {
  case Tok::Plus:
    return Reduction::Add;
  case Tok::Star:
    return Reduction::Mul;
  case Tok::KwMin:
    return Reduction::Min;
  case Tok::KwMax:
    return Reduction::Max;
  default:
    return Reduction::None;
  }
}

bool Parser::isAssignment(size_t index) const {
  Tok kind = kindAt(index);
  if (spacedReduction(kind) != Reduction::None)
    return kindAt(index + 1) == Tok::Assign;
  if (kind == Tok::Foreign)
    return foreignRow(text(tokens[index])).kind.name == diag::ForeignAssignment.name;
  return kind == Tok::Assign || (kind >= Tok::AddInit && kind <= Tok::MaxAssign);
}

/// Whether a left side and its operator follow. White space separates statements, so this is how
/// the parser finds the end of a mistake. After a `,` it would be a constraint that names a value.
bool Parser::startsStmt(size_t index) const {
  Tok before = index ? kindAt(index - 1) : Tok::End;
  if (kindAt(index) == Tok::LParen)
    return before != Tok::Identifier && startsParenthesizedCall(index);
  if (kindAt(index) != Tok::Identifier || before == Tok::Comma)
    return false;
  if (kindAt(index + 1) == Tok::LParen)
    return closing[index + 1] && isAssignment(closing[index + 1] + 1);
  bool isInList = before == Tok::LParen || before == Tok::Colon;
  return isAssignment(index + 1) || (!isInList && startsResults(index));
}

/// name { "," name } "=" name "("
bool Parser::startsResults(size_t index) const {
  while (kindAt(index) == Tok::Identifier && kindAt(index + 1) == Tok::Comma)
    index += 2;
  return kindAt(index) == Tok::Identifier && kindAt(index + 1) == Tok::Assign &&
         kindAt(index + 2) == Tok::Identifier && kindAt(index + 3) == Tok::LParen;
}

/// "(" name { "," name } ")" "=" name "("
bool Parser::startsParenthesizedCall(size_t index) const {
  size_t close = closing[index];
  if (!close || kindAt(close + 1) != Tok::Assign || kindAt(close + 2) != Tok::Identifier ||
      kindAt(close + 3) != Tok::LParen || (close - index) % 2 != 0)
    return false;
  for (++index; index < close; index += 2)
    if (kindAt(index) != Tok::Identifier || (index + 1 < close && kindAt(index + 1) != Tok::Comma))
      return false;
  return true;
}

/// statement = comprehension | call
Stmt *Parser::parseStmt() {
  switch (peek().kind) {
  case Tok::Identifier:
    return parseNameStmt();
  case Tok::LParen:
    return startsParenthesizedCall(at) || !isOnPreviousLine(peek().range.begin)
               ? parseParenthesizedCall()
               : rejectStmt();
  default:
    return rejectStmt();
  }
}

/// What cannot begin a statement.
Stmt *Parser::rejectStmt() {
  Token token = peek();
  if (token.kind == Tok::Error)
    skipQuietly();
  if (token.kind == Tok::Foreign)
    rejectForeign();
  if (isReserved(token.kind) && isAssignment(at + 1))
    fail(token.range, diag::ReservedWord, text(token));
  Report report = fail(token.range, diag::ExpectedStatement, found(token));
  if (token.kind == Tok::TypeName)
    report.hint("types are inferred: write only the name and its value");
  if (token.kind == Tok::KwWhere)
    report.hint("a comprehension has one `where`; `,` separates its constraints");
  if (token.kind == Tok::Assign)
    report.hint("`==` compares");
  if (token.kind == Tok::LParen) // `A(i)(j)`
    report.hint("an element is read with all its indices at once: `A(i, j)`");
  foreignBraces += token.kind == Tok::LBrace;
  take();
  return nullptr;
}

/// comprehension = name [ "(" [ name { "," name } ] ")" ] operator expr [ where ]
Stmt *Parser::parseNameStmt() {
  if (rejectForeignStmt())
    return nullptr;
  Comprehension stmt{};
  stmt.target = nameOf(take());
  if (isAt(Tok::Comma))
    return parseCall(stmt.target.range, parseResults(stmt.target));
  stmt.hasIndexList = accept(Tok::LParen);
  if (stmt.hasIndexList)
    stmt.indices = parseNames(diag::IndexNotAName, diag::IndexListForm);
  parseAssignment(stmt, since(stmt.target.range));
  stmt.value = parseExpr();
  stmt.where = parseWhere();
  return program.make(Stmt{since(stmt.target.range), stmt});
}

void Parser::parseAssignment(Comprehension &stmt, SourceRange target) {
  stmt.opRange = peek().range;
  if (isRecovering || takeAssignment(stmt))
    return;
  if (llvm::any_of(stmt.indices, [](const Name &index) { return index.text.empty(); }))
    return skipQuietly(); // The invalid list of indices has been reported.
  bool isSpaced = spacedReduction(peek().kind) != Reduction::None && peek(1).kind == Tok::Assign;
  if (!isSpaced)
    return rejectAssignment(target);
  takeSpacedAssignment(stmt);
}

/// `max =`, where `max=` is meant [tc.lex.13].
void Parser::takeSpacedAssignment(Comprehension &stmt) {
  Token word = take();
  SourceRange assign = take().range;
  stmt.reduction = spacedReduction(word.kind);
  stmt.initializes = isAt(Tok::Not) && peek().range.begin == assign.end;
  if (stmt.initializes)
    take();
  stmt.opRange = since(word.range);
  StringRef meant = spelling(stmt.reduction, stmt.initializes);
  complain(stmt.opRange, diag::SpaceInOperator, program.file->text(stmt.opRange), meant)
      .fix(stmt.opRange, meant);
}

bool Parser::takeAssignment(Comprehension &stmt) {
  struct Row {
    Tok token;
    Reduction reduction;
    bool initializes;
  };
  static constexpr Row rows[] = {
      {Tok::Assign, Reduction::None, false}, {Tok::AddAssign, Reduction::Add, false},
      {Tok::AddInit, Reduction::Add, true},  {Tok::MulAssign, Reduction::Mul, false},
      {Tok::MulInit, Reduction::Mul, true},  {Tok::MinAssign, Reduction::Min, false},
      {Tok::MinInit, Reduction::Min, true},  {Tok::MaxAssign, Reduction::Max, false},
      {Tok::MaxInit, Reduction::Max, true},
  };
  for (const Row &row : rows)
    if (accept(row.token)) {
      stmt.reduction = row.reduction;
      stmt.initializes = row.initializes;
      return true;
    }
  return false;
}

void Parser::rejectAssignment(SourceRange target) {
  if (isAt(Tok::Error))
    skipQuietly();
  if (isAt(Tok::Foreign))
    rejectForeign(/*isInPlace=*/isAtForeign(diag::ForeignAssignment));
  StringRef left = program.file->text(target);
  bool isSuspect = isOnPreviousLine(target.begin);
  Report report =
      fail(isSuspect ? target : peek().range, diag::MissingAssignment, left, found(peek()));
  if (isAt(Tok::Comma))
    report.hint("only names can take the results of a call: `A, B = f(C)`");
  else
    report.hint("the assignment operators are `=`, `+=`, `*=`, `min=`, `max=`, `+=!`, `*=!`, "
                "`min=!` and `max=!`");
  if (isSuspect)
    report.hint("perhaps an operator is missing before `{0}`", left);
  if (isAt(Tok::EqualEqual))
    report.fix(peek().range, "=");
  if (isAt(Tok::Less) && peek(1).kind == Tok::Minus) // `O(i) <- A(i)`
    report.fix(peek().range.upTo(peek(1).range), "=");
}

/// Names up to and including `)`. Expressions are parsed, too, so that messages can name them.
llvm::ArrayRef<Name> Parser::parseNames(const DiagnosticKind &notAName,
                                        const DiagnosticKind &form) {
  if (accept(Tok::RParen))
    return {};
  llvm::SmallVector<Name> names;
  do {
    if (atTrailingComma(Tok::RParen, diag::TrailingComma))
      break;
    bool isFirst = llvm::none_of(names, [](const Name &name) { return name.text.empty(); });
    names.push_back(parseListedName(isFirst ? &notAName : nullptr));
  } while (accept(Tok::Comma));
  expect(Tok::RParen, form);
  return program.keep<Name>(names);
}

/// An expression that is not a name becomes an empty name, so that the number of names is right.
/// `notAName` is null if one has been reported.
Name Parser::parseListedName(const DiagnosticKind *notAName) {
  bool endsThere = peek(1).kind == Tok::Comma || peek(1).kind == Tok::RParen;
  if (isReserved(peek().kind) && endsThere)
    return parseName(notAName ? *notAName : diag::IndexNotAName);
  Expr *expr = parseExpr();
  if (auto *reference = expr->as<Reference>())
    return Name{reference->name, expr->range};
  if (notAName) {
    Report report = complain(expr->range, *notAName, program.excerpt(expr->range));
    if (notAName == &diag::CallArgument)
      report.hint("define a tensor with this value in a statement of its own");
    else if (expr->as<Binary>())
      report.hint("shift or scale the indices of the reads instead");
  }
  noteError(expr->range.begin);
  return Name{"", expr->range};
}

/// where = "where" clause { "," clause }
llvm::MutableArrayRef<Clause> Parser::parseWhere() {
  if (isAt(Tok::Comma) && peek(1).kind == Tok::KwWhere && !isRecovering) {
    complain(peek().range, diag::TrailingComma).fix(peek().range, "");
    take();
  }
  if (!accept(Tok::KwWhere) && !takeForeignWhere())
    return {};
  size_t close = takeWhereParen();
  llvm::SmallVector<Clause> clauses;
  ranges.clear();
  do {
    rejectForBefore();
    clauses.push_back(parseClause(clauses.empty() ? "`where`" : "`,`"));
    if (close && at == close && !isRecovering)
      take();
  } while (acceptSeparator() && !atTrailingWhereComma());
  return program.keep<Clause>(clauses);
}

/// `A(i) for i in 0:N`
bool Parser::takeForeignWhere() {
  bool isWord = isAtWord("for") || isAtWord("forall") || isAtWord("over") || isAtWord("with");
  bool isBar = isAt(Tok::Foreign) && text(peek()) == "|"; // As in `{A(i) | i in 0:N}`.
  if ((!isWord && !isBar) || !isConstraintNext(1) || isRecovering)
    return false;
  complain(peek().range, isWord ? diag::ForeignStatement : diag::ForeignOperator, text(peek()))
      .fix(peek().range, "where");
  take();
  return true;
}

/// `where (i in 0:N)`: takes the `(` and returns the position of its `)`, or 0.
size_t Parser::takeWhereParen() {
  size_t close = isAt(Tok::LParen) ? closing[at] : 0;
  if (!close || !isConstraintNext(1) || isRecovering)
    return 0;
  complain(peek().range, diag::WhereForm, "`where`", found(peek()))
      .fix(peek().range, "")
      .fix(tokens[close].range, "");
  take();
  return close;
}

bool Parser::acceptSeparator() {
  bool isForeign = isAt(Tok::Foreign) && (text(peek()) == ";" || text(peek()) == "&");
  bool isWord = isForeign || isAt(Tok::AndAnd) || isAtWord("and");
  bool isBeforeCondition = isWord && !isForeign && startsCondition(1); // Which is reported.
  if (isBeforeCondition && !isRecovering && !startsStmt(at))
    return take(), true;
  if (!isWord || !isConstraintNext(1) || isRecovering)
    return accept(Tok::Comma);
  complain(peek().range, diag::WhereSeparator, text(peek())).fix(peek().range, ",");
  take();
  return true;
}

/// A `,` that ends the statement.
bool Parser::atTrailingWhereComma() {
  bool isElement = isAt(Tok::Identifier) && peek(1).kind == Tok::LParen;
  bool startsNext = isElement && closing[at + 1] && isAssignment(closing[at + 1] + 1);
  if (!startsNext && !isAt(Tok::RBrace))
    return false;
  complain(tokens[at - 1].range, diag::TrailingComma).fix(tokens[at - 1].range, "");
  return true;
}

/// `where for i in 0:N`
void Parser::rejectForBefore() {
  if (!isAtWord("for") || !isConstraintNext(1) || isRecovering)
    return;
  complain(peek().range, diag::ForeignStatement, "for")
      .fix({peek().range.begin, peek(1).range.begin}, "");
  take();
}

/// clause = name "in" expr ":" expr | "exists" expr | name "=" expr
Clause Parser::parseClause(std::string after) {
  SourceRange begin = peek().range;
  if (accept(Tok::KwExists)) {
    Expr *value = parseExpr();
    return {since(begin), ExistsClause{value}};
  }
  if (!isRecovering && !startsStmt(at) && (startsCondition() || isWordNot()))
    return rejectCondition(after);
  bool isWord = isAt(Tok::Identifier) || (isReserved(peek().kind) && !isAt(Tok::KwDef));
  if (!isWord || peek(1).kind == Tok::LParen) {
    if (isAt(Tok::Error))
      skipQuietly();
    fail(missingHere(), diag::WhereForm, after, found(peek()))
        .hint("a constraint is written `i in 0:N`");
    return {begin, ExistsClause{rejectPrimary()}};
  }
  Name name = parseName(diag::RangeForm);
  if (isAt(Tok::Assign))
    return parseLetOrRange(name);
  if (isAt(Tok::Identifier) && !isRecovering)
    fail(peek().range, diag::RangeForm, describe(Tok::KwIn), found(peek()))
        .hint("a constraint is written `{0} in 0:N`", name.text);
  expect(Tok::KwIn, diag::RangeForm);
  ranges.push_back(parseRange(name));
  return {since(begin), ranges.back()};
}

/// lower ":" upper
RangeClause Parser::parseRange(Name name) {
  if (isAt(Tok::Foreign) && text(peek()) == "[" && !isRecovering)
    fail(peek().range, diag::ForeignOperator, text(peek()))
        .hint("a range has no brackets, and its upper end is excluded: `{0} in 0:N`", name.text);
  Expr *lower = parseBound(name, "lower");
  if (std::optional<RangeClause> range = rejectRangeCall(name, lower))
    return *range;
  expectColon(name, *lower);
  Expr *upper = parseBound(name, "upper");
  if (isAt(Tok::Colon))
    fail(peek().range, diag::RangeStep, name.text)
        .hint("multiply the index where it is used: `A(2 * {0})`", name.text);
  return {name, lower, upper};
}

/// `:`, or dots where `:` is meant.
void Parser::expectColon(Name name, const Expr &lower) {
  if (!isAtForeign(diag::RangeDots) || isRecovering) {
    bool isExplained = isAt(Tok::Foreign) || isAt(Tok::Error);
    if (!isAt(Tok::Colon) && !isExplained && !isRecovering)
      fail(missingHere(), diag::RangeForm, describe(Tok::Colon), found(peek()))
          .hint("a range has two ends, and the upper one is excluded: `{0} in 0:{1}`", name.text,
                lower.as<IntLiteral>() ? "N" : program.excerpt(lower.range));
    expect(Tok::Colon, diag::RangeForm);
    return;
  }
  complain(peek().range, diag::RangeDots, text(peek())).fix(peek().range, ":");
  take();
}

Expr *Parser::parseBound(Name name, StringRef which) {
  bool isMissing = isAt(Tok::Colon) || isAt(Tok::Comma) || isAt(Tok::RBrace) || isAt(Tok::End) ||
                   startsStmt(at) || isAtForeign(diag::Semicolon);
  if (isMissing)
    fail({previousEnd(), previousEnd()}, diag::MissingBound, name.text, which);
  llvm::SaveAndRestore inside(isInBound, true);
  return parseExpr();
}

/// `x = E`, or `i = 0:N` where `i in 0:N` is meant.
Clause Parser::parseLetOrRange(Name name) {
  Token assign = take();
  Expr *value = parseExpr();
  if (!isAt(Tok::Colon) || isRecovering)
    return {since(name.range), LetClause{name, value}};
  complain(assign.range, diag::RangeForm, describe(Tok::KwIn), found(assign))
      .fix(assign.range, "in");
  take();
  Expr *upper = parseBound(name, "upper");
  return {since(name.range), RangeClause{name, value, upper}};
}

/// `(a, b) = f(c)`
Stmt *Parser::parseParenthesizedCall() {
  SourceRange begin = take().range;
  llvm::ArrayRef<Name> results = parseResults(parseName(diag::CallForm));
  expect(Tok::RParen, diag::CallForm);
  return parseCall(begin, results);
}

/// { "," name } after the first one.
llvm::ArrayRef<Name> Parser::parseResults(Name first) {
  llvm::SmallVector<Name> results{first};
  while (accept(Tok::Comma))
    results.push_back(parseName(diag::CallForm));
  return program.keep<Name>(results);
}

/// call = results "=" name "(" [ name { "," name } ] ")"
Stmt *Parser::parseCall(SourceRange begin, llvm::ArrayRef<Name> results) {
  CallStmt call;
  call.results = results;
  expect(Tok::Assign, diag::CallForm);
  call.callee = parseName(diag::CallForm);
  expect(Tok::LParen, diag::CallForm);
  if (!isRecovering)
    call.arguments = parseNames(diag::CallArgument, diag::CallForm);
  return program.make(Stmt{since(begin), call});
}
