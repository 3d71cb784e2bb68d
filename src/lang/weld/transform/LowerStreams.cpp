/// Loops whose result no cache holds. What they append is put together in blocks that stay in the
/// first cache, and goes past the others from there: memory that is written need not be read
/// before.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

/// Of a result: about what one core has of the last cache. Of a line. Of a block: while one is
/// written, the loads of the next must have begun, which they have not behind more lines.
static constexpr int64_t smallestStream = 16 << 20, lineBytes = 64, blockBytes = 2048;

/// Numbers, one an iteration, by loops without others in them, which would not wait for memory.
bool CoreLowering::isStream(ir::ForOp op) {
  if (op.numBuilders() != 1 || hasLoops(op))
    return false;
  auto known = reservationOf(op, 0);
  if (!known || !known->isExact || known->perIteration != 1)
    return false;
  SmallVector<Type> leaves =
      leafTypes(cast<ir::AppenderType>(op.getBuilders()[0].getType()).getElement());
  return leaves.size() == 1 && isa<IntegerType, FloatType>(leaves[0]) && bytesOf(leaves[0]) >= 4;
}

/// `piece` is where this chunk appends; the loop as a whole has `iterations`.
Leaves CoreLowering::stream(ir::ForOp op, ArrayRef<Walk> walks, Value lo, Value hi,
                            const Leaves &piece, Value iterations) {
  Type element = cast<ir::AppenderType>(op.getBuilders()[0].getType()).getElement();
  int64_t bytes = layoutOf(element).size;
  Layout room;
  std::tie(room.size, room.alignment) = std::pair(blockBytes, lineBytes);
  Value block = stackSlot(room);
  Value address = LLVM::PtrToIntOp::create(b, loc, i64, piece[0]);
  Value isWhole =
      compare(Predicate::eq, make<arith::AndIOp>(address, number(lineBytes - 1)), number(0));
  Value isLong = compare(Predicate::sge, iterations, number(smallestStream / bytes));
  Value isPast = make<arith::AndIOp>(isWhole, isLong);
  Value all = make<arith::MaxSIOp>(make<arith::SubIOp>(hi, lo), number(1));
  Value step = arith::SelectOp::create(b, loc, isPast, number(blockBytes / bytes), all);
  OpBuilder::InsertionGuard guard(b);
  auto blocks = scf::ForOp::create(b, loc, lo, hi, step);
  b.setInsertionPointToStart(blocks.getBody());
  Value begin = blocks.getInductionVar();
  Value end = make<arith::MinSIOp>(make<arith::AddIOp>(begin, step), hi);
  Value to = elementAt(element, piece[0], make<arith::SubIOp>(begin, lo));
  Value data = arith::SelectOp::create(b, loc, isPast, block, to);
  loop(op, walks, begin, end, {data, number(0), piece[2], piece[3]});
  when(isPast, [&] { copyPastCaches(element, block, to, make<arith::SubIOp>(end, begin)); });
  b.setInsertionPointAfter(blocks);
  return {piece[0], make<arith::SubIOp>(hi, lo), piece[2], piece[3]};
}

/// Whole lines go past the caches, the rest of the last block does not.
void CoreLowering::copyPastCaches(Type element, Value from, Value to, Value count) {
  int64_t bytes = layoutOf(element).size, lanes = lineBytes / bytes;
  auto line = VectorType::get(lanes, leafTypes(element)[0]);
  OpBuilder::InsertionGuard guard(b);
  Value numLines = make<arith::DivUIOp>(count, number(lanes));
  auto lines = forLoop(number(0), numLines, {});
  b.setInsertionPointToStart(lines.getBody());
  Value at = lines.getInductionVar();
  Value values = LLVM::LoadOp::create(b, loc, line, elementAt(lineBytes, from, at), lineBytes);
  LLVM::StoreOp::create(b, loc, values, elementAt(lineBytes, to, at), lineBytes,
                        /*isVolatile=*/false, /*isNonTemporal=*/true);
  b.setInsertionPointAfter(lines);
  Value whole = make<arith::MulIOp>(numLines, number(lanes));
  Value rest = make<arith::MulIOp>(make<arith::SubIOp>(count, whole), number(bytes));
  LLVM::MemcpyOp::create(b, loc, elementAt(element, to, whole), elementAt(element, from, whole),
                         rest, /*isVolatile=*/false);
}
