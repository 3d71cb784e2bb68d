/// Loops whose result does not fit any cache. What they append is collected in blocks that stay in
/// the first-level cache, and bypasses the others from there, so that memory is not read before it
/// is written.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

/// The bytes of a result, about one core's share of the last-level cache; of a line; and of a
/// block: while one is written, loads for the next must begin, which larger blocks would prevent.
static constexpr int64_t smallestStream = 16 << 20, lineBytes = 64, blockBytes = 2048;

/// Innermost loops that append one number per iteration; loops that contain others would not wait
/// for memory.
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

/// `piece` is where this chunk appends; the whole loop has `iterations`.
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

/// Whole lines bypass the caches, the rest of the last block does not.
void CoreLowering::copyPastCaches(Type element, Value from, Value to, Value count) {
  int64_t bytes = layoutOf(element).size, lanes = lineBytes / bytes;
  Value numLines = make<arith::DivUIOp>(count, number(lanes));
  copyLines(element, from, to, numLines);
  Value whole = make<arith::MulIOp>(numLines, number(lanes));
  Value rest = make<arith::MulIOp>(make<arith::SubIOp>(count, whole), number(bytes));
  LLVM::MemcpyOp::create(b, loc, elementAt(element, to, whole), elementAt(element, from, whole),
                         rest, /*isVolatile=*/false);
}

void CoreLowering::copyLines(Type element, Value from, Value to, Value numLines) {
  int64_t lanes = lineBytes / layoutOf(element).size;
  auto line = VectorType::get(lanes, leafTypes(element)[0]);
  OpBuilder::InsertionGuard guard(b);
  auto lines = forLoop(number(0), numLines, {});
  b.setInsertionPointToStart(lines.getBody());
  Value at = lines.getInductionVar();
  Value values = LLVM::LoadOp::create(b, loc, line, elementAt(lineBytes, from, at), lineBytes);
  LLVM::StoreOp::create(b, loc, values, elementAt(lineBytes, to, at), lineBytes,
                        /*isVolatile=*/false, /*isNonTemporal=*/true);
}

/// The memory in which appended numbers are collected: if the vector is long, memory that stays in
/// the first-level cache, otherwise the vector itself. Lines of both have the same boundaries.
Stage CoreLowering::newStage(Type element, const Leaves &appender, int64_t numElements) {
  int64_t bytes = layoutOf(element).size;
  Layout room;
  std::tie(room.size, room.alignment) = std::pair(numElements * bytes + lineBytes, lineBytes);
  Value memory = stackSlot(room);
  Value address = LLVM::PtrToIntOp::create(b, loc, i64, appender[0]);
  Value isWhole =
      compare(Predicate::eq, make<arith::AndIOp>(address, number(lineBytes - 1)), number(0));
  Value isLong = compare(Predicate::sge, appender[2], number(smallestStream / bytes));
  Value isPast = make<arith::AndIOp>(isWhole, isLong);
  Value inLine = make<arith::AndIOp>(appender[1], number(lineBytes / bytes - 1));
  Value line = elementAt(element, appender[0], make<arith::SubIOp>(appender[1], inLine));
  when(isPast, [&] {
    LLVM::MemcpyOp::create(b, loc, memory, line, make<arith::MulIOp>(inLine, number(bytes)),
                           /*isVolatile=*/false);
  });
  Value data = LLVM::SelectOp::create(b, loc, isPast, memory, appender[0]);
  Value count = arith::SelectOp::create(b, loc, isPast, inLine, appender[1]);
  return {element, data, isPast, count, line};
}

/// Moves whole lines out of the stage; returns what stays there, and where it belongs.
Leaves CoreLowering::flushed(const Stage &stage, Value count, Value line) {
  int64_t lanes = lineBytes / layoutOf(stage.element).size;
  auto lineType = VectorType::get(lanes, leafTypes(stage.element)[0]);
  auto flush = [&] {
    Value numLines = make<arith::DivUIOp>(count, number(lanes));
    copyLines(stage.element, stage.data, line, numLines);
    Value last = elementAt(lineBytes, stage.data, numLines);
    Value rest = LLVM::LoadOp::create(b, loc, lineType, last, lineBytes);
    LLVM::StoreOp::create(b, loc, rest, stage.data, lineBytes);
    Value left = make<arith::SubIOp>(count, make<arith::MulIOp>(numLines, number(lanes)));
    return Leaves{left, elementAt(lineBytes, line, numLines)};
  };
  return either(stage.isPast, {i64, pointerType}, flush, [&] { return Leaves{count, line}; });
}

/// Moves the rest out of the stage; returns how many elements the vector has.
Value CoreLowering::emptied(const Stage &stage, Value data, Value count, Value line) {
  int64_t bytes = layoutOf(stage.element).size;
  auto empty = [&] {
    Value rest = make<arith::MulIOp>(count, number(bytes));
    LLVM::MemcpyOp::create(b, loc, line, stage.data, rest, /*isVolatile=*/false);
    Value begin = LLVM::PtrToIntOp::create(b, loc, i64, data);
    Value end = LLVM::PtrToIntOp::create(b, loc, i64, line);
    Value before = make<arith::DivUIOp>(make<arith::SubIOp>(end, begin), number(bytes));
    return Leaves{make<arith::AddIOp>(before, count)};
  };
  return either(stage.isPast, i64, empty, [&] { return Leaves{count}; })[0];
}
