#include "lang/ttl/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

Report tessera::ttl::ignoredReport() {
  static Diagnostic ignored;
  ignored = {};
  return Report(ignored);
}

bool Parser::accept(Tok kind) {
  if (!isAt(kind) || isRecovering)
    return false;
  take();
  return true;
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

void Parser::expectOpening(Tok kind, const DiagnosticKind &form, const char *hint) {
  if (!isAt(kind) && !isAt(Tok::Foreign) && !isAt(Tok::Error) && !isRecovering)
    fail(peek().range, form, describe(kind), found(peek())).hint("{0}", hint);
  expect(kind, form);
}

/// Whether a missing `)` can only belong here: before a body, or after one operand in the only `(`.
bool Parser::isParenCertain(const DiagnosticKind &form) const {
  if (isAt(Tok::LBrace))
    return &form == &diag::IfForm || &form == &diag::LoopForm || &form == &diag::FunctionForm;
  if (at < 2 || tokens[at - 2].kind != Tok::LParen)
    return false;
  int open = 0;
  for (size_t index = at - 2; index > 0 && tokens[index - 1].kind != Tok::Semicolon; --index) {
    Tok kind = tokens[index - 1].kind;
    open += int(kind == Tok::LParen) - int(kind == Tok::RParen);
  }
  return open == 0;
}

Token Parser::expect(Tok kind, const DiagnosticKind &form) {
  if (isAt(kind) && !isRecovering)
    return take();
  if (isAt(Tok::Error)) // Reported by the lexer.
    skipQuietly();
  if (isAt(Tok::Foreign))
    rejectForeignOperator();
  if (isAt(kind) && !isRecovering) // TTL's operator in place of the foreign one.
    return take();
  bool isForgotten = kind == Tok::RParen && (isAt(Tok::LBrace) || isAt(Tok::Semicolon));
  bool isCertain = isForgotten && isParenCertain(form);
  uint32_t end = previousEnd();
  // `form` has one placeholder if its text names the expected token, else two.
  Report report = StringRef(form.format).contains("{1}")
                      ? fail(peek().range, form, describe(kind), found(peek()))
                      : fail(peek().range, form, found(peek()));
  if (isCertain)
    report.fix({end, end}, ")");
  else if (isForgotten)
    report.hint("a `(` before it has no `)`");
  return peek();
}

/// Skips the rest of the file, where every further error would be an echo.
void Parser::giveUp() {
  at = tokens.size() - 1;
  skipQuietly();
}

void Parser::tooDeep(unsigned limit) {
  fail(peek().range, diag::TooDeep, limit);
  giveUp();
}

/// program = function { function }
void Parser::parseProgram() {
  while (!isAt(Tok::End)) {
    isRecovering = false;
    if (isAt(Tok::KwFunction))
      program.functions.push_back(parseFunction());
    else if (!rejectMisspeltFunction())
      rejectTopLevel();
    llvm::append_range(program.functions, nestedFunctions);
    nestedFunctions.clear();
  }
  if (program.functions.empty() && !program.hasSyntaxErrors)
    fail(peek().range, diag::NoFunction);
}

/// `int f(`, where only `function` is missing in front.
bool Parser::startsDefinition() const {
  return peek(1).kind == Tok::Identifier && peek(2).kind == Tok::LParen;
}

/// An extra `}` ended the function; a missing `return` before it would be an echo.
void Parser::rejectAfterFunction(Token token) {
  Function &function = *program.functions.back();
  SourceRange close{function.range.end - 1, function.range.end};
  fail(token.range, diag::NotAFunction, found(token))
      .note(close, "the body of `{0}` ends with this `}`", function.name.text);
  function.firstSyntaxError = std::min(function.firstSyntaxError, close.begin);
}

/// `functoin int f(`: continues as if it were the keyword.
bool Parser::rejectMisspeltFunction() {
  Token word = peek();
  if (word.kind != Tok::Identifier || !isType(peek(1).kind) ||
      nearestName(text(word), {"function"}).empty())
    return false;
  fail(word.range, diag::NotAFunction, found(word)).fix(word.range, "function");
  tokens[at].kind = Tok::KwFunction;
  return true;
}

/// Reports once and skips to the next function.
void Parser::rejectTopLevel() {
  Token token = peek();
  bool isInclude = llvm::StringSwitch<bool>(text(token))
                       .Cases({"#include", "include", "import", "use", "module"}, true)
                       .Default(false);
  bool isStatement = startsStmt() || isType(token.kind);
  if (token.kind == Tok::Error)
    skipQuietly();
  else if (isInclude)
    fail(token.range, diag::Include, text(token));
  else if (isType(token.kind) && startsDefinition())
    fail(token.range, diag::NotAFunction, found(token))
        .fix({token.range.begin, token.range.begin}, "function ");
  else if (token.kind == Tok::Hash)
    fail(token.range, diag::NotAFunction, found(token)).hint("a comment begins with `//`");
  else if (startsStmt() && !program.functions.empty())
    rejectAfterFunction(token);
  else if (isStatement || program.functions.empty())
    fail(token.range, diag::NotAFunction, found(token));
  else
    fail(token.range, diag::AfterLastFunction, found(token));
  while (!isAt(Tok::End) && !isAt(Tok::KwFunction))
    take();
}

/// function = "function" type name "(" [ parameter { "," parameter } ] ")" "{" statement+ "}"
Function *Parser::parseFunction() {
  bool hadErrors = std::exchange(program.hasSyntaxErrors, false);
  uint32_t outerError = std::exchange(firstError, UINT32_MAX);
  auto outerWrong = std::exchange(wrongStmts, {});
  auto outerVisible = std::exchange(visible, {});
  Function function;
  const Function *outer = std::exchange(enclosing, &function);
  SourceRange begin = expect(Tok::KwFunction, diag::FunctionForm).range;
  function.returnTypeRange = peek().range;
  if (isAt(Tok::Identifier) && peek(1).kind == Tok::LParen)
    rejectMissingResult();
  else
    function.returnType = parseType(diag::RangeParameterOrResult);
  function.returnTypeRange = since(function.returnTypeRange);
  function.name = parseName(diag::FunctionForm);
  expect(Tok::LParen, diag::FunctionForm);
  function.parameters = parseParameters();
  expect(Tok::RParen, diag::FunctionForm);
  if (isRecovering)
    while (!isAt(Tok::LBrace) && !isAt(Tok::End) && !isAt(Tok::KwFunction))
      take();
  if (isAt(Tok::LBrace))
    isRecovering = false;
  Token brace = expect(Tok::LBrace, diag::FunctionForm);
  if (isAt(Tok::RBrace) && !options.emptyBodies && !isRecovering)
    diagnostics
        .report(program.file, brace.range.upTo(peek().range), diag::EmptyBody, function.name.text)
        .hint("`--std=reference` accepts empty bodies");
  bool isForgotten = brace.kind != Tok::LBrace && startsStmt();
  if (isForgotten) // Only the `{` is missing.
    isRecovering = false;
  if (brace.kind == Tok::LBrace || isForgotten)
    function.body = parseStmts(brace);
  function.bodyRange = since(brace.range);
  function.range = since(begin);
  function.firstSyntaxError = firstError;
  function.wrongStmts = program.keep<SourceRange>(wrongStmts);
  firstError = outerError;
  wrongStmts = std::move(outerWrong);
  visible = std::move(outerVisible);
  enclosing = outer;
  program.hasSyntaxErrors |= hadErrors;
  return program.make(function);
}

/// `function main()`: guesses the result type from the body.
void Parser::rejectMissingResult() {
  Token name = peek();
  Report report = fail(name.range, diag::NoResultType, text(name));
  bool returns = false;
  for (size_t ahead = 1; peek(ahead).kind != Tok::End && peek(ahead).kind != Tok::KwFunction;
       ++ahead)
    returns |= peek(ahead).kind == Tok::KwReturn;
  SourceRange front{name.range.begin, name.range.begin};
  if (!returns)
    report.hint("a function without a result returns `void`").fix(front, "void ");
  else if (text(name) == "main")
    report.fix(front, "int ");
  else
    report.hint("write it between `function` and the name: `function int {0}`", text(name));
  isRecovering = false;
}

llvm::MutableArrayRef<ParameterDecl> Parser::parseParameters() {
  llvm::SmallVector<ParameterDecl> parameters;
  if (isAt(Tok::RParen))
    return {};
  do {
    if (isAt(Tok::RParen)) {
      mend(tokens[at - 1].range, diag::TrailingParameterComma).fix(tokens[at - 1].range, "");
      break;
    }
    parameters.push_back(parseParameter());
    declare(parameters.back().name, parameters.back().type);
  } while (accept(Tok::Comma));
  return program.keep<ParameterDecl>(parameters);
}

/// parameter = type name
ParameterDecl Parser::parseParameter() {
  SourceRange begin = peek().range;
  Token first = peek();
  if (first.kind == Tok::Identifier && text(first) != "range") {
    bool isTyped = peek(1).kind == Tok::Identifier || peek(1).kind == Tok::LBracket;
    Type::Kind kind = isTyped ? rejectForeignType() : Type::Invalid;
    if (kind == Type::Invalid) {
      Report report = fail(first.range, diag::ParameterForm, "a type", found(first));
      if (!isTyped)
        report.hint("each parameter has a type of its own: `int x, int y`");
      return {};
    }
    Type type = isAt(Tok::LBracket) ? parseSizes(first.range, kind) : Type::of(kind);
    return {since(begin), type, parseName(diag::ParameterForm)};
  }
  Type type = parseType(diag::RangeParameterOrResult);
  SourceRange typeRange = since(begin);
  return {typeRange, type, parseName(diag::ParameterForm)};
}

Name Parser::parseName(const DiagnosticKind &form) {
  Token token = peek();
  bool isKeyword = token.kind >= Tok::KwFunction && token.kind <= Tok::KwMatrix;
  if (isKeyword && !isRecovering) {
    fail(token.range, diag::KeywordAsName, text(token));
    isRecovering = false;
    take();
  } else {
    token = expect(Tok::Identifier, form);
  }
  return {text(token), token.range};
}

/// Null if there is no variable of that name here.
const Type *Parser::visibleType(StringRef name) const {
  for (const Visible &variable : llvm::reverse(visible))
    if (variable.name == name)
      return &variable.type;
  return nullptr;
}

/// type = "int" | "float" | "void" | matrix
Type Parser::parseType(const DiagnosticKind &rangeKind) {
  if (isRecovering)
    return {};
  Token token = peek();
  switch (token.kind) {
  case Tok::KwInt:
  case Tok::KwFloat:
    if (peek(1).kind == Tok::LBracket)
      return rejectArrayType();
    if (peek(1).kind == Tok::LParen && sizesAhead(1))
      return rejectSizesInParens();
    take();
    return Type::of(token.kind == Tok::KwInt ? Type::Int : Type::Float);
  case Tok::KwVoid:
    return take(), Type::of(Type::Void);
  case Tok::KwMatrix:
    return parseMatrixType();
  default:
    break;
  }
  if (token.kind == Tok::Identifier && text(token) == "range") {
    fail(token.range, rangeKind);
    isRecovering = false;
    take();
    return {};
  }
  if (token.kind == Tok::Identifier)
    if (Type::Kind kind = rejectForeignType(); kind != Type::Invalid)
      return isAt(Tok::LBracket) ? parseSizes(token.range, kind) : Type::of(kind);
  if (token.kind == Tok::Error)
    skipQuietly();
  fail(token.range, diag::ExpectedType, found(token));
  return {};
}

/// matrix = "matrix" "<" element ">" "[" size { "," size } "]"
Type Parser::parseMatrixType() {
  Nesting nesting(*this, exprDepth);
  SourceRange begin = take().range;
  if (isAt(Tok::Identifier) && !isRecovering)
    fail(peek().range, diag::MatrixForm, describe(Tok::Less), found(peek()))
        .hint("a matrix type has an element type and sizes: `matrix<float>[2, 3]`");
  expect(Tok::Less, diag::MatrixForm);
  Type::Kind element = parseElementType();
  expect(Tok::Greater, diag::MatrixForm);
  return parseSizes(begin, element);
}

/// "[" size { "," size } "]", after the element type.
Type Parser::parseSizes(SourceRange begin, Type::Kind element) {
  expectOpening(Tok::LBracket, diag::MatrixForm,
                "a matrix type has an element type and sizes: `matrix<float>[2, 3]`");
  if (isRecovering)
    return {};
  if (isAt(Tok::RBracket))
    fail(since(begin).upTo(peek().range), diag::NoSizes);
  llvm::SmallVector<int64_t> sizes;
  do {
    if (isAt(Tok::RBracket) && !isRecovering) {
      mend(tokens[at - 1].range, diag::TrailingComma).fix(tokens[at - 1].range, "");
      break;
    }
    sizes.push_back(parseSize());
  } while (accept(Tok::Comma) || acceptBrackets());
  expect(Tok::RBracket, diag::MatrixForm);
  Type type{Type::Matrix, element, program.keep<int64_t>(sizes)};
  if (element == Type::Invalid)
    return {};
  double count = 1;
  for (int64_t size : sizes)
    count *= size == Type::dynamic ? 1 : double(size);
  if (count > INT32_MAX) {
    diagnostics.report(program.file, since(begin), diag::TooManyElements, type.str());
    return {};
  }
  return type;
}

/// `[2][3]` is meant as `[2, 3]`.
bool Parser::acceptBrackets() {
  if (isRecovering || !isAt(Tok::RBracket) || peek(1).kind != Tok::LBracket)
    return false;
  SourceRange between = peek().range.upTo(peek(1).range);
  mend(between, diag::MatrixForm, "`,` between two sizes", "`][`").fix(between, ", ");
  at += 2;
  return true;
}

Type::Kind Parser::parseElementType() {
  if (isRecovering)
    return Type::Invalid;
  if (accept(Tok::KwInt))
    return Type::Int;
  if (accept(Tok::KwFloat))
    return Type::Float;
  Token token = peek();
  if (token.kind == Tok::Identifier)
    if (Type::Kind kind = rejectForeignType(); kind != Type::Invalid)
      return kind;
  if (token.kind == Tok::KwVoid)
    fail(token.range, diag::VoidElement);
  else
    fail(token.range, diag::ElementNotScalar,
         token.kind == Tok::KwMatrix ? std::string("a matrix type") : found(token));
  // Continue after the element type, so that the rest of the definition is checked.
  isRecovering = false;
  if (token.kind == Tok::KwMatrix)
    parseMatrixType();
  else if (token.kind != Tok::Greater)
    take();
  return Type::Invalid;
}

/// What is found in place of a size: `n`, `1 + 1`.
void Parser::rejectSize() {
  Token first = peek();
  size_t begin = at;
  auto isAfterSize = [&] {
    return isAt(Tok::RBracket) || isAt(Tok::Comma) || isAt(Tok::Semicolon) || isAt(Tok::RBrace) ||
           isAt(Tok::End);
  };
  while (!isAfterSize())
    take();
  bool isOne = at <= begin + 1;
  SourceRange range = isOne ? first.range : since(first.range);
  Report report =
      fail(range, diag::BadSize, isOne ? found(first) : "`" + program.excerpt(range) + "`");
  if (first.kind == Tok::Identifier)
    report.hint("a size known only at run time is written `?`");
  isRecovering = !isAt(Tok::RBracket) && !isAt(Tok::Comma);
}

/// size = integer | "?"
int64_t Parser::parseSize() {
  Token token = peek();
  if (accept(Tok::Question))
    return Type::dynamic;
  int64_t size = 1;
  bool endsSize = peek(1).kind == Tok::Comma || peek(1).kind == Tok::RBracket;
  bool isNumber = token.kind == Tok::Integer || token.kind == Tok::Float;
  if (isNumber && endsSize && isMalformed(token)) { // Reported by the lexer.
    noteError(take().range.begin);
    return Type::dynamic;
  }
  if (token.kind != Tok::Integer || !endsSize) {
    rejectSize();
    return size;
  }
  take();
  if (text(token).getAsInteger(10, size) || size > INT32_MAX) {
    diagnostics.report(program.file, token.range, diag::IntegerTooLarge, text(token));
    return 1;
  }
  if (size == 0)
    diagnostics.report(program.file, token.range, diag::SizeZero);
  return std::max<int64_t>(size, 1);
}

std::unique_ptr<Program> tessera::ttl::parse(const SourceFile &file, ParseOptions options,
                                             DiagnosticEngine &diagnostics) {
  auto program = std::make_unique<Program>();
  program->file = &file;
  TokenList list = lex(file, diagnostics);
  Parser(*program, list, options, diagnostics).parseProgram();
  return program;
}
