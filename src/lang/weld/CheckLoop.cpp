#include "lang/weld/Advice.h"
#include "lang/weld/Check.h"
#include "lang/weld/TypeRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

const Type *Checker::inferNode(NewBuilder &builder, Expr &expr) {
  const Type *type = typeOf(*builder.written, &expr);
  if (builder.argument)
    infer(*builder.argument);
  checkBuilderArgument(builder, type, expr);
  return type;
}

/// The argument of a builder [weld.builder.7, weld.builder.9].
void Checker::checkBuilderArgument(NewBuilder &builder, const Type *type, const Expr &expr) {
  bool isVec = type->kind == Type::VecMerger;
  if (!builder.argument) {
    if (isVec)
      reporter.report(expr, diag::VecMergerArgument, spell(type))
          .hint("write `{0}(v)`", spell(type));
    return;
  }
  Expr &argument = *builder.argument;
  if (type->kind == Type::GroupBuilder) {
    reporter.report(argument, diag::BuilderArgument, spell(type), "no argument in parentheses",
                    spell(argument.type));
    return;
  }
  const Type *wanted = isVec                        ? types.vec(type->parts[0])
                       : type->kind == Type::Merger ? type->parts[0]
                                                    : types.index();
  if (types.unify(argument.type, wanted))
    return;
  Report report =
      reporter.report(argument, diag::BuilderArgument, spell(type),
                      "an argument of type `" + spell(wanted) + "`", spell(argument.type));
  suggest(report, argument, wanted);
}

const Type *Checker::inferMerge(Call &call, Expr &) {
  require(*call.arguments[0], [this, &call](bool isLast) { return merge(call, isLast); });
  return call.arguments[0]->type;
}

/// Checks the merged value. Appenders and mergers also take several values at once, as a simd
/// value.
bool Checker::merge(const Call &call, bool isLast) {
  const Expr &into = *call.arguments[0], &value = *call.arguments[1];
  const Type *builder = known(into.type);
  if (builder->kind == Type::Unknown)
    return false;
  if (builder->kind == Type::Invalid)
    return true;
  if (!builder->isBuilder()) {
    Report report = reporter.report(into, diag::MergeInto, spell(builder));
    if (builder->kind == Type::Struct)
      report.hint("merge into its fields: `{{merge({0}.$0, ...), ...}`", quote(into));
    return true;
  }
  const Type *wanted = builder->parts[0];
  bool isSingle = builder->kind == Type::Appender || builder->kind == Type::Merger;
  if (isSingle && !isKnown(value.type) && !isLast)
    return false;
  if (isSingle && known(value.type)->kind == Type::Simd)
    wanted = types.make(Type::Simd, wanted);
  else if (builder->kind == Type::VecMerger)
    wanted = types.make(Type::Struct, {types.index(), wanted});
  else if (!isSingle)
    wanted = types.make(Type::Struct, builder->parts);
  if (types.unify(value.type, wanted))
    return true;
  Report report =
      reporter.report(value, diag::MergedValue, spell(builder), spell(wanted), spell(value.type));
  report.label(Reporter::placeOf(into), "{0}", spell(builder));
  suggestFields(report, value, wanted);
  return true;
}

/// For a pair, names the part that differs.
void Checker::suggestFields(Report report, const Expr &value, const Type *wanted) {
  auto *literal = value.as<StructLiteral>();
  wanted = known(wanted);
  if (!literal || wanted->kind != Type::Struct || literal->fields.size() != wanted->parts.size()) {
    suggest(report, value, wanted);
    return;
  }
  for (auto [field, type] : llvm::zip(literal->fields, wanted->parts))
    if (!types.unify(field->type, type))
      suggest(report, *field, type);
}

const Type *Checker::inferResult(Call &call, Expr &expr) {
  const Expr &builder = *call.arguments[0];
  const Type *result = types.fresh(&expr);
  require(builder, [=, this, &builder, &expr](bool) {
    const Type *type = known(builder.type);
    if (type->kind == Type::Unknown)
      return false;
    const Type *built = resultOf(type);
    if (!built) // A struct has a field whose type is not known yet.
      return false;
    if (built->kind == Type::Invalid && type->kind != Type::Invalid)
      reporter.report(builder, diag::ResultOf, spell(type));
    else if (type->kind == Type::Struct)
      noteExtension(expr, "`result` of a struct of builders");
    if (!types.unify(result, built))
      reporter.report(expr, diag::UsedAs, quote(expr), spell(built), spell(result));
    return true;
  });
  return result;
}

/// The type of its result: invalid if it is not a builder, null if that is not known.
const Type *Checker::resultOf(const Type *builder) {
  builder = known(builder);
  switch (builder->kind) {
  case Type::Unknown:
    return nullptr;
  case Type::Appender:
  case Type::VecMerger:
    return types.vec(builder->parts[0]);
  case Type::Merger:
    return builder->parts[0];
  case Type::DictMerger:
    return types.make(Type::Dict, builder->parts);
  case Type::GroupBuilder:
    return types.make(Type::Dict, {builder->parts[0], types.vec(builder->parts[1])});
  case Type::Struct: {
    llvm::SmallVector<const Type *> fields;
    for (const Type *part : builder->parts) {
      const Type *field = resultOf(part);
      if (!field || field->kind == Type::Invalid)
        return field;
      fields.push_back(field);
    }
    return types.make(Type::Struct, fields);
  }
  default:
    return types.invalid();
  }
}

const Type *Checker::inferNode(For &loop, Expr &expr) {
  const Type *element = inferIterator(*loop.iterator, expr);
  const Type *builder = infer(*loop.builder);
  const Type *body = inferFunction(loop.update, {builder, types.index(), element}, "for");
  if (body && !types.unify(body, builder))
    reporter.report(*loop.update->as<Lambda>()->body, diag::ForResult, spell(builder), spell(body))
        .label(Reporter::placeOf(*loop.builder), "{0}", spell(builder));
  later([=, this, &loop] {
    const Type &type = *types.resolve(builder);
    if (isOpen(type) || isBuilderLike(type))
      return;
    Report report = reporter.report(*loop.builder, diag::ForBuilder, spelling(type));
    if (holdsBuilder(type))
      report.hint("every field of the struct must be a builder");
  });
  return builder;
}

/// The type of the elements.
const Type *Checker::inferIterator(Iterator &iterator, const Expr &owner) {
  for (Expr *argument : iterator.arguments)
    infer(*argument);
  llvm::SmallVector<const Type *> parts;
  for (Iterator *part : iterator.parts)
    parts.push_back(inferIterator(*part, owner));
  if (iterator.kind == Iterator::Zip)
    return iterator.element = types.make(Type::Struct, parts);
  bool hasData = iterator.kind != Iterator::Range;
  iterator.element = hasData ? expectIterated(*iterator.arguments[0]) : types.index();
  bool isNd = iterator.kind == Iterator::Nd;
  auto numbers = iterator.arguments.drop_front(hasData).drop_back(isNd ? 2 : 0);
  for (auto [index, bound] : llvm::enumerate(numbers)) {
    static constexpr const char *roles[] = {"start", "end", "stride"};
    expectIndex(
        *bound,
        ("the " + llvm::Twine(roles[index]) + " of `" + spelling(iterator.kind) + "`").str());
  }
  if (isNd)
    for (Expr *sizes : iterator.arguments.take_back(2))
      if (!types.unify(sizes->type, types.vec(types.index())))
        reporter.report(*sizes, diag::NdSizes, spell(sizes->type));
  if (iterator.kind == Iterator::Simd) {
    checkLanes(*iterator.arguments[0], iterator.element);
    iterator.element = types.make(Type::Simd, iterator.element);
  } else if (iterator.kind == Iterator::Fringe) {
    checkLanes(*iterator.arguments[0], iterator.element);
  }
  return iterator.element;
}

const Type *Checker::expectIterated(const Expr &data) {
  const Type *element = types.fresh(&data);
  if (types.unify(data.type, types.vec(element)))
    return element;
  Report report = reporter.report(data, diag::IteratedType, spell(data.type));
  if (known(data.type)->kind == Type::Dict)
    report.hint("`tovec` returns the pairs of a dictionary as a vector");
  return types.invalid();
}

void Checker::checkLanes(const Expr &data, const Type *element) {
  later([=, this, &data] {
    const Type &type = *types.resolve(element);
    if (!isScalarOrUnknown(type))
      reporter.report(data, diag::SimdIterated, spelling(type));
  });
}

/// Suggests a comparator where `sort` is given a key.
void Checker::suggestComparator(Report report, const Expr &function) {
  report.hint("the function compares two elements: `|a, b| compare(a, b)`");
  if (auto comparator = keyComparator(program, *function.as<Lambda>());
      comparator && !function.expansion)
    report.fix(function.range, *comparator);
}

static StringRef parametersFor(size_t count) {
  return count == 3 ? "|b, i, x|" : count == 2 ? "|a, b|" : "|x|";
}

const Type *Checker::inferFunction(Expr *&function, llvm::ArrayRef<const Type *> parameters,
                                   StringRef of) {
  while (auto *paren = function->as<Paren>())
    function = paren->inner;
  auto *lambda = function->as<Lambda>();
  auto *name = function->as<Reference>();
  if (name && (!name->variable || known(name->variable->type)->kind == Type::Invalid))
    return nullptr; // Already reported.
  if (!lambda) {
    reporter.report(*function, diag::FunctionExpected, of, quote(*function))
        .hint("write the function here: `{0} ...`", parametersFor(parameters.size()));
    return nullptr;
  }
  if (lambda->parameters.size() != parameters.size()) {
    size_t count = parameters.size();
    Report report = reporter.report(*function, diag::FunctionParameters, of, count,
                                    count == 1 ? "" : "s", lambda->parameters.size());
    if (count == 3)
      report.hint("`|b, i, x|` are the builder, the index and the element");
    else if (count == 2 && lambda->parameters.size() == 1)
      suggestComparator(report, *function);
    else if (of == "map" || of == "filter")
      report.hint("the elements of `zip(a, b)` are structs: `|e| e.$0 + e.$1`");
    return nullptr;
  }
  llvm::SmallVector<const Type *> signature(parameters);
  for (auto [variable, type] : llvm::zip(lambda->parameters, parameters)) {
    variable->type = type;
    if (!variable->written)
      continue;
    const Type *written = typeOf(*variable->written, function);
    if (!types.unify(written, type))
      reporter.report({variable->written->range, function->expansion}, diag::ParameterType,
                      variable->name.text, spell(type), spell(written));
  }
  const Type *body = infer(*lambda->body);
  signature.push_back(body);
  function->type = types.make(Type::Function, signature);
  return body;
}
