#include "lang/tc/Check.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

void Checker::checkProgram() {
  collectDefs();
  for (Def *def : program.defs)
    visitDef(*def);
}

void Checker::collectDefs() {
  for (Def *def : program.defs) {
    auto [at, isNew] = defs.try_emplace(def->name.text, def);
    if (!isNew && !def->name.text.empty())
      fail(def->name.range, diag::DuplicateDef, def->name.text)
          .note(at->second->name.range, "the first definition is here");
  }
}

/// Callees first.
void Checker::visitDef(Def &def) {
  if (isChecked.contains(&def))
    return;
  path.push_back(&def);
  checkCallees(def);
  path.pop_back();
  isChecked[&def] = true;
  checkDef(def);
}

void Checker::checkCallees(Def &def) {
  for (auto [index, stmt] : llvm::enumerate(def.body)) {
    const Name *callee = nullptr;
    if (auto *call = stmt->as<CallStmt>())
      callee = &call->callee;
    else if (calledBy(def, index))
      callee = &stmt->as<Comprehension>()->value->bare().as<Apply>()->callee;
    Def *next = callee ? defs.lookup(callee->text) : nullptr;
    if (!next)
      continue;
    if (isOnPath(*next))
      reportRecursion(*callee, *next);
    else
      visitDef(*next);
  }
}

void Checker::reportRecursion(const Name &call, const Def &callee) {
  std::string through;
  auto begin = std::find(path.begin(), path.end(), &callee);
  for (auto at = begin + 1; at < path.end(); ++at)
    through += (through.empty() ? " through `" : "`, `") + (*at)->name.text.str();
  fail(call.range, diag::Recursion, callee.name.text, through.empty() ? "" : through + "`");
}

void Checker::checkDef(Def &def) {
  current = &def;
  sizes.clear();
  tensors.clear();
  allTensors.clear();
  defined.clear();
  inError.clear();
  hasRejectedTarget = false;
  checkParameters(def);
  checkReturns(def);
  for (statementIndex = 0; statementIndex < def.body.size(); ++statementIndex) {
    Stmt &stmt = *def.body[statementIndex];
    if (Def *callee = calledBy(def, statementIndex))
      rewriteAsCall(stmt, *callee);
    std::visit([&](auto &node) { check(node, stmt); }, stmt.node);
    noteErrors(stmt);
  }
  checkDefined(def);
  def.sizes = program.keep<Name>(sizes);
  def.tensors = program.keep<Tensor *>(allTensors);
  current = nullptr;
}

void Checker::checkParameters(Def &def) {
  for (Parameter &parameter : def.parameters) {
    declareSizes(parameter.type, parameter.name.text);
    const Name &name = parameter.name;
    if (name.text.empty())
      continue;
    if (std::optional<unsigned> size = sizeNamed(name.text))
      fail(name.range, diag::ParameterIsSize, name.text)
          .note(sizes[*size].range, "it is a size here");
    if (isReservedForBuiltin(name.text))
      fail(name.range, diag::BuiltinAsTensor, name.text);
    if (Tensor *earlier = tensorNamed(name.text))
      fail(name.range, diag::DuplicateParameter, name.text)
          .note(earlier->name.range, "the other one");
    parameter.tensor =
        program.make(Tensor{name, Tensor::Input, parameter.type.element,
                            unsigned(parameter.type.dimensions.size()), &parameter.type});
    tensors.try_emplace(name.text, parameter.tensor);
    allTensors.push_back(parameter.tensor);
    defined.try_emplace(parameter.tensor, name.range);
  }
}

void Checker::declareSizes(TensorType &type, StringRef owner) {
  if (type.element == Scalar::BF16)
    rejectIfStrict(type.range, diag::Bfloat16Type);
  for (Dimension &dimension : type.dimensions) {
    if (dimension.name.empty())
      continue;
    if (Tensor *tensor = tensorNamed(dimension.name))
      fail(dimension.range, diag::SizeIsParameter, dimension.name)
          .note(tensor->name.range, "it is declared here")
          .hint("sizes are known from the tensors and need no parameter");
    std::optional<unsigned> known = sizeNamed(dimension.name);
    dimension.variable = known.value_or(sizes.size());
    if (!known)
      sizes.push_back({dimension.name, dimension.range});
  }
}

void Checker::checkReturns(Def &def) {
  for (Return &result : def.returns) {
    const Name &name = result.name;
    if (name.text.empty())
      continue;
    if (std::optional<unsigned> size = sizeNamed(name.text))
      fail(name.range, diag::ParameterIsSize, name.text)
          .note(sizes[*size].range, "it is a size here");
    else if (isReservedForBuiltin(name.text))
      fail(name.range, diag::BuiltinAsTensor, name.text);
    Tensor *earlier = tensorNamed(name.text);
    bool isInput = earlier && earlier->kind == Tensor::Input;
    if (isInput || sizeNamed(name.text) || isReservedForBuiltin(name.text))
      inError.insert(name.text);
    if (isInput)
      fail(name.range, diag::ReturnsInput, name.text)
          .note(earlier->name.range, "it is a parameter here");
    else if (earlier)
      fail(name.range, diag::DuplicateReturn, name.text).note(earlier->name.range, "the first one");
    else
      tensors[name.text] = program.make(Tensor{name, Tensor::Output});
    result.tensor = tensors[name.text];
    if (result.type)
      checkAnnotation(result);
  }
}

void Checker::checkAnnotation(Return &result) {
  if (result.type->element == Scalar::BF16)
    rejectIfStrict(result.type->range, diag::Bfloat16Type);
  for (Dimension &dimension : result.type->dimensions) {
    if (dimension.name.empty())
      continue;
    std::optional<unsigned> size = sizeNamed(dimension.name);
    dimension.variable = size.value_or(0);
    if (!size)
      fail(dimension.range, diag::UnboundSize, dimension.name);
  }
  if (result.tensor->kind != Tensor::Output)
    return;
  result.tensor->declared = &*result.type;
  result.tensor->element = result.type->element;
  result.tensor->rank = result.type->dimensions.size();
}

void Checker::checkDefined(Def &def) {
  for (const Return &result : def.returns)
    if (result.tensor && result.tensor->kind == Tensor::Output && !isDefined(*result.tensor) &&
        !isEcho(result.name.text) && !hasRejectedTarget)
      reportNeverDefined(result.name);
}

void Checker::reportNeverDefined(const Name &name) {
  Report report = fail(name.range, diag::NeverDefined, name.text);
  std::vector<StringRef> names;
  for (const Tensor *tensor : allTensors)
    if (tensor->kind == Tensor::Temporary)
      names.push_back(tensor->name.text);
  if (StringRef near = nearestName(name.text, names); !near.empty())
    report.hint("did you mean `{0}`, which a statement defines?", near);
}

void Checker::noteErrors(const Stmt &stmt) {
  auto note = [&](const Name &name) {
    Tensor *tensor = tensorNamed(name.text);
    if (!tensor || !isDefined(*tensor))
      inError.insert(name.text);
  };
  if (auto *statement = stmt.as<Comprehension>())
    note(statement->target);
  if (auto *call = stmt.as<CallStmt>())
    llvm::for_each(call->results, note);
}

bool Checker::isEcho(StringRef name) const {
  return inError.contains(name) || current->firstSyntaxError != UINT32_MAX;
}

//===- Names ----------------------------------------------------------------------------------===//

std::optional<unsigned> Checker::sizeNamed(StringRef name) const {
  for (auto [index, size] : llvm::enumerate(sizes))
    if (size.text == name)
      return index;
  return std::nullopt;
}

/// Where this statement or a later one defines the name.
const Name *Checker::laterDefinition(StringRef name) const {
  for (const Stmt *stmt : current->body.drop_front(statementIndex))
    for (const Name &result : definedBy(*stmt))
      if (result.text == name)
        return &result;
  return nullptr;
}

/// Reports a tensor that is read before a statement defines it.
void Checker::reportUndefined(const Name &name, const DiagnosticKind &kind) {
  if (!inError.insert(name.text).second)
    return; // Already reported.
  Report report = fail(name.range, kind, name.text);
  if (statement && statement->target.text == name.text)
    report.hint("this statement is the first that defines it");
  else if (const Name *definition = laterDefinition(name.text))
    report.note(definition->range, "it is defined only here");
}

std::vector<StringRef> Checker::scalarNames() const {
  std::vector<StringRef> names;
  for (const Name &size : sizes)
    names.push_back(size.text);
  for (const Tensor *tensor : allTensors)
    if (tensor->rank == 0)
      names.push_back(tensor->name.text);
  return names;
}

std::vector<StringRef> Checker::visibleNames() const {
  std::vector<StringRef> names;
  for (const Tensor *tensor : allTensors)
    names.push_back(tensor->name.text);
#define TC_BUILTIN(name, arity) names.push_back(#name);
#include "lang/tc/Builtins.def"
  return names;
}
