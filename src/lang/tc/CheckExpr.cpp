#include "lang/tc/Check.h"
#include "support/Decimal.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

std::optional<Scalar> Checker::check(Expr &expr) {
  expr.type = std::visit([&](auto &node) { return check(node, expr); }, expr.node);
  if (expr.type == Scalar::I32)
    expr.width = widthOf(expr);
  return expr.type;
}

Checker::Type Checker::check(IntLiteral &literal, Expr &self) {
  if (literal.value <= INT32_MAX)
    return Scalar::I32;
  if (literal.value <= INT64_MAX)
    return Scalar::I64;
  fail(self.range, diag::IntegerTooLarge, program.file->text(self.range));
  return std::nullopt;
}

Checker::Type Checker::check(FloatLiteral &, Expr &self) {
  floatLiterals.push_back(&self);
  return Scalar::F32;
}

static const llvm::fltSemantics &semanticsOf(Scalar type) {
  switch (type) {
  case Scalar::F16:
    return llvm::APFloat::IEEEhalf();
  case Scalar::BF16:
    return llvm::APFloat::BFloat();
  case Scalar::F64:
    return llvm::APFloat::IEEEdouble();
  default:
    return llvm::APFloat::IEEEsingle();
  }
}

/// "3.4e+38"
static std::string largestOf(const llvm::fltSemantics &semantics) {
  llvm::SmallString<16> digits;
  llvm::APFloat::getLargest(semantics).toString(digits, /*FormatPrecision=*/3);
  return StringRef(digits).lower();
}

/// Called after the whole statement, when the literals have the types that they are used in.
void Checker::checkFloatLiterals() {
  llvm::SmallSet<uint32_t, 4> reported; // A named literal may be used twice.
  for (const Expr *literal : floatLiterals) {
    const llvm::fltSemantics &semantics = semanticsOf(*literal->type);
    StringRef text = literal->as<FloatLiteral>()->text;
    if (!llvm::APFloat(semantics, roundableDecimal(text)).isInfinity() ||
        !reported.insert(literal->range.begin).second)
      continue;
    Report report = fail(literal->range, diag::FloatTooLarge, program.file->text(literal->range),
                         spelling(*literal->type), largestOf(semantics));
    bool isFloat = *literal->type == Scalar::F32;
    if (isFloat && !llvm::APFloat(llvm::APFloat::IEEEdouble(), text).isInfinity())
      report.hint("it fits `double`: `double({0})`", program.file->text(literal->range));
  }
}

bool tc::isFloatLiteral(const Expr &expr) {
  if (auto *paren = expr.as<Paren>())
    return isFloatLiteral(*paren->inner);
  if (auto *unary = expr.as<Unary>())
    return unary->op == UnaryOp::Minus && isFloatLiteral(*unary->operand);
  return expr.as<FloatLiteral>();
}

/// Gives a literal, perhaps with signs and parentheses around it, the wanted type directly.
static bool retypeLiteral(Expr &expr, Scalar type) {
  bool isLiteral = expr.as<FloatLiteral>() && isFloat(type);
  if (auto *paren = expr.as<Paren>())
    isLiteral = retypeLiteral(*paren->inner, type);
  if (auto *unary = expr.as<Unary>(); unary && unary->op == UnaryOp::Minus)
    isLiteral = retypeLiteral(*unary->operand, type);
  if (isLiteral)
    expr.type = type;
  return isLiteral;
}

Checker::Type Checker::check(Paren &paren, Expr &) {
  return check(*paren.inner);
}

Checker::Type Checker::check(Cast &cast, Expr &self) {
  if (cast.type == Scalar::BF16)
    rejectIfStrict(self.range, diag::Bfloat16Type);
  if (isInRange) {
    fail(self.range, diag::NotASize, program.excerpt(self.range));
    return std::nullopt;
  }
  if (!check(*cast.operand))
    return std::nullopt;
  retypeLiteral(*cast.operand, cast.type);
  return cast.type;
}

//===- Names ----------------------------------------------------------------------------------===//

/// Replaces the name of a literal by the literal, so that each use has its own, with the precision
/// of its operands [tc.type.21]. (`self` was the name.)
Checker::Type Checker::checkNamedLiteral(const LetClause &let, Expr &self) {
  Expr *copy = copyOfLiteral(*let.value);
  self.node = Paren{copy};
  return check(*copy);
}

Expr *Checker::copyOfLiteral(const Expr &literal) {
  Expr *copy = program.make(literal);
  if (auto *paren = copy->as<Paren>())
    paren->inner = copyOfLiteral(*paren->inner);
  if (auto *unary = copy->as<Unary>())
    unary->operand = copyOfLiteral(*unary->operand);
  return copy;
}

Checker::Type Checker::check(Reference &reference, Expr &self) {
  StringRef name = reference.name;
  if (std::optional<unsigned> size = sizeNamed(name)) {
    reference.size = size;
    return Scalar::I32;
  }
  if (LetClause *let = lets.lookup(name); let && (!isInRange || let->isSize)) {
    if (isFloatLiteral(*let->value))
      return checkNamedLiteral(*let, self);
    reference.let = let;
    return let->value->type;
  }
  Tensor *tensor = tensorNamed(name);
  if (isInRange && (!tensor || tensor->rank || tensor->kind != Tensor::Input)) {
    checkSizeName(reference, self);
    return std::nullopt;
  }
  if (inError.contains(name) && (!tensor || !isDefined(*tensor)))
    return std::nullopt;
  if (!tensor) {
    reference.variable = variableNamed({name, self.range});
    (isInExists ? reference.variable->exists : reference.variable->isUsed) = true;
    reference.variable->isIndex |= isInIndex;
    return Scalar::I32;
  }
  if (!isDefined(*tensor)) {
    reportUndefined({name, self.range});
    return std::nullopt;
  }
  if (tensor->rank) {
    reportBareTensor(*tensor, self);
    return std::nullopt;
  }
  if (isInRange && isInteger(tensor->element))
    rejectIfStrict(self.range, diag::ScalarInBound, name);
  reference.tensor = tensor;
  return tensor->element;
}

/// An elementwise read is meant if the left side has as many indices.
void Checker::reportBareTensor(const Tensor &tensor, const Expr &self) {
  Report report = fail(self.range, diag::BareTensor, tensor.name.text,
                       counted(tensor.rank, "dimension", "dimensions"))
                      .note(tensor.name.range, "it is defined here");
  std::string element = elementOf(tensor);
  bool isWhole = statement->value == &self; // `O = A`, not `O = 2 * A`.
  if (statement->indices.empty() && statement->reduction == Reduction::None)
    adviseElements(tensor, element, isWhole, report);
  else if (statement->indices.size() == tensor.rank && hasUsableIndices())
    report.fix(self.range, element);
}

/// A name in a bound that is neither a size variable nor a scalar argument.
void Checker::checkSizeName(Reference &reference, Expr &self) {
  StringRef name = reference.name;
  auto isNamed = [&](const Variable *variable) { return variable->name.text == name; };
  if (Tensor *tensor = tensorNamed(name)) {
    if (isDefined(*tensor) && tensor->rank == 0)
      fail(self.range, diag::ComputedInBound, name);
    else
      fail(self.range, diag::ReadInBound, name).hint("its sizes are `{0}.0`, ...", name);
  } else if (lets.contains(name)) {
    fail(self.range, diag::NotASize, name);
  } else if (llvm::any_of(variables, isNamed) || occursOnTheRight(name)) {
    fail(self.range, diag::IndexInBound, name)
        .hint("choose with `?:` on the right side which of its values count");
  } else if (inError.insert(name).second) { // Report it once.
    Report report = fail(self.range, diag::UnknownInBound, name);
    std::vector<StringRef> names;
    for (const Name &size : sizes)
      names.push_back(size.text);
    suggestName(report, self.range, name, names);
    if (nearestName(name, names).empty() && !names.empty())
      report.hint("the parameters have the sizes `{0}`", llvm::join(names, "`, `"));
  }
}

Checker::Type Checker::check(Extent &extent, Expr &self) {
  const Name &name = extent.tensorName;
  Tensor *tensor = tensorNamed(name.text);
  if (inError.contains(name.text) && (!tensor || !isDefined(*tensor)))
    return std::nullopt;
  if (!tensor)
    fail(name.range, diag::ExtentOfNoTensor, name.text, extent.dimension);
  else if (!isDefined(*tensor))
    reportUndefined(name, diag::ExtentUndefined);
  else if (extent.dimension >= tensor->rank)
    fail(extent.dimensionRange, diag::ExtentRank, name.text,
         counted(tensor->rank, "dimension", "dimensions"), extent.dimension);
  else {
    extent.tensor = tensor;
    return Scalar::I32;
  }
  return std::nullopt;
}

//===- Reads and functions --------------------------------------------------------------------===//

Checker::Type Checker::check(Apply &apply, Expr &self) {
  StringRef name = apply.callee.text;
  Tensor *tensor = tensorNamed(name);
  if (tensor && isInRange)
    fail(self.range, diag::ReadInBound, name)
        .hint("bounds are known before tensors are; the sizes of `{0}` are `{0}.0`, ...", name);
  else if (inError.contains(name) && (!tensor || !isDefined(*tensor)))
    ;
  else if (tensor && !isDefined(*tensor))
    reportUndefined(apply.callee);
  else if (tensor) {
    apply.tensor = tensor;
    return checkRead(apply, self);
  } else if (builtinNamed(name)) {
    apply.builtin = builtinNamed(name);
    return checkBuiltin(apply, self);
  } else {
    if (!isInRange)
      checkArguments(apply);
    reportUnknownCallee(apply, self);
    return std::nullopt;
  }
  if (!isInRange)
    checkArguments(apply);
  return std::nullopt;
}

/// The function may take whole tensors, so they are not reported.
void Checker::checkArguments(const Apply &apply) {
  for (Expr *argument : apply.arguments) {
    auto *reference = argument->bare().as<Reference>();
    Tensor *tensor = reference ? tensorNamed(reference->name) : nullptr;
    if (!tensor || (isDefined(*tensor) && !tensor->rank))
      check(*argument);
  }
}

Checker::Type Checker::checkRead(Apply &read, Expr &self) {
  const Tensor &tensor = *read.tensor;
  bool isNested = std::exchange(isInIndex, true);
  for (Expr *argument : read.arguments) {
    Type type = check(*argument);
    if (!type || isInteger(*type))
      continue;
    std::string text = program.excerpt(argument->range);
    Report report = fail(argument->range, diag::IndexType, text, spelling(*type));
    if (builtinNamed(tensor.name.text))
      report.note(tensor.name.range, "`{0}` is this tensor here, not the function",
                  tensor.name.text);
    else
      report.hint(
          isFloat(*type) ? "write `int32({0})` to round towards zero" : "write `int32({0})`", text);
  }
  isInIndex = isNested;
  if (read.arguments.size() == tensor.rank)
    return tensor.element;
  std::string given = counted(read.arguments.size(), "index", "indices");
  if (tensor.rank)
    fail(self.range, diag::ReadRank, tensor.name.text,
         counted(tensor.rank, "dimension", "dimensions"), given)
        .note(tensor.name.range, "it is defined here");
  else
    fail(self.range, diag::ReadRankZero, tensor.name.text, given)
        .note(tensor.name.range, "it is defined here");
  return std::nullopt;
}

Checker::Type Checker::checkBuiltin(Apply &call, Expr &self) {
  bool isMinOrMax = *call.builtin == Builtin::min || *call.builtin == Builtin::max;
  if (isInRange && !isMinOrMax) {
    fail(self.range, diag::NotASize, program.excerpt(self.range));
    return std::nullopt;
  }
  if (isMinOrMax && !isInRange && call.arguments.size() < 2) {
    checkArguments(call);
    reportMinMaxArity(call, self, counted(call.arguments.size(), "is", "are"));
    return std::nullopt;
  }
  Type common = isMinOrMax ? Type() : Scalar::F32;
  bool isCorrect = true;
  for (Expr *argument : call.arguments) {
    Type type = check(*argument);
    isCorrect &= type.has_value();
    if (type)
      common = common ? promote(*common, arithmeticType(*type)) : arithmeticType(*type);
  }
  unsigned arity = arityOf(*call.builtin);
  if (call.arguments.size() != arity) {
    std::string given = counted(call.arguments.size(), "is", "are");
    if (isMinOrMax)
      reportMinMaxArity(call, self, given);
    else
      fail(self.range, diag::BuiltinArity, call.callee.text,
           counted(arity, "argument", "arguments"), given);
    return std::nullopt;
  }
  if (!isCorrect)
    return std::nullopt;
  for (Expr *&argument : call.arguments)
    argument = convert(argument, *common);
  return common;
}

/// `max(A(i))` is meant to reduce; `max(a, b, c)` has to be written as two calls.
void Checker::reportMinMaxArity(const Apply &call, const Expr &self, const std::string &given) {
  Report report = fail(self.range, diag::MinMaxArity, call.callee.text, given);
  if (call.arguments.size() < 3) {
    adviseForeign(call, self, report);
    return;
  }
  auto textOf = [&](const Expr *expr) { return program.file->text(expr->range).str(); };
  std::string nested = textOf(call.arguments.front());
  for (const Expr *argument : llvm::drop_begin(call.arguments))
    nested = (call.callee.text + "(" + nested + ", " + textOf(argument) + ")").str();
  report.fix(self.range, nested);
}

void Checker::reportUnknownCallee(const Apply &apply, const Expr &self) {
  const Name &callee = apply.callee;
  auto isNamed = [&](const Variable *variable) { return variable->name.text == callee.text; };
  if (sizeNamed(callee.text))
    return void(fail(callee.range, diag::IndexedSize, callee.text));
  if (defs.lookup(callee.text))
    return void(fail(callee.range, diag::DefInExpression, callee.text)
                    .hint("call it in a statement of its own: `t = {0}(...)`", callee.text));
  if (laterDefinition(callee.text))
    return reportUndefined(callee);
  if (llvm::any_of(variables, isNamed) || lets.contains(callee.text))
    return void(
        fail(callee.range, diag::IndexedVariable, callee.text,
             lets.contains(callee.text) ? "the name of an expression" : "an index variable"));
  inError.insert(callee.text); // Report it once.
  Report report = fail(callee.range, diag::UnknownFunction, callee.text);
  if (adviseForeign(apply, self, report))
    return;
  suggestName(report, callee.range, callee.text, visibleNames());
}

//===- Operators ------------------------------------------------------------------------------===//

void Checker::requireBool(const Expr &expr, const DiagnosticKind &kind, StringRef what) {
  std::string text = program.excerpt(expr.range);
  Report report = fail(expr.range, kind, what, text, spelling(*expr.type));
  if (text == "true" || text == "false")
    report.hint("TC has no constants of type bool: `{0}` is a name; write `{1}`", text,
                text == "true" ? "1 == 1" : "1 == 0");
  else
    report.hint("compare it: `{0} != 0`", text);
}

/// `o =! A(i)`, `o +=!! A(i)`
void Checker::reportForeignInit(const Expr &negation) {
  SourceRange range{statement->opRange.begin, negation.range.begin + 1};
  Report report = fail(range, diag::ForeignAssignment, program.file->text(range));
  const Expr &operand = *negation.as<Unary>()->operand;
  bool isAll = statement->value == &negation && !wholeTensor(operand);
  auto isLeft = [&](const Variable *variable) { return isOnTheLeft(*variable); };
  if (statement->reduction != Reduction::None)
    report.fix(range, spelling(statement->reduction, /*initializes=*/true));
  else if (isAll && llvm::all_of(variables, isLeft))
    report.hint("nothing is reduced here").fix(range, "=");
  else
    report.hint("`=` assigns; the reductions are `+=!`, `*=!`, `min=!` and `max=!`");
  if (const Tensor *tensor = wholeTensor(operand))
    report.hint("an element is read as `{0}`", elementOf(*tensor));
}

Checker::Type Checker::check(Unary &unary, Expr &self) {
  if (isInRange && unary.op == UnaryOp::Not) {
    fail(self.range, diag::NotASize, program.excerpt(self.range));
    return std::nullopt;
  }
  // `o =! A(i)`
  bool isInit = unary.op == UnaryOp::Not && statement && self.range.begin == statement->opRange.end;
  bool isWhole = isInit && wholeTensor(*unary.operand);
  Type type = isWhole ? Type() : check(*unary.operand);
  if (isWhole || (isInit && type && *type != Scalar::Bool)) {
    reportForeignInit(self);
    return std::nullopt;
  }
  if (!type)
    return std::nullopt;
  if (unary.op == UnaryOp::Minus) {
    unary.operand = convert(unary.operand, arithmeticType(*type));
    return arithmeticType(*type);
  }
  if (*type != Scalar::Bool) {
    requireBool(*unary.operand, diag::NotBool, "the operand of `!`");
    return std::nullopt;
  }
  return Scalar::Bool;
}

Checker::Type Checker::check(Binary &binary, Expr &self) {
  OpClass opClass = classOf(binary.op);
  if (isInRange && opClass != OpClass::Arithmetic) {
    fail(self.range, diag::NotASize, program.excerpt(self.range));
    return std::nullopt;
  }
  Type lhs = check(*binary.lhs), rhs = check(*binary.rhs);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (opClass) {
  case OpClass::Arithmetic:
    return checkArithmetic(binary);
  case OpClass::Comparison:
    return checkComparison(binary);
  case OpClass::Logic:
    return checkLogic(binary);
  }
  return std::nullopt;
}

Checker::Type Checker::checkArithmetic(Binary &op) {
  Scalar common = promote(arithmeticType(*op.lhs->type), arithmeticType(*op.rhs->type));
  op.lhs = convert(op.lhs, common);
  op.rhs = convert(op.rhs, common);
  return common;
}

Checker::Type Checker::checkComparison(Binary &op) {
  Scalar common = promote(*op.lhs->type, *op.rhs->type);
  op.lhs = convert(op.lhs, common);
  op.rhs = convert(op.rhs, common);
  return Scalar::Bool;
}

Checker::Type Checker::checkLogic(Binary &op) {
  std::string what = llvm::formatv("an operand of `{0}`", spelling(op.op));
  for (const Expr *side : {op.lhs, op.rhs})
    if (*side->type != Scalar::Bool) {
      requireBool(*side, diag::NotBool, what);
      return std::nullopt;
    }
  return Scalar::Bool;
}

Checker::Type Checker::check(Conditional &conditional, Expr &self) {
  if (isInRange) {
    fail(self.range, diag::NotASize, program.excerpt(self.range));
    return std::nullopt;
  }
  Type condition = check(*conditional.condition);
  Type ifTrue = check(*conditional.ifTrue), ifFalse = check(*conditional.ifFalse);
  if (condition && *condition != Scalar::Bool)
    requireBool(*conditional.condition, diag::NotBool, "the condition of `?:`");
  if (!condition || !ifTrue || !ifFalse)
    return std::nullopt;
  Scalar common = promote(*ifTrue, *ifFalse);
  conditional.ifTrue = convert(conditional.ifTrue, common);
  conditional.ifFalse = convert(conditional.ifFalse, common);
  return common;
}

Expr *Checker::convert(Expr *expr, Scalar type) {
  if (expr->type == type || retypeLiteral(*expr, type))
    return expr;
  Expr *cast = program.make(Expr{expr->range, Cast{type, expr, /*isImplicit=*/true}});
  cast->depth = expr->depth + 1;
  cast->type = type;
  return cast;
}
