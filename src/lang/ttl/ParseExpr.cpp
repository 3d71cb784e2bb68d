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
    take();
    parseExpr();
  }
  return expr;
}

/// Operators of at least `minLevel`, all associating to the left [ttl.precedence].
Expr *Parser::parseBinary(int minLevel) {
  Expr *lhs = parsePrefix();
  for (unsigned length = 0;; ++length) {
    if (isAt(Tok::Foreign) || isAt(Tok::Question) || isAtWordOperator())
      rejectForeignOperator();
    const OperatorRow *row = binaryOperator(peek().kind);
    if (isRecovering || !row || row->level < minLevel)
      return lhs;
    if (length == maxChain) {
      fail(peek().range, diag::ChainTooLong, maxChain);
      giveUp();
      return lhs;
    }
    SourceRange opRange = take().range;
    Expr *rhs = parseBinary(row->level + 1);
    lhs = make(lhs->range.upTo(rhs->range), Binary{row->op, opRange, lhs, rhs},
               std::max(lhs->depth - 1, rhs->depth));
  }
}

/// `and` and `or` after an operand, where no name can be.
bool Parser::isAtWordOperator() const {
  return isAt(Tok::Identifier) && (text(peek()) == "and" || text(peek()) == "or") && !isRecovering;
}

/// A prefix operator may start any operand and takes what its own level allows [ttl.precedence.12].
Expr *Parser::parsePrefix() {
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
    Token open = take();
    llvm::ArrayRef<Expr *> indices = open.kind == Tok::LBrace
                                         ? parseExprs(Tok::RBrace, diag::SliceForm)
                                         : rejectBrackets(expr->range, open);
    unsigned depth = expr->depth;
    for (Expr *index : indices)
      depth = std::max(depth, index->depth);
    expr = make(since(expr->range), Slice{expr, indices}, depth);
  }
  if (isAt(Tok::Error) && text(peek()).starts_with(".") && !isRecovering) { // `a.T` was reported.
    noteError(take().range.begin);
    return make(since(expr->range), List{});
  }
  return expr;
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

/// How far ahead the token after the closing bracket is; `ahead` is the opening one.
size_t Parser::pastClose(size_t ahead) const {
  auto isOpen = [](Tok kind) {
    return kind == Tok::LParen || kind == Tok::LBracket || kind == Tok::LBrace;
  };
  auto isClose = [](Tok kind) {
    return kind == Tok::RParen || kind == Tok::RBracket || kind == Tok::RBrace;
  };
  size_t open = 0;
  do {
    open += isOpen(peek(ahead).kind);
    open -= isClose(peek(ahead).kind);
    ++ahead;
  } while (open && peek(ahead).kind != Tok::End);
  return ahead;
}

/// `v[i]` where a value is expected; after the `[`.
llvm::ArrayRef<Expr *> Parser::rejectBrackets(SourceRange base, Token open) {
  llvm::ArrayRef<Expr *> indices = parseExprs(Tok::RBracket, diag::ListForm);
  if (isRecovering)
    return indices;
  SourceRange close = tokens[at - 1].range;
  mend(base.upTo(close), diag::BracketRead, program.excerpt(base.upTo(close)))
      .fix(open.range, "{")
      .fix(close, "}");
  return indices;
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
    unsigned depth = 0;
    for (Expr *element : elements)
      depth = std::max(depth, element->depth);
    return make(since(token.range), List{elements}, depth);
  }
  default:
    return rejectPrimary();
  }
}

/// An expression in place of a missing one.
Expr *Parser::rejectPrimary() {
  Token token = peek();
  bool isKeyword = token.kind >= Tok::KwFunction && token.kind <= Tok::KwMatrix;
  if (token.kind == Tok::Error)
    skipQuietly();
  if (token.kind == Tok::Foreign)
    rejectForeignOperator();
  bool isCast = at && tokens[at - 1].kind == Tok::LParen && peek(1).kind == Tok::RParen;
  bool isConversion = (token.kind == Tok::KwInt || token.kind == Tok::KwFloat) &&
                      (isCast || peek(1).kind == Tok::LParen);
  if (isConversion)
    fail(token.range, diag::NoConversion, text(token));
  if (isKeyword && !startsStmt())
    fail(token.range, diag::KeywordAsName, text(token));
  fail(token.range, diag::ExpectedExpression, found(token));
  return make(SourceRange{token.range.begin, token.range.begin}, IntLiteral{0});
}

Expr *Parser::parseInteger(bool negated) {
  Token token = take();
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
  if (text(token).find_insensitive('e') != StringRef::npos) // Reported by the lexer.
    return make(token.range, List{});
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
    return make(since(begin), IntLiteral{0});
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

namespace {
/// What TTL has instead of an operator of other languages.
struct Replacement {
  StringRef foreign, own;
  Tok kind;
  const char *hint;
};
constexpr Replacement replacements[] = {
    {"&&", "&", Tok::And, "`&` is TTL's logical and"},
    {"||", "|", Tok::Or, "`|` is TTL's logical or"},
    {"and", "&", Tok::And, "`&` is TTL's logical and"},
    {"or", "|", Tok::Or, "`|` is TTL's logical or"},
    {"..", "...", Tok::Ellipsis, "a range is written `a...b`, and `b` is excluded"},
    {":=", "=", Tok::Assign, "`=` assigns and initializes"},
};
} // namespace

/// If TTL has an equivalent, parsing continues as if that were written.
void Parser::rejectForeignOperator() {
  Token token = peek();
  StringRef operatorText = token.kind == Tok::Question ? StringRef("?:") : text(token);
  for (const Replacement &replacement : replacements)
    if (replacement.foreign == operatorText) {
      mend(token.range, diag::ForeignOperator, operatorText)
          .hint("{0}", replacement.hint)
          .fix(token.range, replacement.own);
      tokens[at].kind = replacement.kind;
      return;
    }
  Report report = fail(token.range, diag::ForeignOperator, operatorText);
  if (token.kind == Tok::Question)
    report.hint("assign to a variable in both branches of `if`");
}
