#include "lang/tc/Forms.h"

using namespace tessera;
using namespace tessera::tc;

/// More case distinctions than this are not worth their cost.
static constexpr size_t maxAlternatives = 16;

Condition tc::both(const Condition &a, const Condition &b) {
  Condition result{{}, a.isExact && b.isExact};
  if (a.alternatives.size() * b.alternatives.size() > maxAlternatives)
    return {a.alternatives, false};
  for (const Facts &left : a.alternatives)
    for (const Facts &right : b.alternatives) {
      result.alternatives.push_back(left);
      result.alternatives.back().append(right);
    }
  return result;
}

Condition tc::either(const Condition &a, const Condition &b) {
  Condition result{a.alternatives, a.isExact && b.isExact};
  result.alternatives.append(b.alternatives.begin(), b.alternatives.end());
  return result.alternatives.size() > maxAlternatives ? Condition::unknown() : result;
}

Condition Forms::condition(const Expr &expr, bool value) {
  const Expr &bare = expr.bare();
  if (auto *reference = bare.as<Reference>(); reference && reference->let)
    return conditionOf(*reference->let, value);
  if (auto *unary = bare.as<Unary>(); unary && unary->op == UnaryOp::Not)
    return condition(*unary->operand, !value);
  auto *binary = bare.as<Binary>();
  if (!binary || classOf(binary->op) == OpClass::Arithmetic)
    return Condition::unknown();
  if (classOf(binary->op) == OpClass::Comparison)
    return compare(*binary, value);
  Condition lhs = condition(*binary->lhs, value), rhs = condition(*binary->rhs, value);
  return (binary->op == BinaryOp::And) == value ? both(lhs, rhs) : either(lhs, rhs);
}

/// Computed once per clause, because clauses may refer to each other many times.
Condition Forms::conditionOf(const LetClause &let, bool value) {
  auto known = letConditions.find(&let);
  if (known == letConditions.end())
    known =
        letConditions.try_emplace(&let, condition(*let.value, true), condition(*let.value, false))
            .first;
  return value ? known->second.first : known->second.second;
}

/// The comparison that holds where another does not.
static BinaryOp opposite(BinaryOp op) {
  switch (op) {
  case BinaryOp::Less:
    return BinaryOp::GreaterEqual;
  case BinaryOp::Greater:
    return BinaryOp::LessEqual;
  case BinaryOp::LessEqual:
    return BinaryOp::Greater;
  case BinaryOp::GreaterEqual:
    return BinaryOp::Less;
  case BinaryOp::Equal:
    return BinaryOp::NotEqual;
  default:
    return BinaryOp::Equal;
  }
}

Condition Forms::compare(const Binary &binary, bool value) {
  if (!isIntegral(binary.lhs->type) || !isIntegral(binary.rhs->type))
    return Condition::unknown();
  Size a = of(*binary.lhs), b = of(*binary.rhs), one = sizes.constant(1);
  Size up = sizes.sub(b, a), down = sizes.sub(a, b);
  if (!up || !down)
    return Condition::unknown();
  switch (value ? binary.op : opposite(binary.op)) {
  case BinaryOp::Less:
    return {{Facts{sizes.sub(up, one)}}};
  case BinaryOp::Greater:
    return {{Facts{sizes.sub(down, one)}}};
  case BinaryOp::LessEqual:
    return {{Facts{up}}};
  case BinaryOp::GreaterEqual:
    return {{Facts{down}}};
  case BinaryOp::Equal:
    return {{Facts{up, down}}};
  default:
    return {{Facts{sizes.sub(up, one)}, Facts{sizes.sub(down, one)}}};
  }
}
