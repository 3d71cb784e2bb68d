#include "lang/weld/Macros.h"
#include "lang/weld/Advice.h"
#include "lang/weld/Lexer.h"
#include "lang/weld/MacroTable.h"
#include "lang/weld/ParserImpl.h"
#include "lang/weld/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// What a name stands for: a variable, or the argument of a macro, with the scope it was written
/// in. Bodies of macros begin with a scope of their own, so that no name is captured.
struct Scope {
  const Scope *outer;
  StringRef name;
  Variable *variable;
  const Expr *argument = nullptr;
  const Scope *argumentScope = nullptr;
  const Expansion *argumentExpansion = nullptr;
};

/// How an expression is read: what its names mean, and the macro whose text it is in.
struct Context {
  const Scope *scope;
  const Expansion *expansion;
};

/// An expression with the context that gives its names a meaning.
struct Closure {
  const Expr *expr;
  Context context;
};

class Expander {
public:
  Expander(Program &program, Reporter &reporter)
      : program(program), macros(program), reporter(reporter) {}

  bool run() {
    macros.check(reporter);
    if (reporter.hasErrors())
      return false;
    const Expr *body = program.body;
    while (auto *paren = body->as<Paren>())
      body = paren->inner;
    Context context{nullptr, nullptr};
    if (auto *lambda = body->as<Lambda>()) {
      program.parameters = declare(lambda->parameters, context);
      body = lambda->body;
    }
    program.value = expand(*body, context);
    return !isAbandoned;
  }

private:
  // Names.
  static const Scope *find(const Scope *scope, StringRef name) {
    while (scope && scope->name != name)
      scope = scope->outer;
    return scope;
  }

  const Scope *bind(const Scope *outer, Variable *variable) {
    return program.make(Scope{outer, variable->name.text, variable});
  }

  Variable *copy(const Variable &variable) {
    Variable *fresh = program.make(variable);
    fresh->number = numVariables++;
    return fresh;
  }

  ArrayRef<Variable *> declare(ArrayRef<Variable *> written, Context &context) {
    llvm::SmallVector<Variable *> variables;
    for (const Variable *each : written) {
      for (const Variable *earlier : variables)
        if (earlier->name.text == each->name.text)
          reporter.report({each->name.range, context.expansion}, diag::DuplicateParameter,
                          each->name.text);
      variables.push_back(copy(*each));
      context.scope = bind(context.scope, variables.back());
    }
    return program.keep<Variable *>(variables);
  }

  /// Follows parentheses, and parameters of macros to their arguments.
  Closure resolve(Closure closure) const {
    for (;;) {
      if (auto *paren = closure.expr->as<Paren>()) {
        closure.expr = paren->inner;
        continue;
      }
      auto *reference = closure.expr->as<Reference>();
      const Scope *found = reference ? find(closure.context.scope, reference->name.text) : nullptr;
      if (!found || !found->argument)
        return closure;
      closure = {found->argument, {found->argumentScope, found->argumentExpansion}};
    }
  }

  // Expressions.
  Expr *expand(const Expr &expr, Context context) {
    if (++numNodes > maxNodes)
      return abandon({expr, context.expansion}, diag::ExpansionTooLarge, maxNodes);
    if (level > maxExprDepth)
      return abandon({expr, context.expansion}, diag::TooDeep, maxExprDepth);
    ++level;
    Expr *result =
        std::visit([&](const auto &node) { return expandNode(node, expr, context); }, expr.node);
    --level;
    return result;
  }

  /// The place of an expression before expansion.
  struct Origin {
    SourceRange range;
    const Expansion *expansion;
    Origin(const Expr &expr, const Expansion *expansion)
        : range(expr.range), expansion(expansion) {}
  };

  template <typename... Ts>
  Expr *abandon(Origin origin, const DiagnosticKind &kind, Ts &&...values) {
    if (!isAbandoned)
      reporter.report(Place(origin.range, origin.expansion), kind, values...);
    isAbandoned = true;
    return program.make(Expr{origin.range, BoolLiteral{false}, 1, nullptr, {}, origin.expansion});
  }

  template <typename T> Expr *make(T node, const Expr &expr, Context context) {
    Expr *result = program.make(Expr{expr.range, std::move(node)});
    result->annotations = expr.annotations;
    result->expansion = context.expansion;
    unsigned below = 0;
    forEachChild(*result, [&](Expr &child) { below = std::max(below, child.depth); });
    result->depth = below + 1;
    if (result->depth > maxExprDepth)
      return abandon({expr, context.expansion}, diag::TooDeep, maxExprDepth);
    return result;
  }

  ArrayRef<Expr *> expandAll(ArrayRef<Expr *> exprs, Context context) {
    llvm::SmallVector<Expr *> results;
    for (const Expr *expr : exprs)
      results.push_back(expand(*expr, context));
    return program.keep<Expr *>(results);
  }

  /// Literals have no children.
  template <typename T> Expr *expandNode(const T &literal, const Expr &expr, Context context) {
    return make(literal, expr, context);
  }
  Expr *expandNode(const VectorLiteral &vector, const Expr &expr, Context context) {
    return make(VectorLiteral{expandAll(vector.elements, context)}, expr, context);
  }
  Expr *expandNode(const StructLiteral &literal, const Expr &expr, Context context) {
    return make(StructLiteral{expandAll(literal.fields, context)}, expr, context);
  }
  Expr *expandNode(const Reference &reference, const Expr &expr, Context context) {
    const Scope *found = find(context.scope, reference.name.text);
    if (found && found->argument)
      return expand(*found->argument, {found->argumentScope, found->argumentExpansion});
    if (!found)
      reportUndefined(reference.name, context, nullptr, {});
    return make(Reference{reference.name, found ? found->variable : nullptr}, expr, context);
  }
  Expr *expandNode(const Paren &paren, const Expr &expr, Context context) {
    return make(Paren{expand(*paren.inner, context)}, expr, context);
  }
  Expr *expandNode(const Let &let, const Expr &expr, Context context) {
    Expr *value = expand(*let.value, context);
    Variable *variable = copy(*let.variable);
    if (value->bare().as<Lambda>())
      functions.insert(variable);
    Context inner{bind(context.scope, variable), context.expansion};
    return make(Let{variable, value, expand(*let.body, inner)}, expr, context);
  }
  Expr *expandNode(const Lambda &lambda, const Expr &expr, Context context) {
    Context inner = context;
    ArrayRef<Variable *> parameters = declare(lambda.parameters, inner);
    return make(Lambda{parameters, expand(*lambda.body, inner)}, expr, context);
  }
  Expr *expandNode(const Unary &unary, const Expr &expr, Context context) {
    return make(Unary{unary.op, expand(*unary.operand, context)}, expr, context);
  }
  Expr *expandNode(const Binary &binary, const Expr &expr, Context context) {
    Expr *lhs = expand(*binary.lhs, context);
    return make(Binary{binary.op, binary.opRange, lhs, expand(*binary.rhs, context)}, expr,
                context);
  }
  Expr *expandNode(const Field &field, const Expr &expr, Context context) {
    return make(Field{expand(*field.operand, context), field.index, field.indexRange}, expr,
                context);
  }
  Expr *expandNode(const Cast &cast, const Expr &expr, Context context) {
    return make(Cast{cast.type, expand(*cast.operand, context)}, expr, context);
  }
  Expr *expandNode(const Ascription &ascription, const Expr &expr, Context context) {
    return make(Ascription{expand(*ascription.operand, context), ascription.written}, expr,
                context);
  }
  Expr *expandNode(const Call &call, const Expr &expr, Context context) {
    bool takesFunction = call.builtin == Builtin::Iterate || call.builtin == Builtin::Sort;
    if (!takesFunction || call.arguments.empty())
      return make(Call{call.builtin, call.nameRange, expandAll(call.arguments, context)}, expr,
                  context);
    Lets lets;
    llvm::SmallVector<Expr *> arguments(expandAll(call.arguments.drop_back(), context));
    arguments.push_back(expandFunction(*call.arguments.back(), context, lets));
    Call result{call.builtin, call.nameRange, program.keep<Expr *>(arguments)};
    return wrap(lets, make(result, expr, context), expr, context);
  }
  Expr *expandNode(const Deserialize &deserialize, const Expr &expr, Context context) {
    return make(Deserialize{deserialize.written, expand(*deserialize.bytes, context)}, expr,
                context);
  }
  Expr *expandNode(const Cudf &cudf, const Expr &expr, Context context) {
    return make(Cudf{cudf.name, cudf.written, expandAll(cudf.arguments, context)}, expr, context);
  }
  Expr *expandNode(const NewBuilder &builder, const Expr &expr, Context context) {
    Expr *argument = builder.argument ? expand(*builder.argument, context) : nullptr;
    return make(NewBuilder{builder.written, argument}, expr, context);
  }
  Expr *expandNode(const For &loop, const Expr &expr, Context context) {
    Iterator *iterator = expand(*loop.iterator, context);
    Expr *builder = expand(*loop.builder, context);
    Lets lets;
    Expr *update = expandFunction(*loop.update, context, lets);
    return wrap(lets, make(For{iterator, builder, update}, expr, context), expr, context);
  }
  Expr *expandNode(const IteratorExpr &iterator, const Expr &expr, Context context) {
    return make(IteratorExpr{expand(*iterator.iterator, context)}, expr, context);
  }
  Expr *expandNode(const Apply &apply, const Expr &expr, Context context) {
    Lets lets;
    Closure callee = resolveFunction({apply.callee, context}, lets);
    if (callee.expr->as<Lambda>()) {
      ArrayRef<Expr *> arguments = expandAll(apply.arguments, context);
      Expr *function = expand(*callee.expr, callee.context);
      return wrap(lets, make(Apply{function, arguments}, expr, context), expr, context);
    }
    if (const Macro *macro = macroNamed(callee))
      return call(*macro, apply, expr, context);
    if (callsMacro(callee)) {
      expand(*callee.expr, callee.context); // Reports the number of arguments.
      return callNothing(apply, expr, context);
    }
    reportNoFunction(apply, callee, expr, context);
    return callNothing(apply, expr, context);
  }

  /// The macro that an expression names, or null.
  const Macro *macroNamed(Closure closure) const {
    auto *reference = closure.expr->as<Reference>();
    bool isBound = reference && find(closure.context.scope, reference->name.text);
    return reference && !isBound ? macros.named(reference->name.text) : nullptr;
  }

  /// Whether an expression is the call of a macro, with whatever arguments.
  bool callsMacro(Closure closure) const {
    auto *apply = closure.expr->as<Apply>();
    const Macro *macro = apply ? macroNamed(resolve({apply->callee, closure.context})) : nullptr;
    return macro && macro->parameters.size() != apply->arguments.size();
  }

  /// Expands a call of something that is not a function; its arguments are still checked.
  Expr *callNothing(const Apply &apply, const Expr &expr, Context context) {
    Expr *callee = make(Reference{{}, nullptr}, *apply.callee, context);
    return make(Apply{callee, expandAll(apply.arguments, context)}, expr, context);
  }

  /// A parameter of a macro in the place of a vector may stand for an iterator.
  Iterator *expand(const Iterator &iterator, Context context) {
    if (iterator.kind == Iterator::Plain) {
      Closure data = resolve({iterator.arguments.front(), context});
      if (auto *inner = data.expr->as<IteratorExpr>())
        return expand(*inner->iterator, data.context);
      iterated = data.expr;
    }
    Iterator result = iterator;
    result.arguments = expandAll(iterator.arguments, context);
    llvm::SmallVector<Iterator *> parts;
    for (const Iterator *part : iterator.parts)
      parts.push_back(expand(*part, context));
    result.parts = program.keep<Iterator *>(parts);
    return program.make(result);
  }

  // Functions and calls.
  using Lets = llvm::SmallVector<std::pair<Variable *, Expr *>>;

  /// The call of a macro that an expression is, if it may be expanded.
  const Macro *calledMacro(Closure closure) const {
    auto *apply = closure.expr->as<Apply>();
    const Macro *macro = apply ? macroNamed(resolve({apply->callee, closure.context})) : nullptr;
    bool fits = macro && apply->arguments.size() == macro->parameters.size();
    return fits ? macro : nullptr;
  }

  /// Like `resolve`, but also follows calls of macros that stand for a function. Arguments that
  /// such a macro does not use exactly once are bound by `lets`, which belong around the whole
  /// expression.
  Closure resolveFunction(Closure closure, Lets &lets) {
    for (;;) {
      closure = resolve(closure);
      const Macro *macro = calledMacro(closure);
      if (!macro || levelsOf(closure.context.expansion) >= maxLevels || !standsForFunction(closure))
        return closure;
      auto &apply = *closure.expr->as<Apply>();
      closure = {&macro->body->bare(), enter(*macro, apply, *closure.expr, closure.context, lets)};
    }
  }

  /// Whether an expression is a function after expansion: one that is written, or a call of a macro
  /// whose body is one, perhaps one of its arguments.
  bool standsForFunction(Closure closure, unsigned levels = 0) {
    closure = resolve(closure);
    const Macro *macro = calledMacro(closure);
    if (!macro || levels >= maxLevels)
      return closure.expr->as<Lambda>();
    const Scope *scope = nullptr;
    for (auto [name, argument] : llvm::zip(macro->parameters, closure.expr->as<Apply>()->arguments))
      scope = program.make(Scope{scope, name.text, nullptr, argument, closure.context.scope,
                                 closure.context.expansion});
    return standsForFunction({&macro->body->bare(), {scope, closure.context.expansion}},
                             levels + 1);
  }

  /// Expands an operand that may be a function.
  Expr *expandFunction(const Expr &expr, Context context, Lets &lets) {
    Closure closure = resolveFunction({&expr, context}, lets);
    bool isFunction = closure.expr->as<Lambda>();
    return isFunction ? expand(*closure.expr, closure.context) : expand(expr, context);
  }

  Expr *wrap(const Lets &lets, Expr *result, const Expr &expr, Context context) {
    for (auto [variable, value] : llvm::reverse(lets))
      result = make(Let{variable, value, result}, expr, context);
    return result;
  }

  static constexpr unsigned maxLevels = 30;
  static constexpr unsigned maxNodes = 200'000;

  static unsigned levelsOf(const Expansion *expansion) {
    unsigned levels = 0;
    for (; expansion; expansion = expansion->outer)
      ++levels;
    return levels;
  }

  /// The body of the macro. Arguments that it does not use exactly once become lets around it.
  Expr *call(const Macro &macro, const Apply &apply, const Expr &expr, Context context) {
    if (apply.arguments.size() != macro.parameters.size())
      return rejectCount(macro, apply, expr, context);
    if (levelsOf(context.expansion) >= maxLevels)
      return abandon({expr, context.expansion}, diag::MacroTooDeep, maxLevels);
    if (hasSwappedFunction(macro, apply))
      return rejectSwapped(macro, apply, expr, context);
    if (macro.file != program.file && macro.name.text == "sum")
      program.extensions.push_back(
          {Reporter::placeOf({expr.range, context.expansion}), "the macro `sum`"});
    Lets lets;
    Context inner = enter(macro, apply, expr, context, lets);
    const Expr *body = macro.body;
    while (auto *paren = body->as<Paren>())
      body = paren->inner;
    Expr *result = wrap(lets, expand(*body, inner), expr, context);
    if (!expr.annotations.empty())
      result->annotations = expr.annotations;
    return result;
  }

  /// The context of a macro's body, in which its parameters stand for the arguments.
  Context enter(const Macro &macro, const Apply &apply, const Expr &expr, Context context,
                Lets &lets) {
    auto *expansion =
        program.make(Expansion{macro.name, macro.file, expr.range, context.expansion});
    const Scope *scope = nullptr;
    for (auto [parameter, argument] : llvm::zip(macro.parameters, apply.arguments)) {
      Closure value = resolveFunction({argument, context}, lets);
      if (!value.expr->as<Lambda>())
        value = {argument, context};
      unsigned uses = countUses(*macro.body, parameter.text);
      if (uses == 0 && isSubstituted(value))
        checkNames(value);
      if (isSubstituted(value) || uses == 1) {
        scope = program.make(Scope{scope, parameter.text, nullptr, value.expr, value.context.scope,
                                   value.context.expansion});
        continue;
      }
      lets.push_back({copy({parameter}), expand(*argument, context)});
      scope = bind(scope, lets.back().first);
    }
    return {scope, expansion};
  }

  /// Reports what is not defined in an argument that the macro drops.
  void checkNames(Closure argument) {
    if (!macroNamed(resolve(argument)))
      expand(*argument.expr, argument.context);
  }

  /// Whether the argument replaces each use: functions and iterators are not values, and names and
  /// literals cost nothing.
  bool isSubstituted(Closure argument) const {
    const Expr &expr = *resolve(argument).expr;
    return expr.as<Lambda>() || expr.as<IteratorExpr>() || expr.as<Reference>() ||
           expr.as<IntLiteral>() || expr.as<FloatLiteral>() || expr.as<BoolLiteral>();
  }

  Expr *rejectCount(const Macro &macro, const Apply &apply, const Expr &expr, Context context) {
    size_t count = macro.parameters.size();
    Report report =
        reporter.report({expr.range, context.expansion}, diag::MacroArguments, macro.name.text,
                        count, count == 1 ? "" : "s", apply.arguments.size());
    if (macro.file == program.file)
      report.label(macro.name.range, "defined here");
    else if (apply.arguments.size() > count && count == 2 && macro.name.text != "compare")
      report.hint("`zip` iterates over several vectors: `{0}(zip(v, w), |e| ...)`",
                  macro.name.text);
    else
      report.hint("{0}", usageOfStandard(macro.name.text));
    auto call = zippedCall(program, macro.name.text, apply);
    if (call && macro.file != program.file && macro.name.text != "compare" && !context.expansion)
      report.fix(expr.range, *call);
    return callNothing(apply, expr, context);
  }

  /// `map(|x| x, v)` of other languages.
  bool hasSwappedFunction(const Macro &macro, const Apply &apply) const {
    bool takesFunction = macro.name.text == "map" || macro.name.text == "filter";
    return macro.file != program.file && takesFunction && apply.arguments[0]->bare().as<Lambda>() &&
           !apply.arguments[1]->bare().as<Lambda>();
  }

  Expr *rejectSwapped(const Macro &macro, const Apply &apply, const Expr &expr, Context context) {
    const Expr &function = *apply.arguments[0], &data = *apply.arguments[1];
    StringRef name = macro.name.text, text = program.file->text(data.range);
    Report report =
        reporter.report({data.range, context.expansion}, diag::FunctionExpected, name, text);
    if (context.expansion)
      report.hint("the function comes second");
    else
      report.hint("the function comes second")
          .fix(function.range, text)
          .fix(data.range, program.file->text(function.range));
    return callNothing(apply, expr, context);
  }

  /// A parameter of a macro is reported as the argument that it stands for.
  void reportNoFunction(const Apply &apply, Closure callee, const Expr &expr, Context context) {
    Place place(callee.expr->range, callee.context.expansion);
    auto *reference = callee.expr->as<Reference>();
    const Scope *found = reference ? find(callee.context.scope, reference->name.text) : nullptr;
    if (reference && !found)
      return reportUndefined(reference->name, callee.context, &apply, expr.range);
    if (found && functions.contains(found->variable))
      return; // The `let` of a function is reported.
    const Expansion *expansion = place.expansion;
    std::string text = (expansion ? expansion->file : program.file)->text(place.range).str();
    if (callee.expr != &apply.callee->bare())
      reporter.report(place, diag::FunctionExpected, context.expansion->macro.text, text)
          .hint("write the function here: `|x| ...`");
    else
      reporter.report(place, diag::NotAFunction, text)
          .hint("functions are not values; a macro can stand for one");
  }

  /// `call` is the call of the name, or null.
  void reportUndefined(const Name &name, Context context, const Apply *call,
                       SourceRange callRange) {
    Place place(name.range, context.expansion);
    bool isWritten = !context.expansion;
    if (const Macro *macro = macros.named(name.text))
      return adviseMacro(reporter.report(place, diag::MacroValue, name.text), *macro, name,
                         isWritten);
    Report report = reporter.report(place, diag::UndefinedName, name.text);
    llvm::SmallVector<StringRef> variables;
    for (const Scope *scope = context.scope; scope; scope = scope->outer)
      variables.push_back(scope->name);
    llvm::SmallVector<Callable> callables;
    macros.listCallables(callables);
    bool isIterated = call && iterated && iterated->as<Apply>() == call;
    bool isSigned = call && isSignedName(*call, context);
    adviseUndefined(report, program, {name, call, callRange, isIterated, isWritten, isSigned},
                    variables, callables);
  }

  /// Whether the argument is a variable that is declared as a number with a sign. Types that are
  /// not written are not known here.
  static bool isSignedName(const Apply &call, Context context) {
    auto *reference = call.arguments.size() == 1 ? call.arguments[0]->as<Reference>() : nullptr;
    const Scope *found = reference ? find(context.scope, reference->name.text) : nullptr;
    const TypeExpr *written = found && found->variable ? found->variable->written : nullptr;
    if (!written || written->kind != Type::Scalar)
      return false;
    ScalarKind kind = kindOf(written->scalar);
    return kind == ScalarKind::Float || kind == ScalarKind::Signed;
  }

  /// The name of a macro without arguments is probably meant as a function.
  static void adviseMacro(Report report, const Macro &macro, const Name &name, bool isWritten) {
    std::string parameters;
    for (const Name &parameter : macro.parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter.text.str();
    if (macro.body->bare().as<Lambda>() && !macro.parameters.empty())
      report.hint("`{0}({1})` is a function", name.text, parameters);
    else if (macro.parameters.empty() || !isWritten)
      report.hint("it is called `{0}({1})`", name.text, parameters);
    else
      report.hint("a function can call it")
          .fix(name.range, ("|" + parameters + "| " + name.text + "(" + parameters + ")").str());
  }

  Program &program;
  MacroTable macros;
  Reporter &reporter;
  llvm::SmallPtrSet<const Variable *, 4> functions; ///< Variables of lets that bind a function.
  unsigned numVariables = 0, numNodes = 0, level = 0;
  const Expr *iterated = nullptr; ///< What the loop that was met last iterates over.
  bool isAbandoned = false;
};

} // namespace

bool tessera::weld::expandMacros(Program &program, Reporter &reporter) {
  return Expander(program, reporter).run();
}
