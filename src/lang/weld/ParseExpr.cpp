#include "lang/weld/Advice.h"
#include "lang/weld/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

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

/// `a < b < c` and `a == b == c` are not expressions [weld.expr.2].
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
Expr *Parser::parseExpr(bool isValue) {
  Nesting nesting(*this);
  if (isRecovering)
    return rejectLeaf();
  if (isAt(Tok::KwMacro) || isAt(Tok::KwType)) {
    rejectLateDefinition();
    return rejectLeaf();
  }
  if (isValue ? isAt(Tok::KwLet) : beginsLet())
    return parseLets();
  if (isAt(Tok::Bar) || isAt(Tok::OrOr))
    return parseLambda();
  if (size_t arrow = foreignArrow())
    return rejectForeignFunction(arrow);
  if (isAt(Tok::Identifier) && text(peek()) == "return" && beginsOperand(peek(1).kind)) {
    complain({peek().range.begin, peek(1).range.begin}, diag::ExpectedExpression, found(peek()))
        .hint("the last expression is the value")
        .fix({peek().range.begin, peek(1).range.begin}, "");
    take();
  }
  return parseBinary(0);
}

/// let = "let" name [ ":" type ] "=" expr ";" expr
/// A chain of them is parsed in a loop, because it may be longer than the limit on nesting.
Expr *Parser::parseLets() {
  struct Binding {
    SourceRange begin;
    Variable *variable;
    Expr *value;
  };
  llvm::SmallVector<Binding> bindings;
  size_t numOuter = names.size();
  while (beginsLet() && !isRecovering) {
    size_t start = at;
    SourceRange begin = isAt(Tok::KwLet) ? take().range : rejectForgottenLet();
    Variable *variable = parseVariable(diag::LetForm);
    if (isAt(Tok::EqualEqual) && !isRecovering)
      complain(peek().range, diag::LetForm, describe(Tok::Assign), found(take()))
          .fix(tokens[at - 1].range, "=");
    else
      expect(Tok::Assign, diag::LetForm);
    if (isAt(Tok::KwLet))
      noteExtension(peek().range, "`let` as the value of a `let`");
    llvm::SaveAndRestore outer(inCondition, false);
    Expr *value = parseExpr(/*isValue=*/true);
    expectSemicolon(diag::LetForm);
    bindings.push_back({begin, variable, value});
    names.push_back(variable->name.text);
    if (isRecovering && skipTo(Tok::Semicolon, Tok::Semicolon, start, tokens.size() - 1)) {
      isRecovering = false;
      take();
    }
  }
  Expr *body = parseExpr();
  names.resize(numOuter);
  for (const Binding &binding : llvm::reverse(bindings))
    body = make(binding.begin.upTo(body->range), Let{binding.variable, binding.value, body},
                std::max(binding.value->depth, body->depth));
  return body;
}

/// Whether a `let` begins here, or `x = value;` or `var x = value;`, where one is meant.
bool Parser::beginsLet() const {
  if (isAt(Tok::KwLet))
    return true;
  size_t name = isForeignLet(text(peek())) && peek(1).kind == Tok::Identifier ? at + 1 : at;
  if (isRecovering || tokens[name].kind != Tok::Identifier || name + 1 == tokens.size() ||
      tokens[name + 1].kind != Tok::Assign)
    return false;
  for (size_t index = name; index < tokens.size(); ++index) {
    Tok kind = tokens[index].kind;
    if (kind == Tok::Semicolon)
      return true;
    if (kind == Tok::Comma || kind == Tok::RParen || kind == Tok::RBracket || kind == Tok::RBrace)
      return false;
    index = std::max<size_t>(index, closing[index]);
  }
  return false;
}

/// lambda = "||" expr | "|" [ parameter { "," parameter } [ "," ] ] "|" expr
Expr *Parser::parseLambda() {
  SourceRange begin = peek().range;
  if (accept(Tok::OrOr))
    return parseLambdaBody(begin, {});
  llvm::ArrayRef<Variable *> parameters = parseParameters();
  if (isAt(Tok::Identifier) && !isRecovering)
    return rejectMissingBar(begin, parameters);
  expect(Tok::Bar, diag::ParameterForm);
  return parseLambdaBody(begin, parameters);
}

Expr *Parser::parseLambdaBody(SourceRange begin, llvm::ArrayRef<Variable *> parameters) {
  size_t numOuter = names.size();
  for (const Variable *parameter : parameters)
    names.push_back(parameter->name.text);
  llvm::SaveAndRestore condition(inCondition, isPredicate);
  llvm::SaveAndRestore predicate(isPredicate, false);
  Expr *body = parseExpr();
  names.resize(numOuter);
  return make(begin.upTo(body->range), Lambda{parameters, body}, body->depth);
}

llvm::ArrayRef<Variable *> Parser::parseParameters() {
  take();
  llvm::SmallVector<Variable *> parameters;
  while (!isAt(Tok::Bar) && !isRecovering) {
    parameters.push_back(parseVariable(diag::ParameterForm));
    if (isAt(Tok::Identifier) && !isRecovering && !continueParameters())
      break;
    if (isAt(Tok::Identifier) && !isRecovering) {
      complain(peek().range, diag::MissingComma, found(peek()))
          .fix({previousEnd(), previousEnd()}, ",");
      continue;
    }
    if (!isAt(Tok::Comma))
      break;
    SourceRange comma = take().range;
    if (isAt(Tok::Bar))
      noteExtension(comma, "trailing commas");
  }
  return program.keep<Variable *>(parameters);
}

/// Whether the names that are next are parameters: the body of a function is not a list of names.
bool Parser::continueParameters() const {
  size_t next = at;
  while (tokens[next].kind == Tok::Identifier)
    ++next;
  Tok kind = tokens[next].kind;
  return kind == Tok::Colon || kind == Tok::Comma || kind == Tok::Bar;
}

/// name [ ":" type ]
Variable *Parser::parseVariable(const DiagnosticKind &form) {
  Variable variable;
  variable.name = parseName(form);
  if (accept(Tok::Colon))
    variable.written = parseType();
  return program.make(variable);
}

namespace {
/// Two tokens without a space that are an operator of other languages.
struct ForeignOperator {
  Tok first, second, meant;
};
constexpr ForeignOperator foreignOperators[] = {
    {Tok::Less, Tok::Greater, Tok::NotEqual},
    {Tok::Assign, Tok::Less, Tok::LessEqual},
    {Tok::EqualEqual, Tok::Assign, Tok::EqualEqual},
    {Tok::NotEqual, Tok::Assign, Tok::NotEqual},
};
} // namespace

/// The operator that is next, perhaps in the spelling of another language.
Parser::Operator Parser::operatorMeant() const {
  Token token = peek(), next = peek(1);
  for (const ForeignOperator &foreign : foreignOperators)
    if (token.kind == foreign.first && next.kind == foreign.second &&
        token.range.end == next.range.begin)
      return {foreign.meant, 2};
  bool isName = at == element + 1 && !inCondition; // `f(x = 1)`
  if (isAt(Tok::Assign) && next.kind != Tok::Greater && !isName)
    return {Tok::EqualEqual};
  if (isAt(Tok::Identifier) && text(token).equals_insensitive("and"))
    return {Tok::AndAnd};
  if (isAt(Tok::Identifier) && text(token).equals_insensitive("or"))
    return {Tok::OrOr};
  return {token.kind};
}

/// Operators of at least `minLevel`, associating to the left [weld.expr.1].
Expr *Parser::parseBinary(int minLevel) {
  Expr *lhs = parseAscription();
  for (;;) {
    Operator next = operatorMeant();
    const OperatorRow *row = rowOf(next.token);
    if (isRecovering || !row || row->level < minLevel || forgetsComma())
      return lhs;
    SourceRange opRange = peek().range.upTo(peek(next.numTokens - 1).range);
    if (program.file->text(opRange) != spelling(row->op))
      rejectForeignOperator(opRange, row->op, *lhs);
    if (isRecovering)
      return lhs;
    if (row->op == BinaryOp::Rem)
      noteExtension(opRange, "the operator `%`");
    at += next.numTokens;
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
      .label(lhs.range, "this is a comparison")
      .hint(level == 6 ? "write `a < b && b < c`" : "enclose one of them in parentheses");
}

/// ascription = unary [ ":" type ]
Expr *Parser::parseAscription() {
  Expr *operand = parseUnary();
  if (!isAt(Tok::Colon) || isRecovering)
    return operand;
  SourceRange colon = take().range;
  TypeExpr *written = parseType();
  noteExtension(colon.upTo(written->range), "types after expressions");
  return make(since(operand->range), Ascription{operand, written}, operand->depth);
}

/// unary = ( "-" | "!" ) unary | annotations unary | postfix
Expr *Parser::parseUnary() {
  Token token = peek();
  if (token.kind == Tok::At && !isRecovering)
    return parseAnnotated();
  if (isForeignNot() && !isRecovering)
    return rejectForeignNot();
  if (isRecovering || (token.kind != Tok::Minus && token.kind != Tok::Not))
    return parsePostfix();
  Nesting nesting(*this);
  if (isRecovering) // Too deep.
    return rejectLeaf();
  take();
  Tok next = peek().kind;
  llvm::SaveAndRestore outer(inCondition, token.kind == Tok::Not);
  if (token.kind == Tok::Not)
    noteExtension(token.range, "the operator `!`");
  else if (next != Tok::Integer && next != Tok::Float)
    noteExtension(token.range, "`-` before anything but a number");
  Expr *operand = parseUnary();
  return make(token.range.upTo(operand->range),
              Unary{token.kind == Tok::Not ? UnaryOp::Not : UnaryOp::Minus, operand},
              operand->depth);
}

/// Annotations belong to the whole postfix expression after them [weld.annotation.2].
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
      auto *callee = operand->as<Reference>();
      bool isFilter = callee && callee->name.text == "filter";
      llvm::ArrayRef<Expr *> arguments = parseArguments(isFilter ? Takes::Predicate : Takes::Value);
      if (operand->bare().as<Lambda>())
        noteExtension(operand->range, "functions applied directly");
      operand = make(since(operand->range), Apply{operand, arguments},
                     std::max(operand->depth, depthOf(arguments)));
    } else if (isAt(Tok::LBracket)) {
      rejectSubscript(*operand);
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
  if (!isField)
    return rejectField(token, operand);
  if (digits.getAsInteger(10, index))
    index = UINT_MAX; // No struct has it; the checker reports that.
  take();
  return make(since(operand->range), Field{operand, index, token.range}, operand->depth);
}

Expr *Parser::rejectField(const Token &token, Expr *operand) {
  if (token.kind == Tok::Error) {
    program.hasSyntaxErrors = isRecovering = true;
    return operand;
  }
  bool isWord = token.kind == Tok::Identifier || isReserved(token.kind);
  if (isWord && peek(1).kind == Tok::LParen)
    return rejectMethod(operand);
  Report report = fail(token.range, diag::FieldForm, found(token));
  if (token.kind == Tok::Integer)
    report.fix({token.range.begin, token.range.begin}, "$");
  else if (llvm::is_contained({"length", "len", "size", "count"}, text(token)))
    report.hint("`len(v)` is the length of a vector");
  else
    report.hint("fields are numbered from 0: `.$0`");
  return operand;
}

llvm::ArrayRef<Expr *> Parser::parseArguments(Takes takes) {
  take();
  return parseExprs(Tok::RParen, diag::ArgumentForm, takes);
}

llvm::ArrayRef<Expr *> Parser::parseExprs(Tok close, const DiagnosticKind &form, Takes takes) {
  llvm::SmallVector<Expr *> exprs;
  parseList(close, form, [&] {
    llvm::SaveAndRestore condition(inCondition, takes == Takes::Condition && exprs.empty());
    llvm::SaveAndRestore predicate(isPredicate, takes == Takes::Predicate);
    llvm::SaveAndRestore named(element, takes == Takes::Condition ? SIZE_MAX : element);
    exprs.push_back(parseExpr());
  });
  return program.keep<Expr *>(exprs);
}

bool Parser::isNamed(size_t start, const DiagnosticKind &form) const {
  Tok next = tokens[std::min(start + 1, tokens.size() - 1)].kind;
  bool isStruct = &form == &diag::StructForm || &form == &diag::StructTypeForm;
  bool mayBeNamed = (next == Tok::Assign && &form == &diag::ArgumentForm) ||
                    ((next == Tok::Assign || next == Tok::Colon) && isStruct);
  return tokens[start].kind == Tok::Identifier && mayBeNamed;
}

/// Skips an invalid element if the list is closed.
void Parser::parseList(Tok close, const DiagnosticKind &form, llvm::function_ref<void()> parse) {
  if (isRecovering)
    return;
  size_t open = at - 1, end = closing[open];
  while (!isAt(close)) {
    size_t start = at;
    llvm::SaveAndRestore outer(element, at);
    parse();
    if (!isRecovering && forgetsComma()) {
      complain(peek().range, form, found(peek())).fix({previousEnd(), previousEnd()}, ",");
      continue;
    }
    if (!isRecovering && !isAt(Tok::Comma) && !isAt(close))
      expectIn(open, close, form,
               !isNamed(start, form)  ? ""
               : close == Tok::RBrace ? "the fields of a struct have no names"
                                      : "arguments have no names");
    if (isRecovering && end && isNamed(start, form)) { // The others are likely to have names, too.
      at = end;
      isRecovering = false;
    }
    if (isRecovering && end && skipTo(Tok::Comma, close, start, end))
      isRecovering = false;
    if (isRecovering)
      return;
    if (!isAt(Tok::Comma))
      break;
    SourceRange comma = take().range;
    if (isAt(close))
      noteExtension(comma, "trailing commas");
  }
  expectIn(open, close, form);
}
