#include "lang/ttl/Check.h"
#include "lang/ttl/Constant.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

Type Checker::check(Unary &unary, Expr &self) {
  Type type = checkValue(*unary.operand);
  if (type.isInvalid())
    return {};
  if (unary.op == UnaryOp::Minus) {
    if (!type.isScalar()) {
      Report report = fail(self.range, diag::MinusOperand, type.str());
      if (type.isMatrix())
        report.hint("`{0} - m` negates every element", type.element == Type::Float ? "0.0" : "0");
      return {};
    }
    if (constantValue(*unary.operand) == INT32_MIN)
      failIfRun(self.range, diag::ConstantOverflow, program.excerpt(self.range));
    return type;
  }
  if (type.kind != Type::Int) {
    fail(unary.operand->range, diag::LogicOperand, "!", type.str());
    return {};
  }
  if (auto *operand = unary.operand->as<Binary>();
      operand && classOf(operand->op) == OpClass::Comparison)
    fail(self.range, diag::NotOfComparison)
        .hint("write `!({0})` or `(!...)`", program.file->text(unary.operand->range));
  return intType;
}

Type Checker::check(Binary &binary, Expr &self) {
  switch (classOf(binary.op)) {
  case OpClass::MatMul:
    return checkMatMul(binary, self);
  case OpClass::SizeOf:
    return checkSizeOf(binary, self);
  case OpClass::Arithmetic:
    return checkArithmetic(binary, self);
  case OpClass::Comparison:
    return checkComparison(binary, self);
  case OpClass::Logic:
    return checkLogic(binary, self);
  case OpClass::Range:
    return checkRange(binary, self);
  }
  return {};
}

/// `a # b` multiplies an NxK by a KxM matrix.
Type Checker::checkMatMul(Binary &op, Expr &self) {
  Type lhs = checkValue(*op.lhs), rhs = checkValue(*op.rhs);
  if (lhs.isInvalid() || rhs.isInvalid())
    return {};
  for (auto [type, operand] : {std::pair{&lhs, op.lhs}, {&rhs, op.rhs}})
    if (!type->isMatrix() || type->rank() != 2) {
      Report report = fail(operand->range,
                           type->isMatrix() ? diag::MatMulRank : diag::MatMulOperand, type->str());
      if (type->isMatrix() && type->rank() == 1)
        report.hint("a vector is a matrix with sizes `[n, 1]` or `[1, n]`");
      return {};
    }
  if (lhs.element != rhs.element) {
    fail(self.range, diag::MatMulElements, Type::of(lhs.element).str(), Type::of(rhs.element).str())
        .label(op.lhs->range, "`{0}`", lhs.str())
        .label(op.rhs->range, "`{0}`", rhs.str());
    return {};
  }
  int64_t left = lhs.sizes[1], right = rhs.sizes[0];
  if (left != Type::dynamic && right != Type::dynamic && left != right) {
    fail(self.range, diag::InnerSizesDiffer, left, right)
        .label(op.lhs->range, "{0}", counted(left, "column", "columns"))
        .label(op.rhs->range, "{0}", counted(right, "row", "rows"));
    return {};
  }
  checkInnerSizes(op, self);
  return Type::matrix(lhs.element, keepSizes({lhs.sizes[0], rhs.sizes[1]}));
}

Type Checker::checkSizeOf(Binary &op, Expr &self) {
  sizedOnly = &op.lhs->bare(); // Its elements are not read.
  Type matrix = checkValue(*op.lhs), dim = checkValue(*op.rhs);
  if (!matrix.isInvalid() && !matrix.isMatrix())
    fail(op.lhs->range, diag::SizeOfScalar, matrix.str());
  if (!dim.isInvalid() && dim.kind != Type::Int)
    fail(op.rhs->range, diag::DimensionNotInt, dim.str());
  auto value = constantValue(*op.rhs);
  if (matrix.isMatrix() && value && (*value < 0 || *value >= matrix.rank()))
    failIfRun(op.rhs->range, diag::NoSuchDimension, *value,
              counted(matrix.rank(), "dimension", "dimensions"))
        .label(op.lhs->range, "`{0}`", matrix.str())
        .label(op.rhs->range, "dimension {0}", *value);
  return intType;
}

Type Checker::checkArithmetic(Binary &op, Expr &self) {
  StringRef sign = spelling(op.op);
  Type lhs = checkValue(*op.lhs), rhs = checkValue(*op.rhs);
  for (auto [type, operand] : {std::pair{&lhs, op.lhs}, {&rhs, op.rhs}})
    if (type->kind == Type::Range) {
      fail(operand->range, diag::NoOperand, sign, type->str());
      return {};
    }
  if (lhs.isInvalid() || rhs.isInvalid())
    return {};
  if (lhs.isMatrix() && rhs.isMatrix())
    return checkElementwise(op, self);
  if (lhs.elementKind() != rhs.elementKind()) {
    bool areScalars = lhs.isScalar() && rhs.isScalar();
    Report report =
        areScalars ? fail(self.range, diag::ScalarsDiffer, sign, lhs.str(), rhs.str())
                   : fail(self.range, diag::BroadcastDiffers, sign,
                          Type::of(lhs.elementKind()).str(), Type::of(rhs.elementKind()).str());
    report.label(op.lhs->range, "`{0}`", lhs.str()).label(op.rhs->range, "`{0}`", rhs.str());
    suggestFloat(report, floatType, lhs.kind == Type::Int ? *op.lhs : *op.rhs);
    return {};
  }
  checkConstant(op, self);
  const Expr &result = lhs.isMatrix() ? *op.lhs : *op.rhs;
  if (Type exact = exactType(result); exact != result.type)
    noteSizes(self, exact.sizes);
  return result.type;
}

/// Dynamic sizes are compared at run time; static ones must agree here, and the result has them.
Type Checker::checkElementwise(Binary &op, Expr &self) {
  const Type &lhs = op.lhs->type, &rhs = op.rhs->type;
  StringRef sign = spelling(op.op);
  if (lhs.element != rhs.element) {
    fail(self.range, diag::MatrixElementsDiffer, sign, Type::of(lhs.element).str(),
         Type::of(rhs.element).str())
        .label(op.lhs->range, "`{0}`", lhs.str())
        .label(op.rhs->range, "`{0}`", rhs.str());
    return {};
  }
  llvm::SmallVector<int64_t> sizes;
  bool agree = lhs.rank() == rhs.rank();
  for (auto [left, right] : llvm::zip(lhs.sizes, rhs.sizes)) {
    sizes.push_back(left == Type::dynamic ? right : left);
    agree &= left == Type::dynamic || right == Type::dynamic || left == right;
  }
  if (!agree) {
    fail(self.range, diag::ShapesDiffer, sign, lhs.str(), rhs.str())
        .label(op.lhs->range, "`{0}`", lhs.str())
        .label(op.rhs->range, "`{0}`", rhs.str());
    return {};
  }
  if (options.pedantic && lhs != rhs)
    fail(self.range, diag::PedanticMismatch, lhs.str(), rhs.str());
  checkElementwiseSizes(op, self);
  return Type::matrix(lhs.element, keepSizes(sizes));
}

/// Reports overflow and division by zero in operations on literals [ttl.checked.9, ttl.checked.10].
void Checker::checkConstant(Binary &op, const Expr &self) {
  auto rhs = constantValue(*op.rhs), lhs = constantValue(*op.lhs);
  if (op.op == BinaryOp::Div && rhs == 0) {
    failIfRun(op.rhs->range, diag::ConstantDivisionByZero);
    return;
  }
  if (!lhs || !rhs)
    return;
  auto value = constantResult(op.op, *lhs, *rhs);
  if (value && (*value < INT32_MIN || *value > INT32_MAX))
    failIfRun(self.range, diag::ConstantOverflow, program.excerpt(self.range));
}

Type Checker::checkComparison(Binary &op, Expr &self) {
  StringRef sign = spelling(op.op);
  Type lhs = checkValue(*op.lhs), rhs = checkValue(*op.rhs);
  if (auto *inner = op.lhs->as<Binary>(); inner && classOf(inner->op) == OpClass::Comparison)
    fail(self.range, diag::ChainedComparison, sign)
        .hint("write `(... {0} ...) & (... {1} ...)`, or add parentheses", spelling(inner->op),
              sign);
  if (lhs.isInvalid() || rhs.isInvalid())
    return intType;
  for (auto [type, operand] : {std::pair{&lhs, op.lhs}, {&rhs, op.rhs}})
    if (!type->isScalar()) {
      fail(operand->range, diag::ComparisonOperand, sign, type->str());
      return intType;
    }
  if (lhs != rhs) {
    Report report = fail(self.range, diag::ComparisonDiffers, sign, lhs.str(), rhs.str())
                        .label(op.lhs->range, "`{0}`", lhs.str())
                        .label(op.rhs->range, "`{0}`", rhs.str());
    suggestFloat(report, floatType, lhs.kind == Type::Int ? *op.lhs : *op.rhs);
  }
  return intType;
}

Type Checker::checkLogic(Binary &op, Expr &self) {
  for (Expr *operand : {op.lhs, op.rhs}) {
    Type type = checkValue(*operand);
    if (!type.isInvalid() && type.kind != Type::Int)
      fail(operand->range, diag::LogicOperand, spelling(op.op), type.str());
  }
  return intType;
}

Type Checker::checkRange(Binary &op, Expr &) {
  for (Expr *bound : {op.lhs, op.rhs}) {
    Type type = checkValue(*bound);
    if (type.kind == Type::Range)
      fail(bound->range, diag::RangeOfRange);
    else if (!type.isInvalid() && type.kind != Type::Int)
      fail(bound->range, diag::BoundNotInt, type.str());
  }
  return Type::of(Type::Range);
}
