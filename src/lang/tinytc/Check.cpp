#include "lang/tinytc/Check.h"
#include "lang/tinytc/Device.h"
#include "lang/tinytc/LocalMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

bool tessera::tinytc::check(Program &program, const LanguageOptions &options,
                            DiagnosticEngine &diagnostics) {
  return Checker(program, options, diagnostics).run();
}

bool Checker::run() {
  llvm::StringMap<SourceRange> names;
  for (Function *function : program.functions) {
    auto [known, isNew] = names.try_emplace(function->name.text, function->name.range);
    if (!isNew)
      report(function->name.range, diag::DuplicateFunction, function->name.text)
          .label(known->second, "first defined here");
    checkFunction(*function);
  }
  return !reporter.hasErrors() && !program.hasSyntaxErrors;
}

//===-- Functions ---------------------------------------------------------===//

void Checker::checkFunction(Function &function) {
  numValues = 0;
  places.clear();
  skipped = function.skipped;
  collectDefinitions(function.body);
  reporter.function = function.name.text;
  checkFunctionAttributes(function);
  scopes.emplace_back();
  for (auto [parameter, range] : llvm::zip_equal(function.parameters, function.typeRanges)) {
    parameterTypes[parameter] = range;
    checkParameter(*parameter, range);
    bind(parameter);
  }
  checkRegion(function.body, RegionKind::Collective);
  scopes.pop_back();
  checkLocalMemory(function);
}

void Checker::checkLocalMemory(const Function &function) {
  int64_t bytes = localBytesOf(function);
  if (bytes <= device::localBytes)
    return;
  std::string needed = (bytes >= mostLocalBytes ? "at least " : "") + std::to_string(bytes);
  Report report = this->report(function.name.range, diag::LocalMemory, function.name.text, needed,
                               device::localBytes);
  constexpr size_t maxNotes = 8;
  llvm::SmallVector<LocalUse> uses = localUsesOf(function);
  for (const LocalUse &use : llvm::ArrayRef(uses).take_front(maxNotes))
    report.note(use.alloca->range, "{0}", counted(use.bytes, "byte", "bytes"));
  if (uses.size() > maxNotes)
    report.hint("{0} smaller ones are not shown", uses.size() - maxNotes);
}

static bool isLocal(const Type &type) {
  if (type.kind == Type::Group)
    return isLocal(*type.member);
  return type.isMemref() && type.space == AddressSpace::Local;
}

void Checker::checkParameter(Value &parameter, SourceRange typeRange) {
  const Type &type = *parameter.type;
  if (type.isCoop())
    report(typeRange, diag::CoopParameter, parameter.name.text, spelling(type));
  else if (type.kind == Type::Void)
    report(typeRange, diag::VoidType, "parameter `" + parameter.name.text.str() + "`");
  else if (isLocal(type))
    report(typeRange, diag::LocalParameter, parameter.name.text, spelling(type));
  if (!parameter.attributes)
    return;
  if (type.isMemref())
    checkMemoryAttributes(*parameter.attributes, type);
  else if (type.kind == Type::Group)
    checkMemoryAttributes(*parameter.attributes, *type.member);
  else if (type.kind != Type::Invalid && !parameter.attributes->entries.empty())
    report(parameter.attributes->range, diag::ScalarAttributes, parameter.name.text,
           spelling(type));
}

//===-- Names -------------------------------------------------------------===//

void Checker::bind(Value *value) {
  value->number = numValues++;
  for (const auto &scope : scopes)
    if (auto known = scope.find(value->name.text); known != scope.end()) {
      Report report = this->report(value->name.range, diag::RedefinedValue, value->name.text);
      report.label(known->second->name.range, "first defined here");
      if (loopDepth)
        report.hint(
            "values cannot change; a loop carries one with `init(%a=%b) -> (type)` and `yield`");
      return;
    }
  scopes.back()[value->name.text] = value;
}

void Checker::bindResults(Inst &inst) {
  for (Value *result : inst.results)
    bind(result);
}

void Checker::setResult(Inst &inst, const TypeRef &type) {
  if (!inst.results.empty())
    inst.results[0]->type = type.type;
}

void Checker::hideResult(Inst &inst) {
  if (!inst.results.empty())
    inst.results[0]->type = types.invalid();
}

static bool isKind(const Type &type, Type::Kind kind) {
  return type.kind == kind || type.kind == Type::Invalid;
}

/// The result of the `alloca` that the value is, or is a view of; null for other values.
static Value *allocationOf(Value *value) {
  while (value && value->inst && !value->inst->as<Alloca>()) {
    const Inst &inst = *value->inst;
    auto *subview = inst.as<Subview>();
    auto *expand = inst.as<Expand>();
    auto *fuse = inst.as<Fuse>();
    value = subview  ? subview->operand.value
            : expand ? expand->operand.value
            : fuse   ? fuse->operand.value
                     : nullptr;
  }
  return value && value->inst ? value : nullptr;
}

void Checker::noteUse(const Operand &operand) {
  Value *memory = allocationOf(operand.value);
  if (!memory)
    return;
  memory->lastUse = operand.range.begin;
  LifetimeStop *stop = stops.lookup(memory);
  if (!stop || stop->isEarly)
    return;
  stop->isEarly = true;
  report(stop->operand.range, diag::LifetimeEarly, program.excerpt(stop->operand.range))
      .note(operand.range, "`{0}` is used here", program.excerpt(operand.range));
}

Value *Checker::lookUp(StringRef name) const {
  for (const auto &scope : llvm::reverse(scopes))
    if (auto found = scope.find(name); found != scope.end())
      return found->second;
  return nullptr;
}

/// Results are defined where their instruction ends, the variables of a loop where they are named.
void Checker::collectDefinitions(const Region *region) {
  if (!region)
    return;
  auto add = [&](const Value *value, uint32_t from) {
    places[value->name.text].push_back({value->name.range, from});
  };
  auto addVariable = [&](const Value *value) { add(value, value->name.range.end); };
  for (const Inst *inst : region->body) {
    for (const Value *result : inst->results)
      add(result, inst->range.end);
    if (auto *loop = inst->as<For>()) {
      addVariable(loop->variable);
      for (const Carried &carried : loop->carried)
        addVariable(carried.value);
      collectDefinitions(loop->body);
    } else if (auto *loop = inst->as<Foreach>()) {
      llvm::for_each(loop->variables, addVariable);
      collectDefinitions(loop->body);
    } else if (auto *branch = inst->as<If>()) {
      collectDefinitions(branch->thenRegion);
      collectDefinitions(branch->elseRegion);
    } else if (auto *parallel = inst->as<Parallel>()) {
      collectDefinitions(parallel->body);
    }
  }
}

bool Checker::isInSkipped(StringRef name) const {
  name = name.drop_front(); // `y: f32 = ...` may be meant to define `%y`.
  auto continues = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return llvm::any_of(skipped, [&](SourceRange range) {
    StringRef rest = program.file->text(range);
    while (!rest.empty()) {
      StringRef word = rest.take_while(continues);
      if (word == name)
        return true;
      rest = rest.drop_front(std::max<size_t>(word.size(), 1));
    }
    return false;
  });
}

/// A name that is defined elsewhere in the function is not a typo, and neither is one that may be.
void Checker::reportUndefined(const Operand &operand, Suits suits) {
  if (isInSkipped(operand.name))
    return;
  Report report = this->report(operand.range, diag::UndefinedValue, operand.name);
  if (auto known = places.find(operand.name); known != places.end()) {
    const Place *place = &known->second.front();
    for (const Place &other : known->second)
      if (other.from <= operand.range.begin)
        place = &other;
    if (place->from <= operand.range.begin)
      report.note(place->name, "this one is in a region that has ended");
    else
      report.note(place->name, "`{0}` is defined later, here", operand.name);
    return;
  }
  if (!skipped.empty())
    return;
  std::vector<StringRef> names;
  for (const auto &scope : scopes)
    for (const auto &entry : scope)
      if (const Type &type = *entry.second->type; type.kind != Type::Invalid && suits(type))
        names.push_back(entry.first());
  llvm::sort(names);
  suggestName(report, operand.range, operand.name, names);
}

const Type *Checker::resolve(Operand &operand, const Type *wanted, Suits suits) {
  if (operand.type && !operand.literal)
    return operand.type;
  operand.type = types.invalid();
  if (operand.literal) {
    bool isPossible = wanted && (wanted->isScalar() || wanted->kind == Type::Bool);
    if (isPossible && fits(*operand.literal, operand.range, *wanted))
      operand.type = wanted;
    else if (!wanted || (!isPossible && wanted->kind != Type::Invalid))
      report(operand.range, diag::LiteralOperand, program.excerpt(operand.range))
          .hint("`%name = constant {0} : type` makes a value of it",
                program.excerpt(operand.range));
    return operand.type;
  }
  if (operand.name.empty())
    return operand.type;
  if (Value *value = lookUp(operand.name)) {
    operand.value = value;
    operand.type = value->type;
    noteUse(operand);
    return operand.type;
  }
  reportUndefined(operand, suits);
  return operand.type;
}

const Literal *Checker::constantOf(const Operand &operand) const {
  return operand.literal ? operand.literal : operand.value ? operand.value->constant : nullptr;
}

const Literal *Checker::foldedOf(const Operand &operand) const {
  return operand.literal ? operand.literal : operand.value ? operand.value->folded : nullptr;
}

//===-- Regions and instructions ------------------------------------------===//

void Checker::checkRegion(Region *region, RegionKind regionKind,
                          std::optional<llvm::ArrayRef<TypeRef>> yielded) {
  if (!region)
    return;
  RegionKind outer = std::exchange(kind, regionKind);
  auto outerYield = std::exchange(yieldTypes, yielded);
  region->kind = regionKind;
  scopes.emplace_back();
  for (Inst *inst : region->body) {
    checkInst(*inst);
    bool isLast = inst == region->body.back();
    if (inst->as<Yield>() && !isLast && yielded)
      report(inst->nameRange, diag::YieldNotLast);
  }
  scopes.pop_back();
  kind = outer;
  yieldTypes = outerYield;
}

void Checker::checkInst(Inst &inst) {
  const Inst *outer = std::exchange(current, &inst);
  checkPlace(inst);
  std::visit([&](auto &node) { check(node, inst); }, inst.node);
  current = outer;
  bindResults(inst); // After its regions, which may use the same names [tinytc.name.4].
}

void Checker::checkPlace(const Inst &inst) {
  InstClass place = classOf(inst);
  StringRef name = program.file->text(inst.nameRange);
  if (place == InstClass::Collective && kind == RegionKind::Spmd)
    report(inst.nameRange, diag::CollectiveInSpmd, name)
        .label(spmdStart, "the SPMD region begins here");
  if (place == InstClass::Spmd && kind == RegionKind::Collective)
    report(inst.nameRange, diag::SpmdInCollective, name)
        .hint("put it into `parallel {{ ... }`, an SPMD region");
}

//===-- Shared restrictions -----------------------------------------------===//

bool Checker::wantsMemref(Operand &operand, Role role) {
  const Type *type = resolve(operand, nullptr, [](const Type &type) { return type.isMemref(); });
  if (isKind(*type, Type::Memref))
    return type->isMemref();
  Report report = this->report(operand.range, diag::OperandType, role.name, spelling(role.inst),
                               "a memref", program.excerpt(operand.range), spelling(*type));
  if (type->kind == Type::Group)
    report.hint("load a member first: `%name = load {0}[%index] : {1}`", operand.name,
                spelling(*type->member));
  return false;
}

bool Checker::wantsCoop(Operand &operand, Role role) {
  const Type *type = resolve(operand, nullptr, [](const Type &type) { return type.isCoop(); });
  if (!isKind(*type, Type::Coopmatrix))
    report(operand.range, diag::OperandType, role.name, spelling(role.inst), "a coopmatrix",
           program.excerpt(operand.range), spelling(*type));
  return type->isCoop();
}

bool Checker::wantsScalar(Operand &operand, Role role, const Type *wanted) {
  bool isPromoted = role.inst.as<Blas>();
  const Type *type = resolve(operand, wanted, [&](const Type &type) {
    bool isKnown = wanted && wanted->isScalar() && type.isScalar();
    return isKnown && (&type == wanted || (isPromoted && promotes(type.scalar, wanted->scalar)));
  });
  if (!isKind(*type, Type::Scalar))
    report(operand.range, diag::OperandType, role.name, spelling(role.inst), "a scalar",
           program.excerpt(operand.range), spelling(*type));
  return type->isScalar();
}

bool Checker::wantsType(Operand &operand, Role role, const Type *wanted) {
  const Type *type = resolve(operand, wanted, [&](const Type &type) { return &type == wanted; });
  bool isWanted = type == wanted;
  if (!isWanted && type->kind != Type::Invalid && wanted->kind != Type::Invalid)
    suggestCast(report(operand.range, diag::OperandType, role.name, spelling(role.inst),
                       "`" + spelling(*wanted) + "`", program.excerpt(operand.range),
                       spelling(*type)),
                operand, *wanted, role.inst);
  return isWanted;
}

/// Suggests a cast in the line before the instruction.
void Checker::suggestCast(Report report, const Operand &operand, const Type &wanted,
                          const Inst &inst) {
  if (!operand.value || operand.name.empty() || !isLossless(*operand.type, wanted))
    return;
  StringRef text = program.file->text();
  std::string base = (operand.name + "_" + spelling(wanted)).str(), name = base;
  if (llvm::isDigit(base[1]))
    name = base = "%v" + base.substr(1);
  for (int number = 2; text.contains(name) || !suggested.insert(name).second; ++number)
    name = base + "_" + std::to_string(number);
  uint32_t begin = program.file->lineStart(program.file->position(inst.range.begin).line);
  StringRef before = text.slice(begin, inst.range.begin);
  std::string cast = (name + " = cast " + operand.name + " : " + spelling(wanted)).str();
  bool mayVary = hasVariables(inst.range) || (&wanted != types.index() && hasTypeVariables());
  if (before.trim().empty() && !mayVary)
    report.fix({begin, begin}, (before + cast + "\n").str()).fix(operand.range, name);
  else
    report.hint("convert it first: `{0}`", cast);
}

bool Checker::wantsIndices(llvm::MutableArrayRef<Operand> indices, Inst &inst) {
  bool areIndices = true;
  for (Operand &index : indices)
    areIndices &= wantsType(index, {inst, "an index"}, types.index());
  return areIndices;
}

bool Checker::hasVariables(SourceRange range) const {
  return program.file->text(range).contains('$');
}

bool Checker::isTypedByVariable(const Value *value) const {
  return value && hasVariables(value->inst ? value->inst->range : parameterTypes.lookup(value));
}

bool Checker::hasTypeVariables() const {
  return llvm::any_of(program.expansions, [](const Expansion &use) {
    return std::holds_alternative<const Type *>(use.definition->value);
  });
}

void Checker::suggestText(Report report, SourceRange range, StringRef text, const Value *source) {
  if (hasVariables(range) || hasVariables(current->range) || isTypedByVariable(source))
    report.hint("write `{0}`", text);
  else
    report.fix(range, text);
}

bool Checker::wantsResult(const TypeRef &type, const Type *wanted, Inst &inst, bool isOnly) {
  if (type.type == wanted)
    return true;
  if (type.type->kind == Type::Invalid || wanted->kind == Type::Invalid)
    return false;
  Report report = this->report(type.range, diag::ResultType, spelling(inst), spelling(*wanted),
                               spelling(*type.type));
  if (isOnly)
    suggestText(report, type.range, spelling(*wanted));
  hideResult(inst);
  return false;
}

void Checker::rejectOperandType(const TypeRef &type, const Type *wanted, const Operand &operand,
                                Inst &inst) {
  Report report =
      this->report(type.range, diag::UnreadForm, "the operand's type in place of the result's");
  suggestText(report, type.range, spelling(*wanted), operand.value);
  setResult(inst, {wanted, type.range});
}

bool Checker::isMemref(const TypeRef &type, Inst &inst) {
  if (type.type->isMemref())
    return true;
  if (type.type->kind != Type::Invalid)
    report(type.range, diag::ResultMemref, spelling(inst), spelling(*type.type));
  hideResult(inst);
  return false;
}
