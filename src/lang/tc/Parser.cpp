#include "lang/tc/ParserImpl.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

Report tessera::tc::ignoredReport() {
  static Diagnostic ignored;
  ignored = {};
  return Report(ignored);
}

/// Parentheses do not reach across braces or into the next def, so a missing one stays local.
void Parser::matchParens() {
  closing.assign(tokens.size(), 0);
  llvm::SmallVector<uint32_t> open;
  for (uint32_t index = 0; index < tokens.size(); ++index) {
    Tok kind = tokens[index].kind;
    if (kind == Tok::LParen)
      open.push_back(index);
    else if (kind == Tok::RParen && !open.empty())
      closing[open.pop_back_val()] = index;
    else if (kind == Tok::LBrace || kind == Tok::RBrace || kind == Tok::KwDef)
      open.clear();
  }
}

bool Parser::accept(Tok kind) {
  if (!isAt(kind) || isRecovering)
    return false;
  take();
  return true;
}

bool Parser::atTrailingComma(Tok close, const DiagnosticKind &kind) {
  if (!isAt(close) || isRecovering || !at || tokens[at - 1].kind != Tok::Comma)
    return false;
  complain(tokens[at - 1].range, kind).fix(tokens[at - 1].range, "");
  noteError(tokens[at - 1].range.begin);
  return true;
}

SourceRange Parser::missingHere() const {
  auto lineOf = [&](uint32_t offset) { return program.file->position(offset).line; };
  bool isHere = !at || lineOf(previousEnd()) == lineOf(peek().range.begin);
  return isHere ? peek().range : SourceRange{previousEnd(), previousEnd()};
}

std::string Parser::found(const Token &token) const {
  switch (token.kind) {
  case Tok::End:
    return describe(token.kind).str();
  case Tok::Identifier:
    return ("the name `" + text(token) + "`").str();
  default:
    return ("`" + text(token) + "`").str();
  }
}

Token Parser::expect(Tok kind, const DiagnosticKind &form) {
  if (isAt(kind) && !isRecovering)
    return take();
  if (isAt(Tok::Error)) // Reported by the lexer.
    skipQuietly();
  if (isAt(Tok::Foreign) && kind != Tok::Arrow)
    rejectForeign();
  // `form` has one placeholder if its text names the expected token, else two.
  if (StringRef(form.format).contains("{1}"))
    fail(missingHere(), form, describe(kind), found(peek()));
  else
    fail(missingHere(), form, found(peek()));
  return peek();
}

/// Skips the rest of the def, where every further error would be an echo.
void Parser::tooDeep(const DiagnosticKind &kind, unsigned limit) {
  fail(peek().range, kind, limit);
  while (!isAt(Tok::RBrace) && !isAt(Tok::KwDef) && !isAt(Tok::End))
    take();
}

/// file = { def }
void Parser::parseProgram() {
  while (!isAt(Tok::End)) {
    isRecovering = false;
    if (isAt(Tok::KwDef) || acceptForeignDef())
      program.defs.push_back(parseDef());
    else if (!acceptSemicolon())
      rejectTopLevel();
  }
  if (program.defs.empty() && !diagnostics.hasErrors())
    fail(peek().range, diag::NoDef);
}

/// `function f(`: continues as if it were `def`.
bool Parser::acceptForeignDef() {
  bool isWord = isAtWord("fn") || isAtWord("fun") || isAtWord("func") || isAtWord("function");
  if (!isWord || peek(1).kind != Tok::Identifier || peek(2).kind != Tok::LParen)
    return false;
  complain(peek().range, diag::NotADef, found(peek())).fix(peek().range, "def");
  noteError(peek().range.begin);
  return true;
}

/// Reports once and skips to the next def.
void Parser::rejectTopLevel() {
  if (isAt(Tok::Error))
    skipQuietly();
  Report report = fail(peek().range, diag::NotADef, found(peek()));
  bool isHead = isAt(Tok::Identifier) && peek(1).kind == Tok::LParen && closing[at + 1] &&
                kindAt(closing[at + 1] + 1) == Tok::Arrow;
  if (isHead)
    report.fix({peek().range.begin, peek().range.begin}, "def ");
  if (startsStmt(at))
    report.hint("statements belong between the braces of a function");
  while (!isAt(Tok::End) && !isAt(Tok::KwDef))
    take();
}

/// def = "def" name "(" [ parameter { "," parameter } ] ")" "->" "(" return { "," return } ")"
///       "{" { statement } "}"
Def *Parser::parseDef() {
  bool hadErrors = std::exchange(program.hasSyntaxErrors, false);
  firstError = UINT32_MAX;
  Def def;
  head = at;
  SourceRange begin = take().range;
  parseHead(def);
  def.body = parseBody();
  def.range = since(begin);
  def.firstSyntaxError = firstError;
  program.hasSyntaxErrors |= hadErrors;
  return program.make(def);
}

/// "{" { statement } "}", also after a head with errors.
llvm::ArrayRef<Stmt *> Parser::parseBody() {
  if (startsStmt(at) && !isRecovering) {
    SourceRange here{previousEnd(), previousEnd()};
    complain(here, diag::DefForm, describe(Tok::LBrace), found(peek())).fix(here, " {");
    return parseStmts(peek());
  }
  if (isAt(Tok::Colon) && !isRecovering)
    fail(peek().range, diag::DefForm, describe(Tok::LBrace), found(peek()))
        .hint("the statements of a function are enclosed in braces");
  if (!isAt(Tok::LBrace))
    expect(Tok::LBrace, diag::DefForm);
  while (!isAt(Tok::LBrace) && !isAt(Tok::End) && !isAt(Tok::KwDef))
    take();
  if (!isAt(Tok::LBrace))
    return {};
  isRecovering = false;
  return parseStmts(take());
}

void Parser::parseHead(Def &def) {
  if (isAt(Tok::TypeName) && peek(1).kind == Tok::Identifier)
    fail(peek().range, diag::DefForm, describe(Tok::Identifier), found(peek()))
        .hint("the types of results are inferred");
  def.name = parseName(diag::DefForm);
  expect(Tok::LParen, diag::DefForm);
  def.parameters = parseParameters();
  expectEndOfParameters();
  if (isAt(Tok::LBrace) && !isRecovering)
    fail(peek().range, diag::DefForm, describe(Tok::Arrow), found(peek()))
        .hint("a function names what it returns: `-> (O) {{`");
  if (isAt(Tok::Foreign) && text(peek()) == "=>" && !isRecovering) {
    complain(peek().range, diag::DefForm, describe(Tok::Arrow), found(peek()))
        .fix(peek().range, "->");
    take();
  } else
    expect(Tok::Arrow, diag::DefForm);
  def.returns = parseReturns(def);
}

llvm::MutableArrayRef<tc::Parameter> Parser::parseParameters() {
  llvm::SmallVector<Parameter> parameters;
  if (isAt(Tok::RParen))
    return {};
  do {
    if (atTrailingComma(Tok::RParen, diag::TrailingArgumentComma))
      break;
    parameters.push_back(parseParameter());
  } while (accept(Tok::Comma));
  return program.keep<Parameter>(parameters);
}

void Parser::expectEndOfParameters() {
  if (accept(Tok::RParen))
    return;
  bool isAfterName = at && tokens[at - 1].kind == Tok::Identifier;
  if (!isAt(Tok::LParen) || !isAfterName) {
    expect(Tok::RParen, diag::ArgumentListForm);
    return;
  }
  fail(peek().range, diag::ArgumentListForm, found(peek()))
      .hint("dimensions follow the type: `float(N) {0}`", text(tokens[at - 1]));
}

/// parameter = type name
tc::Parameter Parser::parseParameter() {
  if (isRecovering)
    return {};
  if (!isAt(Tok::TypeName))
    return rejectParameter();
  uint32_t knownError = firstError;
  TensorType type = parseType();
  if (firstError < knownError && !isAt(Tok::Identifier))
    skipQuietly();
  return {type, parseName(diag::ArgumentWithoutName)};
}

tc::Parameter Parser::rejectParameter() {
  Tok next = peek(1).kind;
  if (isAtWord("const") && next == Tok::TypeName) {
    complain(peek().range, diag::ExpectedArgument, found(peek()))
        .fix({peek().range.begin, peek(1).range.begin}, "");
    take();
    return parseParameter();
  }
  if (isAt(Tok::Identifier) && next == Tok::Identifier && typeWithSize(text(peek(1))))
    return rejectTypedSize();
  if (isAt(Tok::Identifier) && (next == Tok::Identifier || next == Tok::LParen)) {
    TensorType type = rejectType();
    return {type, parseName(diag::ArgumentWithoutName)};
  }
  if (isAt(Tok::Identifier))
    return rejectUntyped();
  if (isAt(Tok::Error))
    skipQuietly();
  fail(peek().range, diag::ExpectedArgument, found(peek()));
  return {};
}

/// The argument list's type with this name as a dimension; null if there is none.
const Token *Parser::typeWithSize(StringRef name) const {
  for (size_t index = head;
       kindAt(index) != Tok::Arrow && kindAt(index) != Tok::LBrace && kindAt(index) != Tok::End;
       ++index) {
    if (kindAt(index) != Tok::TypeName || kindAt(index + 1) != Tok::LParen)
      continue;
    for (size_t inner = index + 2; inner < closing[index + 1]; ++inner)
      if (kindAt(inner) == Tok::Identifier && text(tokens[inner]) == name)
        return &tokens[index];
  }
  return nullptr;
}

/// The element of a list that was just taken, from token `first` on, and the `,` and blanks that go
/// with it.
SourceRange Parser::withComma(size_t first) const {
  SourceRange element = since(tokens[first].range);
  bool isBeforeParen = isAt(Tok::Comma) && peek(1).kind == Tok::RParen;
  if (kindAt(first - 1) == Tok::Comma)
    return tokens[first - 1].range.upTo(isBeforeParen ? peek().range : element);
  if (!isAt(Tok::Comma))
    return element;
  SourceRange blanks{peek().range.end, peek(1).range.begin};
  bool isBlank = program.file->text(blanks).trim(" \t").empty();
  return {element.begin, isBlank ? blanks.end : blanks.begin};
}

/// Whether a bound in this def mentions the name.
bool Parser::isUsedInBound(StringRef name) const {
  bool isInBound = false;
  for (size_t index = at; kindAt(index) != Tok::KwDef && kindAt(index) != Tok::End; ++index) {
    bool ends = kindAt(index) == Tok::Comma || kindAt(index) == Tok::RBrace || startsStmt(index);
    isInBound = kindAt(index) == Tok::KwIn || (isInBound && !ends);
    if (isInBound && kindAt(index) == Tok::Identifier && text(tokens[index]) == name)
      return true;
  }
  return false;
}

/// After a parameter with an error: continues with the next one, if that can be found.
void Parser::endParameter() {
  bool isLast = isAt(Tok::RParen) && peek(1).kind == Tok::Arrow;
  isRecovering = !isLast && !isAt(Tok::Comma);
}

static constexpr const char *sizeAdvice =
    "`{0}` is a size: leave it out here, it is known from the tensors";

/// `f(N, float(N) A)`: an argument without a type, or a size that needs no argument.
tc::Parameter Parser::rejectUntyped() {
  Token name = take();
  Report report = fail(name.range, diag::ArgumentWithoutType, text(name));
  if (typeWithSize(text(name)))
    report.hint(sizeAdvice, text(name)).fix(withComma(at - 1), "");
  else if (isUsedInBound(text(name)))
    report.hint("a parameter is a type and a name: `int32 {0}`", text(name));
  else
    report.hint("a parameter is a type and a name: `float {0}`, or `float({1}) {0}` for a tensor",
                text(name), text(name) == "N" ? "M" : "N");
  endParameter();
  return {{}, nameOf(name)};
}

/// `f(int N, float(N) A)`: an unknown type of a size that needs no argument.
tc::Parameter Parser::rejectTypedSize() {
  size_t first = at;
  Token type = take(), name = take();
  fail(type.range, diag::UnknownType, text(type))
      .hint(sizeAdvice, text(name))
      .fix(withComma(first), "");
  endParameter();
  return {{}, nameOf(name)};
}

/// returns = "(" return { "," return } ")"
llvm::MutableArrayRef<Return> Parser::parseReturns(const Def &def) {
  bool isBare = isAt(Tok::Identifier) || isAt(Tok::TypeName);
  if (isBare && !isRecovering)
    return parseBareReturns();
  SourceRange open = expect(Tok::LParen, diag::DefForm).range;
  if (isAt(Tok::RParen) && !isRecovering) {
    fail(open.upTo(take().range), diag::NoReturns, def.name.text);
    isRecovering = false;
    return {};
  }
  llvm::SmallVector<Return> returns;
  do {
    if (atTrailingComma(Tok::RParen, diag::TrailingComma))
      break;
    returns.push_back(parseReturn());
  } while (accept(Tok::Comma));
  expect(Tok::RParen, diag::ReturnForm);
  return program.keep<Return>(returns);
}

/// `-> A, B {`
llvm::MutableArrayRef<Return> Parser::parseBareReturns() {
  SourceRange begin = peek().range;
  llvm::SmallVector<Return> returns;
  do
    returns.push_back(parseReturn());
  while (accept(Tok::Comma));
  if (isRecovering)
    return {};
  SourceRange range = since(begin);
  Report report = complain(range, diag::BareReturns).fix({range.begin, range.begin}, "(");
  if (!accept(Tok::RParen))
    report.fix({range.end, range.end}, ")");
  if (!isAt(Tok::LBrace))
    skipQuietly();
  return program.keep<Return>(returns);
}

/// return = [ type ] name
Return Parser::parseReturn() {
  Return result;
  if (isAt(Tok::TypeName))
    result.type = parseType();
  else if (isAt(Tok::Identifier) && peek(1).kind == Tok::Identifier)
    result.type = rejectType();
  result.name = parseName(diag::ReturnForm);
  return result;
}

/// A name other than that of a reserved word.
Name Parser::parseName(const DiagnosticKind &form) {
  Token token = peek();
  if (isReserved(token.kind) && token.kind != Tok::KwDef && !isRecovering) {
    complain(token.range, diag::ReservedWord, text(token));
    noteError(token.range.begin);
    take();
  } else {
    token = expect(Tok::Identifier, form);
    if (isRecovering)
      return {"", token.range};
  }
  return nameOf(token);
}

/// type = scalar [ "(" [ dimension { "," dimension } ] ")" ]
TensorType Parser::parseType() {
  if (isRecovering)
    return {};
  Token scalar = take();
  TensorType type;
  type.element = *scalarNamed(text(scalar));
  type.dimensions = parseDimensions();
  type.range = since(scalar.range);
  return type;
}

namespace {
struct ForeignType {
  StringRef name, meant;
  bool isCertain;
};
constexpr ForeignType foreignTypes[] = {
#define TC_FOREIGN_TYPE(text, meant, isCertain) {text, meant, isCertain},
#include "lang/tc/Types.def"
};
} // namespace

static const ForeignType *foreignType(StringRef name) {
  const ForeignType *found =
      llvm::find_if(foreignTypes, [&](const ForeignType &type) { return type.name == name; });
  return found == std::end(foreignTypes) ? nullptr : found;
}

/// A name where a type should be.
TensorType Parser::rejectType() {
  Token token = peek();
  static constexpr StringRef names[] = {
#define TC_TYPE(text, type, isExtension) text,
#include "lang/tc/Types.def"
  };
  Report report = fail(token.range, diag::UnknownType, text(token));
  const ForeignType *foreign = foreignType(text(token));
  if (foreign && foreign->isCertain)
    report.fix(token.range, foreign->meant);
  else if (foreign)
    report.hint("write `{0}` if that is meant", foreign->meant);
  else if (nearestName(text(token), names).empty())
    report.hint("a tensor is written with the type of its elements: `float(N)`, `int32(N, M)`");
  else
    suggestName(report, token.range, text(token), names);
  isRecovering = false;
  take();
  TensorType type;
  type.dimensions = parseDimensions();
  type.range = since(token.range);
  return type;
}

llvm::MutableArrayRef<Dimension> Parser::parseDimensions() {
  if (!accept(Tok::LParen) || accept(Tok::RParen))
    return {};
  uint32_t knownError = firstError;
  llvm::SmallVector<Dimension> dimensions;
  do {
    if (atTrailingComma(Tok::RParen, diag::TrailingComma))
      break;
    dimensions.push_back(parseDimension());
  } while (accept(Tok::Comma));
  if (firstError < knownError && !isAt(Tok::RParen))
    skipQuietly();
  expect(Tok::RParen, diag::TypeForm);
  return program.keep<Dimension>(dimensions);
}

/// dimension = name | integer
Dimension Parser::parseDimension() {
  if (isReserved(peek().kind) && peek(1).kind != Tok::LParen)
    return {peek().range, parseName(diag::DimensionForm).text};
  if (!startsExpr(peek().kind)) {
    rejectDimension();
    return {};
  }
  // Any expression is read, so that a wrong dimension can be named.
  Expr *expr = parseExpr();
  if (auto *reference = expr->as<Reference>())
    return {expr->range, reference->name};
  if (auto *literal = expr->as<IntLiteral>())
    return {expr->range, "", literalSize(*expr, literal->value)};
  complain(expr->range, diag::DimensionForm, "`" + program.file->text(expr->range) + "`");
  noteError(expr->range.begin);
  return {};
}

/// `float(...)`, `float(?)`, `float(*)`, `float(:)`: sizes that other languages leave open.
void Parser::rejectDimension() {
  bool isOpen =
      isAtForeign(diag::RangeDots) || isAt(Tok::Question) || isAt(Tok::Star) || isAt(Tok::Colon);
  if (isOpen && !isRecovering)
    fail(peek().range, diag::DimensionForm, found(peek()))
        .hint("each dimension has a name, which is its size: `float(N, M)`");
  expect(Tok::Identifier, diag::DimensionForm);
}

int64_t Parser::literalSize(const Expr &expr, uint64_t size) {
  if (size <= uint64_t(INT64_MAX))
    return size;
  complain(expr.range, diag::DimensionTooLarge, program.file->text(expr.range));
  return 1;
}

std::unique_ptr<Program> tessera::tc::parse(const SourceFile &file, DiagnosticEngine &diagnostics) {
  auto program = std::make_unique<Program>();
  program->file = &file;
  TokenList list = lex(file, diagnostics);
  Parser(*program, list, diagnostics).parseProgram();
  return program;
}
