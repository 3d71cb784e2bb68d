/// Branches and loops: the variables that their bodies assign become their results.
#include "lang/ttl/Lower.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ttl;

const Lowering::Variables &Lowering::assignedIn(const Stmt &stmt) {
  std::unique_ptr<Variables> &entry = assigned[&stmt];
  if (entry)
    return *entry;
  auto found = std::make_unique<Variables>();
  collectAssigned(stmt, *found);
  return *(assigned[&stmt] = std::move(found));
}

void Lowering::collectAssigned(const Stmt &stmt, Variables &found) {
  auto addBody = [&](const Stmt *body) {
    if (!body)
      return;
    found.insert_range(assignedIn(*body));
    if (auto *def = body->as<VarDef>()) // Without braces it belongs to the enclosing scope.
      found.insert(def->variable);
  };
  if (auto *assign = stmt.as<Assign>())
    found.insert(assign->variable);
  else if (auto *element = stmt.as<ElementAssign>())
    found.insert(element->variable);
  else if (auto *loop = stmt.as<For>()) {
    found.insert(loop->variable);
    addBody(loop->body);
  } else if (auto *branch = stmt.as<If>()) {
    for (const If::Arm &arm : branch->arms)
      addBody(arm.body);
    addBody(branch->elseBody);
  } else if (auto *compound = stmt.as<Compound>()) {
    for (const Stmt *inner : compound->body)
      found.insert_range(assignedIn(*inner));
  }
}

static SmallVector<const Stmt *> bodiesOf(ArrayRef<If::Arm> arms, const Stmt *elseBody) {
  SmallVector<const Stmt *> bodies;
  for (const If::Arm &arm : arms)
    bodies.push_back(arm.body);
  bodies.push_back(elseBody);
  return bodies;
}

/// Variables that the bodies assign and that live outside of them, without those that a body
/// defines itself.
Lowering::Variables Lowering::carriedBy(ArrayRef<const Stmt *> bodies, const Variable *except) {
  Variables carried;
  for (const Stmt *body : bodies)
    if (body)
      for (const Variable *variable : assignedIn(*body))
        if (variable != except && bindings.contains(variable))
          carried.insert(variable);
  for (const Stmt *body : bodies)
    if (body)
      if (auto *def = body->as<VarDef>())
        carried.insert(def->variable);
  return carried;
}

/// A definition without braces belongs to the scope around the whole statement, however many loops
/// and branches without braces enclose it; it must have a value there even if no body runs
/// [ttl.warning.3].
void Lowering::defineUnbraced(const Stmt *body) {
  if (!body)
    return;
  if (auto *loop = body->as<For>())
    return defineUnbraced(loop->body);
  if (auto *branch = body->as<If>()) {
    for (const If::Arm &arm : branch->arms)
      defineUnbraced(arm.body);
    return defineUnbraced(branch->elseBody);
  }
  auto *def = body->as<VarDef>();
  if (def && !bindings.contains(def->variable))
    bindings[def->variable] = defaultValue(def->type, def->variable, locationOf(def->name.range));
}

SmallVector<Value> Lowering::currentValues(const Variables &variables) {
  SmallVector<Value> values;
  for (const Variable *variable : variables) {
    const Binding &binding = bindings[variable];
    values.push_back(binding.value);
    if (isPartial(variable))
      values.push_back(binding.written);
  }
  return values;
}

void Lowering::rebind(const Variables &variables, ValueRange values) {
  unsigned next = 0;
  for (const Variable *variable : variables) {
    Binding &binding = bindings[variable];
    binding.value = values[next++];
    if (isPartial(variable))
      binding.written = values[next++];
  }
}

/// Lowers both bodies; the branch yields the carried variables.
void Lowering::lowerBranch(Value condition, const Variables &carried, Location loc,
                           std::array<llvm::function_ref<void()>, 2> bodies) {
  SmallVector<Value> outer = currentValues(carried);
  auto op =
      scf::IfOp::create(builder, loc, TypeRange(ValueRange(outer)), condition, /*withElse=*/true);
  ++openBranches;
  for (auto [body, region] : llvm::zip(bodies, op->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = &region.front();
    if (!block->empty())
      block->back().erase(); // The builder's own yield.
    builder.setInsertionPointToEnd(block);
    rebind(carried, outer);
    body();
    scf::YieldOp::create(builder, loc, currentValues(carried));
  }
  --openBranches;
  rebind(carried, op.getResults());
}

/// Lowers each arm into the `else` of the one before.
void Lowering::lowerArms(ArrayRef<If::Arm> arms, const Stmt *elseBody) {
  if (arms.empty()) {
    if (elseBody)
      lower(*elseBody);
    return;
  }
  const If::Arm &arm = arms.front();
  Location loc = locationOf(arm.range);
  Value condition = isTrue(*arm.condition);
  Variables carried = carriedBy(bodiesOf(arms, elseBody), nullptr);
  auto thenBody = [&] { lower(*arm.body); };
  auto elseArms = [&] { lowerArms(arms.drop_front(), elseBody); };
  lowerBranch(condition, carried, loc, {thenBody, elseArms});
}

/// One of two numbers, of which only that one is computed.
Value Lowering::lowerEither(Value condition, Location loc,
                            std::array<llvm::function_ref<Value()>, 2> numbers) {
  auto op = scf::IfOp::create(builder, loc, TypeRange{builder.getIndexType()}, condition,
                              /*withElse=*/true);
  for (auto [number, region] : llvm::zip(numbers, op->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&region.front());
    scf::YieldOp::create(builder, loc, number());
  }
  return op.getResult(0);
}

/// The first arm from `first` to `last` whose condition holds; `none` if none does.
Value Lowering::firstArm(const If &branch, size_t first, size_t last, Value none) {
  if (first == last)
    return none;
  const If::Arm &arm = branch.arms[first];
  Location loc = locationOf(arm.range);
  auto here = [&] { return core::constantIndex(builder, loc, first); };
  auto later = [&] { return firstArm(branch, first + 1, last, none); };
  return lowerEither(isTrue(*arm.condition), loc, {here, later});
}

/// Passes of MLIR recurse over nested regions, so a long chain of conditions is cut into successive
/// pieces, each evaluated only if those before chose no arm.
Value Lowering::chooseArm(const If &branch, int64_t otherwise, Location loc) {
  constexpr size_t piece = 32;
  size_t count = branch.arms.size();
  Value none = core::constantIndex(builder, loc, otherwise);
  Value chosen = firstArm(branch, 0, std::min(piece, count), none);
  for (size_t first = piece; first < count; first += piece) {
    Value isOpen = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, chosen, none);
    auto ask = [&] { return firstArm(branch, first, std::min(first + piece, count), none); };
    chosen = lowerEither(isOpen, loc, {ask, [&] { return chosen; }});
  }
  return chosen;
}

/// Lowers a switch with one body per number, and one more for all others; it yields the carried
/// variables.
void Lowering::lowerCases(Value number, ArrayRef<int64_t> numbers, const Variables &carried,
                          Location loc, llvm::function_ref<void(size_t)> body) {
  SmallVector<Value> outer = currentValues(carried);
  auto op = scf::IndexSwitchOp::create(builder, loc, TypeRange(ValueRange(outer)), number, numbers,
                                       numbers.size());
  ++openBranches;
  for (size_t index = 0; index <= numbers.size(); ++index) {
    OpBuilder::InsertionGuard guard(builder);
    bool isOther = index == numbers.size();
    Region &region = isOther ? op.getDefaultRegion() : op.getCaseRegions()[index];
    builder.setInsertionPointToEnd(&region.emplaceBlock());
    rebind(carried, outer);
    body(index);
    scf::YieldOp::create(builder, loc, currentValues(carried));
  }
  --openBranches;
  rebind(carried, op.getResults());
}

/// Computes the number of the arm, then switches over the arms. Each arm yields what it assigns
/// once; nested branches would yield it once per level, which takes bufferization long to analyze.
/// Arms are grouped, because MLIR takes time quadratic in the cases of one switch.
void Lowering::lowerSwitch(const If &branch, Location loc) {
  constexpr size_t widest = 64;
  size_t count = branch.arms.size(), numGroups = llvm::divideCeil(count, widest);
  Value chosen = chooseArm(branch, numGroups * widest, loc);
  Value group =
      arith::DivUIOp::create(builder, loc, chosen, core::constantIndex(builder, loc, widest));
  SmallVector<const Stmt *> bodies = bodiesOf(branch.arms, branch.elseBody);
  Variables carried = carriedBy(bodies, nullptr);
  auto lowerGroup = [&](size_t number) {
    size_t first = number * widest, last = std::min(first + widest, count) - 1;
    if (number < numGroups)
      lowerCases(chosen, llvm::to_vector(llvm::seq<int64_t>(first, last)), carried, loc,
                 [&](size_t index) { lower(*bodies[first + index]); });
    else if (branch.elseBody)
      lower(*branch.elseBody);
  };
  lowerCases(group, llvm::to_vector(llvm::seq<int64_t>(0, numGroups)), carried, loc, lowerGroup);
}

void Lowering::lower(const If &branch, const Stmt &self) {
  constexpr size_t deepest = 128, longest = 8;
  size_t count = branch.arms.size();
  defineUnbraced(&self);
  if (count == 1 || (count <= longest && openBranches + count <= deepest))
    lowerArms(branch.arms, branch.elseBody);
  else
    lowerSwitch(branch, locationOf(self.range));
}

/// Counts in 64 bits, so that it never wraps; a step that is not positive means no iteration
/// [ttl.for, ttl.checked.11].
void Lowering::lower(const For &loop, const Stmt &self) {
  Location loc = locationOf(self.range);
  Bounds bounds = lowerRange(*loop.range);
  Value step = lowerNumber(*loop.step);
  checkStep(locationOf(loop.step->range), step);
  Value zero = core::constantIndex(builder, loc, 0), one = core::constantIndex(builder, loc, 1);
  Value isPositive = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, step, zero);
  Value end = arith::SelectOp::create(builder, loc, isPositive, bounds.end, bounds.begin);
  step = arith::MaxSIOp::create(builder, loc, step, one);

  defineUnbraced(loop.body);
  Variables carried = carriedBy({loop.body}, loop.variable);
  Value last = lastIteration(loop, {bounds.begin, end}, step, loc);
  SmallVector<Value> initial = currentValues(carried);
  auto op = scf::ForOp::create(builder, loc, bounds.begin, end, step, initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = op.getBody();
    if (!body->empty())
      body->back().erase();
    builder.setInsertionPointToEnd(body);
    rebind(carried, op.getRegionIterArgs());
    Value counter = toInt(loc, op.getInductionVar());
    indexOf[counter] = op.getInductionVar();
    bindings[loop.variable] = {counter, {}};
    if (loop.body)
      lower(*loop.body);
    scf::YieldOp::create(builder, loc, currentValues(carried));
  }
  rebind(carried, op.getResults());
  bindings[loop.variable] = {last, {}};
}

/// After the loop its variable holds the value of the last iteration, or the old one if there was
/// none.
Value Lowering::lastIteration(const For &loop, Bounds bounds, Value step, Location loc) {
  Value one = core::constantIndex(builder, loc, 1);
  Value runs =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, bounds.begin, bounds.end);
  Value distance = arith::SubIOp::create(builder, loc, bounds.end, bounds.begin);
  Value beforeLast = arith::SubIOp::create(builder, loc, distance, one);
  Value steps = arith::DivSIOp::create(builder, loc, beforeLast, step);
  Value offset = arith::MulIOp::create(builder, loc, steps, step);
  Value last = arith::AddIOp::create(builder, loc, bounds.begin, offset);
  return arith::SelectOp::create(builder, loc, runs, toInt(loc, last),
                                 bindings[loop.variable].value);
}
