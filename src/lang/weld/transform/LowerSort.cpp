/// Sorting: the runtime sorts if the order is that of scalars. Otherwise runs of 1, 2, 4, ...
/// elements are merged back and forth between two arrays, which is stable, and in bounds for any
/// comparator.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

/// The offset of the field's first leaf.
static int64_t offsetOf(ir::StructType type, int64_t field) {
  size_t before = leafTypes(TypeRange(type.getFields().take_front(field))).size();
  return layoutOf(type).leaves[before].offset;
}

/// The table that `tessera_rt_sort` expects.
Value CoreLowering::orderTable(ir::SortOp op) {
  Type key = op.getType().getElement();
  int64_t offset = 0;
  for (int64_t field : op.getPath().value_or(ArrayRef<int64_t>())) {
    offset += offsetOf(cast<ir::StructType>(key), field);
    key = cast<ir::StructType>(key).getFields()[field];
  }
  int64_t bytes = layoutOf(op.getType().getElement()).size;
  return typeTable(
      {describe(key)[0], *op.getOrder() == "descending", int32_t(bytes), int32_t(offset)});
}

/// The runtime sorts by plain orders; if there are NaNs, the comparator is used.
Leaves CoreLowering::lower(ir::SortOp op) {
  Value count = leaves(op.getVec())[1];
  if (!op.getOrder())
    return {sortByMerging(op), count};
  Value sorted = allocate(make<arith::MulIOp>(count, elementBytes(op.getType().getElement())));
  Value scratch = createRegion();
  Value isDone = callFor(
      "tessera_rt_sort", b.getI32Type(),
      {orderTable(op), leaves(op.getVec())[0], sorted, count, scratch, site("OutOfMemory")});
  call("tessera_rt_region_free", {}, scratch);
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  return {either(
              compare(Predicate::ne, isDone, zero), pointerType, [&] { return Leaves{sorted}; },
              [&] { return Leaves{sortByMerging(op)}; })[0],
          count};
}

Value CoreLowering::sortByMerging(ir::SortOp op) {
  Leaves vec = leaves(op.getVec());
  Value count = vec[1];
  Type element = op.getType().getElement();
  Value sorted = copyVector(element, vec[0], count);
  Value spare = allocate(make<arith::MulIOp>(count, elementBytes(element)));
  Value outer = region;
  bool outerInLoop = isInLoop;
  isInLoop = true;
  region = createRegion(); // For what comparisons allocate.
  SmallVector<Type> types{i64, pointerType, pointerType};
  auto loop = scf::WhileOp::create(
      b, loc, types, ValueRange{number(1), sorted, spare},
      [&](OpBuilder &nested, Location at, ValueRange state) {
        Value goesOn = arith::CmpIOp::create(nested, at, Predicate::slt, state[0], count);
        scf::ConditionOp::create(nested, at, goesOn, state);
      },
      [&](OpBuilder &nested, Location at, ValueRange state) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(nested.getInsertionBlock());
        mergeRuns(op, state[1], state[2], count, state[0]);
        Value twice = make<arith::AddIOp>(state[0], state[0]);
        scf::YieldOp::create(b, at, ValueRange{twice, state[2], state[1]});
      });
  call("tessera_rt_region_free", {}, region);
  region = outer;
  isInLoop = outerInLoop;
  return loop.getResult(1);
}

/// Merges each pair of neighbouring runs of `from` into one run of `to`.
void CoreLowering::mergeRuns(ir::SortOp op, Value from, Value to, Value count, Value width) {
  OpBuilder::InsertionGuard guard(b);
  Type element = op.getType().getElement();
  Layout layout = layoutOf(element);
  Value twice = make<arith::AddIOp>(width, width);
  auto pairs = scf::ForOp::create(b, loc, number(0), count, twice);
  b.setInsertionPointToStart(pairs.getBody());
  Value lo = pairs.getInductionVar();
  Value middle = make<arith::MinSIOp>(make<arith::AddIOp>(lo, width), count);
  Value hi = make<arith::MinSIOp>(make<arith::AddIOp>(lo, twice), count);
  auto places = forLoop(lo, hi, {lo, middle});
  b.setInsertionPointToStart(places.getBody());
  Value left = places.getRegionIterArg(0), right = places.getRegionIterArg(1);
  Value hasLeft = compare(Predicate::slt, left, middle);
  Value hasBoth = make<arith::AndIOp>(hasLeft, compare(Predicate::slt, right, hi));
  Value takesLeft = either(
      hasBoth, i1,
      [&] {
        return Leaves{
            isInOrder(op, elementAt(element, from, left), elementAt(element, from, right))};
      },
      [&] { return Leaves{hasLeft}; })[0];
  Value source = arith::SelectOp::create(b, loc, takesLeft, left, right);
  store(layout, load(layout, elementAt(element, from, source)),
        elementAt(element, to, places.getInductionVar()));
  Value taken = arith::ExtUIOp::create(b, loc, i64, takesLeft);
  Value other = make<arith::SubIOp>(number(1), taken);
  scf::YieldOp::create(
      b, loc, ValueRange{make<arith::AddIOp>(left, taken), make<arith::AddIOp>(right, other)});
}

/// Whether the comparator does not return that the left one is greater.
Value CoreLowering::isInOrder(ir::SortOp op, Value left, Value right) {
  mlir::Block &block = op.getComparator().front();
  Layout layout = layoutOf(op.getType().getElement());
  values[block.getArgument(0)] = load(layout, left);
  values[block.getArgument(1)] = load(layout, right);
  Value order = yielded(block)[0];
  call("tessera_rt_region_reset", {}, region);
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  return compare(Predicate::sle, order, zero);
}
