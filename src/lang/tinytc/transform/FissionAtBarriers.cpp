/// Barriers among several subgroups, which one thread runs: the region is cut into phases, and each
/// phase runs for all subgroups before the next one begins. Loops and branches with barriers inside
/// take the same way for the whole work-group, so they enclose phases.
#include "lang/tinytc/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

bool CoreLowering::holdsBarrier(Operation *op) {
  return op->walk([](ir::BarrierOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

void CoreLowering::lowerPhases(mlir::Block &block) {
  bool isOne = ir::numSubgroupsOf(source) == 1;
  SmallVector<Operation *> phase;
  auto end = [&] {
    if (!phase.empty())
      lowerPhase(phase);
    phase.clear();
  };
  for (Operation &op : block.without_terminator()) {
    if (isOne || !holdsBarrier(&op)) {
      phase.push_back(&op);
      continue;
    }
    end();
    Location outer = loc;
    loc = op.getLoc();
    if (auto barrier = dyn_cast<ir::BarrierOp>(op))
      lowerPhased(barrier);
    else if (auto loop = dyn_cast<ir::ForOp>(op))
      lowerPhased(loop);
    else if (auto branch = dyn_cast<ir::IfOp>(op))
      lowerPhased(branch);
    loc = outer;
  }
  end();
}

static bool isUsedAfter(Value value, ArrayRef<Operation *> phase) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return llvm::none_of(phase, [&](Operation *op) { return op->isAncestor(user); });
  });
}

void CoreLowering::lowerPhase(ArrayRef<Operation *> phase) {
  SmallVector<std::pair<Value, Leaves>> crossing;
  forSubgroups([&] {
    for (Operation *op : phase)
      lowerOp(*op);
    for (Operation *op : phase)
      for (Value result : op->getResults())
        if (isUsedAfter(result, phase)) {
          Leaves all = leaves(result);
          Leaves kept;
          for (Value leaf : all)
            kept.push_back(isVarying(result) ? inLanes(leaf) : leaf);
          keepInSlots(result, kept);
          crossing.push_back({result, slots.lookup(result)});
          slots.erase(result); // Until the phase ends, the values themselves are used.
        }
  });
  for (auto &[value, places] : crossing) {
    slots[value] = places;
    affines.erase(value);
  }
}

void CoreLowering::makeSlots(ValueRange all) {
  for (Value value : all) {
    Leaves &places = slots[value];
    if (!places.empty())
      continue;
    int64_t count = ir::numSubgroupsOf(source);
    SmallVector<Type> types = laneTypes(value);
    if (isInMemory(value.getType())) {
      auto matrix = cast<ir::CoopMatrixType>(value.getType());
      types = leafTypes(matrix.getComponent());
      count *= matrix.getRows() * matrix.getColumns();
    }
    for (Type type : types)
      places.push_back(groupSlot(type, count));
  }
}

void CoreLowering::keepInSlots(Value value, ArrayRef<Value> all) {
  makeSlots(value);
  if (isInMemory(value.getType()))
    return copyMatrix(all, leaves(value), cast<ir::CoopMatrixType>(value.getType()));
  for (auto [slot, leaf] : llvm::zip_equal(slots[value], all))
    storeScalar(leaf, pointerAt(leaf.getType(), slot, subgroupId));
}

/// The element at which a subgroup's part of a matrix's slot begins.
Value CoreLowering::matrixOfSubgroup(Type type, Value slot) {
  auto matrix = cast<ir::CoopMatrixType>(type);
  Value first = make<arith::MulIOp>(subgroupId, number(matrix.getRows() * matrix.getColumns()));
  return pointerAt(leafTypes(matrix.getComponent())[0], slot, first);
}

/// Reads all values before it writes the first one.
void CoreLowering::copyToSlots(ValueRange from, ValueRange to) {
  if (to.empty())
    return;
  makeSlots(to);
  forSubgroups([&] {
    Leaves all = carried(from, to);
    ArrayRef<Value> rest = all;
    for (Value value : to) {
      size_t count = slots[value].size();
      keepInSlots(value, rest.take_front(count));
      rest = rest.drop_front(count);
    }
  });
}

/// The first subgroup decides what the whole work-group does together.
void CoreLowering::actAsFirst() {
  subgroupId = number(0);
  if (round)
    takePoints();
}

/// In the last round of a `foreach`, the error names the first work-item without a point.
void CoreLowering::lowerPhased(ir::BarrierOp op) {
  Value outer = mask;
  if (round && isChecked) {
    Value full = make<arith::DivSIOp>(round->rest, number(lanes));
    subgroupId = make<arith::MinSIOp>(full, number(ir::numSubgroupsOf(source) - 1));
    Value before = make<arith::MulIOp>(subgroupId, number(lanes));
    mask = lanesBelow(make<arith::SubIOp>(round->rest, before));
  }
  lower(op);
  mask = outer;
}

/// Advances the loop's variable of each work-item by its step.
void CoreLowering::advanceInSlots(ir::ForOp op) {
  Value variable = op.getVariable();
  forSubgroups([&] {
    Value at = leaves(variable)[0];
    Value step = op.getStep() ? leaves(op.getStep())[0] : fill(at.getType(), 1);
    keepInSlots(variable, {make<arith::AddIOp>(at, step)});
  });
}

/// All work-items run as many iterations as the first one, each from its own start.
void CoreLowering::lowerPhased(ir::ForOp op) {
  if (isChecked)
    forSubgroups([&] { checkStep(op); });
  checkAgreement([&] { return tripsOf(op); });
  actAsFirst();
  Counter counter = counterOf(op);
  copyToSlots(op.getInitials(), op.getCarried());
  auto isOne = [&](Value value) {
    return !value || uniformity.of(value).spread == ir::Spread::Group;
  };
  bool isShared = isOne(op.getFrom()) && isOne(op.getStep()) && !isVarying(op.getVariable());
  if (!isShared)
    copyToSlots(op.getFrom(), op.getVariable());
  forEach(counter.from, counter.to, counter.step, [&](Value at) {
    if (isShared)
      values[op.getVariable()] = {variableOf(op, counter, at)};
    lowerPhases(op.getBody().front());
    copyToSlots(op.yield().getValues(), op.getCarried());
    if (!isShared)
      advanceInSlots(op);
  });
  for (auto [result, inside] : llvm::zip_equal(op.getResults(), op.getCarried()))
    slots[result] = Leaves(slots.lookup(inside));
}

void CoreLowering::lowerPhased(ir::IfOp op) {
  checkAgreement([&] { return leaves(op.getCondition())[0]; });
  actAsFirst();
  Value condition = uniform(leaves(op.getCondition())[0]);
  auto choice = scf::IfOp::create(b, loc, condition, op.hasElse());
  makeSlots(op.getResults());
  auto lowerArm = [&](Region &region, Block *into, ir::YieldOp yield) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(into);
    lowerPhases(region.front());
    copyToSlots(yield.getValues(), op.getResults());
  };
  lowerArm(op.getThenRegion(), choice.thenBlock(), op.thenYield());
  if (op.hasElse())
    lowerArm(op.getElseRegion(), choice.elseBlock(), op.elseYield());
}
