#include "backend/cpu/contraction/Streaming.h"
#include "backend/cpu/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

/// Whether the operation computes an address of a part of an array or of a table of arrays.
static bool isAddress(Operation *op) {
  return isa<LLVM::GEPOp, LLVM::LoadOp, LLVM::InsertValueOp, UnrealizedConversionCastOp,
             memref::SubViewOp, memref::ReinterpretCastOp>(op);
}

/// A descriptor begins with the pointer.
static Value sourceOf(Operation *address) {
  auto insert = dyn_cast<LLVM::InsertValueOp>(address);
  bool isFirst = insert && !insert.getContainer().getDefiningOp<LLVM::InsertValueOp>();
  return isFirst ? insert.getValue() : address->getOperand(0);
}

/// The array that `part` belongs to, as defined outside the loop.
static Value arrayOf(Value part, scf::ParallelOp loop) {
  while (Operation *op = part.getDefiningOp()) {
    if (!loop->isProperAncestor(op))
      break;
    if (!isAddress(op))
      return {};
    part = sourceOf(op);
  }
  return part.getParentRegion() == &loop.getRegion() ? Value() : part;
}

/// Data that is written and soon read again should stay in a cache.
static bool isOnlyUsedBy(Value array, scf::ParallelOp loop, ArrayRef<Operation *> users) {
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    if (!loop->isProperAncestor(user) || llvm::is_contained(users, user))
      return true;
    return isAddress(user) && llvm::all_of(user->getResults(), [&](Value part) {
             return isOnlyUsedBy(part, loop, users);
           });
  });
}

static bool readsNoMemory(const ElementBody &body) {
  return llvm::none_of(body.inputs,
                       [](const ElementBody::Input &input) { return input.view.has_value(); });
}

static int64_t bytesOf(const View &view) {
  return view.element().getIntOrFloatBitWidth() / 8;
}

/// Whether this many rows of elements are contiguous whole lines, aligned to lines.
static bool areLines(int64_t rows, int64_t columns, int64_t distance, int64_t bytes) {
  bool isRowLines = columns * bytes % lineBytes == 0 && distance * bytes % lineBytes == 0;
  return isRowLines || (distance == columns && rows * columns * bytes % lineBytes == 0);
}

/// Whether it writes everything at once and in whole vectors. Larger products than the unrolled
/// ones are not limited by memory.
static bool writesLines(const Product &product, const View &result,
                        const schedule::Contraction &schedule) {
  // LLVM splits narrower vectors; wider ones would have to be aligned beyond lines.
  constexpr int64_t leastBytes = 4, leastVector = 16;
  std::optional<int64_t> rows = constantOf(product.sizes[Row]),
                         columns = constantOf(product.sizes[Column]),
                         distance = result.stride(Row) ? constantOf(result.stride(Row)) : 0;
  int64_t bytes = bytesOf(result);
  return schedule.kernel == schedule::Contraction::Kernel::Unrolled &&
         product.sizes.size() == Outer && rows.value_or(0) > 0 && columns.value_or(0) > 0 &&
         distance && result.isDense(Column) && *columns % schedule.lanes == 0 &&
         bytes >= leastBytes && schedule.lanes * bytes >= leastVector &&
         schedule.lanes * bytes <= lineBytes && areLines(*rows, *columns, *distance, bytes);
}

static Value iterationsOf(KernelBuilder &b, scf::ParallelOp loop) {
  Value count = index(b, 1);
  for (auto [from, to, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()))
    count = multiply(b, count, ceilDivide(b, subtract(b, to, from), step));
  return count;
}

/// Streaming stores fault on unaligned vectors; and unaligned lines would be written in parts.
static Value isAligned(KernelBuilder &b, const View &view) {
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, view.memory);
  Value address = add(b, begin, multiply(b, view.offset, bytesOf(view)));
  return isEqual(b, arith::AndIOp::create(b, address, index(b, lineBytes - 1)), index(b, 0));
}

bool cpu::isOnlyWritten(Neighborhood &around) {
  auto loop = dyn_cast<scf::ParallelOp>(around.op->getParentOp());
  if (!loop || !around.start)
    return false;
  Value array = arrayOf(around.last()->getOperands().back(), loop);
  return array && isOnlyUsedBy(array, loop, {around.start, around.op, around.finish});
}

Value cpu::streamsResult(KernelBuilder &b, scf::ParallelOp loop, const Product &product,
                         const schedule::Contraction &schedule, int64_t smallest) {
  const View &result = product.finish ? product.output : product.result;
  bool isAll = readsNoMemory(product.start) && readsNoMemory(product.finish) &&
               (!product.finish || product.dropsSums);
  if (!isAll || !writesLines(product, result, schedule))
    return {};
  int64_t bytes =
      *constantOf(product.sizes[Row]) * *constantOf(product.sizes[Column]) * bytesOf(result);
  Value isLarge = isLess(b, index(b, smallest / bytes), iterationsOf(b, loop));
  return both(b, isLarge, isAligned(b, result));
}
