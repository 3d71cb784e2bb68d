#include "lang/weld/Advice.h"
#include "lang/weld/Check.h"
#include "lang/weld/TypeRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

const Type *Checker::inferNode(Call &call, Expr &expr) {
  unsigned arity = arityOf(call.builtin);
  if (call.arguments.size() != arity) {
    Report report = reporter.report(expr, diag::ArgumentCount, spelling(call.builtin), arity,
                                    arity == 1 ? "" : "s", call.arguments.size());
    if (StringRef usage = usageOf(call.builtin); !usage.empty())
      report.hint("{0}", usage);
    inferRest(call.arguments);
    return types.invalid();
  }
  bool takesFunction = call.builtin == Builtin::Iterate || call.builtin == Builtin::Sort;
  for (Expr *argument : call.arguments.drop_back(takesFunction))
    infer(*argument);
  switch (call.builtin) {
  case Builtin::If:
    return inferIf(call, expr);
  case Builtin::Select:
    return inferSelect(call, expr);
  case Builtin::Iterate:
    return inferIterate(call, expr);
  case Builtin::Merge:
    return inferMerge(call, expr);
  case Builtin::Result:
    return inferResult(call, expr);
  case Builtin::Lookup:
    return inferLookup(call, expr);
  case Builtin::OptLookup:
  case Builtin::KeyExists:
    return inferKey(call, expr);
  case Builtin::Len:
    return inferLen(call, expr);
  case Builtin::Slice:
    return inferSlice(call, expr);
  case Builtin::Sort:
    return inferSort(call, expr);
  case Builtin::ToVec:
    return inferToVec(call, expr);
  case Builtin::Broadcast:
    return inferBroadcast(call, expr);
  case Builtin::Serialize:
    return inferSerialize(call, expr);
  case Builtin::Assert:
    return inferAssert(call, expr);
  case Builtin::Min:
  case Builtin::Max:
  case Builtin::Pow:
    return inferPair(call, expr);
  default:
    return inferMath(call, expr);
  }
}

/// min, max and pow are operators with the form of a call.
const Type *Checker::inferPair(Call &call, Expr &expr) {
  const Type *type = call.arguments[0]->type;
  if (!types.unify(type, call.arguments[1]->type)) {
    reportOperands(expr, spelling(call.builtin), *call.arguments[0], *call.arguments[1]);
    return types.invalid();
  }
  later([=, this, &call, &expr] {
    const Type &found = *types.resolve(type);
    if (!isNumeric(found))
      reporter.report({call.nameRange, expr.expansion}, diag::ArithmeticOperand,
                      spelling(call.builtin), spelling(found));
  });
  return type;
}

const Type *Checker::inferMath(Call &call, Expr &) {
  const Expr &operand = *call.arguments[0];
  later([=, this, &call, &operand] {
    const Type &type = *types.resolve(operand.type);
    if (isFloat(type))
      return;
    Report report =
        reporter.report(operand, diag::MathOperand, spelling(call.builtin), spelling(type));
    if (isNumeric(type))
      suggest(report, operand, types.scalar(Scalar::F64));
  });
  return operand.type;
}

const Type *Checker::inferBranches(Call &call, Expr &expr) {
  const Expr &onTrue = *call.arguments[1], &onFalse = *call.arguments[2];
  if (types.unify(onTrue.type, onFalse.type))
    return onTrue.type;
  Report report = reporter.report(expr, diag::BranchTypes, spelling(call.builtin),
                                  spell(onTrue.type), spell(onFalse.type));
  report.label(Reporter::placeOf(onTrue), "{0}", spell(onTrue.type))
      .label(Reporter::placeOf(onFalse), "{0}", spell(onFalse.type));
  suggestEither(report, onTrue, onFalse);
  return types.invalid();
}

/// The condition as the program writes it: the value of the function, if a macro calls a function
/// of the program.
static const Expr &writtenCondition(const Expr &condition) {
  auto *apply = condition.bare().as<Apply>();
  auto *lambda = apply && condition.expansion ? apply->callee->as<Lambda>() : nullptr;
  return lambda ? *lambda->body : condition;
}

const Type *Checker::inferIf(Call &call, Expr &expr) {
  const Expr &condition = *call.arguments[0], &written = writtenCondition(condition);
  if (!types.unify(condition.type, types.boolean()))
    reporter.report(written, diag::ConditionType,
                    &written == &condition ? "if" : condition.expansion->macro.text,
                    spell(condition.type));
  return inferBranches(call, expr);
}

/// If the values have lanes, the condition may have lanes, too.
const Type *Checker::inferSelect(Call &call, Expr &expr) {
  const Type *type = inferBranches(call, expr);
  const Expr &condition = *call.arguments[0];
  require(condition, [=, this, &condition](bool isLast) {
    if (!isLast && (!isKnown(condition.type) || !isKnown(type)))
      return false;
    bool hasLanes = known(condition.type)->kind == Type::Simd &&
                    (known(type)->kind == Type::Simd || isOpen(*known(type)));
    const Type *wanted = hasLanes ? types.make(Type::Simd, types.boolean()) : types.boolean();
    if (!types.unify(condition.type, wanted))
      reporter.report(condition, diag::ConditionType, "select", spell(condition.type));
    return true;
  });
  later([=, this, &expr] {
    if (holdsBuilder(*types.resolve(type)))
      reporter.report(expr, diag::SelectBuilder, spell(type))
          .hint("`select` evaluates both values; `if` evaluates one");
  });
  return type;
}

const Type *Checker::inferIterate(Call &call, Expr &) {
  const Type *state = call.arguments[0]->type;
  Expr *function = call.arguments[1];
  const Type *body = inferFunction(function, {state}, "iterate");
  call.arguments = program.keep<Expr *>({call.arguments[0], function});
  const Type *wanted = types.make(Type::Struct, {state, types.boolean()});
  if (body && !types.unify(body, wanted))
    reporter.report(*function->as<Lambda>()->body, diag::IterateResult, spell(wanted), spell(body))
        .label(Reporter::placeOf(*call.arguments[0]), "{0}", spell(state));
  return state;
}

void Checker::expectIndex(Expr &expr, const std::string &role) {
  if (types.unify(expr.type, types.index()))
    return;
  Report report = reporter.report(expr, diag::IndexType, role, spell(expr.type));
  suggest(report, expr, types.index());
}

const Type *Checker::inferLookup(Call &call, Expr &expr) {
  const Type *result = types.fresh(&expr);
  require(*call.arguments[0], [=, this, &call, &expr](bool) { return lookUp(call, expr, result); });
  return result;
}

bool Checker::lookUp(const Call &call, const Expr &expr, const Type *result) {
  const Type *from = known(call.arguments[0]->type);
  Expr &key = *call.arguments[1];
  const Type *value = types.invalid();
  if (from->kind == Type::Unknown)
    return false;
  if (from->kind == Type::Vec) {
    expectIndex(key, "the index of a vector");
    value = from->parts[0];
  } else if (from->kind == Type::Dict) {
    if (!types.unify(key.type, from->parts[0])) {
      Report report =
          reporter.report(key, diag::KeyArgument, spell(from->parts[0]), spell(key.type));
      report.label(Reporter::placeOf(*call.arguments[0]), "{0}", spell(from));
      suggest(report, key, from->parts[0]);
    }
    value = from->parts[1];
  } else if (from->kind != Type::Invalid) {
    reporter.report(*call.arguments[0], diag::LookupIn, spell(from));
  }
  if (!types.unify(result, value))
    reporter.report(expr, diag::UsedAs, quote(expr), spell(value), spell(result));
  return true;
}

std::pair<const Type *, const Type *> Checker::expectDict(const Call &call, const Expr &dict) {
  const Type *key = types.fresh(&dict), *value = types.fresh(&dict);
  if (!types.unify(dict.type, types.make(Type::Dict, {key, value})))
    reporter.report(dict, diag::DictExpected, spelling(call.builtin), spell(dict.type));
  return {key, value};
}

const Type *Checker::inferKey(Call &call, Expr &) {
  auto [key, value] = expectDict(call, *call.arguments[0]);
  Expr &found = *call.arguments[1];
  if (!types.unify(found.type, key)) {
    Report report = reporter.report(found, diag::KeyArgument, spell(key), spell(found.type));
    report.label(Reporter::placeOf(*call.arguments[0]), "{0}", spell(call.arguments[0]->type));
    suggest(report, found, key);
  }
  if (call.builtin == Builtin::KeyExists)
    return types.boolean();
  return types.make(Type::Struct, {types.boolean(), value});
}

const Type *Checker::inferLen(Call &call, Expr &expr) {
  const Expr &operand = *call.arguments[0];
  require(operand, [this, &operand, &expr](bool isLast) {
    const Type *type = known(operand.type);
    if (type->kind == Type::Unknown && !isLast)
      return false;
    if (type->kind == Type::Unknown)
      return types.unify(type, types.vec(types.fresh(&operand)));
    if (type->kind == Type::Dict)
      noteExtension(expr, "`len` of a dictionary");
    else if (type->kind != Type::Vec && type->kind != Type::Invalid)
      reporter.report(operand, diag::LenOperand, spell(type));
    return true;
  });
  return types.index();
}

const Type *Checker::expectVec(const Expr &expr, StringRef operation) {
  const Type *element = types.fresh(&expr);
  if (!types.unify(expr.type, types.vec(element)))
    reporter.report(expr, diag::VecExpected, operation, spell(expr.type));
  return element;
}

const Type *Checker::inferSlice(Call &call, Expr &) {
  const Type *element = expectVec(*call.arguments[0], "slice");
  expectIndex(*call.arguments[1], "the start of a slice");
  expectIndex(*call.arguments[2], "the size of a slice");
  return types.vec(element);
}

const Type *Checker::inferSort(Call &call, Expr &expr) {
  const Type *element = expectVec(*call.arguments[0], "sort");
  Expr *function = call.arguments[1];
  const Type *body = inferFunction(function, {element, element}, "sort");
  call.arguments = program.keep<Expr *>({call.arguments[0], function});
  if (body && !types.unify(body, types.scalar(Scalar::I32))) {
    const Expr &answer = *function->as<Lambda>()->body;
    Report report = reporter.report(answer, diag::ComparatorResult, spell(body));
    if (auto call = comparison(program, answer))
      report.fix(answer.range, *call);
    else
      report.hint("`compare(a, b)` is 1, -1 or 0");
  }
  later([=, this, &expr] {
    const Type &found = *types.resolve(element);
    if (!isComparable(found))
      reporter.report(expr, diag::SortElement, spelling(found));
  });
  return types.vec(element);
}

const Type *Checker::inferToVec(Call &call, Expr &) {
  auto [key, value] = expectDict(call, *call.arguments[0]);
  return types.vec(types.make(Type::Struct, {key, value}));
}

const Type *Checker::inferBroadcast(Call &call, Expr &) {
  const Expr &operand = *call.arguments[0];
  later([this, &operand] {
    const Type &type = *types.resolve(operand.type);
    if (!isScalarOrUnknown(type))
      reporter.report(operand, diag::BroadcastOperand, spelling(type));
  });
  return types.make(Type::Simd, operand.type);
}

const Type *Checker::inferSerialize(Call &call, Expr &) {
  const Expr &operand = *call.arguments[0];
  later([this, &operand] {
    const Type &type = *types.resolve(operand.type);
    if (!isSerializable(type))
      reporter.report(operand, diag::SerializedType, "serialize", spelling(type));
  });
  return types.vec(types.scalar(Scalar::I8));
}

const Type *Checker::inferAssert(Call &call, Expr &) {
  const Expr &condition = *call.arguments[0];
  if (!types.unify(condition.type, types.boolean()))
    reporter.report(condition, diag::ConditionType, "assert", spell(condition.type));
  return types.boolean();
}
