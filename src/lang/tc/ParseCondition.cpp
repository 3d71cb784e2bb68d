/// Conditions after `where`, as `i < N` or `i >= 0 && i < N`: the range that they describe.
#include "lang/tc/ParserImpl.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

/// A name followed by an operator, or anything else that begins an expression.
bool Parser::startsCondition(size_t ahead) const {
  Tok first = peek(ahead).kind, next = peek(ahead + 1).kind;
  bool isOperator = next == Tok::LParen || next == Tok::Dot || next == Tok::NotEqual ||
                    (next >= Tok::LessEqual && next <= Tok::OrOr) ||
                    (next >= Tok::Plus && next <= Tok::Greater);
  return (first == Tok::Identifier && isOperator) ||
         (startsExpr(first) && first != Tok::Identifier && !isReserved(first));
}

/// `where i > 0, i < N`: conditions, where `i in 1:N` or a guard is meant.
Clause Parser::rejectCondition(StringRef after) {
  Token first = peek();
  llvm::SmallVector<const Expr *> conditions;
  bool wasInside = std::exchange(isInCondition, true);
  parseConditions(conditions);
  isInCondition = wasInside;
  Clause clause{since(first.range), ExistsClause{make(since(first.range), IntLiteral{0})}};
  if (isRecovering)
    return clause;
  if (!isCondition(*conditions.front())) {
    fail(first.range, diag::WhereForm, after, found(first))
        .hint("a constraint is written `i in 0:N`");
    return clause;
  }
  Report report = complain(clause.range, diag::WhereCondition, program.excerpt(clause.range));
  noteError(first.range.begin);
  adviseRange(conditions, clause.range, report);
  return clause;
}

/// `0 <= i, i < N`, perhaps in parentheses.
void Parser::parseConditions(llvm::SmallVectorImpl<const Expr *> &conditions) {
  size_t close = isAt(Tok::LParen) && closing[at] && commasInside(at) ? closing[at] : 0;
  if (close)
    take();
  do {
    conditions.push_back(parseExpr());
    if (close && at == close && !isRecovering)
      take();
  } while (isAt(Tok::Comma) && !startsStmt(at + 1) && startsCondition(1) && accept(Tok::Comma));
}

/// The operand of `!` or, as in Python, of `not`; null for other expressions.
static const Expr *negatedIn(const Expr &expr) {
  if (auto *unary = expr.bare().as<Unary>())
    return unary->op == UnaryOp::Not ? unary->operand : nullptr;
  auto *apply = expr.bare().as<Apply>();
  bool isNot = apply && apply->callee.text == "not" && apply->arguments.size() == 1;
  return isNot ? apply->arguments.front() : nullptr;
}

bool Parser::isCondition(const Expr &expr) {
  auto *binary = expr.bare().as<Binary>();
  return (binary && classOf(binary->op) != OpClass::Arithmetic) || negatedIn(expr);
}

//===- Limits ---------------------------------------------------------------------------------===//

static bool isLess(BinaryOp op) {
  return op == BinaryOp::Less || op == BinaryOp::LessEqual;
}

static bool isOrder(BinaryOp op) {
  return isLess(op) || op == BinaryOp::Greater || op == BinaryOp::GreaterEqual;
}

/// That of the negated comparison.
static BinaryOp opposite(BinaryOp op) {
  switch (op) {
  case BinaryOp::Less:
    return BinaryOp::GreaterEqual;
  case BinaryOp::LessEqual:
    return BinaryOp::Greater;
  case BinaryOp::Greater:
    return BinaryOp::LessEqual;
  default:
    return BinaryOp::Less;
  }
}

static StringRef nameIn(const Expr &expr) {
  auto *reference = expr.bare().as<Reference>();
  return reference ? reference->name : StringRef();
}

/// Whether the token begins the left side of a statement or a constraint that names a value.
bool Parser::definesName(size_t index) const {
  if (kindAt(index + 1) == Tok::LParen)
    return closing[index + 1] && isAssignment(closing[index + 1] + 1);
  return isAssignment(index + 1) || startsResults(index);
}

/// Whether the name has no other meaning in the def so far.
bool Parser::isIndexName(StringRef name) const {
  noteMeanings();
  return !name.empty() && !meanings.names.contains(name);
}

/// Goes on from where it ended the last time: a condition may ask about thousands of names.
void Parser::noteMeanings() const {
  if (meanings.head != head || meanings.end > at)
    meanings = {head, head + 2, false, {}}; // After `def f`.
  for (; meanings.end < at; ++meanings.end) {
    meanings.isInBody |= kindAt(meanings.end) == Tok::LBrace;
    bool isName = kindAt(meanings.end) == Tok::Identifier;
    if (isName && (!meanings.isInBody || definesName(meanings.end)))
      meanings.names.insert(text(tokens[meanings.end]));
  }
}

/// Whether the value could be a bound. With `onlySizes`, it certainly is one, in `--strict`, too.
bool Parser::isBound(const Expr &expr, bool onlySizes) const {
  auto isInside = [&](const Expr *child) { return isBound(*child, onlySizes); };
  if (auto *reference = expr.as<Reference>())
    return onlySizes ? typeWithSize(reference->name) != nullptr : !isIndexName(reference->name);
  if (auto *literal = expr.as<IntLiteral>())
    return literal->value < INT32_MAX;
  if (auto *unary = expr.as<Unary>())
    return unary->op == UnaryOp::Minus && isInside(unary->operand);
  if (auto *binary = expr.as<Binary>())
    return classOf(binary->op) == OpClass::Arithmetic && isInside(binary->lhs) &&
           isInside(binary->rhs);
  if (auto *apply = expr.as<Apply>())
    return (apply->callee.text == "min" || apply->callee.text == "max") &&
           apply->arguments.size() == 2 && llvm::all_of(apply->arguments, isInside);
  auto *paren = expr.as<Paren>();
  return (paren && isInside(paren->inner)) || (expr.as<Extent>() && !onlySizes);
}

/// The name and the number that are added in `i + 1` or `i - 1`.
static std::pair<StringRef, int64_t> shiftedName(const Expr &expr) {
  auto *sum = expr.bare().as<Binary>();
  bool isSum = sum && (sum->op == BinaryOp::Add || sum->op == BinaryOp::Sub);
  auto *number = isSum ? sum->rhs->as<IntLiteral>() : nullptr;
  if (!number || number->value > INT32_MAX)
    return {nameIn(expr), 0};
  int64_t shift = number->value;
  return {nameIn(*sum->lhs), sum->op == BinaryOp::Add ? shift : -shift};
}

/// Whether one side is an index variable and the other one could be a bound.
bool Parser::addLimit(const Expr &lhs, BinaryOp op, const Expr &rhs, Limits &limits) const {
  bool isStrict = op == BinaryOp::Less || op == BinaryOp::Greater;
  for (bool isSwapped : {false, true}) {
    auto [variable, shift] = shiftedName(isSwapped ? rhs : lhs);
    const Expr &value = isSwapped ? lhs : rhs;
    if (!isIndexName(variable) || !isBound(value, /*onlySizes=*/false))
      continue;
    limits.push_back({variable, &value, isLess(op) != isSwapped, isStrict, shift});
    return true;
  }
  return false;
}

/// Collects what comparisons say about the ends of variables: `i < N`, `0 <= i < N`. Whether the
/// condition says nothing else.
bool Parser::collectLimits(const Expr &condition, Limits &limits) const {
  auto *op = condition.bare().as<Binary>();
  const Expr *operand = negatedIn(condition);
  auto *negated = operand ? operand->bare().as<Binary>() : nullptr;
  if (negated && isOrder(negated->op))
    return addLimit(*negated->lhs, opposite(negated->op), *negated->rhs, limits);
  if (op && op->op == BinaryOp::And) {
    bool isLeftKnown = collectLimits(*op->lhs, limits);
    return collectLimits(*op->rhs, limits) && isLeftKnown;
  }
  if (!op || !isOrder(op->op))
    return false;
  auto *chained = op->lhs->as<Binary>();
  if (!chained || !isOrder(chained->op))
    return addLimit(*op->lhs, op->op, *op->rhs, limits);
  bool isFirstKnown = addLimit(*chained->lhs, chained->op, *chained->rhs, limits);
  return addLimit(*chained->rhs, op->op, *op->rhs, limits) && isFirstKnown;
}

//===- Ranges ---------------------------------------------------------------------------------===//

/// The value of a literal, perhaps with a sign.
static std::optional<int64_t> literalValue(const Expr &expr) {
  if (auto *literal = expr.bare().as<IntLiteral>())
    return literal->value;
  auto *unary = expr.bare().as<Unary>();
  auto *literal = unary && unary->op == UnaryOp::Minus ? unary->operand->as<IntLiteral>() : nullptr;
  return literal ? std::optional(-int64_t(literal->value)) : std::nullopt;
}

/// How far the end of the range is from the value.
static int64_t offsetOf(const Limit &limit) {
  return int64_t(limit.isStrict != limit.isUpper) - limit.shift;
}

/// The text of an expression plus a number.
std::string Parser::sumOf(const Expr &expr, int64_t offset) const {
  if (std::optional<int64_t> value = literalValue(expr))
    return std::to_string(*value + offset);
  auto *difference = expr.as<Binary>();
  if (difference && difference->op == BinaryOp::Sub && offset == 1 &&
      literalValue(*difference->rhs) == 1)
    return program.file->text(difference->lhs->range).str();
  std::string text = program.file->text(expr.range).str();
  if (!offset)
    return text;
  return text + (offset > 0 ? " + " : " - ") + std::to_string(std::abs(offset));
}

/// The range that an earlier constraint gives the variable.
const RangeClause *Parser::rangeOf(StringRef variable) const {
  auto found =
      llvm::find_if(ranges, [&](const RangeClause &range) { return range.name.text == variable; });
  return found == ranges.end() ? nullptr : found;
}

/// The size of a parameter over which the variable probably runs.
StringRef Parser::sizeOfHead(StringRef variable) const {
  for (size_t index = head + 2; index < at && kindAt(index) != Tok::Arrow; ++index)
    if (kindAt(index) == Tok::Identifier && text(tokens[index]).equals_insensitive(variable) &&
        typeWithSize(text(tokens[index])))
      return text(tokens[index]);
  return "N";
}

std::string Parser::rangeText(const VariableLimits &limits) const {
  const RangeClause *given = rangeOf(limits.variable);
  auto end = [&](const Limit *limit, const Expr *other, StringRef usual) {
    return limit   ? sumOf(*limit->value, offsetOf(*limit))
           : other ? program.excerpt(other->range)
                   : usual.str();
  };
  return (limits.variable + " in " + end(limits.lower, given ? given->lower : nullptr, "0") + ":" +
          end(limits.upper, given ? given->upper : nullptr, sizeOfHead(limits.variable)))
      .str();
}

/// Whether the statement gives the variable a range in another constraint.
bool Parser::isConstrained(StringRef variable) const {
  size_t index = at;
  while (index > head && kindAt(index) != Tok::KwWhere)
    --index;
  for (; kindAt(index) != Tok::RBrace && kindAt(index) != Tok::End && !startsStmt(index); ++index)
    if (kindAt(index + 1) == Tok::KwIn && text(tokens[index]) == variable)
      return true;
  return false;
}

/// Whether the limits can only mean a range, and a correct one.
bool Parser::isCertain(const VariableLimits &limits) const {
  if (!limits.lower || !limits.upper || limits.isRepeated)
    return false;
  const Expr &lower = *limits.lower->value, &upper = *limits.upper->value;
  std::optional<int64_t> least = literalValue(lower), most = literalValue(upper);
  return isBound(lower, /*onlySizes=*/true) && isBound(upper, /*onlySizes=*/true) &&
         (!least || !most || *least + offsetOf(*limits.lower) < *most + offsetOf(*limits.upper)) &&
         !isConstrained(limits.variable);
}

static llvm::SmallVector<VariableLimits> byVariable(llvm::ArrayRef<Limit> limits) {
  llvm::SmallVector<VariableLimits> variables;
  for (const Limit &limit : limits) {
    auto known = llvm::find_if(
        variables, [&](const VariableLimits &each) { return each.variable == limit.variable; });
    if (known == variables.end()) {
      variables.push_back({limit.variable});
      known = &variables.back();
    }
    const Limit *&end = limit.isUpper ? known->upper : known->lower;
    known->isRepeated |= end != nullptr;
    end = &limit;
  }
  return variables;
}

/// Where two index variables are compared, as in `j <= i` or `0 <= j < i`.
std::optional<SourceRange> Parser::comparedVariables(const Expr &condition) const {
  auto *op = condition.bare().as<Binary>();
  if (!op || classOf(op->op) == OpClass::Arithmetic)
    return std::nullopt;
  auto *chained = op->lhs->as<Binary>();
  bool isChained = chained && isOrder(chained->op);
  const Expr &left = isChained ? *chained->rhs : *op->lhs;
  if (isIndexName(nameIn(left)) && isIndexName(nameIn(*op->rhs)))
    return left.range.upTo(op->rhs->range);
  std::optional<SourceRange> inside = comparedVariables(*op->lhs);
  return inside ? inside : comparedVariables(*op->rhs);
}

/// Says which ranges, and which guards, the conditions mean.
void Parser::adviseRange(llvm::ArrayRef<const Expr *> conditions, SourceRange range,
                         Report report) const {
  Limits limits;
  bool areLimits = true;
  std::optional<SourceRange> compared;
  for (const Expr *condition : conditions) {
    areLimits &= collectLimits(*condition, limits);
    compared = compared ? compared : comparedVariables(*condition);
  }
  llvm::SmallVector<VariableLimits> variables = byVariable(limits);
  std::string ranges = llvm::join(
      llvm::map_range(variables, [&](const VariableLimits &each) { return rangeText(each); }),
      ", ");
  if (areLimits && llvm::all_of(variables, [&](auto &each) { return isCertain(each); }))
    return void(report.fix(range, ranges));
  if (!variables.empty())
    report.hint("a range has two ends, and the upper one is excluded: `{0}`", ranges);
  if (compared)
    report.hint("bounds depend on sizes only; on the right side, a guard can compare index "
                "variables: `{0} ? ... : 0`",
                program.excerpt(*compared));
  else if (!areLimits)
    report.hint("a condition chooses between values: `condition ? a : b`");
}
