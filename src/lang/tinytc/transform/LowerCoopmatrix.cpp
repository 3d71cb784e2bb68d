/// Cooperative matrices: a subgroup holds columns, each a vector of rows.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;
using arith::CmpIPredicate;

/// One for the subgroup, where that is not known before.
Tensor CoreLowering::uniformTensor(Value memref) {
  Tensor result = tensor(memref);
  result.pointer = uniform(result.pointer);
  for (Value &size : result.sizes)
    size = uniform(size);
  for (Value &stride : result.strides)
    stride = uniform(stride);
  return result;
}

/// Runs the body for each column with its place in memory; rows are lanes, and `mask` says which of
/// them are inside, where that is checked.
void CoreLowering::forColumns(const MatrixAccess &access,
                              llvm::function_ref<void(int64_t, const Place &)> body) {
  if (isChecked)
    checkMatrix(access);
  Tensor memory = uniformTensor(access.memory);
  Value row = uniform(leaves(access.row)[0]), column = uniform(leaves(access.column)[0]);
  int64_t outerLanes = lanes;
  Value outerMask = mask;
  lanes = access.type.getRows();
  bool checksRows = access.checked == ir::Checked::Rows || access.checked == ir::Checked::Both;
  bool checksColumns =
      access.checked == ir::Checked::Columns || access.checked == ir::Checked::Both;
  // M(row + i, column + j), transposed M(row + j, column + i): i along this mode, j along the
  // other.
  unsigned down = access.isTransposed ? 1 : 0, across = 1 - down;
  Value begin[] = {row, column};
  auto isInside = [&](Value at, Value size) {
    return make<arith::AndIOp>(compareInts(CmpIPredicate::sge, at, number(0)),
                               compareInts(CmpIPredicate::slt, at, size));
  };
  Index rows{{}, Affine{begin[down], number(1)}};
  Value rowsInside = checksRows ? isInside(laneValue(rows), memory.sizes[down]) : Value();
  for (int64_t number = 0; number < access.type.getColumns(); ++number) {
    Value at = make<arith::AddIOp>(begin[across], this->number(number));
    Index columns{at, Affine{at, this->number(0)}};
    mask = rowsInside;
    if (checksColumns)
      mask = andOf(mask, isInside(at, memory.sizes[across]));
    SmallVector<Index> indices{rows, columns};
    if (access.isTransposed)
      std::swap(indices[0], indices[1]);
    body(number, place(memory, indices));
  }
  lanes = outerLanes;
  mask = outerMask;
}

/// Where all rows see the same element (one row, or a step of 0), a vector of it.
Leaves CoreLowering::lower(ir::CoopLoadOp op) {
  ir::CoopMatrixType type = op.getResult().getType();
  SmallVector<Number> columns;
  forColumns(
      {op.getSource(), op.getRow(), op.getColumn(), type, op.getTransposed(), op.getChecked()},
      [&](int64_t, const Place &place) {
        noteAccess(place, type.getComponent(), Access::Read, By::Matrix);
        Number loaded = loadFrom(place, type.getComponent());
        columns.push_back(inLanes(loaded));
      });
  return flat(columns, type.getComponent());
}

Leaves CoreLowering::lower(ir::CoopStoreOp op) {
  ir::CoopMatrixType type = op.getMatrix().getType();
  SmallVector<Number> columns = numbers(op.getMatrix()), before;
  forColumns(
      {op.getTarget(), op.getRow(), op.getColumn(), type, op.getTransposed(), op.getChecked()},
      [&](int64_t column, const Place &place) {
        bool isAdded = op.getFlag() == ir::StoreFlag::AtomicAdd;
        noteAccess(place, type.getComponent(), accessOf(op.getFlag()), By::Matrix);
        if (!isAdded)
          storeTo(place, type.getComponent(), columns[column]);
        else if (op.getBefore())
          before.push_back(addTo(place, type.getComponent(), columns[column]));
        else
          addAt(place, type.getComponent(), columns[column]);
      });
  return op.getBefore() ? flat(before, type.getComponent()) : Leaves();
}

/// Columns one behind the other on the stack, of real and of imaginary parts.
Number CoreLowering::spilled(ArrayRef<Number> columns) {
  Number slots;
  for (Value Number::*part : {&Number::re, &Number::im}) {
    if (columns.empty() || !(columns[0].*part))
      continue;
    Type type = (columns[0].*part).getType();
    slots.*part = stackSlot(type, int64_t(columns.size()), 64);
    for (auto [number, column] : llvm::enumerate(columns))
      storeScalar(column.*part, pointerAt(type, slots.*part, this->number(number)));
  }
  return slots;
}

/// What is at a place of both parts.
Number CoreLowering::reloaded(Type type, Number slots, llvm::function_ref<Value(Value)> placeIn) {
  return {loadScalar(type, placeIn(slots.re)),
          slots.im ? loadScalar(type, placeIn(slots.im)) : Value()};
}

/// sums += a other, by loops over what is on the stack: code for each product would be too long.
void CoreLowering::multiplyInLoops(Type type, ArrayRef<Number> a, ArrayRef<Number> other,
                                   SmallVectorImpl<Number> &sums) {
  Type column = sums[0].re.getType(), factors = other[0].re.getType();
  Type part = getElementTypeOrSelf(column);
  Number lhs = spilled(a), rhs = spilled(other), results = spilled(sums);
  forEach(number(0), number(int64_t(sums.size())), number(1), [&](Value n) {
    auto ofColumn = [&](Value slot) { return pointerAt(column, slot, n); };
    Number first = reloaded(column, results, ofColumn);
    Leaves initial{first.re};
    if (first.im)
      initial.push_back(first.im);
    auto depth =
        scf::ForOp::create(b, loc, number(0), number(int64_t(a.size())), number(1), initial);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(depth.getBody());
      Value k = depth.getInductionVar();
      Number x = reloaded(column, lhs, [&](Value slot) { return pointerAt(column, slot, k); });
      Number y = reloaded(
          part, rhs, [&](Value slot) { return pointerAt(part, pointerAt(factors, slot, n), k); });
      auto carried = depth.getRegionIterArgs();
      Number sum = multiplyAdd(type, x, y, {carried[0], first.im ? carried[1] : Value()});
      scf::YieldOp::create(b, loc, first.im ? ValueRange{sum.re, sum.im} : ValueRange{sum.re});
    }
    storeScalar(depth.getResult(0), ofColumn(results.re));
    if (first.im)
      storeScalar(depth.getResult(1), ofColumn(results.im));
  });
  for (auto [number, sum] : llvm::enumerate(sums))
    sum = reloaded(column, results, [&, at = this->number(number)](Value slot) {
      return pointerAt(column, slot, at);
    });
}

void CoreLowering::multiplyInPlace(Type type, ArrayRef<Number> a, ArrayRef<Number> other,
                                   SmallVectorImpl<Number> &sums) {
  for (auto [sum, factors] : llvm::zip_equal(sums, other))
    for (auto [k, column] : llvm::enumerate(a)) {
      auto at = [&](Value part) -> Value {
        return part ? vector::ExtractOp::create(b, loc, part, int64_t(k)) : Value();
      };
      sum = multiplyAdd(type, column, {at(factors.re), at(factors.im)}, sum);
    }
}

/// Column n of the result: the sum of columns of a, each times an element of column n of b. Summed
/// in the accumulation type of c's components, and rounded once.
Leaves CoreLowering::lower(ir::CoopMulAddOp op) {
  Type left = op.getA().getType().getComponent(), right = op.getB().getType().getComponent();
  Type start = op.getC().getType().getComponent(), end = op.getResult().getType().getComponent();
  Type type = ir::accumulationType(start);
  SmallVector<Number> a = numbers(op.getA()), other = numbers(op.getB()), c = numbers(op.getC());
  auto convertAll = [&](SmallVectorImpl<Number> &columns, Type from, Type to) {
    for (Number &column : columns)
      column = convert(column, from, to);
  };
  convertAll(a, left, type);
  convertAll(other, right, type);
  convertAll(c, start, type);
  constexpr size_t mostProducts = 256;
  if (a.size() * c.size() > mostProducts)
    multiplyInLoops(type, a, other, c);
  else
    multiplyInPlace(type, a, other, c);
  convertAll(c, type, end);
  return flat(c, end);
}

Leaves CoreLowering::lower(ir::CoopScaleOp op) {
  Type type = op.getResult().getType().getComponent();
  Number factor = numbers(op.getScalar())[0];
  factor.re = uniform(factor.re);
  if (factor.im)
    factor.im = uniform(factor.im);
  SmallVector<Number> results;
  for (Number column : numbers(op.getMatrix())) {
    Number own{inLanesOf(factor.re, column.re),
               factor.im ? inLanesOf(factor.im, column.re) : Value()};
    results.push_back(arithmetic(ir::Binary::Mul, type, own, column));
  }
  return flat(results, type);
}
