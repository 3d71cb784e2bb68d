#include "lang/ttl/ParserImpl.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

namespace {
struct OperatorRow {
  Tok token;
  BinaryOp op;
  int level;
};
constexpr OperatorRow operators[] = {
#define TTL_BINARY(name, token, level, class) {Tok::token, BinaryOp::name, level},
#include "lang/ttl/Operators.def"
};
constexpr int notLevel = 4, minusLevel = 8;

const OperatorRow *binaryOperator(Tok token) {
  for (const OperatorRow &row : operators)
    if (row.token == token)
      return &row;
  return nullptr;
}
} // namespace

/// expr, where `=` would be a mistake.
Expr *Parser::parseExpr() {
  Expr *expr = parseBinary(0);
  if (isAt(Tok::Assign) && !isRecovering) {
    fail(peek().range, diag::AssignmentAsExpression).hint("`==` compares");
    isRecovering = false;
    while (accept(Tok::Assign))
      parseBinary(0);
  }
  return expr;
}

/// Operators of at least `minLevel`, all associating to the left [ttl.precedence].
Expr *Parser::parseBinary(int minLevel) {
  Expr *lhs = parsePrefix();
  for (unsigned length = 0;; ++length) {
    if (isAt(Tok::Foreign) || isAt(Tok::Question) || isAtWordOperator())
      rejectForeignOperator(/*isAfterOperand=*/true);
    const OperatorRow *row = binaryOperator(peek().kind);
    if (isRecovering || !row || row->level < minLevel)
      return lhs;
    if (length == maxChain) {
      fail(peek().range, diag::ChainTooLong, maxChain);
      giveUp();
      return lhs;
    }
    auto foreign = replaced && replaced->at == at ? replaced : std::nullopt;
    Token sign = take();
    Expr *rhs = parseBinary(row->level + 1);
    if (foreign)
      suggestLogic(foreign->report, sign, *rhs);
    lhs = make(lhs->range.upTo(rhs->range), Binary{row->op, sign.range, lhs, rhs},
               std::max(lhs->depth - 1, rhs->depth));
  }
}

/// A prefix operator may start any operand and takes what its own level allows [ttl.precedence.12].
Expr *Parser::parsePrefix() {
  if (isAtNot())
    rejectNot();
  Token token = peek();
  bool isMinus = token.kind == Tok::Minus;
  if (isRecovering || (!isMinus && token.kind != Tok::Not))
    return parsePostfix();
  Nesting nesting(*this, exprDepth);
  take();
  // The one number whose positive form does not fit [ttl.lex.12].
  if (isMinus && isAt(Tok::Integer) && text(peek()).ltrim('0') == "2147483648" &&
      peek(1).kind != Tok::LBrace && peek(1).kind != Tok::Hash && peek(1).kind != Tok::Dollar) {
    Expr *expr = parseInteger(/*negated=*/true);
    expr->range = token.range.upTo(expr->range);
    return expr;
  }
  Expr *operand = parseBinary(isMinus ? minusLevel : notLevel);
  return make(token.range.upTo(operand->range),
              Unary{isMinus ? UnaryOp::Minus : UnaryOp::Not, operand}, operand->depth);
}

/// slice = primary { "{" expr { "," expr } "}" }
Expr *Parser::parsePostfix() {
  Expr *expr = parsePrimary();
  while (((isAt(Tok::LBrace) && !startsBlock()) || isAt(Tok::LBracket)) && !isRecovering) {
    size_t index = at;
    Token open = take();
    bool isSlice = open.kind == Tok::LBrace;
    llvm::ArrayRef<Expr *> indices =
        isSlice ? parseExprs(Tok::RBrace, diag::SliceForm) : rejectBrackets(*expr, open);
    if (isSlice && isRecovering)
      skipSlice(index);
    unsigned depth = expr->depth;
    for (Expr *index : indices)
      depth = std::max(depth, index->depth);
    expr = make(since(expr->range), Slice{expr, indices}, depth);
  }
  if (isAtMember() && !isRecovering) {
    noteError(peek().range.begin);
    skipMembers();
    return makeInvalid(since(expr->range));
  }
  return expr;
}

/// `.T` or `'`, which the lexer has reported.
bool Parser::isAtMember() const {
  return isAt(Tok::Error) && (text(peek()).starts_with(".") || text(peek()) == "'");
}

/// `.T`, `.shape[0]`, `.dot(b)`
void Parser::skipMembers() {
  auto isSuffix = [&] {
    bool isSlice = isAt(Tok::LBrace) && !startsBlock() && previousEnd() == peek().range.begin;
    return (isAt(Tok::LParen) || isAt(Tok::LBracket) || isSlice) && isClosed(0);
  };
  while (isAtMember() || isSuffix())
    at += isAtMember() ? 1 : pastClose(0);
}

/// After an error in the slice that begins with the token `open`: past its `}`, which would
/// otherwise end the statements around it.
void Parser::skipSlice(size_t open) {
  size_t close = closes[open];
  if (tokens[close].kind != Tok::RBrace)
    return;
  for (size_t i = at; i < close; ++i)
    if (tokens[i].kind == Tok::Semicolon) // Its `}` is missing.
      return;
  at = std::max(at, close + 1);
}

/// Whether the `{` here begins statements, because what follows it cannot begin an expression; then
/// a `)` or `;` is missing before it.
bool Parser::startsBlock() const {
  switch (peek(1).kind) {
  case Tok::KwVar:
  case Tok::KwFor:
  case Tok::KwIf:
  case Tok::KwReturn:
  case Tok::LBrace:
    return true;
  case Tok::Identifier:
    return peek(2).kind == Tok::Assign ||
           (peek(2).kind == Tok::LBracket && peek(pastClose(2)).kind == Tok::Assign) ||
           (peek(2).kind == Tok::LParen && peek(pastClose(2)).kind == Tok::Semicolon);
  default:
    return false;
  }
}

static bool isOpening(Tok kind) {
  return kind == Tok::LParen || kind == Tok::LBracket || kind == Tok::LBrace;
}
static bool isClosing(Tok kind) {
  return kind == Tok::RParen || kind == Tok::RBracket || kind == Tok::RBrace;
}

/// Once for all tokens: recovery asks often.
void Parser::matchBrackets() {
  closes.assign(tokens.size(), tokens.size() - 1);
  llvm::SmallVector<size_t> opened;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (isOpening(tokens[i].kind))
      opened.push_back(i);
    else if (isClosing(tokens[i].kind) && !opened.empty())
      closes[opened.pop_back_val()] = i;
}

/// How far ahead the token after the closing bracket is; `ahead` is the opening one.
size_t Parser::pastClose(size_t ahead) const {
  if (!isOpening(peek(ahead).kind))
    return ahead + 1;
  size_t close = closes[at + ahead] - at;
  return peek(close).kind == Tok::End ? close : close + 1;
}

/// Whether the opening bracket is closed by one of its kind.
bool Parser::isClosed(size_t ahead) const {
  Tok kind = peek(ahead).kind;
  return isOpening(kind) && int(tokens[closes[at + ahead]].kind) == int(kind) + 1;
}

/// `[j][k]` after `[i]`: adds their indices, and the `][` between them.
void Parser::parseMoreBrackets(llvm::SmallVectorImpl<Expr *> &indices,
                               llvm::SmallVectorImpl<SourceRange> &seams) {
  while (isAt(Tok::LBracket) && !isRecovering) {
    SourceRange close = tokens[at - 1].range;
    seams.push_back(close.upTo(take().range));
    llvm::append_range(indices, parseExprs(Tok::RBracket, diag::ListForm));
  }
}

/// The number of dimensions, if `expr` is a variable; 0 of a scalar.
std::optional<int64_t> Parser::rankOf(const Expr &expr) const {
  auto *reference = expr.as<Reference>();
  const Type *type = reference ? visibleType(reference->name) : nullptr;
  return type && !type->isInvalid() ? std::optional(type->rank()) : std::nullopt;
}

/// `v[i]` or `m[i][j]` where a value is expected; after the `[`.
llvm::ArrayRef<Expr *> Parser::rejectBrackets(const Expr &base, Token open) {
  llvm::SmallVector<Expr *> indices{parseExprs(Tok::RBracket, diag::ListForm)};
  llvm::SmallVector<SourceRange> seams;
  parseMoreBrackets(indices, seams);
  llvm::ArrayRef<Expr *> kept = program.keep<Expr *>(indices);
  auto rank = rankOf(base);
  if (isRecovering || rank == 0) // A scalar has no elements, however they are written.
    return kept;
  SourceRange close = tokens[at - 1].range, whole = base.range.upTo(close);
  Report report = mend(whole, diag::BracketRead, program.excerpt(whole));
  if (rank && *rank != int64_t(indices.size())) {
    report.hint("each of the {0} needs an index", counted(*rank, "dimension", "dimensions"));
    noteError(whole.begin);
  } else if (rank) {
    report.fix(open.range, "{");
    for (SourceRange seam : seams)
      report.fix(seam, ", ");
    report.fix(close, "}");
  }
  return kept;
}

/// primary = integer | float | name | call | "(" expr ")" | "[" expr { "," expr } "]"
Expr *Parser::parsePrimary() {
  if (isRecovering)
    return rejectPrimary();
  Token token = peek();
  switch (token.kind) {
  case Tok::Integer:
    return parseInteger(/*negated=*/false);
  case Tok::Float:
    return parseFloat();
  case Tok::Identifier:
    take();
    if (isAt(Tok::LParen))
      return parseCall({text(token), token.range});
    return make(token.range, Reference{text(token)});
  case Tok::LParen:
    return parseParen();
  case Tok::LBracket: {
    take();
    if (isAt(Tok::RBracket)) {
      fail(token.range.upTo(take().range), diag::EmptyList);
      isRecovering = false;
      return make(since(token.range), List{});
    }
    llvm::ArrayRef<Expr *> elements = parseExprs(Tok::RBracket, diag::ListForm);
    return makeList(since(token.range), elements);
  }
  default:
    return rejectPrimary();
  }
}

Expr *Parser::makeList(SourceRange range, llvm::ArrayRef<Expr *> elements) {
  unsigned depth = 0;
  for (Expr *element : elements)
    depth = std::max(depth, element->depth);
  return make(range, List{elements}, depth);
}

/// An expression in place of a missing one.
Expr *Parser::rejectPrimary() {
  Token token = peek();
  bool isKeyword = token.kind >= Tok::KwFunction && token.kind <= Tok::KwMatrix;
  bool isBraces = isAt(Tok::LBrace) && peek(1).kind != Tok::RBrace && isClosed(0);
  if (isBraces && !isRecovering && (peek(1).kind == Tok::LBrace || !startsBlock()))
    return rejectBraces();
  if (token.kind == Tok::Error)
    skipQuietly();
  if (token.kind == Tok::Foreign) {
    Report report = failForeignOperator();
    if (text(token) == ":")
      report.hint("`0...m $ 0` has all indices of dimension 0 of `m`");
  }
  if (token.kind == Tok::KwInt || token.kind == Tok::KwFloat)
    rejectConversion(token);
  if (isKeyword && !startsStmt())
    fail(token.range, diag::KeywordAsName, text(token));
  fail(token.range, diag::ExpectedExpression, found(token));
  return makeInvalid({token.range.begin, token.range.begin});
}

/// `float(3)` or `(float) 3`. Alone, and of a literal, it is another literal.
void Parser::rejectConversion(Token type) {
  bool isCast = at && tokens[at - 1].kind == Tok::LParen && peek(1).kind == Tok::RParen;
  if (!isCast && peek(1).kind != Tok::LParen)
    return;
  Token literal = peek(2), last = isCast ? literal : peek(3);
  size_t first = isCast ? at - 1 : at;
  constexpr Tok before[] = {Tok::Assign, Tok::LParen, Tok::Comma, Tok::KwReturn};
  constexpr Tok after[] = {Tok::Semicolon, Tok::RParen, Tok::Comma};
  bool isAlone = llvm::is_contained(before, tokens[first - 1].kind) &&
                 llvm::is_contained(after, peek(isCast ? 3 : 4).kind) &&
                 (isCast || last.kind == Tok::RParen);
  bool isLiteral = literal.kind == Tok::Integer || literal.kind == Tok::Float;
  Report report = fail(type.range, diag::NoConversion, text(type));
  if (!isAlone || !isLiteral || isMalformed(literal))
    return;
  std::string whole = text(literal).split('.').first.str();
  int32_t value = 0;
  if (type.kind == Tok::KwInt && StringRef(whole).getAsInteger(10, value))
    return; // It does not fit.
  std::string number = literal.kind == Tok::Float ? text(literal).str() : whole + ".0";
  report.fix(tokens[first].range.upTo(last.range), type.kind == Tok::KwInt ? whole : number);
}

/// `{1, 2}`, a list as C writes it.
Expr *Parser::rejectBraces() {
  Token open = peek(), close = tokens[closes[at]];
  Report report = mend(open.range, diag::ExpectedExpression, found(open));
  if (peek(1).kind == Tok::LBrace) {
    report.hint("one list fills a matrix of any rank, row by row: `[1, 2, 3, 4]`");
    noteError(open.range.begin);
    at += pastClose(0);
    return makeInvalid(since(open.range));
  }
  take();
  llvm::ArrayRef<Expr *> elements = parseExprs(Tok::RBrace, diag::ListForm);
  if (isRecovering)
    return makeInvalid(since(open.range));
  report.hint("a list has brackets").fix(open.range, "[").fix(close.range, "]");
  return makeList(since(open.range), elements);
}

/// Whether the lexer has reported it.
bool Parser::isMalformed(const Token &number) const {
  return text(number).find_first_not_of("0123456789.") != StringRef::npos;
}

Expr *Parser::parseInteger(bool negated) {
  Token token = take();
  if (isMalformed(token))
    return makeInvalid(token.range);
  int64_t value = 0;
  int64_t limit = negated ? int64_t(INT32_MAX) + 1 : INT32_MAX;
  if (text(token).getAsInteger(10, value) || value > limit) {
    diagnostics.report(program.file, token.range, diag::IntegerTooLarge, text(token));
    value = 0;
  }
  return make(token.range, IntLiteral{static_cast<int32_t>(negated ? -value : value)});
}

Expr *Parser::parseFloat() {
  Token token = take();
  if (isMalformed(token))
    return makeInvalid(token.range);
  // strtof rounds once, to nearest; a detour over double would round twice.
  float value = strtof(text(token).str().c_str(), nullptr);
  if (value > std::numeric_limits<float>::max()) {
    diagnostics.report(program.file, token.range, diag::FloatTooLarge, text(token));
    value = 0;
  }
  return make(token.range, FloatLiteral{value});
}

/// call = name "(" [ expr { "," expr } ] ")"
Expr *Parser::parseCall(Name callee) {
  take();
  llvm::ArrayRef<Expr *> arguments;
  if (!accept(Tok::RParen))
    arguments = parseExprs(Tok::RParen, diag::CallForm);
  unsigned depth = 0;
  for (Expr *argument : arguments)
    depth = std::max(depth, argument->depth);
  return make(since(callee.range), Call{callee, arguments}, depth);
}

Expr *Parser::parseParen() {
  Nesting nesting(*this, exprDepth);
  SourceRange begin = take().range;
  if (isAt(Tok::RParen)) {
    fail(begin.upTo(take().range), diag::EmptyParens);
    isRecovering = false;
    return makeInvalid(since(begin));
  }
  Expr *inner = parseExpr();
  expect(Tok::RParen, diag::MissingParen);
  return make(since(begin), Paren{inner}, inner->depth);
}

/// expr { "," expr } up to and including `close`.
llvm::ArrayRef<Expr *> Parser::parseExprs(Tok close, const DiagnosticKind &form) {
  Nesting nesting(*this, exprDepth);
  llvm::SmallVector<Expr *> exprs;
  do {
    if (isAt(close) && !exprs.empty() && !isRecovering) {
      mend(tokens[at - 1].range, diag::TrailingComma).fix(tokens[at - 1].range, "");
      break;
    }
    exprs.push_back(parseExpr());
  } while (accept(Tok::Comma));
  expect(close, form);
  return program.keep<Expr *>(exprs);
}
