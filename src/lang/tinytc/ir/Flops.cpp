#include "lang/tinytc/ir/Flops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera::tinytc::ir;
namespace ir = tessera::tinytc::ir;

using Count = std::optional<Flops>;
using Number = std::optional<double>;

static Count times(Count each, Number count) {
  if (each == Flops())
    return each;
  return each && count ? Count({each->single * *count, each->wide * *count}) : std::nullopt;
}

static Count plus(Count left, Count right) {
  return left && right ? Count({left->single + right->single, left->wide + right->wide})
                       : std::nullopt;
}

static Number product(ArrayRef<int64_t> sizes) {
  double result = 1;
  for (int64_t size : sizes) {
    if (size == dynamic)
      return std::nullopt;
    result *= size;
  }
  return result;
}

//===-- Operations --------------------------------------------------------===//

/// As many operations, on values of this type.
static Flops flopsOn(Type type, double products, double sums) {
  auto complex = dyn_cast<ComplexType>(type);
  Type part = complex ? complex.getElementType() : type;
  if (!isFloat(part))
    return {};
  double count = complex ? 6 * products + 2 * sums : products + sums;
  return part.isF64() ? Flops{0, count} : Flops{count, 0};
}

/// A product and a sum for each step, but for operations that only add, or only multiply.
static Count flopsOfBlas(BlasOp op) {
  Type type = op.getOutput().getType().getElement();
  Number outputs = product(op.getOutput().getType().getShape());
  Number inputs = product(op.getInputs()[0].getType().getShape());
  return llvm::TypeSwitch<Operation *, Count>(op)
      .Case([&](GemmOp gemm) {
        int64_t depth = gemm.getA().getType().size(gemm.getTransA() ? 0 : 1);
        Number steps = product(depth);
        return steps ? times(flopsOn(type, *steps, *steps), outputs) : std::nullopt;
      })
      .Case([&](GemvOp) { return times(flopsOn(type, 1, 1), inputs); })
      .Case<SumOp, CumsumOp>([&](auto) { return times(flopsOn(type, 0, 1), inputs); })
      .Default([&](Operation *) { return times(flopsOn(type, 1, 1), outputs); });
}

static Count flopsOfBinary(BinaryOp op) {
  bool isSum = op.getFunction() == Binary::Add || op.getFunction() == Binary::Sub;
  Type component = componentType(op.getType());
  Count each = component ? flopsOn(component, isSum ? 0 : 1, isSum ? 1 : 0) : Flops();
  auto matrix = dyn_cast<CoopMatrixType>(op.getType());
  return matrix ? times(each, double(matrix.getRows()) * matrix.getColumns()) : each;
}

Count ir::flopsOf(Operation *op) {
  if (auto blas = dyn_cast<BlasOp>(op))
    return flopsOfBlas(blas);
  if (auto binary = dyn_cast<BinaryOp>(op))
    return flopsOfBinary(binary);
  if (auto product = dyn_cast<CoopMulAddOp>(op)) {
    CoopMatrixType a = product.getA().getType(), c = product.getC().getType();
    double steps = double(c.getRows()) * c.getColumns() * a.getColumns();
    return flopsOn(c.getComponent(), steps, steps);
  }
  if (auto scale = dyn_cast<CoopScaleOp>(op)) {
    CoopMatrixType type = scale.getType();
    return flopsOn(type.getComponent(), double(type.getRows()) * type.getColumns(), 0);
  }
  return Flops();
}

//===-- Regions -----------------------------------------------------------===//

static bool isOfMatrix(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) { return isa<CoopMatrixType>(type); });
}

static Number pointsOf(ForeachOp op) {
  double points = 1;
  for (auto [from, to] : llvm::zip_equal(op.getFrom(), op.getTo())) {
    std::optional<int64_t> first = constantInt(from), last = constantInt(to);
    if (!first || !last)
      return std::nullopt;
    points *= std::max<double>(0, double(*last) - double(*first));
  }
  return points;
}

namespace {

/// In SPMD regions per work-item; a subgroup shares what it does on matrices.
class Counter {
public:
  explicit Counter(Operation *function) : function(function) {}

  Count ofRegion(Region &region) {
    Count count = Flops();
    for (Operation &op : region.getOps())
      count = plus(count, of(&op));
    return count;
  }

private:
  Count of(Operation *op) {
    if (auto loop = dyn_cast<ForOp>(op))
      return times(ofRegion(loop.getBody()), loop.numIterations());
    if (auto branch = dyn_cast<IfOp>(op))
      return ofBranch(branch);
    if (auto loop = dyn_cast<ForeachOp>(op))
      return times(ofRegion(loop.getBody()), pointsOf(loop));
    if (auto parallel = dyn_cast<ParallelOp>(op))
      return times(ofRegion(parallel.getBody()), *product(workGroupSizeOf(function)));
    Count count = flopsOf(op);
    bool isShared = isOfMatrix(op) && isInSpmdRegion(op);
    return isShared ? times(count, 1.0 / subgroupSizeOf(function)) : count;
  }

  Count ofBranch(IfOp branch) {
    Count taken = ofRegion(branch.getThenRegion());
    Count other = branch.hasElse() ? ofRegion(branch.getElseRegion()) : Count(Flops());
    return taken == other ? taken : std::nullopt;
  }

  Operation *function;
};

} // namespace

Count ir::flopsOfGroup(Operation *function) {
  return Counter(function).ofRegion(function->getRegion(0));
}
