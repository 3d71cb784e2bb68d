/// Cooperative matrices: a subgroup holds columns, each a vector of rows.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;
using arith::CmpIPredicate;

/// The tensor with scalars in place of vectors, because it must be the same for the whole subgroup.
Tensor CoreLowering::uniformTensor(Value memref) {
  Tensor result = tensor(memref);
  result.pointer = uniform(result.pointer);
  for (Value &size : result.sizes)
    size = uniform(size);
  for (Value &stride : result.strides)
    stride = uniform(stride);
  return result;
}

MatrixAccess CoreLowering::accessTo(Value memref, Value row, Value column, ir::CoopMatrixType type,
                                    bool isTransposed, ir::Checked checked) {
  MatrixAccess access{memref, row, column, type, isTransposed, checked, {}, {}};
  if (isChecked)
    checkMatrix(access);
  access.memory = uniformTensor(memref);
  access.begin = {uniform(leaves(row)[0]), uniform(leaves(column)[0])};
  return access;
}

/// Which rows of a piece are inside; null if that is not checked. A column outside leaves no rows.
/// It has no mask of its own, because LLVM 22 miscompiles the conjunction of such a mask with a
/// known one of 17, 33, ... lanes (AVX2, without optimization).
Value CoreLowering::rowsInside(const MatrixAccess &access, const Index &rows, Value column) {
  bool checksRows = access.checked == ir::Checked::Rows || access.checked == ir::Checked::Both;
  bool checksColumns =
      access.checked == ir::Checked::Columns || access.checked == ir::Checked::Both;
  if (!checksRows && !checksColumns)
    return {};
  unsigned down = access.isTransposed ? 1 : 0;
  Value number = checksRows ? laneValue(rows) : laneNumbers();
  Value bound = checksRows ? access.memory.sizes[down] : this->number(lanes);
  if (checksColumns) {
    Value isInside = compareInts(CmpIPredicate::ult, column, access.memory.sizes[1 - down]);
    bound = arith::SelectOp::create(b, loc, isInside, bound, this->number(0));
  }
  return compareInts(CmpIPredicate::ult, number, bound);
}

/// Runs the body with the place of a piece in memory, whose rows are lanes.
Number CoreLowering::accessPiece(const MatrixAccess &access, const Piece &piece,
                                 llvm::function_ref<Number(const Place &)> body) {
  int64_t outerLanes = lanes;
  Value outerMask = mask;
  lanes = piece.rows;
  // M(row + i, column + j), transposed M(row + j, column + i): i along this mode, j along the
  // other.
  unsigned down = access.isTransposed ? 1 : 0, across = 1 - down;
  Value at = folded<arith::AddIOp>(access.begin[across], piece.column);
  Index rows{{}, Affine{folded<arith::AddIOp>(access.begin[down], piece.row), number(1)}};
  mask = rowsInside(access, rows, at);
  SmallVector<Index> indices{rows, Index{at, Affine{at, number(0)}}};
  if (access.isTransposed)
    std::swap(indices[0], indices[1]);
  Number result = body(place(access.memory, indices));
  lanes = outerLanes;
  mask = outerMask;
  return result;
}

/// If all rows read the same element (one row, or a step of 0), broadcasts it.
Leaves CoreLowering::lower(ir::CoopLoadOp op) {
  ir::CoopMatrixType type = op.getResult().getType();
  MatrixAccess access = accessTo(op.getSource(), op.getRow(), op.getColumn(), type,
                                 op.getTransposed(), op.getChecked());
  return fromPieces(type, [&](const Piece &piece) {
    return accessPiece(access, piece, [&](const Place &place) {
      noteAccess(place, type.getComponent(), Access::Read, By::Matrix);
      return inLanes(loadFrom(place, type.getComponent()));
    });
  });
}

Leaves CoreLowering::lower(ir::CoopStoreOp op) {
  ir::CoopMatrixType type = op.getMatrix().getType();
  Type component = type.getComponent();
  bool isAdded = op.getFlag() == ir::StoreFlag::AtomicAdd;
  MatrixAccess access = accessTo(op.getTarget(), op.getRow(), op.getColumn(), type,
                                 op.getTransposed(), op.getChecked());
  auto store = [&](const Piece &piece) {
    Number stored = pieceOf(op.getMatrix(), piece);
    return accessPiece(access, piece, [&](const Place &place) {
      noteAccess(place, component, accessOf(op.getFlag()), By::Matrix);
      if (isAdded && op.getBefore())
        return addTo(place, component, stored);
      if (isAdded)
        addAt(place, component, stored);
      else
        storeTo(place, component, stored);
      return Number();
    });
  };
  if (op.getBefore())
    return fromPieces(type, store);
  forPieces(type, [&](const Piece &piece) { store(piece); });
  return {};
}

//===-- Products ----------------------------------------------------------===//

/// sums += a * other, with loops.
void CoreLowering::multiplyInLoops(const StoredMatrix &a, const StoredMatrix &other,
                                   const StoredMatrix &sums) {
  Type type = sums.type.getComponent();
  Value depth = number(a.type.getColumns());
  forPiecesInMemory(sums.type, [&](const Piece &piece) {
    Number before = loadPiece(sums.parts, sums.type, piece);
    Number sum = sumOver(number(0), depth, number(1), before, [&](Value k, Number sum) {
      Number column = loadPiece(a.parts, a.type, {-1, k, piece.row, piece.rows});
      Number factor = loadPiece(other.parts, other.type, {-1, piece.column, k, 1});
      auto alone = [&](Value part) -> Value {
        return part ? vector::ExtractOp::create(b, loc, part, 0) : Value();
      };
      return multiplyAdd(type, column, {alone(factor.re), alone(factor.im)}, sum);
    });
    storePiece(sums.parts, sums.type, piece, sum);
  });
}

/// Products for which the back end has micro-kernels become contractions of buffers.
Leaves CoreLowering::multiplyInMemory(ir::CoopMulAddOp op) {
  Type type = ir::accumulationType(op.getC().getType().getComponent());
  bool contracts = canContract(op);
  auto factor = [&](Value matrix) {
    return inMemory(matrix, contracts ? ir::componentType(matrix.getType()) : type);
  };
  StoredMatrix a = factor(op.getA()), other = factor(op.getB());
  StoredMatrix sums = movedToMemory(op.getC(), *op, type);
  if (contracts)
    contract({tensorOf(a), false}, {tensorOf(other), false}, bufferOf(tensorOf(sums)),
             /*clears=*/false);
  else
    multiplyInLoops(a, other, sums);
  for (const StoredMatrix &matrix : {a, other})
    if (matrix.isTemporary)
      leave(matrix.parts, matrix.type);
  return fromMemory(sums, op.getResult().getType());
}

/// Column n of the result is the sum of columns of a, each times an element of column n of b. It is
/// summed in the accumulation type of c's components, and rounded once.
Leaves CoreLowering::multiplyInPlace(ir::CoopMulAddOp op) {
  Type start = op.getC().getType().getComponent(), end = op.getResult().getType().getComponent();
  Type type = ir::accumulationType(start);
  auto converted = [&](Value matrix) {
    SmallVector<Number> columns = numbers(matrix);
    for (Number &column : columns)
      column = convert(column, ir::componentType(matrix.getType()), type);
    return columns;
  };
  SmallVector<Number> a = converted(op.getA()), other = converted(op.getB()),
                      sums = converted(op.getC());
  for (auto [sum, factors] : llvm::zip_equal(sums, other)) {
    for (auto [k, column] : llvm::enumerate(a)) {
      auto at = [&](Value part) -> Value {
        return part ? vector::ExtractOp::create(b, loc, part, int64_t(k)) : Value();
      };
      sum = multiplyAdd(type, column, {at(factors.re), at(factors.im)}, sum);
    }
    sum = convert(sum, type, end);
  }
  return flat(sums, end);
}

/// Products in place need code for each column, so large ones are computed in memory.
Leaves CoreLowering::lower(ir::CoopMulAddOp op) {
  constexpr int64_t mostProducts = 256;
  bool isLarge = op.getB().getType().getRows() * op.getB().getType().getColumns() > mostProducts ||
                 llvm::any_of(op->getOperandTypes(), [](Type type) { return isInMemory(type); });
  return isLarge ? multiplyInMemory(op) : multiplyInPlace(op);
}

Leaves CoreLowering::lower(ir::CoopScaleOp op) {
  Type type = op.getResult().getType().getComponent();
  Number factor = numbers(op.getScalar())[0];
  factor.re = uniform(factor.re);
  if (factor.im)
    factor.im = uniform(factor.im);
  return fromPieces(op.getResult().getType(), [&](const Piece &piece) {
    Number column = pieceOf(op.getMatrix(), piece);
    Number own{inLanesOf(factor.re, column.re),
               factor.im ? inLanesOf(factor.im, column.re) : Value()};
    return arithmetic(ir::Binary::Mul, type, own, column);
  });
}
