/// Products of matrices. Those of real numbers are contractions on buffers, for which back ends
/// have micro-kernels [core.7]: their modes are in reverse order, so that the fastest one is last.
#include "core/Attributes.h"
#include "core/Buffer.h"
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

Leaves CoreLowering::lower(ir::GemmOp op) {
  if (canContract(op))
    multiplyByContraction(op);
  else
    multiplyInLanes(op);
  return {};
}

/// Whether an operand can be widened to the sums' type.
static bool widensTo(Type from, Type sums) {
  bool isSpecial = llvm::any_of(ArrayRef<Type>{from, sums},
                                [](Type type) { return isa<ComplexType>(type) || type.isIndex(); });
  return !isSpecial && isa<FloatType>(from) == isa<FloatType>(sums);
}

bool CoreLowering::canContract(ir::GemmOp op) {
  Type sums = ir::accumulationType(op.getOutput().getType().getElement());
  return op.getA().getType().isDense() && op.getB().getType().isDense() &&
         op.getOutput().getType().isDense() && widensTo(op.getA().getType().getElement(), sums) &&
         widensTo(op.getB().getType().getElement(), sums);
}

/// The modes in reverse order.
Value CoreLowering::bufferOf(const Tensor &tensor) {
  auto reversed = [](auto list) {
    return SmallVector<std::decay_t<decltype(list[0])>>(llvm::reverse(list));
  };
  SmallVector<int64_t> shape = reversed(tensor.type.getShape()),
                       strides = reversed(tensor.type.getStrides());
  SmallVector<Value> sizes = reversed(tensor.sizes), steps = reversed(tensor.strides), dynamic;
  for (auto [known, size] : llvm::zip_equal(shape, sizes))
    if (ShapedType::isDynamic(known))
      dynamic.push_back(size);
  for (auto [known, step] : llvm::zip_equal(strides, steps))
    if (ShapedType::isDynamic(known))
      dynamic.push_back(step);
  auto layout = StridedLayoutAttr::get(b.getContext(), 0, strides);
  return core::bufferAt(b, loc, MemRefType::get(shape, tensor.type.getElement(), layout),
                        tensor.pointer, dynamic);
}

bool CoreLowering::canContract(ir::CoopMulAddOp op) {
  Type sums = op.getC().getType().getComponent();
  return ir::accumulationType(sums) == sums && !isa<ComplexType>(sums) &&
         widensTo(op.getA().getType().getComponent(), sums) &&
         widensTo(op.getB().getType().getComponent(), sums);
}

/// result[n, m] += b[n, k] * a[k, m], after clearing the result if `clears`.
Operation *CoreLowering::contract(const Factor &a, const Factor &other, Value result, bool clears) {
  Type sums = getElementTypeOrSelf(result.getType());
  if (clears)
    linalg::FillOp::create(b, loc, ValueRange(fill(sums, 0)), ValueRange(result));
  AffineExpr n = b.getAffineDimExpr(0), m = b.getAffineDimExpr(1), k = b.getAffineDimExpr(2);
  auto map = [&](AffineExpr x, AffineExpr y) {
    return AffineMap::get(3, 0, {x, y}, b.getContext());
  };
  AffineMap maps[] = {other.isTransposed ? map(k, n) : map(n, k),
                      a.isTransposed ? map(m, k) : map(k, m), map(n, m)};
  // The order of a sum is free; matrix registers make use of that.
  bool isNarrow = a.tensor.type.getElement().isBF16() && other.tensor.type.getElement().isBF16();
  utils::IteratorType kinds[] = {utils::IteratorType::parallel, utils::IteratorType::parallel,
                                 utils::IteratorType::reduction};
  return linalg::GenericOp::create(
      b, loc, TypeRange(), ValueRange{bufferOf(other.tensor), bufferOf(a.tensor)},
      ValueRange(result), maps, kinds, [&](OpBuilder &inner, Location, ValueRange arguments) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        Value x = convertReal(arguments[0], arguments[0].getType(), sums);
        Value y = convertReal(arguments[1], arguments[1].getType(), sums);
        Value sum = multiplyAdd(sums, {x}, {y}, {arguments[2]}).re;
        if (auto fused = sum.getDefiningOp<math::FmaOp>(); fused && isNarrow)
          fused.setFastmath(arith::FastMathFlags::reassoc);
        linalg::YieldOp::create(b, loc, sum);
      });
}

/// How many rows and columns of sums are computed at a time if they cannot go to the output.
constexpr int64_t tileRows = 64, tileColumns = 32;
/// How many sums are cleared at a time.
constexpr int64_t clearedSums = 16;
static_assert(tileRows * tileColumns % clearedSums == 0);

/// A part of a matrix: from (row, column) on, of these sizes.
Tensor CoreLowering::part(const Tensor &whole, const Tile &tile) {
  Tensor part = whole;
  Value offset = folded<arith::AddIOp>(folded<arith::MulIOp>(tile.row, whole.strides[0]),
                                       folded<arith::MulIOp>(tile.column, whole.strides[1]));
  part.pointer = pointerAt(whole.type.getElement(), whole.pointer, offset);
  part.type = ir::MemrefType::get({tile.rows, tile.columns}, whole.type.getElement(),
                                  whole.type.getStrides(), whole.type.getSpace());
  part.sizes = {tile.numRows, tile.numColumns};
  return part;
}

/// Whether the stack has room for the sums if a micro-kernel does not keep them in registers.
static bool canBeScaled(ir::GemmOp op) {
  constexpr int64_t most = 4096;
  std::optional<int64_t> size = op.getOutput().getType().extent();
  return size && *size <= most;
}

void CoreLowering::multiplyByContraction(ir::GemmOp op) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB()), output = tensor(op.getOutput());
  Type sums = ir::accumulationType(output.type.getElement());
  bool isZero = ir::isConstant(op.getBeta(), 0), isOne = ir::isConstant(op.getBeta(), 1);
  bool isDirect =
      sums == output.type.getElement() && (isZero || isOne) && ir::isConstant(op.getAlpha(), 1);
  if (isDirect && !addsApart(op))
    contract({a, op.getTransA()}, {other, op.getTransB()}, bufferOf(output), isZero);
  else if (canBeScaled(op) && !addsApart(op))
    multiplyAndScale(op);
  else
    multiplyByTiles(op);
}

/// The elementwise operation after the sums scales them, in registers if there is a micro-kernel.
void CoreLowering::multiplyAndScale(ir::GemmOp op) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB()), output = tensor(op.getOutput());
  Type element = output.type.getElement(), type = ir::accumulationType(element);
  int64_t rows = output.type.size(0), columns = output.type.size(1);
  Tensor scratch{ir::MemrefType::get({rows, columns}, type, {1, rows}),
                 stackSlot(type, rows * columns, 64),
                 output.sizes,
                 {number(1), number(rows)}};
  Value to = bufferOf(output), sums = bufferOf(scratch);
  contract({a, op.getTransA()}, {other, op.getTransB()}, sums, /*clears=*/true)
      ->setAttr(core::scratchAttr, b.getUnitAttr());
  AffineMap all = b.getMultiDimIdentityMap(2);
  SmallVector<AffineMap> maps(3, all);
  SmallVector<utils::IteratorType> kinds(2, utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, loc, TypeRange(), ValueRange{sums, to}, ValueRange(to), maps, kinds,
      [&](OpBuilder &inner, Location, ValueRange arguments) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        Number result = scaled(op, {arguments[0]}, [&] { return Number{arguments[1]}; });
        linalg::YieldOp::create(b, loc, convert(result, type, element).re);
      });
}

/// The sums of a tile in memory. If sizes are unknown, the sums are cleared here and stored
/// contiguously like those of a small output, so that the micro-kernel that adds to an output can
/// be used.
Tensor CoreLowering::sumsOf(const Tile &tile, Type type, Value slot) {
  bool isKnown = tile.rows != ir::dynamic && tile.columns != ir::dynamic;
  int64_t stride = isKnown ? tile.rows : ir::dynamic;
  Tensor sums{ir::MemrefType::get({tile.rows, tile.columns}, type, {1, stride}),
              slot,
              {tile.numRows, tile.numColumns},
              {number(1), tile.numRows}};
  if (isKnown)
    return sums;
  auto some = VectorType::get(clearedSums, type);
  forEach(number(0), make<arith::MulIOp>(tile.numRows, tile.numColumns), number(clearedSums),
          [&](Value at) { storeScalar(fill(some, 0), pointerAt(type, slot, at)); });
  return sums;
}

/// Computes the sums first if they are scaled, or if each element of the output is added to once.
void CoreLowering::multiplyByTiles(ir::GemmOp op) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB()), output = tensor(op.getOutput());
  Type sums = ir::accumulationType(output.type.getElement());
  Value slot = stackSlot(sums, tileRows * tileColumns, 64);
  forTiles(output, [&](const Tile &tile) {
    Tensor sum = sumsOf(tile, sums, slot);
    contract({part(a, tileOf(op, tile, a, 0)), op.getTransA()},
             {part(other, tileOf(op, tile, other, 1)), op.getTransB()}, bufferOf(sum),
             /*clears=*/sum.type.extent().has_value());
    finishTile(op, tile, sum);
  });
}

/// Stores the sums of a tile to the output: one by one if that is atomic.
void CoreLowering::finishTile(ir::GemmOp op, const Tile &tile, const Tensor &sums) {
  int64_t numLanes = tile.rows == ir::dynamic || tile.rows > 8 ? 16 : 8;
  lanes = isShared(op) ? 0 : numLanes;
  auto rowsFrom = [&](Value first) {
    return lanes ? Index{{}, Affine{first, number(1)}} : Index{first, Affine{first, number(0)}};
  };
  forEach(number(0), tile.numColumns, number(1), [&](Value j) {
    auto finishRows = [&](Value i) {
      Value row = folded<arith::AddIOp>(tile.row, i);
      Value column = folded<arith::AddIOp>(tile.column, j);
      Number value =
          element(sums, {rowsFrom(i), {j, Affine{j, number(0)}}}, sums.type.getElement());
      finish(op, {rowsFrom(row), {column, Affine{column, number(0)}}}, value);
    };
    if (lanes)
      forLanes(tile.numRows, [&](Index i) { finishRows(i.affine->base); });
    else
      forEach(number(0), tile.numRows, number(1), finishRows);
  });
  lanes = 0;
}

/// The part of an operand that a tile of the output needs: its rows of a, or its columns of b.
Tile CoreLowering::tileOf(ir::GemmOp op, const Tile &tile, const Tensor &operand, unsigned number) {
  bool isTransposed = number == 0 ? op.getTransA() : op.getTransB();
  unsigned shared = number == 0 ? 0 : 1; // The mode of op(operand) that the output has as well.
  unsigned mode = isTransposed ? 1 - shared : shared;
  int64_t known = number == 0 ? tile.rows : tile.columns;
  Value size = number == 0 ? tile.numRows : tile.numColumns;
  Value begin = number == 0 ? tile.row : tile.column, zero = this->number(0);
  Tile own{
      zero, zero, operand.type.size(0), operand.type.size(1), operand.sizes[0], operand.sizes[1]};
  (mode == 0 ? own.row : own.column) = begin;
  (mode == 0 ? own.rows : own.columns) = known;
  (mode == 0 ? own.numRows : own.numColumns) = size;
  return own;
}

/// Runs the body for all of the output if it is small, otherwise for tiles, whose sizes are known
/// at run time.
void CoreLowering::forTiles(const Tensor &output, llvm::function_ref<void(const Tile &)> body) {
  int64_t rows = output.type.size(0), columns = output.type.size(1);
  bool isSmall =
      rows != ir::dynamic && columns != ir::dynamic && rows <= tileRows && columns <= tileColumns;
  if (isSmall)
    return body({number(0), number(0), rows, columns, output.sizes[0], output.sizes[1]});
  forEach(number(0), output.sizes[1], number(tileColumns), [&](Value column) {
    Value width =
        make<arith::MinSIOp>(make<arith::SubIOp>(output.sizes[1], column), number(tileColumns));
    forEach(number(0), output.sizes[0], number(tileRows), [&](Value row) {
      Value height =
          make<arith::MinSIOp>(make<arith::SubIOp>(output.sizes[0], row), number(tileRows));
      body({row, column, ir::dynamic, ir::dynamic, height, width});
    });
  });
}
