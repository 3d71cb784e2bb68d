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

/// `m $ d` is known where the type says so.
static Constant sizeValue(const Binary &binary) {
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

Constant tessera::ttl::constantValue(const Expr &expr) {
  const Expr &bare = expr.bare();
  if (auto *literal = bare.as<IntLiteral>())
    return literal->value;
  if (auto *unary = bare.as<Unary>())
    return unaryValue(*unary);
  if (auto *binary = bare.as<Binary>())
    return binaryValue(*binary);
  return {};
}
