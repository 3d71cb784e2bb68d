#include "Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

Outcome random::evaluate(const Function &function, llvm::ArrayRef<Datum> arguments,
                         int64_t numGroups, int64_t maxSteps) {
  try {
    for (int64_t group = 0; group < numGroups; ++group)
      Machine(function, arguments, group, numGroups, maxSteps).run();
  } catch (const Unclear &unclear) {
    return {Outcome::Unclear, unclear.why};
  } catch (const Undefined &undefined) {
    return {Outcome::Undefined, undefined.why};
  } catch (const TooLong &) {
    return {Outcome::TooLong, "too many steps"};
  }
  return {};
}

Machine::Machine(const Function &function, llvm::ArrayRef<Datum> arguments, int64_t group,
                 int64_t numGroups, int64_t &steps)
    : function(function), group(group), numGroups(numGroups), steps(steps) {
  for (auto [parameter, argument] : llvm::zip_equal(function.parameters, arguments))
    whole.values[parameter] = argument;
}

void Machine::run() {
  enter(whole, function.body);
  runUntilItWaits(whole);
}

//===-- Threads -----------------------------------------------------------===//

llvm::SmallVector<int64_t> Thread::position() const {
  llvm::SmallVector<int64_t> position;
  for (const Frame &frame : frames) {
    bool isInside = &frame != &frames.back(); // The instruction before `next`.
    position.append({frame.arm, frame.iteration, int64_t(frame.next) - isInside});
  }
  return position;
}

void Machine::enter(Thread &thread, const Region *region) {
  thread.frames.push_back({region});
}

void Machine::runUntilItWaits(Thread &thread) {
  thread.state = Thread::Running;
  while (thread.state == Thread::Running)
    step(thread);
}

/// Waiting threads stay before their instruction.
void Machine::step(Thread &thread) {
  if (--steps < 0)
    throw TooLong();
  Frame &frame = thread.frames.back();
  if (frame.next == frame.region->body.size())
    return leaveRegion(thread);
  const Inst &inst = *frame.region->body[frame.next];
  if (isTogether(inst, thread)) {
    thread.state = Thread::Waiting;
    return;
  }
  ++frame.next; // Before the instruction opens another frame.
  Result result = std::visit([&](const auto &node) { return act(node, inst, thread); }, inst.node);
  finish(inst, thread, result);
}

void Machine::finish(const Inst &inst, Thread &thread, const Result &result) {
  if (result && !inst.results.empty())
    thread.values[inst.results.front()] = *result;
}

/// The results of `for` and `if` are their last values.
void Machine::leaveRegion(Thread &thread) {
  const Inst *owner = thread.frames.back().owner;
  if (!owner) {
    thread.frames.pop_back();
    thread.state = Thread::Done;
    return;
  }
  if (owner->as<For>() && nextIteration(thread))
    return;
  std::vector<Datum> values = std::move(thread.frames.back().values);
  thread.frames.pop_back();
  for (auto [result, value] : llvm::zip(owner->results, values))
    thread.values[result] = value;
}

static bool usesMatrices(const Inst &inst) {
  if (auto *binary = inst.as<Binary>())
    return binary->type.type->isCoop();
  if (auto *unary = inst.as<Unary>())
    return unary->type.type->isCoop();
  if (auto *cast = inst.as<Cast>())
    return cast->type.type->isCoop();
  return inst.as<CoopLoad>() || inst.as<CoopStore>() || inst.as<CoopMulAdd>() ||
         inst.as<CoopScale>();
}

/// Whether a work-item executes the instruction together with others.
bool Machine::isTogether(const Inst &inst, const Thread &thread) const {
  bool isAny =
      inst.as<Barrier>() || inst.as<SubgroupOp>() || inst.as<Broadcast>() || usesMatrices(inst);
  if (!isAny || thread.item < 0)
    return false;
  if (thread.subgroup < 0)
    throw Undefined{"work-items of a `foreach` cannot meet"};
  return true;
}

/// Runs all work-items of the group from barrier to barrier.
void Machine::runTogether(llvm::MutableArrayRef<Thread> items) {
  auto isDone = [](const Thread &item) { return item.state == Thread::Done; };
  for (Thread &item : items)
    runUntilItWaits(item);
  while (!llvm::all_of(items, isDone))
    if (!advanceSubgroups(items))
      passBarrier(items);
}

/// In each subgroup, the work-items that are first in program order continue if they can; others
/// reach the same position later, or never.
bool Machine::advanceSubgroups(llvm::MutableArrayRef<Thread> items) {
  bool hasAdvanced = false;
  for (int64_t subgroup = 0; subgroup < function.numSubgroups(); ++subgroup) {
    llvm::SmallVector<int64_t> first;
    llvm::SmallVector<Thread *> lanes;
    for (Thread &item : items.slice(subgroup * function.subgroupSize, function.subgroupSize)) {
      if (item.state == Thread::Done)
        continue;
      llvm::SmallVector<int64_t> position = item.position();
      if (lanes.empty() || position < first) {
        first = position;
        lanes.clear();
      }
      if (position == first)
        lanes.push_back(&item);
    }
    if (lanes.empty() || lanes.front()->waitsAt().as<Barrier>())
      continue;
    hasAdvanced = true;
    actTogether(lanes);
  }
  return hasAdvanced;
}

void Machine::passBarrier(llvm::MutableArrayRef<Thread> items) {
  auto position = items.front().position();
  ++epoch;
  for (Thread &item : items) {
    if (item.state == Thread::Done || item.position() != position)
      throw Undefined{"not all work-items come to a barrier"};
    ++item.frames.back().next;
  }
  for (Thread &item : items)
    runUntilItWaits(item);
}

void Machine::actTogether(llvm::ArrayRef<Thread *> lanes) {
  const Inst &inst = lanes.front()->waitsAt();
  if (auto *op = inst.as<SubgroupOp>()) {
    combine(*op, inst, lanes);
  } else if (auto *op = inst.as<Broadcast>()) {
    broadcast(*op, inst, lanes);
  } else {
    checkUniform(inst, lanes);
    Thread &first = *lanes.front();
    Result result = std::visit([&](const auto &node) { return act(node, inst, first); }, inst.node);
    for (Thread *lane : lanes)
      finish(inst, *lane, result);
  }
  for (Thread *lane : lanes) {
    ++lane->frames.back().next;
    runUntilItWaits(*lane);
  }
}

//===-- Values ------------------------------------------------------------===//

const Datum &Machine::datum(const Operand &operand, const Thread &thread) const {
  for (const Thread *at = &thread; at; at = at->outer)
    if (auto found = at->values.find(operand.value); found != at->values.end())
      return found->second;
  throw Undefined{"a use of a value that was not computed: " + operand.name.str()};
}

Quantity Machine::number(const Operand &operand, const Thread &thread) const {
  if (operand.literal)
    return numberOf(*operand.literal, *operand.type);
  return std::get<Quantity>(datum(operand, thread));
}

int64_t Machine::integer(const Operand &operand, const Thread &thread) const {
  return number(operand, thread).integer;
}

const Memref &Machine::memref(const Operand &operand, const Thread &thread) const {
  return std::get<Memref>(datum(operand, thread));
}

const Matrix &Machine::matrix(const Operand &operand, const Thread &thread) const {
  return *std::get<std::shared_ptr<const Matrix>>(datum(operand, thread));
}

int64_t Machine::shared(const Operand &operand, llvm::ArrayRef<Thread *> lanes) const {
  int64_t first = integer(operand, *lanes.front());
  for (const Thread *lane : lanes)
    if (integer(operand, *lane) != first)
      throw Undefined{"work-items of a subgroup do not agree on " + operand.name.str()};
  return first;
}
