/// `if` and `iterate`.
#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

Leaves CoreLowering::lower(ir::IfOp op) {
  if (auto scattered = scatterIf(op))
    return *scattered;
  return either(
      leaf(op.getCondition()), leafTypes(op.getResultTypes()),
      [&] { return yielded(op.thenBlock()); }, [&] { return yielded(op.elseBlock()); });
}

Leaves CoreLowering::lower(ir::IterateOp op) {
  bool makesValues = allocates(op.getBody());
  return makesValues && holdsPointers(op.getType()) ? iterateInRegions(op) : iteratePlain(op);
}

/// Loops until the last value that `body` returns is false; the result is the other values.
Leaves CoreLowering::repeat(const Leaves &initial,
                            llvm::function_ref<Leaves(const Leaves &)> body) {
  SmallVector<Type> types(ValueRange(initial).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(b, loc, types, initial);
  {
    OpBuilder::InsertionGuard guard(b);
    mlir::Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
    Leaves next = body(Leaves(before->getArguments()));
    Value goesOn = next.pop_back_val();
    scf::ConditionOp::create(b, loc, goesOn, next);
    mlir::Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
    scf::YieldOp::create(b, loc, after->getArguments());
  }
  return Leaves(loop.getResults());
}

/// For states that do not point to what the body allocates: that is freed after each iteration.
Leaves CoreLowering::iteratePlain(ir::IterateOp op) {
  Value outer = region;
  bool makesValues = allocates(op.getBody());
  if (makesValues)
    region = createRegion();
  Leaves result = repeat(leaves(op.getInitial()), [&](const Leaves &state) {
    values[op.state()] = state;
    Leaves next = yielded(op.getBody().front());
    if (makesValues)
      call("tessera_rt_region_reset", {}, region);
    return next;
  });
  if (makesValues)
    call("tessera_rt_region_free", {}, region);
  region = outer;
  return result;
}

/// For other states: there are two regions, and the state moves to the other one when the body has
/// allocated much.
Leaves CoreLowering::iterateInRegions(ir::IterateOp op) {
  Value outer = region;
  Leaves initial = leaves(op.getInitial());
  initial.append({createRegion(), createRegion()});
  initial.push_back(callFor("tessera_rt_region_bound", i64, initial.back()));
  Leaves result = repeat(initial, [&](const Leaves &state) {
    ArrayRef<Value> regions = ArrayRef(state).take_back(3);
    values[op.state()] = Leaves(ArrayRef(state).drop_back(3));
    region = regions[0];
    Leaves next = yielded(op.getBody().front());
    Value goesOn = next.pop_back_val();
    Value bytes = callFor("tessera_rt_region_bytes", i64, region);
    Value isLong = compare(arith::CmpIPredicate::sgt, bytes, regions[2]);
    Leaves kept = next;
    llvm::append_range(kept, regions);
    SmallVector<Type> types(ValueRange(kept).getTypes());
    Leaves moved = either(
        make<arith::AndIOp>(isLong, goesOn), types,
        [&] { return movedState(op.getType(), next, regions); }, [&] { return kept; });
    moved.push_back(goesOn);
    return moved;
  });
  region = outer;
  for (unsigned last : {0, 1}) {
    Value used = result[result.size() - 3 + last];
    call("tessera_rt_region_adopt", {}, {region, used});
  }
  result.resize(result.size() - 3);
  return result;
}

Leaves CoreLowering::movedState(Type type, const Leaves &state, ArrayRef<Value> regions) {
  Value slot = spill(type, state);
  call("tessera_rt_copy", {}, {typeTable(describe(type)), slot, regions[1], site("OutOfMemory")});
  call("tessera_rt_region_reset", {}, regions[0]);
  Leaves moved = load(layoutOf(type), slot);
  Value bound = callFor("tessera_rt_region_bound", i64, regions[1]);
  moved.append({regions[1], regions[0], bound});
  return moved;
}
