#include "lang/tinytc/Check.h"
#include "lang/tinytc/Instructions.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

//===-- Loops -------------------------------------------------------------===//

/// The type that is written, or that of the bounds [tinytc.for.2].
const Type *Checker::loopType(const TypeRef &written, ArrayRef<Operand *> bounds, Inst &inst) {
  const Type *type = written.type;
  SourceRange range = written.range;
  const Operand *first = nullptr;
  auto isInteger = [](const Type &type) { return type.isScalar(NumberKind::Integer); };
  for (Operand *bound : bounds)
    if (!type && !bound->literal && resolve(*bound, nullptr, isInteger)->kind != Type::Invalid) {
      first = bound;
      type = bound->type;
      range = bound->range;
    }
  if (!type)
    type = types.index();
  if (type->kind != Type::Invalid && !type->isScalar(NumberKind::Integer)) {
    report(range, diag::LoopType, spelling(inst), spelling(*type));
    return types.invalid();
  }
  if (!written.type && !type->isIndex() && reporter.standard == Standard::Seed)
    report(range, diag::InferredLoopType, spelling(*type));
  for (Operand *bound : bounds)
    wantsBound(*bound, type, first, inst);
  return type;
}

/// Without a written type, the first bound decides, which may be the wrong one.
void Checker::wantsBound(Operand &bound, const Type *type, const Operand *first, Inst &inst) {
  bool isOther = first && !bound.literal && resolve(bound) != type;
  if (!isOther || bound.type->kind == Type::Invalid) {
    wantsType(bound, {inst, "a bound"}, type);
    return;
  }
  Report report = this->report(bound.range, diag::OperandType, "a bound", spelling(inst),
                               "`" + spelling(*type) + "`", program.excerpt(bound.range),
                               spelling(*bound.type));
  report.label(first->range, "the first bound decides: `{0}`", spelling(*type));
  if (isLossless(*type, *bound.type))
    report.hint("or convert the first bound: `%name = cast {0} : {1}`", first->name,
                spelling(*bound.type));
  else
    suggestCast(report, bound, *type, inst);
}

/// The body of a `parallel` or `foreach`.
void Checker::checkSpmd(Region *region, const Inst &inst) {
  SourceRange outer = std::exchange(spmdStart, inst.nameRange);
  checkRegion(region, RegionKind::Spmd);
  spmdStart = outer;
}

void Checker::check(Foreach &loop, Inst &inst) {
  size_t count = loop.variables.size();
  if (count == 0)
    report(inst.nameRange, diag::ForeachEmpty);
  if (loop.from.size() != count || loop.to.size() != count)
    report(inst.nameRange, diag::ForeachLists, count, loop.from.size(), loop.to.size());
  SmallVector<Operand *> bounds;
  for (Operand &bound : llvm::concat<Operand>(loop.from, loop.to))
    bounds.push_back(&bound);
  const Type *type = loopType(loop.type, bounds, inst);
  scopes.emplace_back();
  for (Value *variable : loop.variables) {
    variable->type = type;
    variable->inst = &inst;
    bind(variable);
  }
  checkSpmd(loop.body, inst);
  scopes.pop_back();
}

void Checker::check(Parallel &parallel, Inst &inst) {
  checkSpmd(parallel.body, inst);
}

void Checker::check(For &loop, Inst &inst) {
  SmallVector<Operand *> bounds{&loop.from, &loop.to};
  if (loop.step)
    bounds.push_back(&*loop.step);
  loop.variable->type = loopType(loop.type, bounds, inst);
  loop.variable->inst = &inst;
  const Literal *step = loop.step ? foldedOf(*loop.step) : nullptr;
  if (step && step->kind == Literal::Integer && step->integer <= 0)
    report(loop.step->range, diag::LoopStep, step->integer);
  checkCarriedTypes(loop.types, inst);
  checkCarried(loop, inst);
  scopes.emplace_back();
  bind(loop.variable);
  for (Carried &carried : loop.carried)
    bind(carried.value);
  ++loopDepth;
  checkRegion(loop.body, kind, loop.types);
  --loopDepth;
  scopes.pop_back();
  wantsYield(loop.body, loop.types, inst);
  checkUnroll(loop);
  for (auto [result, type] : llvm::zip(inst.results, loop.types))
    result->type = type.type;
}

/// Checks that initial values have the types of the loop's results.
void Checker::checkCarried(For &loop, Inst &inst) {
  if (loop.carried.size() != loop.types.size())
    report(inst.nameRange, diag::CarriedCount, loop.carried.size(), loop.types.size());
  for (auto [index, carried] : llvm::enumerate(loop.carried)) {
    const Type *type = index < loop.types.size() ? loop.types[index].type : types.invalid();
    carried.value->type = type;
    carried.value->inst = &inst;
    wantsType(carried.initial, {inst, "an initial value"}, type);
  }
}

void Checker::checkUnroll(const For &loop) {
  if (!loop.attributes)
    return;
  checkKnown(*loop.attributes, {"unroll"}, "`for`");
  const Attr *unroll = loop.attributes->find("unroll");
  if (!unroll || unroll->kind == Attr::Bool)
    return;
  if (unroll->kind == Attr::Integer && unroll->integer >= 1)
    reporter.later(unroll->range, "a number as `unroll`");
  else
    report(unroll->range, diag::AttributeKind, "unroll", "a boolean or a positive integer",
           spelling(*unroll));
}

//===-- Branches and yields -----------------------------------------------===//

void Checker::check(If &branch, Inst &inst) {
  wantsType(branch.condition, {inst, "the condition"}, types.boolean());
  checkCarriedTypes(branch.types, inst);
  checkRegion(branch.thenRegion, kind, branch.types);
  checkRegion(branch.elseRegion, kind, branch.types);
  wantsYield(branch.thenRegion, branch.types, inst);
  if (branch.elseRegion)
    wantsYield(branch.elseRegion, branch.types, inst);
  else if (!branch.types.empty())
    report(inst.nameRange, diag::MissingElse);
  for (auto [result, type] : llvm::zip(inst.results, branch.types))
    result->type = type.type;
}

void Checker::checkCarriedTypes(ArrayRef<TypeRef> list, Inst &inst) {
  for (const TypeRef &type : list)
    if (type.type->kind != Type::Invalid && !type.type->isCarried())
      report(type.range, diag::CarriedType, spelling(inst), spelling(*type.type));
}

/// Requires a region with results to end with a `yield`, whose own check counts the values.
void Checker::wantsYield(const Region *region, ArrayRef<TypeRef> list, Inst &inst) {
  if (list.empty() || !region)
    return;
  bool isThere = !region->body.empty() &&
                 (region->body.back()->as<Yield>() || region->body.back()->as<Broken>());
  if (!isThere)
    report({region->range.end - 1, region->range.end}, diag::MissingYield, spelling(inst),
           counted(list.size(), "value", "values"));
}

void Checker::check(Yield &yield, Inst &inst) {
  if (!yieldTypes) {
    for (Operand &operand : yield.values)
      resolve(operand);
    report(inst.nameRange, diag::StrayYield);
    return;
  }
  bool isUnknown = yieldTypes->empty() && program.hasSyntaxErrors; // Types may have been forgotten.
  if (yield.values.size() != yieldTypes->size() && !isUnknown)
    report(inst.nameRange, diag::YieldCount, counted(yieldTypes->size(), "value", "values"),
           yield.values.size());
  for (auto [index, operand] : llvm::enumerate(yield.values)) {
    if (index < yieldTypes->size())
      wantsType(operand, {inst, "a value"}, (*yieldTypes)[index].type);
    else
      resolve(operand);
  }
}

//===-- Barriers and builtins ---------------------------------------------===//

void Checker::check(Barrier &, Inst &) {}

void Checker::check(Builtin &builtin, Inst &inst) {
  setResult(inst, builtin.type);
  wantsResult(builtin.type, types.scalar(typeOf(builtin.kind)), inst, /*isOnly=*/true);
}
