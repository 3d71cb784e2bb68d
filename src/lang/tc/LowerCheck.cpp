/// Run-time checks: what sizes must satisfy and, with --checked, what depends on data. Checks that
/// are not comparisons of sizes have loops of their own, so that those of a statement do not
/// change.
#include "lang/tc/Lower.h"
#include "lang/tc/Promote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

namespace {

/// Follows the evaluation of an expression: what a guard prevents is not checked.
class Checks {
public:
  Checks(FrameLowering::Function &function, const Frame &frame, BodyLowering &body, bool isOfSizes)
      : function(function), frame(frame), body(body), isOfSizes(isOfSizes),
        reads(isOfSizes ? frame.tried : frame.unproved) {}

  /// Whether there is anything to check.
  bool areNeeded(const Comprehension &statement) {
    return isNeeded(*statement.value) || mayBeCut(*statement.value);
  }

  void check(const Comprehension &statement) {
    check(*statement.value);
    if (mayBeCut(*statement.value))
      checkCut(statement);
  }

  /// Whether a check depends on the variable: if not, checking one of its values suffices.
  bool dependOn(const Variable &variable, const Comprehension &statement) {
    const Expr &value = *statement.value;
    return dependOn(variable, value) || (mayBeCut(value) && mentionsVariable(value, variable));
  }

private:
  /// Called at every level of an expression, so the answers are cached.
  bool isNeeded(const Expr &expr) {
    auto known = needed.find(&expr);
    if (known != needed.end())
      return known->second;
    auto *apply = expr.as<Apply>();
    auto *binary = expr.as<Binary>();
    const LetClause *let = letOf(expr);
    bool result =
        (apply && reads.contains(apply)) || (binary && isChecked(*binary)) ||
        (let && isNeeded(*let->value)) ||
        llvm::any_of(childrenOf(expr), [&](const Expr *child) { return isNeeded(*child); });
    return needed[&expr] = result;
  }

  void check(const Expr &expr) {
    if (!isNeeded(expr))
      return;
    if (auto *apply = expr.as<Apply>())
      return checkApply(*apply, expr);
    if (auto *binary = expr.as<Binary>())
      return checkBinary(*binary, expr);
    if (auto *conditional = expr.as<Conditional>())
      return checkConditional(*conditional);
    if (const LetClause *let = letOf(expr))
      return checkLet(*let);
    for (const Expr *child : childrenOf(expr))
      check(*child);
  }

  bool dependOn(const Variable &variable, const Expr &expr) {
    if (!isNeeded(expr))
      return false;
    if (const LetClause *let = letOf(expr))
      return dependOn(variable, *let->value);
    if (llvm::any_of(decidersOf(expr),
                     [&](const Expr *it) { return mentionsVariable(*it, variable); }))
      return true;
    return llvm::any_of(childrenOf(expr),
                        [&](const Expr *child) { return dependOn(variable, *child); });
  }

  /// Whether a value of sizes and index variables, computed in 64 bits, is stored as an int32,
  /// which may not have room for it.
  bool mayBeCut(const Expr &value) const {
    if (isOfSizes || value.type != Scalar::I32 || !value.isWide() || body.fitsInt32(value))
      return false;
    return !visitUntil(value, [](const Expr &expr) {
      auto *reference = expr.as<Reference>();
      auto *apply = expr.as<Apply>();
      return (reference && reference->tensor) || (apply && apply->tensor);
    });
  }

  void checkCut(const Comprehension &statement) {
    OpBuilder &b = body.builder;
    Location loc = locationOf(statement.value->range);
    Value value = body.lowerIndex(*statement.value);
    Value least = core::constantIndex(b, loc, INT32_MIN),
          most = core::constantIndex(b, loc, INT32_MAX);
    Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value, least);
    Value above = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, value, most);
    std::string message =
        llvm::formatv("{{0} does not fit `int32`, the type of `{0}`", statement.target.text);
    core::trapIf(b, function.sites, arith::OrIOp::create(b, loc, below, above),
                 {loc, message, "tc.checked.3"}, value);
  }

  /// Whether a check depends on the condition. If none does, the condition is not evaluated: it may
  /// read what is not computed yet.
  bool decides(const Conditional &conditional) {
    return isNeeded(*conditional.ifTrue) || isNeeded(*conditional.ifFalse);
  }

  /// The expressions that determine whether `expr` and its operands are checked, and whether a
  /// check fails.
  SmallVector<const Expr *> decidersOf(const Expr &expr) {
    if (auto *conditional = expr.as<Conditional>(); conditional && decides(*conditional))
      return {conditional->condition};
    if (auto *binary = expr.as<Binary>(); binary && classOf(binary->op) == OpClass::Logic)
      return {binary->lhs};
    if (auto *binary = expr.as<Binary>(); binary && isChecked(*binary))
      return {binary->rhs};
    auto *apply = expr.as<Apply>();
    if (!apply || !reads.contains(apply))
      return {};
    return SmallVector<const Expr *>(apply->arguments);
  }

  void checkLet(const LetClause &let) {
    if (checkedLets.count(&let))
      return;
    check(*let.value);
    checkedLets.insert(&let, true);
  }

  static const LetClause *letOf(const Expr &expr) {
    auto *reference = expr.as<Reference>();
    return reference ? reference->let : nullptr;
  }

  bool isChecked(const Binary &binary) const {
    bool isDivision = binary.op == BinaryOp::Div || binary.op == BinaryOp::Mod;
    auto *literal = binary.rhs->bare().as<IntLiteral>();
    return !isOfSizes && isDivision && !isFloat(*binary.rhs->type) && !(literal && literal->value);
  }

  Location locationOf(SourceRange range) {
    return tc::locationOf(function.program, range, *body.builder.getContext());
  }

  void checkApply(const Apply &apply, const Expr &self) {
    for (const Expr *argument : apply.arguments)
      check(*argument);
    auto read = reads.find(&apply);
    if (read == reads.end())
      return;
    for (unsigned dimension : read->second)
      checkIndex(apply, dimension);
  }

  void checkIndex(const Apply &read, unsigned dimension) {
    OpBuilder &b = body.builder;
    Location loc = locationOf(read.arguments[dimension]->range);
    const tc::Range &range = frame.tensors.find(read.tensor)->second[dimension];
    Value index = body.lowerIndex(*read.arguments[dimension]);
    Value lower = function.sizes.value(range.lower), upper = function.sizes.value(range.upper);
    // In 64 bits, the largest numbers of a uint64 are negative.
    bool isUnsigned = read.arguments[dimension]->type == Scalar::U64;
    Value zero = core::constantIndex(b, loc, 0);
    Value least = isUnsigned ? arith::MaxSIOp::create(b, loc, lower, zero) : lower;
    Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, least);
    Value above = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, index, upper);
    Value fails = arith::OrIOp::create(b, loc, below, above);
    std::string message =
        llvm::formatv("index {0} is outside dimension {1} of `{2}`, which has the range {{1}:{{2}",
                      isUnsigned ? "{0u}" : "{0}", dimension, read.callee.text);
    Value values[] = {index, lower, upper};
    if (isOfSizes)
      core::rejectIf(b, function.sites, fails,
                     {loc, "these sizes do not fit: " + message, "tc.error.18"}, values);
    else
      core::trapIf(b, function.sites, fails, {loc, message, "tc.checked.1"}, values);
  }

  void checkBinary(const Binary &binary, const Expr &self) {
    check(*binary.lhs);
    if (classOf(binary.op) == OpClass::Logic && isNeeded(*binary.rhs)) {
      Value lhs = body.lower(*binary.lhs);
      bool isAnd = binary.op == BinaryOp::And;
      return branch(lhs, isAnd ? binary.rhs : nullptr, isAnd ? nullptr : binary.rhs, self);
    }
    check(*binary.rhs);
    if (!isChecked(binary))
      return;
    OpBuilder &b = body.builder;
    Location loc = locationOf(binary.rhs->range);
    bool isWide = computedIn(self) != *self.type;
    Value divisor = isWide ? body.lowerIndex(*binary.rhs) : body.lower(*binary.rhs);
    Value fails = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, divisor,
                                        core::zero(b, loc, divisor.getType()));
    core::trapIf(b, function.sites, fails, {loc, "division by zero", "tc.checked.2"}, {});
  }

  void checkConditional(const Conditional &conditional) {
    check(*conditional.condition);
    if (!decides(conditional))
      return;
    Value condition = body.lower(*conditional.condition);
    for (const LetClause *let : sharedLets(*conditional.ifTrue, *conditional.ifFalse))
      checkLet(*let);
    branch(condition, conditional.ifTrue, conditional.ifFalse, *conditional.condition);
  }

  void branch(Value condition, const Expr *ifTrue, const Expr *ifFalse, const Expr &at) {
    OpBuilder &b = body.builder;
    auto op = scf::IfOp::create(b, locationOf(at.range), condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    auto fill = [&](Block *block, const Expr *arm) {
      if (!arm)
        return;
      b.setInsertionPoint(block->getTerminator());
      BodyLowering::LetScope lowered(body.letTable());
      Checked::ScopeTy scope(checkedLets);
      check(*arm);
    };
    fill(op.thenBlock(), ifTrue);
    fill(op.elseBlock(), ifFalse);
  }

  FrameLowering::Function &function;
  const Frame &frame;
  BodyLowering &body;
  bool isOfSizes; ///< Only checks that do not depend on data.
  const DenseMap<const Apply *, SmallVector<unsigned, 2>> &reads;
  DenseMap<const Expr *, bool> needed;
  /// In this block or one around it.
  using Checked = llvm::ScopedHashTable<const LetClause *, bool>;
  Checked checkedLets;
  Checked::ScopeTy outermost{checkedLets};
};

} // namespace

/// Bounds are evaluated before anything is computed, in 64 bits whatever their types.
void FrameLowering::checkBounds() {
  for (const Stmt *stmt : frame.def->body)
    if (auto *statement = std::get_if<Comprehension>(&stmt->node))
      for (const Clause &clause : statement->where)
        if (auto *range = clause.as<RangeClause>()) {
          checkDivisors(*range->lower);
          checkDivisors(*range->upper);
        }
}

void FrameLowering::checkDivisors(const Expr &bound) {
  if (auto *reference = bound.as<Reference>(); reference && reference->let)
    checkDivisors(*reference->let->value);
  for (const Expr *child : childrenOf(bound))
    checkDivisors(*child);
  auto *binary = bound.as<Binary>();
  if (!binary || (binary->op != BinaryOp::Div && binary->op != BinaryOp::Mod))
    return;
  Size divisor = sizeOf(*binary->rhs, frame, function.inferred);
  if (!divisor || divisor.constant().value_or(0) != 0)
    return;
  OpBuilder &b = function.builder;
  Location loc = locationOf(binary->rhs->range);
  Value fails =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, function.sizes.value(divisor),
                            core::constantIndex(b, loc, 0));
  core::trapIf(b, function.sites, fails, {loc, "division by zero", "tc.checked.2"}, {});
}

void FrameLowering::checkPreconditions() {
  OpBuilder &b = function.builder;
  for (const Precondition &condition : frame.preconditions) {
    if (!condition.smaller)
      continue;
    Location loc = locationOf(condition.where);
    Value smaller = function.sizes.value(condition.smaller);
    Value larger = function.sizes.value(condition.larger);
    auto predicate = condition.isEquality ? arith::CmpIPredicate::ne : arith::CmpIPredicate::sgt;
    Value fails = arith::CmpIOp::create(b, loc, predicate, smaller, larger);
    std::string message = "these sizes do not fit: " + condition.text +
                          " does not hold, because {0} " +
                          (condition.isEquality ? "is not {1}" : "is greater than {1}");
    core::rejectIf(b, function.sites, fails, {loc, message, "tc.error.18"}, {smaller, larger});
  }
  for (const Stmt *stmt : frame.def->body)
    if (auto *statement = std::get_if<Comprehension>(&stmt->node))
      checkPoints(*statement, /*isOfSizes=*/true, locationOf(stmt->range));
}

void FrameLowering::checkPoints(const Comprehension &statement, bool isOfSizes, Location loc) {
  OpBuilder &b = function.builder;
  const Shape &variables = frame.variables.find(&statement)->second;
  BodyLowering body(*this, variables, b);
  Checks checks(function, frame, body, isOfSizes);
  if (!checks.areNeeded(statement))
    return;
  OpBuilder::InsertionGuard guard(b);
  Value zero = core::constantIndex(b, loc, 0), one = core::constantIndex(b, loc, 1);
  for (auto [number, range] : llvm::enumerate(variables)) {
    SizeContext &sizes = function.inferred.sizes;
    bool isLooped = checks.dependOn(*statement.variables[number], statement);
    Size extent = extentOf(range);
    Size points = isLooped ? extent : sizes.min(extent, sizes.constant(1));
    auto loop = scf::ForOp::create(b, loc, zero, function.sizes.value(points), one);
    body.counters[number] = loop.getInductionVar();
    b.setInsertionPointToStart(loop.getBody());
  }
  body.builder = b;
  checks.check(statement);
}
