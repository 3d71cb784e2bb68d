/// SPMD regions: the work-items of a subgroup are lanes; subgroups run in turn.
#include "lang/tinytc/transform/CoreLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

//===-- Which values are vectors ------------------------------------------===//

/// Whether new vectors were found. Not only values that may differ among lanes (ir::Uniformity) are
/// vectors: so is what is computed from vectors, even if it is the same in all lanes.
bool CoreLowering::findVaryingIn(Operation *op) {
  auto differ = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value value) { return isVarying(value); });
  };
  bool isNew = false;
  auto mark = [&](Value value, bool differs) {
    if (differs && !isa<ir::CoopMatrixType>(value.getType()))
      isNew |= varying.insert(value).second;
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ir::ForOp loop) {
        bool isDivergent =
            differ({loop.getFrom(), loop.getTo()}) || (loop.getStep() && isVarying(loop.getStep()));
        mark(loop.getVariable(), isDivergent);
        for (auto [initial, inside, next, result] :
             llvm::zip_equal(loop.getInitials(), loop.getCarried(), loop.yield().getValues(),
                             loop.getResults())) {
          bool differs = isDivergent || differ({initial, next}) || isVarying(inside);
          mark(inside, differs);
          mark(result, differs);
        }
      })
      .Case([&](ir::IfOp branch) {
        for (auto [index, result] : llvm::enumerate(branch.getResults()))
          mark(result, isVarying(branch.getCondition()) ||
                           isVarying(branch.thenYield().getValues()[index]) ||
                           isVarying(branch.elseYield().getValues()[index]));
      })
      .Case([&](ir::BuiltinOp op) {
        mark(op.getResult(), op.getKind() == ir::Builtin::SubgroupLocalId);
      })
      .Case([&](ir::SubgroupOp op) {
        mark(op.getResult(), op.getForm() != ir::ReductionForm::Reduce);
      })
      .Case([&](ir::StoreOp op) {
        if (op.getBefore())
          mark(op.getBefore(), true);
      })
      .Case([](ir::BroadcastOp) {})
      .Default([&](Operation *plain) {
        for (Value result : plain->getResults())
          mark(result, differ(plain->getOperands()));
      });
  return isNew;
}

void CoreLowering::findVarying(Operation *region) {
  varying.clear();
  if (auto loop = dyn_cast<ir::ForeachOp>(region))
    varying.insert(loop.getVariables()[0]);
  bool isNew = true;
  while (isNew) {
    isNew = false;
    region->walk([&](Operation *op) { isNew |= findVaryingIn(op); });
  }
}

//===-- Regions -----------------------------------------------------------===//

void CoreLowering::forSubgroups(llvm::function_ref<void()> body) {
  int64_t count = ir::numSubgroupsOf(source);
  if (count == 1) {
    subgroupId = number(0);
    return body();
  }
  forEach(number(0), number(count), number(1), [&](Value id) {
    subgroupId = id;
    if (!round)
      return body();
    Value outer = mask;
    takePoints();
    when(anyOf(mask), body);
    mask = outer;
  });
}

Leaves CoreLowering::lower(ir::ParallelOp op) {
  lanes = ir::subgroupSizeOf(source);
  findVarying(op);
  orderAccesses(/*arePoints=*/false);
  lowerPhases(op.getBody().front());
  lanes = 0;
  slots.clear();
  return {};
}

/// Lanes share the first variable, in chunks; neighbouring chunks go to neighbouring subgroups.
Leaves CoreLowering::lower(ir::ForeachOp op) {
  lanes = ir::subgroupSizeOf(source);
  findVarying(op);
  orderAccesses(/*arePoints=*/true);
  foreachPoints(op, op.getVariables().size() - 1, number(0));
  lanes = 0;
  mask = firstPoint = {};
  return {};
}

void CoreLowering::foreachPoints(ir::ForeachOp op, unsigned variable, Value outer) {
  Value argument = op.getVariables()[variable];
  Type type = argument.getType();
  auto wide = [&](Value value) { return convertReal(leaves(value)[0], type, i64); };
  Value from = wide(op.getFrom()[variable]), to = wide(op.getTo()[variable]);
  Value size = make<arith::MaxSIOp>(make<arith::SubIOp>(to, from), number(0));
  auto pointAt = [&](Value at) {
    return make<arith::AddIOp>(make<arith::MulIOp>(outer, size), make<arith::SubIOp>(at, from));
  };
  if (variable > 0)
    return forEach(from, to, number(1), [&](Value at) {
      values[argument] = {convertReal(at, i64, type)};
      foreachPoints(op, variable - 1, pointAt(at));
    });
  if (ir::numSubgroupsOf(source) > 1 && holdsBarrier(op))
    return foreachRounds(op, from, size, outer);
  auto lowerChunk = [&](Value at) {
    bindPoints(argument, at, pointAt(at));
    Value chunk = make<arith::DivSIOp>(make<arith::SubIOp>(at, from), number(lanes));
    subgroupId = make<arith::RemSIOp>(chunk, number(ir::numSubgroupsOf(source)));
    lowerBlock(op.getBody().front());
  };
  Value rest = make<arith::RemSIOp>(size, number(lanes));
  Value end = make<arith::SubIOp>(make<arith::AddIOp>(from, size), rest);
  mask = {};
  forEach(from, end, number(lanes), lowerChunk);
  when(compareInts(arith::CmpIPredicate::sgt, rest, number(0)), [&] {
    mask = lanesBelow(rest);
    lowerChunk(end);
    mask = {};
  });
}

/// Binds the variable to consecutive values from `at` on.
void CoreLowering::bindPoints(Value variable, Value at, Value point) {
  affines[variable] = {at, number(1)};
  values[variable] = {
      convertReal(make<arith::AddIOp>(inLanes(at), laneNumbers()), i64, variable.getType())};
  firstPoint = point;
}

/// Takes the points of the subgroup; none if none are left.
void CoreLowering::takePoints() {
  Value before = make<arith::MulIOp>(subgroupId, number(lanes));
  bindPoints(round->variable, make<arith::AddIOp>(round->at, before),
             make<arith::AddIOp>(round->point, before));
  mask = lanesBelow(make<arith::SubIOp>(round->rest, before));
}

/// With barriers inside, points are taken in rounds of one for each work-item of the work-group.
/// Each work-item has the same points as without barriers.
void CoreLowering::foreachRounds(ir::ForeachOp op, Value from, Value size, Value outer) {
  int64_t items = lanes * ir::numSubgroupsOf(source);
  forEach(number(0), size, number(items), [&](Value first) {
    Value point = make<arith::AddIOp>(make<arith::MulIOp>(outer, size), first);
    round = {op.getVariables()[0], make<arith::AddIOp>(from, first), point,
             make<arith::SubIOp>(size, first)};
    actAsFirst();
    lowerPhases(op.getBody().front());
    round.reset();
  });
  slots.clear();
}
