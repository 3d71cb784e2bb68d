/// Loops that only add up products of cooperative matrices become contractions along the whole
/// loop, if registers cannot hold the sums or a processor may have tiles for the types.
#include "lang/tinytc/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

namespace {

/// sum := a * b + sum, where a and b are loaded from memory and move along it with the loop.
struct Product {
  ir::CoopMulAddOp op;
  ir::CoopLoadOp a, b;
};

} // namespace

/// Whether the loop's variable is the position along the depth, which is the rows or columns of the
/// matrix, and nothing else moves.
static bool movesAlong(ir::CoopLoadOp load, unsigned depthAxis, ir::ForOp loop) {
  Value positions[] = {load.getRow(), load.getColumn()};
  unsigned depth = load.getTransposed() ? 1 - depthAxis : depthAxis;
  auto isOutside = [&](Value value) { return value.getParentRegion() != &loop.getBody(); };
  return positions[depth] == loop.getVariable() && isOutside(positions[1 - depth]) &&
         isOutside(load.getSource()) && load.getChecked() == ir::Checked::None &&
         load.getSource().getType().isDense();
}

static std::optional<Product> productAt(ir::ForOp loop, unsigned carried) {
  Product product{loop.yield().getValues()[carried].getDefiningOp<ir::CoopMulAddOp>(), {}, {}};
  if (!product.op || product.op.getC() != loop.getCarried()[carried] ||
      product.op.getC().getType() != product.op.getResult().getType())
    return std::nullopt;
  product.a = product.op.getA().getDefiningOp<ir::CoopLoadOp>();
  product.b = product.op.getB().getDefiningOp<ir::CoopLoadOp>();
  bool isMoving =
      product.a && product.b && movesAlong(product.a, 1, loop) && movesAlong(product.b, 0, loop);
  return isMoving ? std::optional(product) : std::nullopt;
}

/// Whether iterations are adjacent, without a gap.
static bool hasDepth(ir::ForOp loop, int64_t depth) {
  std::optional<int64_t> step = loop.getStep() ? ir::constantInt(loop.getStep()) : 1;
  return step == depth;
}

/// Whether there are more sums than registers of 64 bytes hold, or types for which there may be
/// tiles.
static bool isWorthIt(ir::CoopMulAddOp op) {
  constexpr int64_t numRegisters = 24, tile = 16;
  ir::CoopMatrixType sums = op.getC().getType();
  Type type = sums.getComponent(), factor = op.getA().getType().getComponent();
  int64_t registers = llvm::divideCeil(sums.getRows() * ir::bytesOf(type), 64) * sums.getColumns();
  bool mayHaveTiles =
      (type.isF32() && factor.isBF16()) || (type.isInteger(32) && factor.isInteger(8));
  return registers > numRegisters ||
         (mayHaveTiles && sums.getRows() >= tile && sums.getColumns() >= tile);
}

/// The part of an operand that the whole loop reads; `rows` and `columns` are those of the matrix.
Tensor CoreLowering::stripOf(ir::CoopLoadOp load, bool isDepthFirst, Value depth) {
  ir::CoopMatrixType type = load.getResult().getType();
  Tile tile{uniform(leaves(load.getRow())[0]),
            uniform(leaves(load.getColumn())[0]),
            type.getRows(),
            type.getColumns(),
            number(type.getRows()),
            number(type.getColumns())};
  (isDepthFirst ? tile.rows : tile.columns) = ir::dynamic;
  (isDepthFirst ? tile.numRows : tile.numColumns) = depth;
  if (load.getTransposed()) {
    std::swap(tile.rows, tile.columns);
    std::swap(tile.numRows, tile.numColumns);
  }
  return part(uniformTensor(load.getSource()), tile);
}

/// nullopt if the loop is not a sum of products.
std::optional<Leaves> CoreLowering::sumProducts(ir::ForOp loop) {
  SmallVector<Product> products;
  for (unsigned carried = 0; carried < loop.getCarried().size(); ++carried) {
    std::optional<Product> product = productAt(loop, carried);
    if (!product || !isWorthIt(product->op) || !canContract(product->op) ||
        !hasDepth(loop, product->op.getA().getType().getColumns()))
      return std::nullopt;
    products.push_back(*product);
  }
  bool isAll = llvm::all_of(loop.getBody().front().without_terminator(), [](Operation &op) {
    return isa<ir::CoopLoadOp, ir::CoopMulAddOp>(op);
  });
  if (products.empty() || !isAll || isChecked)
    return std::nullopt;
  Type type = loop.getVariable().getType();
  Value from = convertReal(leaves(loop.getFrom())[0], type, i64);
  Value to = convertReal(leaves(loop.getTo())[0], type, i64);
  values[loop.getVariable()] = {from};
  Leaves sums;
  for (auto [product, initial] : llvm::zip_equal(products, loop.getInitials()))
    llvm::append_range(sums, sumProduct(product.op, initial, from, to));
  return sums;
}

/// `initial` plus all products, in memory.
Leaves CoreLowering::sumProduct(ir::CoopMulAddOp op, Value initial, Value from, Value to) {
  ir::CoopMatrixType type = op.getResult().getType();
  int64_t step = op.getA().getType().getColumns();
  StoredMatrix sums = movedToMemory(initial, *op->getParentOp(), type.getComponent());
  Value size = make<arith::MaxSIOp>(make<arith::SubIOp>(to, from), number(0));
  Value depth = make<arith::MulIOp>(make<arith::CeilDivSIOp>(size, number(step)), number(step));
  auto a = op.getA().getDefiningOp<ir::CoopLoadOp>(),
       other = op.getB().getDefiningOp<ir::CoopLoadOp>();
  contract({stripOf(a, false, depth), a.getTransposed()},
           {stripOf(other, true, depth), other.getTransposed()}, bufferOf(tensorOf(sums)),
           /*clears=*/false);
  return fromMemory(sums, type);
}
