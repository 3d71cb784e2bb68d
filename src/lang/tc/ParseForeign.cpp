/// Logical operators, conditionals, statements and ranges as other languages write them.
#include "lang/tc/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

//===- and, or, not, & and | ------------------------------------------------------------------===//

/// `not a`: a name, and after it a token that continues no expression and begins no statement.
bool Parser::isWordNot() const {
  if (!isAt(Tok::Identifier) || text(peek()) != "not" || startsStmt(at + 1))
    return false;
  Tok next = peek(1).kind;
  return next == Tok::Identifier || next == Tok::TypeName || next == Tok::KwMin ||
         next == Tok::KwMax || next == Tok::Integer || next == Tok::Float;
}

/// Python's `not` applies to a whole comparison.
Expr *Parser::parseWordNot() {
  constexpr int comparisonLevel = 3;
  Nesting nesting(*this);
  if (isRecovering) // Too deep.
    return rejectPrimary();
  Token word = take();
  Expr *operand = parseBinary(comparisonLevel);
  Expr *negation =
      make(word.range.upTo(operand->range), Unary{UnaryOp::Not, operand}, operand->depth);
  if (isInCondition)
    return negation;
  Report report = complain(word.range, diag::ForeignOperator, text(word));
  SourceRange before{word.range.begin, operand->range.begin};
  if (!isBoolean(*operand)) {
    report.hint("`!` negates a `bool`; a number is compared: `A(i) == 0`");
    noteError(word.range.begin);
  } else if (operand->as<Binary>())
    report.fix(before, "!(").fix({operand->range.end, operand->range.end}, ")");
  else
    report.fix(before, "!");
  return negation;
}

/// Whether the expression certainly has the type `bool`, so far as that can be seen before names
/// are known.
bool Parser::isBoolean(const Expr &expr) const {
  const Expr &bare = expr.bare();
  if (auto *unary = bare.as<Unary>())
    return unary->op == UnaryOp::Not && isBoolean(*unary->operand);
  if (auto *binary = bare.as<Binary>())
    return classOf(binary->op) == OpClass::Comparison ||
           (classOf(binary->op) == OpClass::Logic && isBoolean(*binary->lhs) &&
            isBoolean(*binary->rhs));
  if (auto *cast = bare.as<Cast>())
    return cast->type == Scalar::Bool;
  if (auto *apply = bare.as<Apply>())
    return isBoolParameter(apply->callee.text);
  auto *reference = bare.as<Reference>();
  return reference && isBoolParameter(reference->name);
}

/// Whether the head declares it: `bool b`, `bool(N) A`.
bool Parser::isBoolParameter(StringRef name) const {
  for (size_t index = head; index < at && kindAt(index) != Tok::Arrow; ++index) {
    bool isBool = kindAt(index) == Tok::TypeName && text(tokens[index]) == "bool";
    size_t last = kindAt(index + 1) == Tok::LParen ? closing[index + 1] : index;
    if (isBool && kindAt(last + 1) == Tok::Identifier && text(tokens[last + 1]) == name)
      return true;
  }
  return false;
}

/// `&` and `|` bind tighter than comparisons in Python, and looser in C; in both they bind tighter
/// than `&&`. Whether the operand is the same in all of them.
bool Parser::isGroupedAlike(const Expr &operand) const {
  auto *binary = operand.as<Binary>();
  bool isSymbol = binary && classOf(binary->op) == OpClass::Logic &&
                  program.file->text(binary->opRange).size() == 1;
  return !binary || isSymbol;
}

/// `a and b`, `a & b`
void Parser::rejectForeignLogic(const Binary &op) {
  if (isInCondition)
    return;
  StringRef written = program.file->text(op.opRange);
  bool isSymbol = written.size() == 1;
  bool isSame = !isSymbol || (isGroupedAlike(*op.lhs) && isGroupedAlike(*op.rhs));
  Report report = complain(op.opRange, diag::ForeignOperator, written);
  if (isSame && isBoolean(*op.lhs) && isBoolean(*op.rhs))
    return void(report.fix(op.opRange, spelling(op.op)));
  noteError(op.lhs->range.begin);
  if (isSymbol)
    report.hint("there are no bitwise operators; `{0}` combines conditions, and binds looser than "
                "comparisons",
                spelling(op.op));
  else
    report.hint("`{0}` combines conditions; a number is compared: `A(i) != 0`", spelling(op.op));
}

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
  return next == Tok::LBrace || isWordAhead("then") ||
         (isExpr && isWordAhead("else") && !startsStmt(close + 1));
}

/// A value, perhaps in the braces of a block.
Expr *Parser::parseBracedValue() {
  bool isBraced = accept(Tok::LBrace);
  foreignBraces += isBraced;
  Expr *value = parseExpr();
  if (isBraced && accept(Tok::RBrace))
    --foreignBraces;
  return value;
}

/// `if a then b else c`, `if (a) b else c` or `if (a) {b} else {c}`. A nested one is part of the
/// report of the outer one.
Expr *Parser::parseForeignConditional() {
  SourceRange begin = take().range;
  Tok before = at > 1 ? kindAt(at - 2) : Tok::End;
  bool isWhole = before == Tok::LParen || before == Tok::Comma ||
                 (before >= Tok::AddInit && before <= Tok::MaxAssign) || before == Tok::Assign;
  bool isOutermost = !std::exchange(isInForeignConditional, true);
  bool hasThen = isWordAhead("then");
  Expr *condition = isAt(Tok::LParen) && !hasThen ? parseParen() : parseExpr();
  acceptWord("then");
  Expr *ifTrue = parseBracedValue();
  bool hasElse = acceptWord("else"), isChain = startsForeignConditional();
  Expr *ifFalse = hasElse ? parseBracedValue() : make(since(begin), IntLiteral{0});
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
  if (!meant || !isBoolean(*meant->condition))
    noteError(word.begin);
  if (!meant)
    return;
  if (!isBoolean(*meant->condition))
    return void(report.hint("a condition is a `bool`; a number is compared: `A(i) != 0`"));
  auto textOf = [&](const Expr *expr) { return program.file->text(expr->range).str(); };
  std::string fixed =
      textOf(meant->condition) + " ? " + textOf(meant->ifTrue) + " : " + textOf(meant->ifFalse);
  report.fix(whole, isWhole ? fixed : "(" + fixed + ")");
}

/// The number of commas directly inside the parentheses.
unsigned Parser::commasInside(size_t open) const {
  unsigned numCommas = 0, depth = 0;
  for (size_t index = open + 1; index < closing[open]; ++index) {
    depth += kindAt(index) == Tok::LParen;
    depth -= kindAt(index) == Tok::RParen;
    numCommas += kindAt(index) == Tok::Comma && depth == 0;
  }
  return numCommas;
}

/// `where(a, b, c)`
bool Parser::startsWhereCall() const {
  return commasInside(at + 1) == 2;
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
  if (isAt(Tok::LParen) && closing[at]) // `for (int i = 0; i < N; i++)`
    at = closing[at] + 1;
  return true;
}

//===- where ----------------------------------------------------------------------------------===//

void Parser::rejectStep(SourceRange step, Name name) {
  complain(step, diag::RangeStep, name.text)
      .hint("multiply the index where it is used: `A(2 * {0})`", name.text);
  noteError(step.begin);
}

/// `i in range(N)`, after the call.
std::optional<RangeClause> Parser::rejectRangeCall(Name name, Expr *bound) {
  auto *call = bound->as<Apply>();
  size_t numArguments = call ? call->arguments.size() : 0;
  if (isRecovering || isAt(Tok::Colon) || !call || call->callee.text != "range" ||
      numArguments == 0 || numArguments > 3)
    return std::nullopt;
  bool hasLower = numArguments > 1;
  Expr *upper = call->arguments[hasLower];
  Expr *lower = hasLower ? call->arguments[0] : make(bound->range, IntLiteral{0});
  if (numArguments == 3) {
    rejectStep(call->arguments[2]->range, name);
    return RangeClause{name, lower, upper};
  }
  auto textOf = [&](const Expr *expr) { return program.file->text(expr->range).str(); };
  complain(bound->range, diag::RangeDots, "range")
      .fix(bound->range, (hasLower ? textOf(lower) : "0") + ":" + textOf(upper));
  return RangeClause{name, lower, upper};
}
