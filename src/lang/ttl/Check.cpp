#include "lang/ttl/Check.h"
#include "lang/ttl/Constant.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

void Checker::checkProgram() {
  for (Function *function : program.functions) {
    current = nullptr;
    auto [entry, isNew] = functions.try_emplace(function->name.text, function);
    if (!isNew)
      fail(function->name.range, diag::DuplicateFunction, function->name.text)
          .note(entry->second->name.range, "the first definition is here");
    checkFunction(*function);
  }
  if (!program.hasSyntaxErrors)
    checkMain();
}

void Checker::checkMain() {
  Function *main = functions.lookup("main");
  if (!main) {
    uint32_t end = program.file->text().rtrim().size();
    fail({end, end}, diag::NoMain)
        .hint("the entry point is `function int main()` or `function void main()`");
    return;
  }
  if (!main->parameters.empty())
    fail(main->parameters.front().typeRange.upTo(main->parameters.back().name.range),
         diag::MainParameters, counted(main->parameters.size(), "parameter", "parameters"));
  Type::Kind result = main->returnType.kind;
  if (result != Type::Int && result != Type::Void && result != Type::Invalid)
    fail(main->returnTypeRange, diag::MainResult, main->returnType.str());
}

void Checker::checkFunction(Function &function) {
  Scope scope(variables);
  current = &function;
  declared.clear();
  undefinedLoopVariables.clear();
  hasEarlyReturn = false;
  isCertain = function.name.text == (options.entry.empty() ? "main" : options.entry);
  scopeDepth = 1;
  checkParameters(function);
  checkStmts(function.body);
  if (function.hasSyntaxErrors())
    return;
  checkEnd(function);
  for (Variable *variable : declared)
    if (!variable->isRead && !variable->isParameter && !variable->isLoopVariable &&
        !variable->type.isInvalid())
      fail(variable->name.range, diag::UnusedVariable, variable->name.text);
}

void Checker::checkParameters(Function &function) {
  for (ParameterDecl &parameter : function.parameters) {
    Type type = parameter.type;
    if (type.kind == Type::Void) {
      fail(parameter.typeRange, diag::VoidParameter, parameter.name.text);
      type = {};
    }
    if (Variable *other = lookUp(parameter.name.text))
      fail(parameter.name.range, diag::DuplicateParameter, parameter.name.text)
          .note(other->name.range, "the first one is here");
    Variable *variable = declare(parameter.name, type);
    variable->isParameter = variable->mayBeWritten = true;
    parameter.variable = variable;
  }
}

/// A function that returns something ends with `return`.
void Checker::checkEnd(const Function &function) {
  bool needsValue = function.returnType.kind != Type::Void && !function.returnType.isInvalid();
  bool hasReturn = !function.body.empty() && function.body.back()->as<Return>();
  bool isReported =
      hasEarlyReturn || llvm::any_of(function.body, [](Stmt *stmt) { return stmt->as<Return>(); });
  bool isEmptyAnyway = function.body.empty() && options.standard != "reference";
  if (needsValue && !hasReturn && !isReported && !isEmptyAnyway)
    fail({function.range.end - 1, function.range.end}, diag::NoReturn, function.name.text,
         function.returnType.str());
}

void Checker::checkStmts(llvm::ArrayRef<Stmt *> stmts) {
  openBodies.push_back(stmts);
  for (size_t i = 0; i < stmts.size(); ++i) {
    check(*stmts[i]);
    bool isLast = i + 1 == stmts.size();
    if (stmts[i]->as<Return>() && scopeDepth == 1 && !isLast)
      fail(stmts[i + 1]->range, diag::AfterReturn).note(stmts[i]->range, "`return` is here");
  }
  openBodies.pop_back();
}

void Checker::check(Stmt &stmt) {
  std::visit([&](auto &node) { check(node, stmt); }, stmt.node);
}

void Checker::check(Compound &compound, const Stmt &) {
  Scope scope(variables);
  ++scopeDepth;
  checkStmts(compound.body);
  --scopeDepth;
}

/// The body of a loop or branch. Without braces it opens no scope [ttl.warning.3].
void Checker::checkBody(Stmt *body) {
  if (!body)
    return;
  llvm::SaveAndRestore certain(isCertain, false);
  if (auto *def = body->as<VarDef>())
    fail(def->name.range, diag::UnbracedDefinition, def->name.text);
  if (body->as<Return>() && current->returnType.kind != Type::Void)
    rejectEarlyReturn(body->range);
  else
    check(*body);
}

void Checker::rejectEarlyReturn(SourceRange range) {
  hasEarlyReturn = true;
  fail(range, diag::EarlyReturn)
      .hint("assign the result to a variable, and return that at the end of the function");
}

Variable *Checker::declare(const Name &name, Type type) {
  Variable *variable = program.make(Variable{name, type});
  variable->scopeDepth = scopeDepth;
  variable->loopDepth = openLoops.size();
  variables.insert(name.text, variable);
  declared.push_back(variable);
  return variable;
}

void Checker::check(VarDef &def, const Stmt &) {
  if (def.type.kind == Type::Void) {
    fail(def.typeRange, diag::VoidVariable, def.name.text);
    def.type = {};
  }
  openDefinition = &def;
  copiedOnly = def.init ? &def.init->bare() : nullptr;
  if (def.init)
    check(*def.init);
  openDefinition = nullptr;
  if (!def.type.isInvalid())
    checkInit(def);

  Variable *other = lookUp(def.name.text);
  if (other && other->scopeDepth == scopeDepth) {
    fail(def.name.range, other->isParameter ? diag::RedefinedParameter : diag::Redefinition,
         def.name.text)
        .note(other->name.range, "the first one is here");
    other->isRead = true; // Later uses refer to the first one.
    def.variable = other;
    return;
  }
  if (other)
    fail(def.name.range, diag::Shadowing, def.name.text)
        .note(other->name.range, "it is defined here");
  def.variable = declare(def.name, def.type);
  def.variable->mayBeWritten = def.init || !def.type.isMatrix();
}

void Checker::check(Assign &assign, const Stmt &) {
  copiedOnly = &assign.value->bare();
  Type value = checkValue(*assign.value);
  assign.variable = lookUp(assign.target.text);
  if (!assign.variable) {
    if (functions.count(assign.target.text))
      fail(assign.target.range, diag::NotAssignable,
           llvm::formatv("the function `{0}`", assign.target.text));
    else
      reportUnknown(assign.target, diag::UnknownTarget);
    return;
  }
  Variable &variable = *assign.variable;
  variable.mayBeWritten = true;
  if (llvm::is_contained(openLoops, &variable))
    fail(assign.target.range, diag::LoopVariableAssigned, variable.name.text);
  const Type &type = variable.type;
  if (value.isInvalid() || type.isInvalid())
    return;
  if (matches(type, value))
    return checkValueSizes(type, *assign.value);
  SourceRange at = assign.value->range;
  const char *special = !type.isMatrix()                        ? nullptr
                        : value.kind == Type::Range             ? "a range"
                        : value.isScalar()                      ? "a scalar"
                        : value.rank() == 1 && type.rank() != 1 ? "a one-dimensional matrix"
                                                                : nullptr;
  if (onlyPedantic(type, value))
    fail(at, diag::PedanticMismatch, type.str(), value.str());
  else if (special)
    fail(at, diag::SpecialAssignment, variable.name.text, type.str(), special);
  else if (value.kind == Type::Range)
    fail(at, diag::MisplacedRange, "assigned");
  else
    suggestFloat(fail(at, diag::AssignmentDiffers, variable.name.text, type.str(), value.str())
                     .note(variable.name.range, "`{0}` is defined here", variable.name.text),
                 type, *assign.value);
}

void Checker::check(ElementAssign &assign, const Stmt &) {
  assign.variable = lookUp(assign.target.text);
  if (!assign.variable)
    reportUnknown(assign.target, diag::UnknownTarget);
  Type type = assign.variable ? assign.variable->type : Type{};
  bool isMatrix = type.isMatrix();
  if (!isMatrix && !type.isInvalid())
    fail(assign.target.range, diag::ElementOfScalar, assign.target.text, type.str());
  if (isMatrix && type.rank() != int64_t(assign.indices.size()))
    fail(assign.indices.front()->range.upTo(assign.indices.back()->range), diag::IndexCount,
         assign.target.text, counted(type.rank(), "dimension", "dimensions"),
         counted(assign.indices.size(), "index is", "indices are"));
  for (auto [dim, index] : llvm::enumerate(assign.indices)) {
    Type indexType = checkValue(*index);
    if (!indexType.isInvalid() && indexType.kind != Type::Int)
      fail(index->range, diag::IndexNotInt, indexType.str());
    auto value = constantValue(*index);
    bool isKnown = isMatrix && int64_t(dim) < type.rank() && type.sizes[dim] != Type::dynamic;
    if (value && isKnown && (*value < 0 || *value >= type.sizes[dim]))
      failIfRun(index->range, diag::IndexOutOfBounds, *value, dim, assign.target.text,
                type.sizes[dim]);
    else if (value && *value < 0)
      failIfRun(index->range, diag::NegativeIndex, *value);
  }
  Type value = checkValue(*assign.value);
  if (isMatrix && !value.isInvalid() && value.kind != type.element)
    suggestFloat(fail(assign.value->range, diag::ElementDiffers, assign.target.text,
                      Type::of(type.element).str(), value.str()),
                 Type::of(type.element), *assign.value);
  if (assign.variable)
    assign.variable->mayBeWritten = assign.variable->isRead = true;
}

void Checker::check(CallStmt &stmt, const Stmt &) {
  auto *call = stmt.call->as<Call>();
  if (!call)
    return; // A syntax error, reported.
  if (call->callee.text == "print" && !functions.count("print"))
    return checkPrint(*call, *stmt.call);
  Type type = check(*stmt.call);
  if (!type.isInvalid() && type.kind != Type::Void)
    fail(stmt.call->range, diag::ResultDropped, call->callee.text);
}

/// The one builtin: `print(e);` [ttl.print].
void Checker::checkPrint(Call &call, const Expr &self) {
  if (options.strict)
    fail(call.callee.range, diag::Extension);
  if (call.arguments.size() != 1)
    fail(self.range, diag::PrintArguments, counted(call.arguments.size(), "is", "are"));
  for (Expr *argument : call.arguments) {
    auto *binary = argument->as<Binary>();
    bool isRange = binary && classOf(binary->op) == OpClass::Range; // With any bounds.
    Type type = isRange ? Type::of(Type::Range) : check(*argument);
    if (type.kind == Type::Range || type.kind == Type::Void)
      fail(argument->range, diag::PrintNoValue,
           type.kind == Type::Range ? "a range" : "the result of a `void` function");
  }
}

static bool isEmptyRange(const Expr &expr) {
  const Binary *range = rangeOf(expr);
  if (!range)
    return false;
  auto begin = constantValue(*range->lhs), end = constantValue(*range->rhs);
  return begin && end && *begin >= *end;
}

void Checker::check(For &loop, const Stmt &) {
  checkLoopRange(loop);
  loop.variable = lookUp(loop.variableName.text);
  if (!loop.variable) {
    reportUnknown(loop.variableName, diag::UnknownLoopVariable);
    undefinedLoopVariables.insert(loop.variableName.text);
  } else {
    if (loop.variable->type.kind != Type::Int && !loop.variable->type.isInvalid())
      fail(loop.variableName.range, diag::LoopVariableNotInt, loop.variableName.text,
           loop.variable->type.str());
    loop.variable->isLoopVariable = true;
  }
  openLoops.push_back(loop.variable);
  llvm::SaveAndRestore never(neverRuns, neverRuns || isEmptyRange(*loop.range));
  checkBody(loop.body);
  openLoops.pop_back();
}

void Checker::checkLoopRange(For &loop) {
  Type range = checkValue(*loop.range);
  bool takesInt = options.standard == "reference" && range.kind == Type::Int;
  if (!range.isInvalid() && range.kind != Type::Range && !takesInt) {
    Report report = fail(loop.range->range, diag::NotARange, range.str());
    if (range.kind == Type::Int)
      report.fix({loop.range->range.begin, loop.range->range.begin}, "0...");
  }
  Type step = checkValue(*loop.step);
  if (!step.isInvalid() && step.kind != Type::Int)
    fail(loop.step->range, diag::StepNotInt, step.str());
  if (auto value = constantValue(*loop.step); value && *value <= 0)
    fail(loop.step->range, diag::StepNotPositive, *value);
}

void Checker::checkCondition(Expr &condition) {
  Type type = checkValue(condition);
  if (!type.isInvalid() && type.kind != Type::Int)
    fail(condition.range, diag::ConditionNotInt, type.str());
  if (auto value = constantValue(condition))
    fail(condition.range, diag::ConstantCondition, *value ? "true" : "false");
}

void Checker::check(If &branch, const Stmt &) {
  llvm::SaveAndRestore outside(neverRuns);
  for (const If::Arm &arm : branch.arms) {
    checkCondition(*arm.condition);
    auto value = constantValue(*arm.condition);
    bool isNeverReached = std::exchange(neverRuns, neverRuns || value == 0);
    checkBody(arm.body);
    neverRuns = isNeverReached || (value && *value != 0); // Later arms are then never reached.
  }
  checkBody(branch.elseBody);
}

void Checker::check(Return &stmt, const Stmt &self) {
  copiedOnly = stmt.value && !isCertain ? &stmt.value->bare() : nullptr;
  Type value = stmt.value ? check(*stmt.value) : Type{};
  const Type &expected = current->returnType;
  if (expected.kind == Type::Void) {
    fail(self.range, diag::ReturnFromVoid, current->name.text)
        .note(current->returnTypeRange, "`void` is here");
    return;
  }
  if (scopeDepth > 1)
    rejectEarlyReturn(self.range);
  if (value.isInvalid() || expected.isInvalid())
    return;
  if (value.kind == Type::Void || value.kind == Type::Range)
    fail(stmt.value->range, diag::ReturnNoValue,
         value.kind == Type::Range ? "a range" : "the result of a `void` function");
  else if (onlyPedantic(expected, value))
    fail(stmt.value->range, diag::PedanticMismatch, expected.str(), value.str());
  else if (!matches(expected, value))
    suggestFloat(fail(stmt.value->range, diag::ReturnDiffers, current->name.text, expected.str(),
                      value.str())
                     .note(current->returnTypeRange, "the result type is here"),
                 expected, *stmt.value);
  else
    checkValueSizes(expected, *stmt.value);
}

/// A definition of `name` that comes later in a scope that is open here.
const VarDef *Checker::laterDefinition(StringRef name) const {
  for (llvm::ArrayRef<Stmt *> body : openBodies)
    for (Stmt *stmt : body)
      if (auto *def = stmt->as<VarDef>(); def && def->name.text == name && !def->variable)
        return def;
  return nullptr;
}

std::vector<StringRef> Checker::visibleNames() const {
  std::vector<StringRef> names;
  for (Variable *variable : declared)
    if (lookUp(variable->name.text) == variable)
      names.push_back(variable->name.text);
  return names;
}

/// Whether `==` or `!=` stands next to the name.
static bool isCompared(const SourceFile &file, SourceRange name) {
  StringRef before = file.text().take_front(name.begin).rtrim();
  StringRef after = file.text().drop_front(name.end).ltrim();
  return before.ends_with("==") || before.ends_with("!=") || after.starts_with("==") ||
         after.starts_with("!=");
}

/// Reports why there is no such variable here: not yet defined, out of scope, or unknown.
void Checker::reportUnknown(const Name &name, const DiagnosticKind &kind) {
  bool isReported = !llvm::isAlpha(name.text.front()); // By the lexer.
  if (isReported || undefinedLoopVariables.contains(name.text))
    return;
  if (openDefinition && openDefinition->name.text == name.text) {
    fail(name.range, diag::OwnInitializer, name.text);
    return;
  }
  if (const VarDef *later = laterDefinition(name.text)) {
    fail(name.range, diag::UseBeforeDefinition, name.text)
        .note(later->name.range, "its definition is here");
    return;
  }
  for (Variable *variable : declared)
    if (variable->name.text == name.text) {
      fail(name.range, diag::OutOfScope, name.text)
          .note(variable->name.range,
                "its scope, the compound statement around this definition, has ended");
      return;
    }
  bool isTrue = name.text.equals_insensitive("true");
  if (isTrue || name.text.equals_insensitive("false")) {
    Report report = fail(name.range, diag::BooleanLiteral, name.text)
                        .hint("0 is false, every other `int` is true");
    if (!isCompared(*program.file, name.range)) // `b == 1` would be false of other true values.
      report.fix(name.range, isTrue ? "1" : "0");
    return;
  }
  suggestName(fail(name.range, kind, name.text), name.range, name.text, visibleNames());
}
