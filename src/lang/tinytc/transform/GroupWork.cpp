#include "lang/tinytc/transform/GroupWork.h"
#include "lang/tinytc/ir/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

namespace {

/// Estimates the cycles of a work-group: a chunk should take some thousands, and a factor of two
/// hardly matters. Sizes that are known only at launch count as `unknown`.
class GroupWork {
public:
  explicit GroupWork(func::FuncOp kernel)
      : subgroupSize(ir::subgroupSizeOf(kernel)), numSubgroups(ir::numSubgroupsOf(kernel)) {}

  double of(Block &block) const {
    double sum = 0;
    for (Operation &op : block)
      sum += of(&op);
    return sum;
  }

private:
  static constexpr int64_t unknown = 32;
  /// The cost of one operation on a register, and the bytes of a register.
  static constexpr double instruction = 0.5, registerBytes = 64;
  /// The bytes that can be loaded or stored in a cycle.
  static constexpr double memoryBytes = 16;

  static double sizeOf(Value tensor) {
    double count = 1;
    for (int64_t size : cast<ir::MemrefType>(tensor.getType()).getShape())
      count *= ShapedType::isDynamic(size) ? unknown : size;
    return count;
  }
  /// A complex product is four real ones, of half the size.
  static double productOf(Type element) {
    return (ir::isComplex(element) ? 2 : 1) * ir::bytesOf(element) / registerBytes;
  }

  static double of(ir::BlasOp op) {
    Type element = op.getOutput().getType().getElement();
    double largest = sizeOf(op.getOutput()), depth = 0;
    for (Value input : op.getInputs())
      largest = std::max(largest, sizeOf(input));
    if (isa<ir::GemmOp>(op.getOperation())) {
      int64_t size = op.getInputs()[0].getType().size(op.getTransposes()[0] ? 0 : 1);
      depth = ShapedType::isDynamic(size) ? unknown : size;
    }
    return largest * ir::bytesOf(element) / memoryBytes +
           sizeOf(op.getOutput()) * depth * productOf(element);
  }

  static double tripsOf(Value from, Value to, Value step) {
    std::optional<int64_t> first = ir::constantInt(from), last = ir::constantInt(to),
                           by = step ? ir::constantInt(step) : 1;
    if (!first || !last || !by)
      return unknown;
    return std::max(0.0, (double(*last) - double(*first)) / std::max<double>(1, *by));
  }

  double of(ir::ForeachOp op) const {
    double points = 1;
    for (auto [from, to] : llvm::zip_equal(op.getFrom(), op.getTo()))
      points *= tripsOf(from, to, {});
    return of(op.getBody().front()) * registersFor(points);
  }
  /// The registers for so many work-items, with four bytes each.
  static double registersFor(double numItems) {
    return std::max(1.0, numItems * sizeof(float) / registerBytes);
  }
  static double of(ir::CoopMulAddOp op) {
    auto type = op.getC().getType();
    double products = double(type.getRows()) * type.getColumns() * op.getA().getType().getColumns();
    return products * productOf(type.getComponent());
  }

  double of(Operation *op) const {
    return llvm::TypeSwitch<Operation *, double>(op)
        .Case([](ir::BlasOp blas) { return of(blas); })
        .Case([&](ir::ForeachOp loop) { return of(loop); })
        .Case([&](ir::ForOp loop) {
          return of(loop.getBody().front()) * tripsOf(loop.getFrom(), loop.getTo(), loop.getStep());
        })
        .Case([&](ir::ParallelOp items) {
          return of(items.getBody().front()) * registersFor(subgroupSize) * numSubgroups;
        })
        .Case([](ir::CoopMulAddOp product) { return of(product); })
        .Default([&](Operation *other) {
          double sum = instruction;
          for (Region &region : other->getRegions())
            for (Block &block : region)
              sum += of(block);
          return sum;
        });
  }

  int64_t subgroupSize, numSubgroups;
};

} // namespace

int64_t tinytc::grainOf(func::FuncOp kernel) {
  constexpr double wanted = 4096, most = 1024;
  double work = std::max(1.0, GroupWork(kernel).of(kernel.getBody().front()));
  return std::clamp<double>(wanted / work, 1, most);
}
