#include "lang/tc/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace tessera::tc {
struct OperatorRow {
  Tok token;
  BinaryOp op;
  int level;
};
} // namespace tessera::tc

static constexpr OperatorRow operators[] = {
#define TC_BINARY(name, token, level, class) {Tok::token, BinaryOp::name, level},
#include "lang/tc/Operators.def"
};

/// Other languages' spellings of logical operators; the words are ordinary names here.
static Tok kindOfForeignLogic(StringRef spelling) {
  return llvm::StringSwitch<Tok>(spelling)
      .Cases({"and", "&"}, Tok::AndAnd)
      .Cases({"or", "|"}, Tok::OrOr)
      .Default(Tok::Identifier);
}

static unsigned depthOf(llvm::ArrayRef<Expr *> exprs) {
  unsigned depth = 0;
  for (const Expr *expr : exprs)
    depth = std::max(depth, expr->depth);
  return depth;
}

/// expr = binary [ "?" expr ":" expr ]
/// A chain, whose last part is a conditional again, does not count as nesting.
Expr *Parser::parseExpr() {
  Nesting nesting(*this);
  llvm::SmallVector<std::pair<Expr *, Expr *>> cases; // A condition, and what is chosen then.
  Expr *last = parseBinary(1);
  if (isAtWord("if") && !isRecovering && !startsStmt(at) && isWordAhead("else"))
    return parseConditionalAfter(last);
  while (accept(Tok::Question)) {
    if (cases.size() == maxCases)
      tooDeep(diag::TooManyCases, maxCases);
    cases.push_back({last, parseExpr()});
    expect(Tok::Colon, diag::ConditionalForm);
    last = parseBinary(1);
  }
  for (auto [condition, ifTrue] : llvm::reverse(cases))
    last = make(condition->range.upTo(last->range), Conditional{condition, ifTrue, last},
                depthOf({condition, ifTrue, last}));
  return last;
}

/// Operators of at least `minLevel`, all associating to the left [tc.grammar.18].
Expr *Parser::parseBinary(int minLevel) {
  Expr *lhs = parseUnary();
  for (unsigned numOperators = 0;; ++numOperators) {
    const OperatorRow *row = binaryOperatorHere();
    if (!row && isAtForeign(diag::ForeignOperator) && !isConstraintNext(1)) // Others end it.
      rejectForeign(/*isInPlace=*/startsExpr(peek(1).kind));
    if (isRecovering || !row || row->level < minLevel)
      return lhs;
    if (numOperators == maxOperators) {
      tooDeep(diag::ChainTooLong, maxOperators);
      return lhs;
    }
    bool isForeign = peek().kind != row->token;
    SourceRange opRange = take().range;
    Expr *rhs = parseBinary(row->level + 1);
    Binary node{row->op, opRange, lhs, rhs};
    if (isForeign)
      rejectForeignLogic(node);
    lhs = make(lhs->range.upTo(rhs->range), node, std::max(lhs->depth, rhs->depth));
  }
}

/// The operator here, also in another language's spelling; as a word, if it begins no statement.
const OperatorRow *Parser::binaryOperatorHere() const {
  Tok kind = peek().kind;
  bool isWord = kind == Tok::Identifier && !startsStmt(at);
  if ((isWord || kind == Tok::Foreign) && startsExpr(peek(1).kind))
    kind = kindOfForeignLogic(text(peek()));
  bool isSeparator = kind == Tok::AndAnd || peek().kind == Tok::Foreign;
  bool isConditionNext = isInBound && peek().kind != Tok::Foreign && startsCondition(1);
  if (isSeparator && (isConstraintNext(1) || isConditionNext))
    return nullptr;
  for (const OperatorRow &row : operators)
    if (row.token == kind)
      return &row;
  return nullptr;
}

/// `i in`: the token before it separates constraints.
bool Parser::isConstraintNext(size_t ahead) const {
  return peek(ahead).kind == Tok::Identifier && peek(ahead + 1).kind == Tok::KwIn;
}

/// unary = ( "-" | "!" ) unary | primary
Expr *Parser::parseUnary() {
  Token token = peek();
  if (isWordNot() && !isRecovering)
    return parseWordNot();
  if (isRecovering || (token.kind != Tok::Minus && token.kind != Tok::Not))
    return parsePrimary();
  Nesting nesting(*this);
  if (isRecovering) // Too deep.
    return rejectPrimary();
  take();
  Expr *operand = parseUnary();
  return make(token.range.upTo(operand->range),
              Unary{token.kind == Tok::Not ? UnaryOp::Not : UnaryOp::Minus, operand},
              operand->depth);
}

bool Parser::startsExpr(Tok kind) const {
  switch (kind) {
  case Tok::Integer:
  case Tok::Float:
  case Tok::Identifier:
  case Tok::TypeName:
  case Tok::KwMin:
  case Tok::KwMax:
  case Tok::LParen:
  case Tok::Minus:
  case Tok::Not:
    return true;
  default:
    return false;
  }
}

/// primary = integer | float | name | name "(" [ arguments ] ")" | name "." integer
///         | ( "min" | "max" ) "(" arguments ")" | type "(" expr ")" | "(" expr ")"
Expr *Parser::parsePrimary() {
  if (isRecovering)
    return rejectPrimary();
  switch (peek().kind) {
  case Tok::Integer:
    return parseInteger();
  case Tok::Float:
    return parseFloat();
  case Tok::Identifier:
    return startsForeignConditional() ? parseForeignConditional() : parseName();
  case Tok::KwWhere: // `where(a, b, c)`: the checker says what that is in TC.
    return startsWhereCall() ? parseApply(nameOf(take())) : rejectPrimary();
  case Tok::KwMin:
  case Tok::KwMax:
    return peek(1).kind == Tok::LParen ? parseApply(nameOf(take())) : rejectPrimary();
  case Tok::TypeName:
    return parseCast();
  case Tok::LParen:
    return parseParen();
  default:
    return rejectPrimary();
  }
}

/// A name alone, with arguments, or with a dimension.
Expr *Parser::parseName() {
  Name name = nameOf(take());
  // In `x = a (b, c) = f(d)` a new statement begins: `=` follows no expression.
  if (isAt(Tok::LParen) && !startsParenthesizedCall(at))
    return parseApply(name);
  if (isAt(Tok::Dot))
    return parseExtent(name);
  return make(name.range, Reference{name.text});
}

Expr *Parser::parseApply(Name callee) {
  llvm::MutableArrayRef<Expr *> arguments = parseArguments();
  return make(since(callee.range), Apply{callee, arguments}, depthOf(arguments));
}

/// "(" [ expr { "," expr } ] ")"
llvm::MutableArrayRef<Expr *> Parser::parseArguments() {
  take();
  if (accept(Tok::RParen))
    return {};
  llvm::SmallVector<Expr *> exprs;
  do {
    if (atTrailingComma(Tok::RParen, diag::TrailingComma))
      break;
    exprs.push_back(parseExpr());
  } while (accept(Tok::Comma));
  if (isAtWord("for") && isConstraintNext(1) && !isRecovering) // `sum(A(i) for i in 0:N)`
    fail(peek().range, diag::ForeignStatement, text(peek()))
        .hint("a statement of its own combines values: `s +=! A(i) where i in 0:N`");
  expect(Tok::RParen, diag::ApplyForm);
  return program.keep<Expr *>(exprs);
}

Expr *Parser::parseExtent(Name tensor) {
  take();
  if (isAt(Tok::Identifier) && !isRecovering)
    rejectMember(tensor);
  Token number = expect(Tok::Integer, diag::ExtentForm);
  unsigned dimension = 0;
  if (number.kind == Tok::Integer && text(number).getAsInteger(10, dimension))
    dimension = UINT_MAX; // No tensor has it, as the checker will say.
  return make(since(tensor.range), Extent{tensor, number.range, dimension});
}

/// `A.T`, `A.shape`, `math.exp(A(i))`
void Parser::rejectMember(Name object) {
  StringRef member = text(peek());
  bool isFunction = builtinNamed(member) && peek(1).kind == Tok::LParen && isIndexName(object.text);
  Report report = fail(peek().range, diag::ExtentForm, found(peek()));
  if (isFunction)
    report.hint("functions are called by their names alone: `{0}(...)`", member)
        .fix({object.range.begin, peek().range.begin}, "");
  else
    report.hint("{0}", member == "T" ? "to transpose, exchange the indices: `A(j, i)`"
                                     : "`A.0` is the size of dimension 0 of `A`");
}

Expr *Parser::parseCast() {
  Token type = take();
  if (!isAt(Tok::LParen) && !isAt(Tok::Error) && !isRecovering)
    fail(missingHere(), diag::CastForm, describe(Tok::LParen), found(peek()))
        .hint("a cast is written like a function: `{0}(x)`", text(type));
  expect(Tok::LParen, diag::CastForm);
  Expr *operand = parseExpr();
  expect(Tok::RParen, diag::CastForm);
  return make(since(type.range), Cast{*scalarNamed(text(type)), operand}, operand->depth);
}

Expr *Parser::parseParen() {
  llvm::SaveAndRestore outside(isInBound, false);
  SourceRange begin = take().range;
  Expr *inner = parseExpr();
  if (!isAt(Tok::RParen) && !isAt(Tok::Foreign) && !isAt(Tok::Error) && !isRecovering)
    fail(missingHere(), diag::MissingParen, found(peek())).label(begin, "opened here");
  expect(Tok::RParen, diag::MissingParen);
  return make(since(begin), Paren{inner}, inner->depth);
}

Expr *Parser::parseInteger() {
  Token token = take();
  return make(token.range, IntLiteral{integerValue(token)});
}

/// The prefix determines the radix; suffixes have no effect.
uint64_t Parser::integerValue(const Token &token) {
  StringRef digits = text(token).rtrim("uUlL");
  unsigned radix = digits.consume_front_insensitive("0x")   ? 16
                   : digits.consume_front_insensitive("0b") ? 2
                                                            : 10;
  uint64_t value = 0;
  if (!digits.getAsInteger(radix, value))
    return value;
  complain(token.range, diag::IntegerTooLarge, text(token));
  return 0;
}

Expr *Parser::parseFloat() {
  Token token = take();
  return make(token.range, FloatLiteral{text(token).rtrim("fFlL")});
}

/// An expression in place of a missing one.
Expr *Parser::rejectPrimary() {
  Token token = peek();
  if (token.kind == Tok::Error)
    skipQuietly();
  if (token.kind == Tok::Foreign)
    rejectForeign();
  if (token.kind == Tok::KwMin || token.kind == Tok::KwMax)
    fail(token.range, diag::ReservedWord, text(token));
  Tok before = at ? kindAt(at - 1) : Tok::End;
  bool isWholeDimension =
      token.kind == Tok::Colon && (before == Tok::LParen || before == Tok::Comma);
  Report report = fail(missingHere(), diag::ExpectedExpression, found(token));
  if (isWholeDimension)
    report.hint("an index variable stands for all positions: `O(i) = A(i)`");
  return make(SourceRange{token.range.begin, token.range.begin}, IntLiteral{0});
}

bool Parser::isAtForeign(const DiagnosticKind &kind) const {
  return isAt(Tok::Foreign) && foreignRow(text(peek())).kind.name == kind.name;
}

/// `isInPlace`: what the fix writes could stand here.
void Parser::rejectForeign(bool isInPlace) {
  Token token = peek();
  const ForeignRow &row = foreignRow(text(token));
  Report report = fail(token.range, row.kind, text(token));
  if (*row.hint)
    report.hint("{0}", row.hint);
  if (*row.fix && isInPlace)
    report.fix(token.range, row.fix);
}
