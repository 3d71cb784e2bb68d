#include "lang/tc/Reads.h"

using namespace tessera;
using namespace tessera::tc;

/// A let clause counts once for every combination of guards it is used under, but no more often
/// than this in a statement.
static constexpr size_t maxLetUses = 500;

Reads::Reads(const Comprehension &statement) {
  visit(*statement.value, nullptr);
  visitLets();
  happens = false;
  for (const Clause &clause : statement.where)
    if (auto *exists = clause.as<ExistsClause>())
      visit(*exists->value, nullptr);
  visitLets();
}

void Reads::visit(const Expr &expr, const Guard *guard) {
  if (auto *paren = expr.as<Paren>())
    visit(*paren->inner, guard);
  else if (auto *cast = expr.as<Cast>())
    visit(*cast->operand, guard);
  else if (auto *unary = expr.as<Unary>())
    visit(*unary->operand, guard);
  else if (auto *apply = expr.as<Apply>())
    visit(*apply, expr, guard);
  else if (auto *binary = expr.as<Binary>())
    visit(*binary, guard);
  else if (auto *conditional = expr.as<Conditional>()) {
    visit(*conditional->condition, guard);
    visit(*conditional->ifTrue, inside(guard, *conditional->condition, true));
    visit(*conditional->ifFalse, inside(guard, *conditional->condition, false));
  } else if (auto *reference = expr.as<Reference>(); reference && reference->let)
    useLet(*reference->let, guard);
}

void Reads::visit(const Apply &apply, const Expr &self, const Guard *guard) {
  for (const Expr *argument : apply.arguments)
    visit(*argument, guard);
  if (apply.tensor && !apply.arguments.empty())
    reads.push_back({&apply, self.range, guard, happens, hasAllGuards});
}

/// `&&` and `||` evaluate their right side only if it matters [tc.expr.9].
void Reads::visit(const Binary &binary, const Guard *guard) {
  visit(*binary.lhs, guard);
  if (classOf(binary.op) == OpClass::Logic)
    guard = inside(guard, *binary.lhs, binary.op == BinaryOp::And);
  visit(*binary.rhs, guard);
}

/// Every use of the name evaluates the expression. Beyond the limit, its reads are assumed to
/// happen always, which is safe, but may be unprovable.
void Reads::useLet(const LetClause &let, const Guard *guard) {
  bool isBeyond = seen.size() >= maxLetUses;
  if (seen.insert({&let, isBeyond ? nullptr : guard}).second)
    waiting.push_back({&let, isBeyond ? nullptr : guard, hasAllGuards && !(isBeyond && guard)});
}

/// Uses a worklist, because chains of let clauses may be too long for recursion.
void Reads::visitLets() {
  while (!waiting.empty()) {
    Use use = waiting.back();
    waiting.pop_back();
    hasAllGuards = use.hasAllGuards;
    visit(*use.let->value, use.guard);
  }
  hasAllGuards = true;
}

const Guard *Reads::inside(const Guard *outer, const Expr &condition, bool value) {
  const Guard *&guard = known[{outer, &condition, value}];
  if (!guard)
    guard = &guards.emplace_back(Guard{outer, &condition, value});
  return guard;
}
