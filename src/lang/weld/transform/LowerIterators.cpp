/// What loops iterate over: the number of elements, and where they are.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using ir::IteratorKind;
using Predicate = arith::CmpIPredicate;

/// The number of elements of a range; 0 if it is empty. If the stride does not divide the range,
/// the last step is incomplete and does not count.
Value CoreLowering::countRange(Value start, Value end, Value stride) {
  trapIf(compare(Predicate::sle, stride, number(0)), "BadIteratorLength: a stride of {0}",
         {stride});
  Value isEmpty = compare(Predicate::sge, start, end);
  // The difference may need all 64 bits.
  Value last = make<arith::SubIOp>(make<arith::SubIOp>(end, start), number(1));
  Value count = make<arith::AddIOp>(make<arith::DivUIOp>(last, stride), number(1));
  count = arith::SelectOp::create(b, loc, isEmpty, number(0), count);
  trapIf(compare(Predicate::slt, count, number(0)),
         "BadIteratorLength: too many elements from {0} to {1}", {start, end});
  return count;
}

Walk CoreLowering::walkOf(const ir::IteratorOperands &iterator) {
  SmallVector<Leaves> operands;
  for (Value operand : iterator.operands)
    operands.push_back(leaves(operand));
  Walk walk{iterator, nullptr, nullptr};
  switch (iterator.kind) {
  case IteratorKind::Plain:
    walk.count = operands[0][1];
    break;
  case IteratorKind::Strided: {
    Value start = operands[1][0], end = operands[2][0], size = operands[0][1];
    trapIf(compare(Predicate::slt, start, number(0)), "BadIteratorLength: a start of {0}", {start});
    trapIf(compare(Predicate::sgt, end, size),
           "BadIteratorLength: an end of {0} in a vector of {1} elements", {end, size});
    walk.count = countRange(start, end, operands[3][0]);
    break;
  }
  case IteratorKind::Range:
    walk.count = countRange(operands[0][0], operands[1][0], operands[2][0]);
    break;
  case IteratorKind::Simd:
    walk.count = make<arith::DivUIOp>(operands[0][1], number(numLanes));
    break;
  case IteratorKind::Fringe:
    walk.count = make<arith::RemUIOp>(operands[0][1], number(numLanes));
    walk.first = make<arith::SubIOp>(operands[0][1], walk.count);
    break;
  case IteratorKind::Nd:
    walk.count = callFor("tessera_rt_count_strided", i64,
                         {operands[4][0], operands[4][1], operands[5][0], operands[5][1],
                          operands[1][0], operands[0][1], site("BadIteratorLength")});
    break;
  }
  return walk;
}

SmallVector<Walk> CoreLowering::walksOf(ir::ForOp op) {
  SmallVector<Walk> walks;
  Location outer = loc;
  for (const ir::IteratorOperands &iterator : op.iteratorList()) {
    loc = iterator.loc;
    walks.push_back(walkOf(iterator));
    if (walks.size() > 1)
      trapIf(compare(Predicate::ne, walks.back().count, walks.front().count),
             "MismatchedZipSize: lengths {0} and {1}", {walks.front().count, walks.back().count});
  }
  loc = outer;
  return walks;
}

/// start + the dot product of the counters, row by row, and the strides.
Value CoreLowering::ndIndex(const Walk &walk, Value index) {
  OpBuilder::InsertionGuard guard(b);
  Leaves shape = leaves(walk.iterator.operands[4]), strides = leaves(walk.iterator.operands[5]);
  auto dims = forLoop(number(0), shape[1], {index, leaf(walk.iterator.operands[1])});
  b.setInsertionPointToStart(dims.getBody());
  Value later =
      make<arith::SubIOp>(make<arith::SubIOp>(shape[1], number(1)), dims.getInductionVar());
  Value size = loadLeaf(i64, elementAt(int64_t(8), shape[0], later));
  Value stride = loadLeaf(i64, elementAt(int64_t(8), strides[0], later));
  Value rest = dims.getRegionIterArg(0), place = dims.getRegionIterArg(1);
  Value counter = make<arith::RemUIOp>(rest, size);
  Value next = make<arith::AddIOp>(place, make<arith::MulIOp>(counter, stride));
  scf::YieldOp::create(b, loc, ValueRange{make<arith::DivUIOp>(rest, size), next});
  return dims.getResult(1);
}

Leaves CoreLowering::elementOf(const Walk &walk, Value index) {
  const ir::IteratorOperands &iterator = walk.iterator;
  auto scaled = [&](unsigned start, unsigned stride) {
    Value steps = make<arith::MulIOp>(index, leaf(iterator.operands[stride]));
    return make<arith::AddIOp>(leaf(iterator.operands[start]), steps);
  };
  switch (iterator.kind) {
  case IteratorKind::Range:
    return {scaled(0, 2)};
  case IteratorKind::Strided:
    index = scaled(1, 3);
    break;
  case IteratorKind::Simd:
    index = make<arith::MulIOp>(index, number(numLanes));
    break;
  case IteratorKind::Fringe:
    index = make<arith::AddIOp>(walk.first, index);
    break;
  case IteratorKind::Nd:
    index = ndIndex(walk, index);
    break;
  default:
    break;
  }
  Type element = cast<ir::VecType>(iterator.data().getType()).getElement();
  return load(layoutOf(iterator.elementType()), elementAt(element, leaf(iterator.data()), index));
}
