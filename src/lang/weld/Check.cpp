#include "lang/weld/Check.h"
#include "lang/weld/Linearity.h"
#include "lang/weld/Macros.h"
#include "lang/weld/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

void Checker::run() {
  inferProgram();
  solve();
  finish(*program.value);
  for (const auto &check : finalChecks)
    check();
  checkBoundaries();
}

void Checker::inferProgram() {
  for (auto [index, alias] : llvm::enumerate(program.aliases))
    checkWellFormed(typeOf(*alias.type, nullptr, index), alias.type->range);
  for (Variable *parameter : program.parameters) {
    SourceRange range = parameter->name.range;
    if (!parameter->written)
      reporter.report(range, diag::UntypedParameter, parameter->name.text)
          .hint("write `{0}: vec[f64]`, or whatever its type is", parameter->name.text);
    parameter->type = parameter->written ? typeOf(*parameter->written, nullptr) : types.invalid();
    if (Inferred::unknownIn(parameter->type))
      reporter.report(parameter->written->range, diag::UnknownParameter, parameter->name.text,
                      spell(parameter->type));
  }
  infer(*program.value);
}

/// Checks the types that callers see, unless there are errors.
void Checker::checkBoundaries() {
  if (reporter.hasErrors())
    return;
  for (const Variable *parameter : program.parameters)
    checkBoundary(parameter->type, parameter->written->range,
                  ("parameter `" + parameter->name.text + "`").str());
  checkBoundary(program.value->type, *program.value, "the value of the program");
}

static bool holdsSimd(const Type &type) {
  return type.kind == Type::Simd ||
         llvm::any_of(type.parts, [](const Type *part) { return holdsSimd(*part); });
}

void Checker::checkBoundary(const Type *type, Place place, const std::string &what) {
  type = types.resolve(type);
  if (holdsBuilder(*type) || holdsSimd(*type))
    reporter
        .report(place, diag::BoundaryType, what, spelling(*type),
                holdsBuilder(*type) ? "builders" : "simd values")
        .hint(holdsBuilder(*type) ? "`result` returns what a builder has built"
                                  : "merge them into a builder");
}

void Checker::require(const Expr &subject, std::function<bool(bool)> attempt) {
  if (!attempt(false))
    pending.push_back({&subject, std::move(attempt)});
}

/// Solves until all types are known: first by inference, then by guesses, then by giving up.
void Checker::solve() {
  do
    while (tryPending(false))
      ;
  while (tryPending(true) || giveUpOne());
}

/// Tries requirements in source order. Guesses are made one at a time, because others may depend on
/// them.
bool Checker::tryPending(bool isLast) {
  bool hasProgress = false;
  for (size_t index = 0; index < pending.size();) {
    Pending current = std::move(pending[index]);
    if (current.attempt(isLast)) {
      pending.erase(pending.begin() + index);
      hasProgress = true;
      if (isLast)
        return true;
    } else {
      pending[index++] = std::move(current);
    }
  }
  return hasProgress;
}

bool Checker::giveUpOne() {
  if (pending.empty())
    return false;
  Pending current = std::move(pending.front());
  pending.erase(pending.begin());
  if (const TypeVariable *unknown = Inferred::unknownIn(current.subject->type))
    reportAmbiguous(*unknown, *current.subject);
  return true;
}

void Checker::reportAmbiguous(const TypeVariable &variable, const Expr &subject) {
  const Expr &expr = variable.origin ? *variable.origin : subject;
  if (!reporter.hasErrors())
    reporter
        .report(expr, diag::AmbiguousType, quote(expr), spell(expr.type ? expr.type : &variable))
        .hint("nothing in the program determines `?`; write the type");
  Inferred::giveUp(variable, types.invalid());
}

const Type *Checker::finished(const Type *type, const Expr &subject) {
  if (const TypeVariable *unknown = Inferred::unknownIn(type))
    reportAmbiguous(*unknown, subject);
  return types.resolve(type);
}

void Checker::finish(Variable &variable, const Expr &owner) {
  if (variable.type)
    variable.type = finished(variable.type, owner);
}

/// Replaces type variables by the inferred types everywhere. Below some errors nothing is inferred.
void Checker::finish(Expr &expr) {
  if (!expr.type)
    return;
  if (auto *let = expr.as<Let>())
    finish(*let->variable, *let->value);
  if (auto *lambda = expr.as<Lambda>())
    for (Variable *parameter : lambda->parameters)
      finish(*parameter, *lambda->body);
  if (auto *loop = expr.as<For>())
    finish(*loop->iterator);
  forEachChild(expr, [&](Expr &child) { finish(child); });
  expr.type = finished(expr.type, expr);
  if (expr.as<Cudf>())
    program.foreign.push_back(&expr);
}

void Checker::finish(Iterator &iterator) {
  for (Iterator *part : iterator.parts)
    finish(*part);
  iterator.element = types.resolve(iterator.element);
}

void Checker::noteExtension(Place place, const char *what) {
  program.extensions.push_back({Reporter::placeOf(place), what});
}

bool tessera::weld::check(Program &program, const LanguageOptions &options,
                          DiagnosticEngine &diagnostics) {
  if (program.hasSyntaxErrors || !program.body)
    return false;
  Reporter reporter(program, diagnostics);
  if (expandMacros(program, reporter)) {
    Checker(program, reporter).run();
    checkLinearity(program, reporter);
  }
  if (options.strict)
    for (const Extension &extension : program.extensions)
      reporter.report(extension.range, diag::Extension, extension.what);
  return !diagnostics.hasErrors();
}
