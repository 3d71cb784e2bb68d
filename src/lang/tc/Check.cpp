#include "lang/tc/Check.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

static std::string counted(size_t count, StringRef one, StringRef many) {
  return llvm::formatv("{0} {1}", count, count == 1 ? one : many);
}

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
          .note(at->second->name.range, "it was defined here before");
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
  for (Stmt *stmt : def.body) {
    const Name *callee = nullptr;
    if (auto *call = stmt->as<CallStmt>())
      callee = &call->callee;
    else if (calledBy(*stmt))
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
  checkParameters(def);
  checkReturns(def);
  for (statementIndex = 0; statementIndex < def.body.size(); ++statementIndex) {
    Stmt &stmt = *def.body[statementIndex];
    if (Def *callee = calledBy(stmt))
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
  for (const Parameter &constParameter : def.parameters) {
    auto &parameter = const_cast<Parameter &>(constParameter);
    declareSizes(parameter.type, parameter.name.text);
    const Name &name = parameter.name;
    if (name.text.empty())
      continue;
    if (std::optional<unsigned> size = sizeNamed(name.text))
      fail(name.range, diag::ParameterIsSize, name.text)
          .note(sizes[*size].range, "it is a size here");
    if (builtinNamed(name.text))
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

void Checker::declareSizes(const TensorType &type, StringRef owner) {
  if (type.element == Scalar::BF16)
    requireExtension(type.range, "the type `bfloat16` is");
  for (const Dimension &constDimension : type.dimensions) {
    auto &dimension = const_cast<Dimension &>(constDimension);
    if (dimension.name.empty())
      continue;
    if (Tensor *tensor = tensorNamed(dimension.name))
      fail(dimension.range, diag::SizeIsParameter, dimension.name)
          .note(tensor->name.range, "it is declared here");
    std::optional<unsigned> known = sizeNamed(dimension.name);
    dimension.variable = known.value_or(sizes.size());
    if (!known)
      sizes.push_back({dimension.name, dimension.range});
  }
}

void Checker::checkReturns(Def &def) {
  for (const Return &constResult : def.returns) {
    auto &result = const_cast<Return &>(constResult);
    const Name &name = result.name;
    if (name.text.empty())
      continue;
    if (std::optional<unsigned> size = sizeNamed(name.text))
      fail(name.range, diag::ParameterIsSize, name.text)
          .note(sizes[*size].range, "it is a size here");
    else if (builtinNamed(name.text))
      fail(name.range, diag::BuiltinAsTensor, name.text);
    Tensor *earlier = tensorNamed(name.text);
    if (earlier && earlier->kind == Tensor::Input)
      fail(name.range, diag::ReturnsInput, name.text)
          .note(earlier->name.range, "it is an argument here");
    else if (earlier)
      fail(name.range, diag::DuplicateReturn, name.text)
          .note(earlier->name.range, "the first time");
    else
      tensors[name.text] = program.make(Tensor{name, Tensor::Output});
    result.tensor = tensors[name.text];
    if (result.type)
      checkAnnotation(result);
  }
}

void Checker::checkAnnotation(const Return &result) {
  if (result.type->element == Scalar::BF16)
    requireExtension(result.type->range, "the type `bfloat16` is");
  for (const Dimension &dimension : result.type->dimensions) {
    if (dimension.name.empty())
      continue;
    std::optional<unsigned> size = sizeNamed(dimension.name);
    const_cast<Dimension &>(dimension).variable = size.value_or(0);
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
        !isEcho(result.name.text))
      fail(result.name.range, diag::NeverDefined, result.name.text);
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

//===- Calls ----------------------------------------------------------------------------------===//

Def *Checker::calledBy(const Stmt &stmt) const {
  auto *statement = stmt.as<Comprehension>();
  if (!statement || statement->hasIndexList || statement->reduction != Reduction::None ||
      !statement->where.empty() || !statement->value)
    return nullptr;
  auto *apply = statement->value->bare().as<Apply>();
  if (!apply || tensors.contains(apply->callee.text))
    return nullptr;
  return defs.lookup(apply->callee.text);
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

void Checker::check(CallStmt &call, const Stmt &self) {
  call.def = defs.lookup(call.callee.text);
  if (!call.def) {
    Report report = fail(call.callee.range, diag::UnknownDef, call.callee.text);
    std::vector<StringRef> names;
    for (Def *def : program.defs)
      names.push_back(def->name.text);
    if (StringRef near = nearestName(call.callee.text, names); !near.empty())
      report.hint("did you mean `{0}`?", near).fix(call.callee.range, near);
    return;
  }
  if (!isChecked.lookup(call.def) || !checkCounts(call, self))
    return; // A recursion was reported, or the counts were.
  llvm::SmallVector<Tensor *> arguments, results;
  for (unsigned i = 0; i < call.arguments.size(); ++i)
    arguments.push_back(argumentOf(call, i));
  for (unsigned i = 0; i < call.results.size(); ++i)
    results.push_back(resultOf(call, i));
  call.argumentTensors = program.keep<Tensor *>(arguments);
  call.resultTensors = program.keep<Tensor *>(results);
}

bool Checker::checkCounts(const CallStmt &call, const Stmt &self) {
  const Def &callee = *call.def;
  auto verb = [](size_t count) { return counted(count, "is", "are"); };
  if (call.arguments.size() != callee.parameters.size())
    fail(self.range, diag::CallArgumentCount, callee.name.text,
         counted(callee.parameters.size(), "argument", "arguments"), verb(call.arguments.size()))
        .note(callee.name.range, "`{0}` is defined here", callee.name.text);
  if (call.results.size() != callee.returns.size())
    fail(self.range, diag::CallResultCount, callee.name.text,
         counted(callee.returns.size(), "tensor", "tensors"), verb(call.results.size()))
        .note(callee.name.range, "`{0}` is defined here", callee.name.text);
  return call.arguments.size() == callee.parameters.size() &&
         call.results.size() == callee.returns.size();
}

static std::string typeText(Scalar element, unsigned rank) {
  return llvm::formatv("{0}, {1}", spelling(element), counted(rank, "dimension", "dimensions"));
}

Tensor *Checker::argumentOf(const CallStmt &call, unsigned index) {
  const Name &name = call.arguments[index];
  if (name.text.empty())
    return nullptr;
  Tensor *tensor = tensorNamed(name.text);
  if (!tensor || !isDefined(*tensor)) {
    if (!isEcho(name.text))
      fail(name.range, tensor ? diag::UndefinedTensor : diag::CallTensor, name.text);
    return nullptr;
  }
  const Tensor *parameter = call.def->parameters[index].tensor;
  if (parameter && (tensor->element != parameter->element || tensor->rank != parameter->rank))
    fail(name.range, diag::CallArgumentType, name.text, typeText(tensor->element, tensor->rank),
         parameter->name.text, call.def->name.text, typeText(parameter->element, parameter->rank))
        .note(parameter->name.range, "it is declared here");
  return tensor;
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
    bindExisting(*tensor, *produced, name);
  if (isNew && produced->isInOut) {
    tensor->isInOut = true;
    fail(name.range,
         tensor->kind == Tensor::Output ? diag::NotInitialized : diag::TemporaryNotInitialized,
         name.text, "!", "nothing")
        .note(produced->name.range, "`{0}` of `{1}` is combined with what it holds before",
              produced->name.text, call.def->name.text);
  }
  defined.try_emplace(tensor, name.range);
  return tensor;
}

void Checker::bindExisting(Tensor &tensor, const Tensor &produced, const Name &name) {
  if (tensor.element != produced.element || tensor.rank != produced.rank)
    fail(name.range, diag::CallResultType, name.text, typeText(tensor.element, tensor.rank),
         produced.name.text, "the call", typeText(produced.element, produced.rank))
        .note(tensor.name.range, "`{0}` was defined here", name.text);
  if (!llvm::is_contained(allTensors, &tensor))
    allTensors.push_back(&tensor);
}

//===- Names ----------------------------------------------------------------------------------===//

std::optional<unsigned> Checker::sizeNamed(StringRef name) const {
  for (auto [index, size] : llvm::enumerate(sizes))
    if (size.text == name)
      return index;
  return std::nullopt;
}

/// A statement further down that defines the name.
const Stmt *Checker::laterDefinition(StringRef name) const {
  for (const Stmt *stmt : current->body.drop_front(statementIndex)) {
    auto *statement = stmt->as<Comprehension>();
    auto *call = stmt->as<CallStmt>();
    auto isNamed = [&](const Name &result) { return result.text == name; };
    if (statement ? statement->target.text == name : llvm::any_of(call->results, isNamed))
      return stmt;
  }
  return nullptr;
}

std::vector<StringRef> Checker::visibleNames() const {
  std::vector<StringRef> names;
  for (const Tensor *tensor : allTensors)
    names.push_back(tensor->name.text);
#define TC_BUILTIN(name, arity) names.push_back(#name);
#include "lang/tc/Builtins.def"
  return names;
}

void Checker::requireExtension(SourceRange range, StringRef what) {
  if (options.strict)
    fail(range, diag::Extension, what);
}
