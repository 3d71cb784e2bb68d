#include "lang/ttl/Constant.h"

using namespace tessera::ttl;

using Constant = std::optional<int64_t>;

Constant tessera::ttl::constantResult(BinaryOp op, int64_t lhs, int64_t rhs) {
  switch (op) {
  case BinaryOp::Mul:
    return lhs * rhs;
  case BinaryOp::Div:
    return rhs == 0 ? Constant() : lhs / rhs;
  case BinaryOp::Add:
    return lhs + rhs;
  case BinaryOp::Sub:
    return lhs - rhs;
  case BinaryOp::Less:
    return lhs < rhs;
  case BinaryOp::Greater:
    return lhs > rhs;
  case BinaryOp::LessEqual:
    return lhs <= rhs;
  case BinaryOp::GreaterEqual:
    return lhs >= rhs;
  case BinaryOp::Equal:
    return lhs == rhs;
  case BinaryOp::NotEqual:
    return lhs != rhs;
  case BinaryOp::And:
    return lhs && rhs;
  case BinaryOp::Or:
    return lhs || rhs;
  case BinaryOp::MatMul:
  case BinaryOp::SizeOf:
  case BinaryOp::Range:
    return {};
  }
  return {};
}

static Constant fitting(Constant value) {
  return value && *value >= INT32_MIN && *value <= INT32_MAX ? value : Constant();
}

static Constant unaryValue(const Unary &unary) {
  Constant operand = constantValue(*unary.operand);
  if (!operand)
    return {};
  return fitting(unary.op == UnaryOp::Minus ? -*operand : !*operand);
}

/// The value of `m $ d`, if the type of `m` determines it. Only for a variable: any other matrix
/// must be computed, because that may print or fail.
static Constant sizeValue(const Binary &binary) {
  if (!binary.lhs->bare().as<Reference>())
    return {};
  const Type &type = binary.lhs->type;
  Constant dim = constantValue(*binary.rhs);
  if (!type.isMatrix() || !dim || *dim < 0 || *dim >= type.rank())
    return {};
  int64_t size = type.sizes[*dim];
  return size == Type::dynamic ? Constant() : size;
}

static Constant binaryValue(const Binary &binary) {
  if (binary.op == BinaryOp::SizeOf)
    return sizeValue(binary);
  Constant lhs = constantValue(*binary.lhs), rhs = constantValue(*binary.rhs);
  return lhs && rhs ? fitting(constantResult(binary.op, *lhs, *rhs)) : Constant();
}

Constant tessera::ttl::computeConstant(const Expr &expr) {
  if (auto *literal = expr.as<IntLiteral>())
    return literal->value;
  if (auto *unary = expr.as<Unary>())
    return unaryValue(*unary);
  if (auto *binary = expr.as<Binary>())
    return binaryValue(*binary);
  return {};
}

Constant tessera::ttl::constantValue(const Expr &expr) {
  return expr.bare().constant;
}

namespace {
struct Interval {
  int64_t lo = INT32_MIN, hi = INT32_MAX;
};
} // namespace

using PossibleInterval = std::optional<Interval>; ///< nullopt if an operation may overflow.

static PossibleInterval intervalOf(const Expr &expr);

/// The interval of the result, given that of the left operand.
static PossibleInterval intervalOfResult(const Binary &binary, PossibleInterval lhs) {
  if (binary.op == BinaryOp::SizeOf)
    return Interval{0, INT32_MAX};
  if (binary.op != BinaryOp::Add && binary.op != BinaryOp::Sub && binary.op != BinaryOp::Mul)
    return Interval{};
  PossibleInterval rhs = intervalOf(*binary.rhs);
  if (!lhs || !rhs)
    return std::nullopt;
  Interval result{INT64_MAX, INT64_MIN};
  for (int64_t left : {lhs->lo, lhs->hi})
    for (int64_t right : {rhs->lo, rhs->hi}) {
      int64_t corner = *constantResult(binary.op, left, right);
      result = {std::min(result.lo, corner), std::max(result.hi, corner)};
    }
  return fitting(result.lo) && fitting(result.hi) ? PossibleInterval(result) : std::nullopt;
}

static PossibleInterval intervalOf(const Expr &expr) {
  if (Constant value = constantValue(expr))
    return Interval{*value, *value};
  PossibleInterval current = Interval{};
  for (const Expr *link : chainOf(expr)) {
    auto *binary = link->as<Binary>();
    if (Constant value = constantValue(*binary->lhs))
      current = Interval{*value, *value};
    current = intervalOfResult(*binary, current);
  }
  return current;
}

bool tessera::ttl::mayOverflow(const Expr &expr) {
  return !intervalOf(expr);
}
