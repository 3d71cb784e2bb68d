#include "lang/weld/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

namespace {
struct OperatorRow {
  Tok token;
  BinaryOp op;
  int level;
};
constexpr OperatorRow operators[] = {
#define WELD_BINARY(name, token, level, class) {Tok::token, BinaryOp::name, level},
#include "lang/weld/Operators.def"
};

const OperatorRow *rowOf(Tok kind) {
  const auto *row = llvm::find_if(operators, [&](auto &row) { return row.token == kind; });
  return row == std::end(operators) ? nullptr : row;
}
/// `a < b < c` and `a == b == c` are no expressions [weld.expr.2].
constexpr bool isChain(int level) {
  return level == 5 || level == 6;
}
} // namespace

unsigned tessera::weld::depthOf(llvm::ArrayRef<Expr *> exprs) {
  unsigned depth = 0;
  for (const Expr *expr : exprs)
    depth = std::max(depth, expr->depth);
  return depth;
}

unsigned tessera::weld::depthOf(const Iterator &iterator) {
  unsigned depth = depthOf(iterator.arguments);
  for (const Iterator *part : iterator.parts)
    depth = std::max(depth, depthOf(*part) + 1);
  return depth;
}

/// expr = let | lambda | or
Expr *Parser::parseExpr() {
  Nesting nesting(*this);
  if (isRecovering)
    return rejectLeaf();
  if (isAt(Tok::KwLet))
    return parseLets();
  if (isAt(Tok::Bar) || isAt(Tok::OrOr))
    return parseLambda();
  return parseBinary(0);
}

/// let = "let" name [ ":" type ] "=" expr ";" expr
/// A chain of them is read in a loop: it may be longer than nesting may be deep.
Expr *Parser::parseLets() {
  struct Binding {
    SourceRange begin;
    Variable *variable;
    Expr *value;
  };
  llvm::SmallVector<Binding> bindings;
  while (isAt(Tok::KwLet) && !isRecovering) {
    size_t start = at;
    SourceRange begin = take().range;
    Variable *variable = parseVariable(diag::LetForm);
    expect(Tok::Assign, diag::LetForm);
    if (isAt(Tok::KwLet))
      noteExtension(peek().range, "`let` as the value of a `let`");
    Expr *value = parseExpr();
    expect(Tok::Semicolon, diag::LetForm);
    bindings.push_back({begin, variable, value});
    if (isRecovering && skipTo(Tok::Semicolon, Tok::Semicolon, start, tokens.size() - 1)) {
      isRecovering = false;
      take();
    }
  }
  Expr *body = parseExpr();
  for (const Binding &binding : llvm::reverse(bindings))
    body = make(binding.begin.upTo(body->range), Let{binding.variable, binding.value, body},
                std::max(binding.value->depth, body->depth));
  return body;
}

/// lambda = "||" expr | "|" [ parameter { "," parameter } [ "," ] ] "|" expr
Expr *Parser::parseLambda() {
  SourceRange begin = peek().range;
  llvm::ArrayRef<Variable *> parameters;
  if (!accept(Tok::OrOr))
    parameters = parseParameters();
  Expr *body = parseExpr();
  return make(begin.upTo(body->range), Lambda{parameters, body}, body->depth);
}

llvm::ArrayRef<Variable *> Parser::parseParameters() {
  take();
  llvm::SmallVector<Variable *> parameters;
  while (!isAt(Tok::Bar) && !isRecovering) {
    parameters.push_back(parseVariable(diag::ParameterForm));
    if (!isAt(Tok::Comma))
      break;
    SourceRange comma = take().range;
    if (isAt(Tok::Bar))
      noteExtension(comma, "commas behind the last element");
  }
  expect(Tok::Bar, diag::ParameterForm);
  return program.keep<Variable *>(parameters);
}

/// name [ ":" type ]
Variable *Parser::parseVariable(const DiagnosticKind &form) {
  Variable variable;
  variable.name = parseName(form);
  if (accept(Tok::Colon))
    variable.written = parseType();
  return program.make(variable);
}

/// Operators of at least `minLevel`, associating to the left [weld.expr.1].
Expr *Parser::parseBinary(int minLevel) {
  Expr *lhs = parseAscription();
  for (;;) {
    const OperatorRow *row = rowOf(peek().kind);
    if (isRecovering || !row || row->level < minLevel)
      return lhs;
    if (row->op == BinaryOp::Rem)
      noteExtension(peek().range, "the operator `%`");
    SourceRange opRange = take().range;
    Expr *rhs = parseBinary(row->level + 1);
    lhs = make(lhs->range.upTo(rhs->range), Binary{row->op, opRange, lhs, rhs},
               std::max(lhs->depth, rhs->depth));
    rejectChain(row->level, *lhs);
  }
}

void Parser::rejectChain(int level, const Expr &lhs) {
  const OperatorRow *next = rowOf(peek().kind);
  if (!isChain(level) || isRecovering || !next || next->level != level)
    return;
  complain(peek().range, diag::ChainedComparison, text(peek()))
      .label(lhs.range, "this is a comparison already")
      .hint(level == 6 ? "write `a < b && b < c`" : "put one of them in parentheses");
}

/// ascription = unary [ ":" type ]
Expr *Parser::parseAscription() {
  Expr *operand = parseUnary();
  if (!isAt(Tok::Colon) || isRecovering)
    return operand;
  SourceRange colon = take().range;
  TypeExpr *written = parseType();
  noteExtension(colon.upTo(written->range), "types behind expressions");
  return make(since(operand->range), Ascription{operand, written}, operand->depth);
}

/// unary = ( "-" | "!" ) unary | annotations unary | postfix
Expr *Parser::parseUnary() {
  Token token = peek();
  if (token.kind == Tok::At && !isRecovering)
    return parseAnnotated();
  if (isRecovering || (token.kind != Tok::Minus && token.kind != Tok::Not))
    return parsePostfix();
  Nesting nesting(*this);
  if (isRecovering) // Too deep.
    return rejectLeaf();
  take();
  Tok next = peek().kind;
  if (token.kind == Tok::Not)
    noteExtension(token.range, "the operator `!`");
  else if (next != Tok::Integer && next != Tok::Float)
    noteExtension(token.range, "`-` in front of anything but a number");
  Expr *operand = parseUnary();
  return make(token.range.upTo(operand->range),
              Unary{token.kind == Tok::Not ? UnaryOp::Not : UnaryOp::Minus, operand},
              operand->depth);
}

/// Annotations belong to the whole postfix expression behind them [weld.annotation.2].
Expr *Parser::parseAnnotated() {
  Nesting nesting(*this);
  if (isRecovering)
    return rejectLeaf();
  llvm::SmallVector<Annotation> annotations(parseAnnotations());
  Expr *operand = parseUnary();
  llvm::append_range(annotations, operand->annotations);
  operand->annotations = program.keep<Annotation>(annotations);
  return operand;
}

/// postfix = leaf { "." field | "(" [ arguments ] ")" }
Expr *Parser::parsePostfix() {
  Expr *operand = parseLeaf();
  while (!isRecovering) {
    if (isAt(Tok::Dot)) {
      operand = parseField(operand);
    } else if (isAt(Tok::LParen)) {
      llvm::ArrayRef<Expr *> arguments = parseArguments();
      if (operand->bare().as<Lambda>())
        noteExtension(operand->range, "functions that are applied where they stand");
      operand = make(since(operand->range), Apply{operand, arguments},
                     std::max(operand->depth, depthOf(arguments)));
    } else if (isAt(Tok::LBracket)) {
      fail(peek().range, diag::Subscript).hint("`lookup(v, 0L)` gives an element of a vector");
    } else {
      return operand;
    }
  }
  return operand;
}

/// "." "$" digits
Expr *Parser::parseField(Expr *operand) {
  take();
  Token token = peek();
  StringRef digits = text(token);
  unsigned index = 0;
  bool isField = token.kind == Tok::Identifier && digits.consume_front("$") && !digits.empty() &&
                 llvm::all_of(digits, llvm::isDigit);
  if (!isField) {
    rejectField(token);
    return operand;
  }
  if (digits.getAsInteger(10, index))
    index = UINT_MAX; // No struct has it, as the checker will say.
  take();
  return make(since(operand->range), Field{operand, index, token.range}, operand->depth);
}

void Parser::rejectField(const Token &token) {
  if (token.kind == Tok::Error) {
    program.hasSyntaxErrors = isRecovering = true;
    return;
  }
  Report report = fail(token.range, diag::FieldForm, found(token));
  if (token.kind == Tok::Integer)
    report.hint("did you mean `${0}`?", text(token))
        .fix({token.range.begin, token.range.begin}, "$");
  else
    report.hint("fields are numbered from 0: `.$0`");
}

llvm::ArrayRef<Expr *> Parser::parseArguments() {
  take();
  return parseExprs(Tok::RParen, diag::ArgumentForm);
}

llvm::ArrayRef<Expr *> Parser::parseExprs(Tok close, const DiagnosticKind &form) {
  llvm::SmallVector<Expr *> exprs;
  parseList(close, form, [&] { exprs.push_back(parseExpr()); });
  return program.keep<Expr *>(exprs);
}

/// An element that cannot be read is skipped, where the list has an end.
void Parser::parseList(Tok close, const DiagnosticKind &form, llvm::function_ref<void()> element) {
  if (isRecovering)
    return;
  size_t end = closing[at - 1];
  while (!isAt(close)) {
    size_t start = at;
    element();
    if (!isRecovering && !isAt(Tok::Comma) && !isAt(close))
      expect(close, form);
    if (isRecovering && end && skipTo(Tok::Comma, close, start, end))
      isRecovering = false;
    if (isRecovering)
      return;
    if (!isAt(Tok::Comma))
      break;
    SourceRange comma = take().range;
    if (isAt(close))
      noteExtension(comma, "commas behind the last element");
  }
  expect(close, form);
}
