#include "lang/ttl/Check.h"
#include "lang/ttl/Constant.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

Type Checker::check(Expr &expr) {
  if (&expr == checkedLeft)
    return expr.type;
  if (!expr.as<Binary>())
    return checkNode(expr);
  for (Expr *link : chainOf(expr)) {
    checkNode(*link);
    checkedLeft = link; // For the next link.
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

/// Reports reading a matrix that cannot have been written yet. In a loop, an earlier iteration may
/// have written it.
void Checker::noteRead(Variable &variable, const Expr &where) {
  variable.isRead = true;
  if (variable.mayBeWritten || variable.loopDepth != openLoops.size())
    return;
  bool fails = options.checked && isCertain && &where != copiedOnly;
  fail(where.range, fails ? diag::UnwrittenRead : diag::ReadBeforeWrite, variable.name.text)
      .note(variable.name.range, "it is defined here, without an initializer");
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

/// What TTL has instead of a function of other languages; null if there is no advice.
static const char *adviceFor(StringRef function) {
  return llvm::StringSwitch<const char *>(function)
      .Case("not", "`!x` is TTL's logical not")
      .Case("range", "a range is written `0...n`, and its end is excluded")
      .Cases({"len", "size", "shape", "rows", "cols"}, "`m $ 0` is the size of dimension 0 of `m`")
      .Cases({"zeros", "ones", "full", "fill"},
             "a scalar fills a matrix: `var matrix<float>[2, 3] m = 0.0;`")
      .Case("transpose", "transpose with two loops: `b[j, i] = a{i, j};`")
      .Cases({"matmul", "dot"}, "`a # b` multiplies matrices")
      .Cases({"printf", "println", "puts", "display"}, "`print` shows one number or one matrix")
      .Cases({"sum", "mean", "min", "max", "abs", "sqrt", "pow"},
             "TTL has no built-in function except `print`")
      .Cases({"exp", "log", "sin", "cos", "tan", "tanh", "floor", "ceil"},
             "TTL has no built-in function except `print`")
      .Default(nullptr);
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
        .note((*defined)->name.range, "it is defined here; move it before the caller");
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
    if (const char *advice = adviceFor(name))
      report.hint("{0}", advice);
    else
      suggestName(report, call.callee.range, name, names);
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
        type.kind == Type::Void)
      continue;
    if (matches(parameter.type, type)) {
      checkValueSizes(parameter.type, *argument);
      continue;
    }
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
  checkSliceBounds(slice);
  if (isElement)
    return Type::of(base.element);
  Type type = Type::matrix(base.element, keepSizes(sizes));
  noteSliceSizes(slice, self, type);
  return type;
}

/// Reports constant indices that are out of bounds [ttl.slice.9].
void Checker::checkSliceBounds(const Slice &slice) {
  Type exact = exactType(*slice.base);
  for (auto [dim, index] : llvm::enumerate(slice.indices)) {
    int64_t size = exact.sizes[dim];
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
