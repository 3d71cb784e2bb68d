#include "lang/tc/Check.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

/// Whether a tensor of this name is in scope before a statement [tc.scope.11].
static bool isTensorBefore(const Def &def, size_t index, StringRef name) {
  auto isThis = [&](const Name &other) { return other.text == name; };
  return llvm::any_of(def.parameters,
                      [&](const tc::Parameter &each) { return isThis(each.name); }) ||
         llvm::any_of(def.body.take_front(index),
                      [&](const Stmt *stmt) { return llvm::any_of(definedBy(*stmt), isThis); });
}

Def *Checker::calledBy(const Def &def, size_t index) const {
  auto *statement = def.body[index]->as<Comprehension>();
  if (!statement || statement->hasIndexList || statement->reduction != Reduction::None ||
      !statement->where.empty() || !statement->value)
    return nullptr;
  auto *apply = statement->value->bare().as<Apply>();
  Def *callee = apply ? defs.lookup(apply->callee.text) : nullptr;
  return callee && !isTensorBefore(def, index, apply->callee.text) ? callee : nullptr;
}

void Checker::rewriteAsCall(Stmt &stmt, Def &callee) {
  Comprehension statement = *stmt.as<Comprehension>();
  auto *apply = statement.value->bare().as<Apply>();
  llvm::SmallVector<Name> arguments;
  for (const Expr *argument : apply->arguments) {
    auto *reference = argument->bare().as<Reference>();
    if (!reference)
      fail(argument->range, diag::CallArgument, program.file->text(argument->range))
          .hint("define a tensor with this value in a statement of its own");
    arguments.push_back({reference ? reference->name : StringRef(), argument->range});
  }
  stmt.node = CallStmt{program.keep<Name>({statement.target}), apply->callee,
                       program.keep<Name>(arguments)};
}

void Checker::check(CallStmt &call, const Stmt &) {
  statement = nullptr;
  hasErrors = false;
  call.def = defs.lookup(call.callee.text);
  if (!call.def && defs.contains(""))
    return; // Its name may be the one that is missing.
  if (!call.def) {
    hasRejectedTarget = true;
    Report report = fail(call.callee.range, diag::UnknownDef, call.callee.text);
    std::vector<StringRef> names;
    for (Def *def : program.defs)
      names.push_back(def->name.text);
    suggestName(report, call.callee.range, call.callee.text, names);
    return;
  }
  bool isKnown = isChecked.lookup(call.def) && !wrong.contains(call.def) &&
                 call.def->firstSyntaxError == UINT32_MAX;
  if (!isKnown || !checkCounts(call))
    return; // The errors of the callee have been reported.
  llvm::SmallVector<Tensor *> arguments, results;
  for (unsigned i = 0; i < call.arguments.size(); ++i)
    arguments.push_back(argumentOf(call, i));
  if (hasErrors)
    return; // Results depend on arguments.
  for (unsigned i = 0; i < call.results.size(); ++i)
    results.push_back(resultOf(call, i));
  call.argumentTensors = program.keep<Tensor *>(arguments);
  call.resultTensors = program.keep<Tensor *>(results);
}

bool Checker::checkCounts(const CallStmt &call) {
  const Def &callee = *call.def;
  auto verb = [](size_t count) { return counted(count, "is", "are"); };
  if (call.arguments.size() != callee.parameters.size())
    fail(call.callee.range, diag::CallArgumentCount, callee.name.text,
         counted(callee.parameters.size(), "argument", "arguments"), verb(call.arguments.size()))
        .note(callee.name.range, "`{0}` is defined here", callee.name.text);
  if (call.results.size() != callee.returns.size())
    fail(call.callee.range, diag::CallResultCount, callee.name.text,
         counted(callee.returns.size(), "tensor", "tensors"), verb(call.results.size()))
        .note(callee.name.range, "`{0}` is defined here", callee.name.text);
  return call.arguments.size() == callee.parameters.size() &&
         call.results.size() == callee.returns.size();
}

static std::string typeText(const Tensor &tensor) {
  std::string element = ("`" + spelling(tensor.element) + "`").str();
  return tensor.rank ? element + " with " + counted(tensor.rank, "dimension", "dimensions")
                     : "a scalar " + element;
}

Tensor *Checker::argumentOf(const CallStmt &call, unsigned index) {
  const Name &name = call.arguments[index];
  if (name.text.empty())
    return nullptr;
  Tensor *tensor = tensorNamed(name.text);
  if (!tensor || !isDefined(*tensor)) {
    if (!isEcho(name.text))
      reportNoArgument(name);
    return nullptr;
  }
  const Tensor *parameter = call.def->parameters[index].tensor;
  if (parameter && (tensor->element != parameter->element || tensor->rank != parameter->rank))
    fail(name.range, diag::CallArgumentType, name.text, typeText(*tensor), parameter->name.text,
         call.def->name.text, typeText(*parameter))
        .note(parameter->name.range, "it is declared here");
  return tensor;
}

/// Reports an argument of a call that is not the name of a tensor.
void Checker::reportNoArgument(const Name &name) {
  if (tensorNamed(name.text) || laterDefinition(name.text))
    return reportUndefined(name);
  Report report = fail(name.range, diag::CallTensor, name.text);
  std::vector<StringRef> names;
  for (const Tensor *tensor : allTensors)
    names.push_back(tensor->name.text);
  if (sizeNamed(name.text))
    report.hint("`{0}` is a size variable", name.text);
  else
    suggestName(report, name.range, name.text, names);
}

Tensor *Checker::resultOf(const CallStmt &call, unsigned index) {
  const Name &name = call.results[index];
  const Tensor *produced = call.def->returns[index].tensor;
  for (const Name &earlier : call.results.take_front(index))
    if (earlier.text == name.text)
      fail(name.range, diag::DuplicateResult, name.text);
  if (!produced || !checkTarget(name))
    return nullptr;
  Tensor *tensor = tensorNamed(name.text);
  bool isNew = !tensor || !isDefined(*tensor);
  if (isNew && (!tensor || !tensor->declared))
    tensor = declareTensor(name, produced->element, produced->rank, name.range);
  else
    bindExisting(*tensor, *produced, name, *call.def);
  if (isNew && produced->isInOut && !inError.contains(name.text)) {
    tensor->isInOut = true;
    Report report = tensor->kind == Tensor::Output
                        ? fail(name.range, diag::CallNotInitialized, name.text, call.callee.text)
                        : fail(name.range, diag::TemporaryNotInitialized, name.text);
    report.note(produced->name.range, "`{0}` is combined with what it held before",
                produced->name.text);
    report.hint("a statement before the call can define `{0}`", name.text);
  }
  defined.try_emplace(tensor, name.range);
  return tensor;
}

void Checker::bindExisting(Tensor &tensor, const Tensor &produced, const Name &name,
                           const Def &callee) {
  if (tensor.element != produced.element || tensor.rank != produced.rank)
    fail(name.range, diag::CallResultType, name.text, typeText(tensor), produced.name.text,
         callee.name.text, typeText(produced))
        .note(tensor.name.range, tensor.declared ? "it is declared here" : "it was defined here");
  if (!llvm::is_contained(allTensors, &tensor))
    allTensors.push_back(&tensor);
}
