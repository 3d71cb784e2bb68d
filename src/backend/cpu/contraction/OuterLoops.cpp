#include "backend/cpu/contraction/Kernel.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

/// The iterations that make a loop worth running in parallel.
constexpr int64_t minOuter = 16;

/// The loops over outer axes. Either the outermost runs in parallel, or the tuned loops divide
/// their own work. An axis that lhs does not depend on goes inside a block of rows if all other
/// accesses to lhs read it once.
class OuterLoops {
public:
  OuterLoops(KernelBuilder &b, const schedule::Contraction &schedule) : b(b), schedule(schedule) {}

  void emit(const Product &product) {
    bool readsOnce = product.lhs.stride(Column) && schedule.height;
    for (unsigned axis = Outer; axis < Outer + product.numOuter; ++axis)
      (readsOnce && !product.lhs.strides[axis] ? inner : outer).push_back(axis);
    isParallel = schedule.parallelOuter && !outer.empty();
    if (isParallel)
      putLargestFirst(product);
    emitOuter(product, outer);
  }

private:
  /// A few iterations do not keep the threads busy.
  void putLargestFirst(const Product &product) {
    auto sizeOf = [&](unsigned axis) { return constantOf(product.sizes[axis]).value_or(minOuter); };
    if (sizeOf(outer.front()) < minOuter)
      llvm::stable_sort(outer, [&](unsigned x, unsigned y) { return sizeOf(x) > sizeOf(y); });
  }

  void emitOuter(const Product &product, ArrayRef<unsigned> axes) {
    if (axes.empty())
      return inner.empty() ? emitKernel(product) : emitRowBlocks(product);
    auto emitRest = [&](Value i) {
      emitOuter(product.from(b, axes.front(), i), axes.drop_front());
    };
    if (isParallel && axes.size() == outer.size())
      inChunks(product.sizes[axes.front()], workWithout(product, axes.front()), emitRest);
    else
      forEach(b, index(b, 0), product.sizes[axes.front()], index(b, 1), emitRest);
  }

  void emitRowBlocks(const Product &product) {
    Value rows = product.sizes[Row], height = index(b, schedule.height);
    forEach(b, index(b, 0), rows, height, [&](Value row) {
      Product block = product.from(b, Row, row);
      bool isWhole = constantOf(rows) && *constantOf(rows) % schedule.height == 0;
      block.sizes[Row] = isWhole ? height : smaller(b, height, subtract(b, rows, row));
      emitInner(block, inner);
    });
  }

  void emitInner(const Product &product, ArrayRef<unsigned> axes) {
    if (axes.empty())
      return emitKernel(product);
    forEach(b, index(b, 0), product.sizes[axes.front()], index(b, 1),
            [&](Value i) { emitInner(product.from(b, axes.front(), i), axes.drop_front()); });
  }

  /// The tuned loops run in parallel unless loops around them do, here or further out.
  void emitKernel(const Product &product) {
    bool isDivided = !schedule.parallelOuter || !outer.empty();
    emitInnerKernel(b, product, schedule, isDivided && !isParallel && inner.empty());
  }

  Value workWithout(const Product &product, unsigned axis) {
    Value work = index(b, 1);
    for (unsigned other = 0; other < product.sizes.size(); ++other)
      if (other != axis)
        work = multiply(b, work, product.sizes[other]);
    return larger(b, work, index(b, 1));
  }

  void inChunks(Value count, Value work, Body body) {
    Value chunk = ceilDivide(b, index(b, minChunkWork), work), one = index(b, 1);
    inParallel(b, ceilDivide(b, count, chunk), 1, [&](Value number) {
      Value begin = multiply(b, number, chunk);
      forEach(b, begin, smaller(b, count, add(b, begin, chunk)), one, body);
    });
  }

  KernelBuilder &b;
  const schedule::Contraction &schedule;
  SmallVector<unsigned> outer, inner;
  bool isParallel = false;
};

} // namespace

void cpu::emitKernel(KernelBuilder &b, const Product &product,
                     const schedule::Contraction &schedule) {
  if (schedule.kernel == schedule::Contraction::Kernel::Direct)
    return emitDirectKernel(b, product, schedule);
  if (schedule.isPrepacked())
    return emitPrepackedKernel(b, product, schedule);
  if (isOpen(product, schedule))
    return emitOpenKernel(b, product, schedule);
  OuterLoops(b, schedule).emit(product);
}
