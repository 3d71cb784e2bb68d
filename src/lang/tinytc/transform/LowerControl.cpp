/// Loops and branches: plain ones if all lanes agree, masks if they do not.
#include "lang/tinytc/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;
using arith::CmpIPredicate;

/// The leaves of values that become vectors if their destination differs among lanes.
Leaves CoreLowering::carried(ValueRange from, ValueRange to) {
  bringHome(from, to);
  Leaves all;
  for (auto [source, goal] : llvm::zip_equal(from, to))
    for (Value leaf : isInMemory(goal.getType()) ? homeOf(goal) : leaves(source))
      all.push_back(lanes && isVarying(goal) ? inLanes(leaf) : leaf);
  return all;
}

//===-- Loops -------------------------------------------------------------===//

Leaves CoreLowering::lower(ir::ForOp op) {
  auto differs = [&](Value value) { return value && lanes && isVarying(value); };
  if (differs(op.getFrom()) || differs(op.getTo()) || differs(op.getStep()))
    return divergentFor(op);
  std::optional<Leaves> sums = sumProducts(op);
  return sums ? *sums : uniformFor(op);
}

/// Whether the step after the last iteration may overflow: never with steps of one, nor if the type
/// of the loop is narrower than i64.
static bool mayWrap(ir::ForOp op) {
  Type type = op.getVariable().getType();
  if (!op.getStep() || !(type.isIndex() || type.isInteger(64)))
    return false;
  std::optional<int64_t> step = ir::constantInt(op.getStep()), to = ir::constantInt(op.getTo());
  int64_t end;
  return step != 1 && (!step || !to || llvm::AddOverflow(*to, *step, end));
}

/// Counts in i64; if the loop's variable might wrap, counts steps instead.
CoreLowering::Counter CoreLowering::counterOf(ir::ForOp op) {
  Type type = op.getVariable().getType();
  auto wide = [&](Value value) { return convertReal(uniform(leaves(value)[0]), type, i64); };
  Counter counter{wide(op.getFrom()), wide(op.getTo()), number(1), {}, {}};
  if (op.getStep()) // A step that is not positive is undefined, but the loop must end.
    counter.step = make<arith::MaxSIOp>(wide(op.getStep()), number(1));
  if (!mayWrap(op))
    return counter;
  Value isEmpty = compareInts(CmpIPredicate::sge, counter.from, counter.to);
  Value last = make<arith::SubIOp>(make<arith::SubIOp>(counter.to, counter.from), number(1));
  Value steps = make<arith::DivUIOp>(last, counter.step);
  Value most = number(std::numeric_limits<int64_t>::max() - 1);
  Value count = make<arith::AddIOp>(make<arith::MinUIOp>(steps, most), number(1));
  Value end = arith::SelectOp::create(b, loc, isEmpty, number(0), count);
  return {number(0), end, number(1), counter.from, counter.step};
}

Value CoreLowering::variableOf(ir::ForOp op, const Counter &counter, Value count) {
  if (counter.first)
    count = make<arith::AddIOp>(counter.first, make<arith::MulIOp>(count, counter.distance));
  return convertReal(count, i64, op.getVariable().getType());
}

/// The most iterations that may be unrolled completely, and the usual number for longer loops.
constexpr int64_t maxUnrolled = 64, usualUnrolled = 8;

/// How many iterations are unrolled; 0 if the program forbids it.
static int64_t timesUnrolled(scf::ForOp loop, int64_t unroll) {
  if (unroll != 0)
    return std::clamp<int64_t>(unroll, 0, maxUnrolled);
  std::optional<APInt> count = loop.getStaticTripCount();
  return count && count->ule(maxUnrolled) ? count->getZExtValue() : usualUnrolled;
}

/// Makes LLVM unroll as the program says, within limits.
static void annotate(scf::ForOp loop, std::optional<int64_t> unroll) {
  if (!unroll)
    return;
  Builder b(loop.getContext());
  int64_t times = timesUnrolled(loop, *unroll);
  BoolAttr yes = b.getBoolAttr(true), none;
  auto how = LLVM::LoopUnrollAttr::get(loop.getContext(), times ? none : yes,
                                       times ? b.getI32IntegerAttr(times) : IntegerAttr(), none,
                                       none, {}, {}, {});
  OperationName branch(LLVM::BrOp::getOperationName(), loop.getContext());
  loop->setAttr(LLVM::BrOp::getLoopAnnotationAttrName(branch),
                LLVM::LoopAnnotationAttr::get(loop.getContext(), none, {}, {}, how, {}, {}, {}, {},
                                              {}, {}, none, none, {}, {}, {}));
}

Leaves CoreLowering::uniformFor(ir::ForOp op) {
  Counter counter = counterOf(op);
  Leaves initial = carried(op.getInitials(), op.getCarried());
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::ForOp::create(b, loc, counter.from, counter.to, counter.step, initial,
                                 [](OpBuilder &, Location, Value, ValueRange) {});
  annotate(loop, op.getUnroll());
  b.setInsertionPointToStart(loop.getBody());
  values[op.getVariable()] = {variableOf(op, counter, loop.getInductionVar())};
  bind(op.getCarried(), Leaves(loop.getRegionIterArgs()));
  lowerBlock(*op.getBody().begin());
  scf::YieldOp::create(b, loc, carried(op.yield().getValues(), op.getCarried()));
  return Leaves(loop.getResults());
}

/// Runs until every lane has reached its end; lanes that have keep their values.
Leaves CoreLowering::divergentFor(ir::ForOp op) {
  Type type = op.getVariable().getType();
  auto wide = [&](Value value) { return inLanes(convertReal(leaves(value)[0], type, i64)); };
  Value to = wide(op.getTo()), outer = mask;
  Value step =
      op.getStep() ? make<arith::MaxSIOp>(wide(op.getStep()), number(1)) : inLanes(number(1));
  Leaves state{wide(op.getFrom())};
  llvm::append_range(state, carried(op.getInitials(), op.getCarried()));
  TypeRange types = ValueRange(state).getTypes();
  SmallVector<Type> kept(types);
  SmallVector<Location> places(state.size(), loc);
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::WhileOp::create(b, loc, kept, state);
  Block *test = b.createBlock(&loop.getBefore(), {}, kept, places);
  Value live = andOf(outer, compareInts(CmpIPredicate::slt, test->getArgument(0), to));
  scf::ConditionOp::create(b, loc, anyOf(live), test->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, kept, places);
  Value counter = body->getArgument(0);
  Value goesOn = compareInts(CmpIPredicate::slt, counter, to);
  checkMatrices(op.getCarried(), goesOn);
  mask = andOf(outer, goesOn);
  values[op.getVariable()] = {convertReal(counter, i64, type)};
  Leaves before(body->getArguments().drop_front());
  bind(op.getCarried(), before);
  lowerBlock(*op.getBody().begin());
  Value following = make<arith::AddIOp>(counter, step);
  if (mayWrap(op))
    following = arith::SelectOp::create(b, loc, compareInts(CmpIPredicate::slt, following, counter),
                                        to, following);
  Leaves next{following};
  Leaves after = carried(op.yield().getValues(), op.getCarried());
  llvm::append_range(next, chosen(op.getCarried(), mask, after, before));
  scf::YieldOp::create(b, loc, next);
  mask = outer;
  return Leaves(loop.getResults().drop_front());
}

//===-- Branches ----------------------------------------------------------===//

Leaves CoreLowering::lower(ir::IfOp op) {
  if (lanes && isVarying(op.getCondition()))
    return divergentIf(op);
  SmallVector<Type> types;
  for (Value result : op.getResults())
    llvm::append_range(types, laneTypes(result));
  OpBuilder::InsertionGuard guard(b);
  auto choice = scf::IfOp::create(b, loc, types, leaves(op.getCondition())[0], op.hasElse());
  auto lowerArm = [&](Region &region, Block *into, ir::YieldOp yield) {
    b.setInsertionPointToStart(into);
    lowerBlock(region.front());
    if (!types.empty())
      scf::YieldOp::create(b, loc, carried(yield.getValues(), op.getResults()));
  };
  lowerArm(op.getThenRegion(), choice.thenBlock(), op.thenYield());
  if (op.hasElse())
    lowerArm(op.getElseRegion(), choice.elseBlock(), op.elseYield());
  return Leaves(choice.getResults());
}

/// The code for some lanes, which is skipped, with zeros as results, if there are none.
Leaves CoreLowering::armOf(mlir::Block *block, Value condition, ArrayRef<Value> results) {
  Value outer = mask;
  mask = andOf(outer, condition);
  SmallVector<Type> types;
  for (Value result : results)
    llvm::append_range(types, laneTypes(result));
  OpBuilder::InsertionGuard guard(b);
  auto arm = scf::IfOp::create(b, loc, types, anyOf(mask), /*withElseRegion=*/!types.empty());
  b.setInsertionPointToStart(arm.thenBlock());
  lowerBlock(*block);
  if (!types.empty()) {
    scf::YieldOp::create(b, loc, carried(block->getTerminator()->getOperands(), results));
    b.setInsertionPointToStart(arm.elseBlock());
    Leaves zeros;
    for (Type type : types)
      zeros.push_back(LLVM::ZeroOp::create(b, loc, type));
    scf::YieldOp::create(b, loc, zeros);
  }
  mask = outer;
  return Leaves(arm.getResults());
}

/// Selects the result of each lane. A matrix belongs to the subgroup, which chooses one way as a
/// whole, but at compile time it is unknown which.
Leaves CoreLowering::chosen(ValueRange results, Value condition, ArrayRef<Value> onTrue,
                            ArrayRef<Value> onFalse) {
  Value isAnyTrue;
  Leaves all;
  for (Value result : results)
    for (size_t count = leafTypes(result.getType()).size(); count > 0; --count) {
      Value choice = condition;
      if (!isVarying(result))
        choice = isAnyTrue ? isAnyTrue : isAnyTrue = anyOf(andOf(mask, condition));
      all.push_back(arith::SelectOp::create(b, loc, choice, onTrue.front(), onFalse.front()));
      onTrue = onTrue.drop_front();
      onFalse = onFalse.drop_front();
    }
  return all;
}

Leaves CoreLowering::divergentIf(ir::IfOp op) {
  Value condition = inLanes(leaves(op.getCondition())[0]);
  checkMatrices(op.getResults(), condition);
  SmallVector<Value> results(op.getResults());
  Leaves first = armOf(&op.getThenRegion().front(), condition, results);
  if (!op.hasElse())
    return {};
  Value otherwise = make<arith::XOrIOp>(condition, fill(condition.getType(), 1));
  Leaves second = armOf(&op.getElseRegion().front(), otherwise, results);
  return chosen(results, condition, first, second);
}

//===-- Barriers ----------------------------------------------------------===//

/// One thread runs the group, so there is nothing to wait for.
Leaves CoreLowering::lower(ir::BarrierOp op) {
  if (!isChecked || !lanes)
    return {};
  checkReached("barrier");
  if (op.getLocal())
    orderAccesses(/*arePoints=*/bool(firstPoint));
  return {};
}
