#include "lang/ttl/Check.h"
#include "lang/ttl/Constant.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

static const Type intType = Type::of(Type::Int), floatType = Type::of(Type::Float);

Type Checker::check(Expr &expr) {
  if (&expr == checkedLeft)
    return expr.type;
  if (!expr.as<Binary>())
    return checkNode(expr);
  for (Expr *link : chainOf(expr)) {
    checkNode(*link);
    checkedLeft = link; // The next one asks for it.
  }
  return expr.type;
}

Type Checker::checkNode(Expr &expr) {
  expr.type = std::visit([&](auto &node) { return check(node, expr); }, expr.node);
  if (auto value = computeConstant(expr))
    expr.constant = *value;
  return expr.type;
}

Type Checker::checkValue(Expr &expr) {
  Type type = check(expr);
  if (type.kind != Type::Void)
    return type;
  fail(expr.range, diag::VoidAsValue, expr.bare().as<Call>()->callee.text);
  return {};
}

Type Checker::check(IntLiteral &, Expr &) {
  return intType;
}
Type Checker::check(FloatLiteral &, Expr &) {
  return floatType;
}
Type Checker::check(Paren &paren, Expr &) {
  return check(*paren.inner);
}

Type Checker::check(Reference &reference, Expr &self) {
  reference.variable = lookUp(reference.name);
  if (!reference.variable) {
    reportUnknown({reference.name, self.range}, diag::UnknownVariable);
    return {};
  }
  if (&self != sizedOnly)
    noteRead(*reference.variable, self);
  reference.variable->isRead = true;
  return reference.variable->type;
}

/// A matrix that nothing can have written yet. In a loop an earlier iteration may have.
void Checker::noteRead(Variable &variable, const Expr &where) {
  variable.isRead = true;
  if (variable.mayBeWritten || variable.loopDepth != openLoops.size())
    return;
  bool fails = options.checked && isCertain && &where != copiedOnly;
  fail(where.range, fails ? diag::UnwrittenRead : diag::ReadBeforeWrite, variable.name.text)
      .note(variable.name.range, "it is defined here, without an initialiser");
  variable.mayBeWritten = true; // Once is enough.
}

Type Checker::check(List &list, Expr &self) {
  Type first;
  for (Expr *element : list.elements) {
    Type type = checkValue(*element);
    if (type.isInvalid())
      return {};
    if (!type.isScalar()) {
      Report report = fail(element->range, diag::ListElement, type.str());
      if (element->bare().as<List>())
        report.hint("one list fills a matrix of any rank, row by row: `[1, 2, 3, 4]`");
      return {};
    }
    if (first.isInvalid())
      first = type;
    if (type != first) {
      fail(element->range, diag::MixedList)
          .label(list.elements.front()->range, "`{0}`", first.str())
          .label(element->range, "`{0}`", type.str());
      return {};
    }
  }
  if (list.elements.empty())
    return {};
  return Type::matrix(first.kind, keepSizes({int64_t(list.elements.size())}));
}

Type Checker::check(Call &call, Expr &self) {
  for (Expr *argument : call.arguments) {
    copiedOnly = &argument->bare();
    if (checkValue(*argument).kind == Type::Range)
      fail(argument->range, diag::MisplacedRange, "an argument");
  }
  call.function = functions.lookup(call.callee.text);
  if (call.function) {
    checkArguments(call, self);
    return call.function->returnType;
  }
  StringRef name = call.callee.text;
  auto defined =
      llvm::find_if(program.functions, [&](Function *f) { return f->name.text == name; });
  if (defined != program.functions.end())
    fail(call.callee.range, diag::CallBeforeDefinition, name)
        .note((*defined)->name.range, "it is defined here; move it in front of the caller");
  else if (Variable *variable = lookUp(name))
    fail(call.callee.range, diag::NotCallable, name)
        .note(variable->name.range, "it is defined here");
  else if (name == "print")
    fail(self.range, diag::PrintAsValue);
  else if (!program.hasSyntaxErrors) {
    Report report = fail(call.callee.range, diag::UnknownFunction, name);
    std::vector<StringRef> names{"print"};
    for (auto &entry : functions)
      names.push_back(entry.first());
    if (StringRef near = nearestName(name, names); !near.empty())
      report.hint("did you mean `{0}`?", near).fix(call.callee.range, near);
  }
  return {};
}

void Checker::checkArguments(const Call &call, const Expr &self) {
  const Function &function = *call.function;
  size_t expected = function.parameters.size(), given = call.arguments.size();
  if (expected != given)
    fail(self.range, diag::ArgumentCount, function.name.text,
         counted(expected, "argument", "arguments"), counted(given, "is", "are"))
        .note(function.name.range, "`{0}` is defined here", function.name.text);
  for (auto [parameter, argument] : llvm::zip(function.parameters, call.arguments)) {
    const Type &type = argument->type;
    if (type.isInvalid() || parameter.type.isInvalid() || type.kind == Type::Range ||
        type.kind == Type::Void || matches(parameter.type, type))
      continue;
    bool sizesOnly = type.isMatrix() && parameter.type.isMatrix() &&
                     type.element == parameter.type.element && type.rank() == parameter.type.rank();
    if (onlyPedantic(parameter.type, type)) {
      fail(argument->range, diag::PedanticMismatch, parameter.type.str(), type.str());
      continue;
    }
    suggestFloat(fail(argument->range,
                      sizesOnly ? diag::ArgumentSizeDiffers : diag::ArgumentDiffers,
                      parameter.name.text, function.name.text, parameter.type.str(), type.str())
                     .note(parameter.name.range, "the parameter is here"),
                 parameter.type, *argument);
  }
}

Type Checker::check(Slice &slice, Expr &self) {
  if (llvm::any_of(slice.indices, [](const Expr *index) { return rangeOf(*index); }))
    copiedOnly = &slice.base->bare();
  Type base = checkValue(*slice.base);
  llvm::SmallVector<int64_t> sizes;
  bool isElement = true;
  for (Expr *index : slice.indices) {
    Type type = checkValue(*index);
    if (!type.isInvalid() && type.kind != Type::Int && type.kind != Type::Range)
      fail(index->range, diag::SliceIndexType, type.str());
    isElement &= type.kind != Type::Range;
    sizes.push_back(type.kind == Type::Range ? Type::dynamic : 1);
  }
  if (base.isInvalid())
    return {};
  if (!base.isMatrix()) {
    fail(slice.base->range, diag::SliceOfScalar, base.str());
    return {};
  }
  if (base.rank() != int64_t(slice.indices.size())) {
    fail(self.range, diag::SliceIndexCount, counted(base.rank(), "dimension", "dimensions"),
         counted(slice.indices.size(), "index is", "indices are"))
        .label(slice.base->range, "`{0}`", base.str());
    return {};
  }
  checkSliceBounds(slice, base);
  return isElement ? Type::of(base.element) : Type::matrix(base.element, keepSizes(sizes));
}

/// What constants show to be outside [ttl.slice.9].
void Checker::checkSliceBounds(const Slice &slice, const Type &base) {
  for (auto [dim, index] : llvm::enumerate(slice.indices)) {
    int64_t size = base.sizes[dim];
    if (index->type.kind == Type::Int) {
      auto value = constantValue(*index);
      if (value && size != Type::dynamic && (*value < 0 || *value >= size))
        failIfRun(index->range, diag::SliceOutOfBounds, *value, dim, size);
      else if (value && *value < 0)
        failIfRun(index->range, diag::NegativeSliceIndex, *value);
      continue;
    }
    auto *range = index->bare().as<Binary>();
    if (index->type.kind != Type::Range || !range)
      continue;
    auto begin = constantValue(*range->lhs), end = constantValue(*range->rhs);
    if (begin && end && *end < *begin)
      failIfRun(index->range, diag::ReversedSlice, *begin, *end);
    else if (size != Type::dynamic && begin && end && (*begin < 0 || *end > size))
      failIfRun(index->range, diag::SliceRangeOutOfBounds, *begin, *end, dim, size);
    else if (begin && *begin < 0)
      failIfRun(range->lhs->range, diag::NegativeSliceIndex, *begin);
    else if (size != Type::dynamic && end && *end > size)
      failIfRun(range->rhs->range, diag::SliceEndOutOfBounds, *end, dim, size);
  }
}

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
  return Type::matrix(lhs.element, keepSizes({lhs.sizes[0], rhs.sizes[1]}));
}

Type Checker::checkSizeOf(Binary &op, Expr &self) {
  sizedOnly = &op.lhs->bare(); // Its size is not its contents.
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
  return lhs.isMatrix() ? lhs : rhs;
}

/// Shapes may agree at run time only; what is static must agree here, and wins in the result.
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
  return Type::matrix(lhs.element, keepSizes(sizes));
}

/// Overflow and division by zero that literals alone show [ttl.checked.9, ttl.checked.10].
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
