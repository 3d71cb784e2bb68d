/// Conditionals, ranges and conditions as other languages write them.
#include "lang/tc/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

//===- if -------------------------------------------------------------------------------------===//

bool Parser::isAtWord(StringRef word) const {
  return isAt(Tok::Identifier) && text(peek()) == word;
}

bool Parser::acceptWord(StringRef word) {
  if (!isAtWord(word) || isRecovering)
    return false;
  take();
  return true;
}

/// Whether the word occurs before the statement ends, right after an operand, where no name can.
bool Parser::isWordAhead(StringRef word) const {
  constexpr size_t farAhead = 1000; // Longer than statements that people write.
  size_t end = std::min(tokens.size(), at + farAhead);
  for (size_t index = at + 1; index < end && kindAt(index) != Tok::RBrace; ++index) {
    if (startsStmt(index))
      return false;
    Tok before = kindAt(index - 1);
    bool isOperandBefore = before == Tok::Identifier || before == Tok::RParen ||
                           before == Tok::Integer || before == Tok::Float;
    if (isOperandBefore && kindAt(index) == Tok::Identifier && text(tokens[index]) == word)
      return true;
  }
  return false;
}

/// `if a then b` or `if (a) b`, where `if` is not a name.
bool Parser::startsForeignConditional() const {
  if (!isAtWord("if"))
    return false;
  size_t close = closing[at + 1];
  if (!close)
    return kindAt(at + 1) != Tok::Minus && startsExpr(kindAt(at + 1)) && !startsStmt(at + 1);
  Tok next = kindAt(close + 1);
  bool isExpr = next == Tok::Identifier || next == Tok::Integer || next == Tok::Float;
  return isWordAhead("then") || (isExpr && isWordAhead("else") && !startsStmt(close + 1));
}

/// `if a then b else c` or `if (a) b else c`. A nested one is part of the report of the outer one.
Expr *Parser::parseForeignConditional() {
  SourceRange begin = take().range;
  Tok before = at > 1 ? kindAt(at - 2) : Tok::End;
  bool isWhole = before == Tok::LParen || before == Tok::Comma ||
                 (before >= Tok::AddInit && before <= Tok::MaxAssign) || before == Tok::Assign;
  bool isOutermost = !std::exchange(isInForeignConditional, true);
  bool hasThen = isWordAhead("then");
  Expr *condition = isAt(Tok::LParen) && !hasThen ? parseParen() : parseExpr();
  acceptWord("then");
  Expr *ifTrue = parseExpr();
  bool hasElse = acceptWord("else"), isChain = startsForeignConditional();
  Expr *ifFalse = hasElse ? parseExpr() : make(since(begin), IntLiteral{0});
  if (isOutermost)
    isInForeignConditional = false;
  Conditional node{condition, ifTrue, ifFalse};
  if (isOutermost)
    rejectConditional(begin, since(begin), hasElse && !isChain ? &node : nullptr, isWhole);
  return make(since(begin), node, std::max({condition->depth, ifTrue->depth, ifFalse->depth}));
}

/// `b if a else c`, after `b`.
Expr *Parser::parseConditionalAfter(Expr *ifTrue) {
  SourceRange word = take().range;
  Expr *condition = parseBinary(1);
  acceptWord("else");
  Expr *ifFalse = parseExpr();
  Conditional node{condition, ifTrue, ifFalse};
  rejectConditional(word, since(ifTrue->range), &node, /*isWhole=*/true);
  return make(since(ifTrue->range), node,
              std::max({condition->depth, ifTrue->depth, ifFalse->depth}));
}

/// `meant` is null if a single fix cannot express what is meant.
void Parser::rejectConditional(SourceRange word, SourceRange whole, const Conditional *meant,
                               bool isWhole) {
  Report report = complain(word, diag::ForeignConditional, program.file->text(word));
  if (!meant)
    return noteError(word.begin);
  auto textOf = [&](const Expr *expr) { return program.file->text(expr->range).str(); };
  std::string fixed =
      textOf(meant->condition) + " ? " + textOf(meant->ifTrue) + " : " + textOf(meant->ifFalse);
  report.fix(whole, isWhole ? fixed : "(" + fixed + ")");
}

/// `where(a, b, c)`: exactly two commas directly inside its parentheses.
bool Parser::startsWhereCall() const {
  size_t close = closing[at + 1];
  unsigned numCommas = 0, open = 0;
  for (size_t index = at + 2; index < close; ++index) {
    open += kindAt(index) == Tok::LParen;
    open -= kindAt(index) == Tok::RParen;
    numCommas += kindAt(index) == Tok::Comma && open == 0;
  }
  return numCommas == 2;
}

//===- Statements -----------------------------------------------------------------------------===//

/// What TC has instead of a statement that begins with the word in other languages; null for other
/// words.
static const char *adviceFor(StringRef word) {
  return llvm::StringSwitch<const char *>(word)
      .Case("return", "a function returns the tensors that its head names: assign to them")
      .Cases({"for", "while"}, "loops are implied by index variables")
      .Cases({"if", "else"}, "`condition ? a : b` chooses a value")
      .Cases({"let", "var", "auto", "const"}, "a tensor is defined by its assignment")
      .Default(nullptr);
}

/// `for i in 0:N {`, `return A(i)`, `let t = 1`: the word is not a name here.
bool Parser::rejectForeignStmt() {
  const char *advice = adviceFor(text(peek()));
  if (!advice || startsStmt(at))
    return false;
  fail(peek().range, diag::ForeignStatement, text(peek())).hint("{0}", advice);
  take();
  return true;
}

//===- where ----------------------------------------------------------------------------------===//

/// `i in range(N)`, after the call.
std::optional<RangeClause> Parser::rejectRangeCall(Name name, Expr *bound) {
  auto *call = bound->as<Apply>();
  if (isRecovering || isAt(Tok::Colon) || !call || call->callee.text != "range" ||
      call->arguments.empty() || call->arguments.size() > 2)
    return std::nullopt;
  Expr *upper = call->arguments.back();
  Expr *lower =
      call->arguments.size() == 2 ? call->arguments[0] : make(bound->range, IntLiteral{0});
  auto textOf = [&](const Expr *expr) { return program.file->text(expr->range).str(); };
  complain(bound->range, diag::RangeDots, "range")
      .fix(bound->range, (call->arguments.size() == 2 ? textOf(lower) : "0") + ":" + textOf(upper));
  return RangeClause{name, lower, upper};
}

/// A name followed by an operator, or anything else that begins an expression.
bool Parser::startsCondition() const {
  Tok next = peek(1).kind;
  bool isOperator = next == Tok::LParen || next == Tok::Dot || next == Tok::NotEqual ||
                    (next >= Tok::LessEqual && next <= Tok::OrOr) ||
                    (next >= Tok::Plus && next <= Tok::Greater);
  return (isAt(Tok::Identifier) && isOperator) ||
         (startsExpr(peek().kind) && !isAt(Tok::Identifier) && !isReserved(peek().kind));
}

static bool isCondition(const Expr &expr) {
  auto *binary = expr.bare().as<Binary>();
  auto *unary = expr.bare().as<Unary>();
  return (binary && classOf(binary->op) != OpClass::Arithmetic) ||
         (unary && unary->op == UnaryOp::Not);
}

static bool isLess(BinaryOp op) {
  return op == BinaryOp::Less || op == BinaryOp::LessEqual;
}

static bool isOrder(BinaryOp op) {
  return isLess(op) || op == BinaryOp::Greater || op == BinaryOp::GreaterEqual;
}

/// What comparisons say about the ends of a variable: `i < N`, `0 <= i < N`, `i >= 0 && i < N`.
static void collectLimits(const Expr &expr, llvm::SmallVectorImpl<Limit> &limits) {
  auto *op = expr.bare().as<Binary>();
  if (op && op->op == BinaryOp::And) {
    collectLimits(*op->lhs, limits);
    collectLimits(*op->rhs, limits);
    return;
  }
  if (!op || !isOrder(op->op))
    return;
  bool isStrict = op->op == BinaryOp::Less || op->op == BinaryOp::Greater;
  auto *chained = op->lhs->as<Binary>();
  if (!chained || !isOrder(chained->op)) {
    limits.push_back({op->lhs, op->rhs, isLess(op->op), isStrict});
    return;
  }
  bool isInnerStrict = chained->op == BinaryOp::Less || chained->op == BinaryOp::Greater;
  limits.push_back({chained->rhs, chained->lhs, !isLess(chained->op), isInnerStrict});
  limits.push_back({chained->rhs, op->rhs, isLess(op->op), isStrict});
}

static StringRef nameIn(const Expr &expr) {
  auto *reference = expr.as<Reference>();
  return reference ? reference->name : StringRef();
}

/// The text of an expression plus 1.
std::string Parser::oneMore(const Expr &expr) const {
  if (auto *literal = expr.as<IntLiteral>())
    return std::to_string(literal->value + 1);
  auto *difference = expr.as<Binary>();
  auto *one =
      difference && difference->op == BinaryOp::Sub ? difference->rhs->as<IntLiteral>() : nullptr;
  if (one && one->value == 1)
    return program.file->text(difference->lhs->range).str();
  return (program.file->text(expr.range) + " + 1").str();
}

/// One end of the range that comparisons describe; `unknown` if they say nothing about it.
std::string Parser::endIn(llvm::ArrayRef<Limit> limits, bool isUpper, StringRef unknown) const {
  for (const Limit &limit : limits)
    if (limit.isUpper == isUpper)
      return limit.isStrict == isUpper ? program.file->text(limit.value->range).str()
                                       : oneMore(*limit.value);
  return unknown.str();
}

/// `where i < N`: conditions, where `i in 0:N` or a guard is meant.
Clause Parser::rejectCondition(StringRef after) {
  Token first = peek();
  Expr *condition = parseExpr();
  Clause clause{since(first.range), ExistsClause{condition}};
  if (isRecovering)
    return clause;
  if (!isCondition(*condition)) {
    fail(first.range, diag::WhereForm, after, found(first))
        .hint("a constraint is written `i in 0:N`");
    return clause;
  }
  Report report = complain(clause.range, diag::WhereCondition, program.excerpt(clause.range));
  noteError(first.range.begin);
  llvm::SmallVector<Limit> limits;
  collectLimits(*condition, limits);
  for (Limit &limit : limits)
    if (typeWithSize(nameIn(*limit.variable))) { // `N > i`
      std::swap(limit.variable, limit.value);
      limit.isUpper = !limit.isUpper;
    }
  StringRef name = limits.empty() ? "" : nameIn(*limits[0].variable);
  if (name.empty()) {
    report.hint("a condition chooses between values: `condition ? a : b`");
    return clause;
  }
  std::string range = (name + " in " + endIn(limits, /*isUpper=*/false, "0") + ":" +
                       endIn(limits, /*isUpper=*/true, "N"))
                          .str();
  bool isKnown = limits.size() == 2 && nameIn(*limits[1].variable) == name &&
                 limits[0].isUpper != limits[1].isUpper;
  if (isKnown)
    report.fix(clause.range, range);
  else
    report.hint("a range has two ends, and the upper one is excluded: `{0}`", range);
  return clause;
}
