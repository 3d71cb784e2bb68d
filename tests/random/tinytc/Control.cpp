/// Loops, branches and regions of work-items.
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

Machine::Result Machine::act(const Parallel &parallel, const Inst &, Thread &thread) {
  int64_t count = function.workGroupSize[0] * function.workGroupSize[1];
  std::vector<Thread> items(count);
  for (auto [number, item] : llvm::enumerate(items)) {
    item.outer = &thread;
    item.item = int64_t(number);
    item.subgroup = item.item / function.subgroupSize;
    item.lane = item.item % function.subgroupSize;
    enter(item, parallel.body);
  }
  ++epoch;
  runTogether(items);
  ++epoch;
  return {};
}

/// Each point is a separate work-item as far as the rules are concerned.
Machine::Result Machine::act(const Foreach &loop, const Inst &, Thread &thread) {
  llvm::SmallVector<int64_t> from, shape;
  for (auto [first, last] : llvm::zip_equal(loop.from, loop.to)) {
    from.push_back(integer(first, thread));
    shape.push_back(std::max<int64_t>(integer(last, thread) - from.back(), 0));
  }
  ++epoch;
  int64_t number = 0;
  forEachIndex(shape, [&](llvm::ArrayRef<int64_t> index) {
    Thread point;
    point.outer = &thread;
    point.item = number++;
    for (auto [variable, first, offset] : llvm::zip_equal(loop.variables, from, index))
      point.values[variable] = Quantity::ofInt(first + offset);
    enter(point, loop.body);
    runUntilItWaits(point);
  });
  ++epoch;
  return {};
}

Machine::Result Machine::act(const For &loop, const Inst &inst, Thread &thread) {
  Frame frame{loop.body, &inst};
  frame.variable = integer(loop.from, thread);
  frame.to = integer(loop.to, thread);
  frame.step = loop.step ? integer(*loop.step, thread) : 1;
  if (frame.step <= 0)
    throw Undefined{"a step that is not positive"};
  for (const Carried &carried : loop.carried)
    frame.values.push_back(carried.initial.literal ? Datum(number(carried.initial, thread))
                                                   : datum(carried.initial, thread));
  frame.next = loop.body->body.size(); // As if at the end of an iteration before the first one.
  frame.iteration = -1;
  frame.variable -= frame.step;
  thread.frames.push_back(std::move(frame));
  return {};
}

bool Machine::nextIteration(Thread &thread) {
  Frame &frame = thread.frames.back();
  const For &loop = *frame.owner->as<For>();
  ++frame.iteration;
  frame.variable += frame.step;
  if (frame.variable >= frame.to)
    return false;
  frame.next = 0;
  thread.values[loop.variable] = Quantity::ofInt(frame.variable);
  for (auto [carried, value] : llvm::zip_equal(loop.carried, frame.values))
    thread.values[carried.value] = value;
  return true;
}

Machine::Result Machine::act(const If &branch, const Inst &inst, Thread &thread) {
  bool isTrue = integer(branch.condition, thread) != 0;
  const Region *region = isTrue ? branch.thenRegion : branch.elseRegion;
  if (region)
    thread.frames.push_back({region, &inst, 0, isTrue ? 0 : 1});
  return {};
}

Machine::Result Machine::act(const Yield &yield, const Inst &, Thread &thread) {
  std::vector<Datum> values;
  for (const Operand &operand : yield.values)
    values.push_back(operand.literal ? Datum(number(operand, thread)) : datum(operand, thread));
  thread.frames.back().values = std::move(values);
  return {};
}

Machine::Result Machine::act(const Builtin &builtin, const Inst &, Thread &thread) {
  using Axis = Builtin::Axis;
  int64_t rows = function.workGroupSize[0] / function.subgroupSize;
  int64_t columns = function.workGroupSize[1];
  bool isFirst = builtin.axis == Axis::X || builtin.axis == Axis::Linear;
  int64_t numSubgroups[] = {rows, columns, 1, rows * columns};
  int64_t ids[] = {thread.subgroup % rows, thread.subgroup / rows, 0, thread.subgroup};
  bool isOfItem = builtin.kind == Builtin::SubgroupId || builtin.kind == Builtin::SubgroupLocalId;
  if (isOfItem && thread.subgroup < 0)
    throw Undefined{"the work-item of a point is not known"};
  switch (builtin.kind) {
  case Builtin::GroupId:
    return Quantity::ofInt(isFirst ? group : 0);
  case Builtin::NumGroups:
    return Quantity::ofInt(isFirst ? numGroups : 1);
  case Builtin::NumSubgroups:
    return Quantity::ofInt(numSubgroups[builtin.axis]);
  case Builtin::SubgroupSize:
    return Quantity::ofInt(function.subgroupSize);
  case Builtin::SubgroupId:
    return Quantity::ofInt(ids[builtin.axis]);
  case Builtin::SubgroupLocalId:
    return Quantity::ofInt(thread.lane);
  }
  llvm_unreachable("no such builtin");
}
