#include "lang/weld/Linearity.h"
#include "lang/weld/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

namespace {

/// The number of builders in a type: a struct may contain several.
unsigned numBuilders(const Type &type) {
  if (type.isBuilder())
    return 1;
  unsigned count = 0;
  if (type.kind == Type::Struct)
    for (const Type *part : type.parts)
      count += numBuilders(*part);
  return count;
}

/// ".$1.$0" for one of them.
std::string pathOf(const Type &type, unsigned builder) {
  if (type.kind != Type::Struct)
    return "";
  for (auto [index, part] : llvm::enumerate(type.parts)) {
    unsigned count = numBuilders(*part);
    if (builder < count)
      return ".$" + std::to_string(index) + pathOf(*part, builder);
    builder -= count;
  }
  return "";
}

/// Where a builder comes from; `merge` and `for` do not change that.
struct Origin {
  const Variable *parameter =
      nullptr;        ///< The parameter of a loop's function; null for a new builder.
  unsigned index = 0; ///< Among the builders of the parameter.
};
/// The origins of the builders in a value, as indices of a table. Origins that differ between paths
/// are `mixed`; those with an error are `reported`, and accepted everywhere.
using Origins = llvm::SmallVector<unsigned, 2>;
constexpr unsigned mixed = 0, reported = 1;

struct Use {
  const Expr *expr = nullptr; ///< Null if there is none.
  bool isResult = false;
};

class LinearityChecker {
public:
  LinearityChecker(Program &program, Reporter &reporter) : program(program), reporter(reporter) {}

  void run() { eval(*program.value); }

private:
  struct Binding {
    Origins origins;
    unsigned loop = 0; ///< The number of loops around it.
    llvm::SmallVector<Use, 2> uses = {};
    bool isDoubtful = false; ///< Used in an erroneous expression: nothing is reported.
  };

  unsigned newOrigin(Origin origin = {}) {
    origins.push_back(origin);
    return origins.size() - 1;
  }

  Origins newBuilders(const Type &type) {
    Origins value;
    for (unsigned i = 0; i < numBuilders(type); ++i)
      value.push_back(newOrigin());
    return value;
  }

  /// Ignores variables without builders. A value in error may have a different number of them.
  void bind(const Variable &variable, Origins value) {
    size_t count = variable.type ? numBuilders(*variable.type) : 0;
    if (count == 0)
      return;
    value.resize(count, reported);
    bindings[&variable] = {std::move(value), loop, llvm::SmallVector<Use, 2>(count)};
  }

  /// Ends the scope of a variable.
  void release(const Variable &variable, const Expansion *expansion) {
    auto found = bindings.find(&variable);
    if (found == bindings.end())
      return;
    const Binding &binding = found->second;
    bool isUsed = llvm::any_of(binding.uses, [](const Use &use) { return use.expr; });
    if (!isUsed && !binding.isDoubtful)
      reporter.report({variable.name.range, expansion}, diag::UnusedBuilder, variable.name.text);
    bindings.erase(found);
  }

  // Expressions.
  Origins eval(Expr &expr) {
    if (!expr.type) {
      doubt(expr);
      return {};
    }
    Origins value = std::visit([&](auto &node) { return evalNode(node, expr); }, expr.node);
    value.resize(numBuilders(*expr.type), reported);
    return value;
  }

  /// Disables reports about the builders in an erroneous expression, which does not show how they
  /// are used.
  void doubt(Expr &expr) {
    if (auto *reference = expr.as<Reference>())
      if (auto found = bindings.find(reference->variable); found != bindings.end())
        found->second.isDoubtful = true;
    forEachChild(expr, [&](Expr &child) { doubt(child); });
  }
  Origins doubted(Expr &expr) {
    doubt(expr);
    return {};
  }

  /// Evaluates an expression whose builders, if any, do not become its value.
  Origins evalAll(Expr &expr) {
    forEachChild(expr, [&](Expr &child) { eval(child); });
    return newBuilders(*expr.type);
  }
  template <typename T> Origins evalNode(T &, Expr &expr) { return evalAll(expr); }
  Origins evalNode(Paren &paren, Expr &) { return eval(*paren.inner); }
  Origins evalNode(Ascription &ascription, Expr &) { return eval(*ascription.operand); }
  Origins evalNode(StructLiteral &literal, Expr &) {
    Origins value;
    for (Expr *field : literal.fields)
      value.append(eval(*field));
    return value;
  }
  /// Valid functions and iterators are handled by the operations that take them.
  Origins evalNode(Lambda &, Expr &expr) { return doubted(expr); }
  Origins evalNode(IteratorExpr &, Expr &expr) { return doubted(expr); }
  Origins evalNode(Reference &reference, Expr &expr) {
    return use(reference, expr, 0, numBuilders(*expr.type));
  }
  Origins evalNode(Field &field, Expr &expr) {
    unsigned offset = 0, count = numBuilders(*expr.type);
    Expr *operand = &expr;
    while (auto *inner = operand->as<Field>()) {
      if (!exists(*inner))
        return doubted(expr);
      offset += offsetOf(*inner);
      operand = const_cast<Expr *>(&inner->operand->bare());
    }
    if (auto *reference = operand->as<Reference>())
      return use(*reference, expr, offset, count);
    Origins value = eval(*field.operand);
    return Origins(llvm::ArrayRef(value).slice(offsetOf(field), count));
  }
  static bool exists(const Field &field) {
    const Type *type = field.operand->type;
    return type && type->kind == Type::Struct && field.index < type->parts.size();
  }
  static unsigned offsetOf(const Field &field) {
    unsigned offset = 0;
    for (const Type *part : field.operand->type->parts.take_front(field.index))
      offset += numBuilders(*part);
    return offset;
  }
  Origins evalNode(Let &let, Expr &expr) {
    bind(*let.variable, eval(*let.value));
    Origins value = eval(*let.body);
    release(*let.variable, expr.expansion);
    return value;
  }
  Origins evalNode(Apply &apply, Expr &expr) {
    if (!apply.callee->type)
      return doubted(expr);
    auto &lambda = *apply.callee->as<Lambda>();
    for (auto [parameter, argument] : llvm::zip(lambda.parameters, apply.arguments))
      bind(*parameter, eval(*argument));
    Origins value = eval(*lambda.body);
    for (const Variable *parameter : lambda.parameters)
      release(*parameter, expr.expansion);
    return value;
  }
  Origins evalNode(Call &call, Expr &expr) {
    if (call.arguments.size() != arityOf(call.builtin))
      return doubted(expr);
    switch (call.builtin) {
    case Builtin::If:
      return evalIf(call);
    case Builtin::Select: // An error if it has builders.
      return holdsBuilder(*expr.type) ? doubted(expr) : evalAll(expr);
    case Builtin::Merge: {
      Origins builder = eval(*call.arguments[0]);
      eval(*call.arguments[1]);
      return builder;
    }
    case Builtin::Result:
      return evalResult(call, expr);
    case Builtin::Iterate:
    case Builtin::Sort:
      eval(*call.arguments[0]);
      evalRepeated(*call.arguments[1]);
      return newBuilders(*expr.type);
    default:
      return evalAll(expr);
    }
  }

  Origins evalIf(Call &call) {
    eval(*call.arguments[0]);
    auto before = bindings;
    Origins onTrue = eval(*call.arguments[1]);
    auto afterTrue = std::exchange(bindings, std::move(before));
    Origins onFalse = eval(*call.arguments[2]);
    for (auto &[variable, binding] : bindings)
      if (auto after = afterTrue.find(variable); after != afterTrue.end()) {
        binding.isDoubtful |= after->second.isDoubtful;
        for (auto [use, other] : llvm::zip(binding.uses, after->second.uses))
          use = use.expr ? use : other;
      }
    for (auto [mine, other] : llvm::zip(onTrue, onFalse))
      if (mine != other)
        mine = mine == reported || other == reported ? reported : mixed;
    return onTrue;
  }

  Origins evalResult(Call &call, Expr &expr) {
    Expr &builder = *call.arguments[0];
    resultOf = &builder.bare();
    Origins value = eval(builder);
    for (unsigned origin : value) {
      const Variable *parameter = origins[origin].parameter;
      if (!parameter)
        continue;
      ended.insert(parameter);
      Report report = reporter.report(expr, diag::ResultInLoop, parameter->name.text);
      reporter.labelOther(report, expr, {parameter->name.range, expr.expansion},
                          "the loop is still building it");
    }
    return {};
  }

  /// Evaluates a function that may be called any number of times.
  void evalRepeated(Expr &function) {
    if (!function.type)
      return doubt(function);
    auto &lambda = *function.as<Lambda>();
    ++loop;
    for (const Variable *parameter : lambda.parameters)
      bind(*parameter, newBuilders(*parameter->type));
    eval(*lambda.body);
    for (const Variable *parameter : lambda.parameters)
      release(*parameter, function.expansion);
    --loop;
  }

  Origins evalNode(For &loop, Expr &) {
    forEachChild(*loop.iterator, [&](Expr &child) { eval(child); });
    Origins builder = eval(*loop.builder);
    if (!loop.update->type) {
      doubt(*loop.update);
      return builder;
    }
    auto *taken = loop.builder->bare().as<Reference>();
    auto &lambda = *loop.update->as<Lambda>();
    ++this->loop;
    Variable *parameter = lambda.parameters[0];
    Origins own;
    for (unsigned i = 0; i < builder.size(); ++i)
      own.push_back(newOrigin({parameter, i}));
    bind(*parameter, own);
    if (taken)
      aliases[taken->variable] = parameter;
    Origins given = eval(*lambda.body);
    if (taken)
      aliases.erase(taken->variable);
    bindings.erase(parameter);
    --this->loop;
    checkDerived(*parameter, own, given, *lambda.body);
    return builder;
  }

  /// Checks that the function of a loop returns its own builder, each field in its position.
  void checkDerived(const Variable &parameter, const Origins &own, const Origins &given,
                    const Expr &body) {
    if (given.size() != own.size())
      return; // Another type, which has been reported.
    for (auto [index, expected] : llvm::enumerate(own)) {
      if (given[index] == expected || given[index] == reported || ended.contains(&parameter))
        continue;
      std::string path = parameter.name.text.str() + pathOf(*parameter.type, index);
      const Origin &origin = origins[given[index]];
      std::string found = given[index] == mixed ? "another builder on one of its paths"
                          : origin.parameter == &parameter
                              ? "`" + parameter.name.text.str() +
                                    pathOf(*parameter.type, origin.index) + "` in its place"
                          : origin.parameter ? "`" + origin.parameter->name.text.str() + "`"
                                             : "another builder";
      const Expr &value = lastOf(body);
      Report report = reporter.report(value, diag::NotDerived, path, found);
      reporter.labelOther(report, value, {parameter.name.range, body.expansion},
                          "the builder that the function receives");
      return;
    }
  }

  /// The value of a chain of lets.
  static const Expr &lastOf(const Expr &expr) {
    const Expr *last = &expr.bare();
    while (auto *let = last->as<Let>())
      last = &let->body->bare();
    return *last;
  }

  // Uses.
  Origins use(Reference &reference, const Expr &expr, unsigned offset, unsigned count) {
    if (count == 0)
      return {};
    if (!bindings.contains(reference.variable))
      return Origins(count, reported);
    Variable *variable = follow(reference, expr);
    Binding &binding = bindings[variable];
    if (binding.isDoubtful)
      return Origins(count, reported);
    if (binding.loop < loop) {
      Report report = reporter.report(expr, diag::CapturedBuilder, variable->name.text);
      reporter.labelOther(report, expr, {variable->name.range, expr.expansion},
                          "defined outside the loop");
      for (Use &each : binding.uses)
        each = {&expr, false};
      return Origins(count, reported);
    }
    for (Use &earlier : llvm::MutableArrayRef(binding.uses).slice(offset, count)) {
      if (earlier.expr)
        reportTwice(earlier, expr);
      earlier = {&expr, &expr == resultOf};
    }
    return Origins(llvm::ArrayRef(binding.origins).slice(offset, count));
  }

  /// Inside a loop, the name of the builder that it began with means its own [weld.linear.6].
  Variable *follow(Reference &reference, const Expr &expr) {
    while (bindings[reference.variable].loop < loop && aliases.contains(reference.variable)) {
      Variable *own = aliases[reference.variable];
      Report report =
          reporter.report(expr, diag::OuterBuilder, reference.name.text, own->name.text);
      reporter.labelOther(report, expr, {own->name.range, expr.expansion},
                          "the builder of this loop");
      program.extensions.push_back(
          {Reporter::placeOf(expr), "the outer name of the builder of a loop"});
      reference.variable = own;
    }
    return reference.variable;
  }

  void reportTwice(const Use &earlier, const Expr &expr) {
    const DiagnosticKind &kind = earlier.isResult ? diag::UsedAfterResult : diag::BuilderUsedTwice;
    Report report = reporter.report(expr, kind, program.excerpt(expr));
    reporter.labelOther(report, expr, *earlier.expr,
                        earlier.isResult ? "its result is taken here" : "the first use");
  }

  Program &program;
  Reporter &reporter;
  std::vector<Origin> origins{{}, {}}; ///< The first are `mixed` and `reported`.
  llvm::DenseMap<const Variable *, Binding> bindings;
  llvm::DenseMap<const Variable *, Variable *> aliases;
  llvm::DenseSet<const Variable *> ended; ///< Those whose result is taken too early.
  unsigned loop = 0;
  const Expr *resultOf = nullptr;
};

} // namespace

void tessera::weld::checkLinearity(Program &program, Reporter &reporter) {
  LinearityChecker(program, reporter).run();
}
