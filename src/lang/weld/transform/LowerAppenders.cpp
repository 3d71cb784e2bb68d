/// Appenders of parallel loops: the pieces of chunks become one vector. If an iteration appends at
/// most once, space for all elements is reserved from the start, and a chunk writes directly to the
/// vector if the chunks before it have finished by then. Otherwise, and always if the number of
/// elements is open, a chunk has memory of its own, which is copied at the end.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

bool CoreLowering::isTracked(ir::ForOp op, unsigned builder) {
  auto known = reservationOf(op, builder);
  return known && !known->isExact && runsOverVector(op);
}

/// The ends of chunks; where the first chunk begins is known.
Value CoreLowering::newEnds(const Leaves &appender, Value numChunks) {
  OpBuilder::InsertionGuard guard(b);
  Value count = make<arith::AddIOp>(numChunks, number(1));
  Value ends = allocate(make<arith::MulIOp>(count, number(8)));
  auto fill = forLoop(number(1), count, {});
  storeLeaf(appender[1], ends);
  b.setInsertionPointToStart(fill.getBody());
  storeLeaf(number(-1), elementAt(int64_t(8), ends, fill.getInductionVar()));
  return ends;
}

void CoreLowering::addEnds(ir::ForOp op, const Leaves &builders, const Cut &cut, Chunks &chunks) {
  unsigned at = 0;
  for (auto [index, builder] : llvm::enumerate(op.getBuilders())) {
    unsigned width = leafTypes(builder.getType()).size();
    Leaves own(ArrayRef(builders).slice(at, width));
    chunks.ends.push_back(isTracked(op, index) ? newEnds(own, cut.numChunks) : Value());
    at += width;
  }
}

/// The memory to which a chunk appends: the vector itself if the chunk before has published its
/// end.
Leaves CoreLowering::pieceAtEnd(ir::ForOp op, unsigned index, const Leaves &builder, Value end,
                                Value size) {
  Value place = LLVM::LoadOp::create(b, loc, i64, end, /*alignment=*/8, /*isVolatile=*/false,
                                     /*isNonTemporal=*/false, /*isInvariant=*/false,
                                     /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire);
  return either(
      compare(Predicate::sge, place, number(0)), leafTypes(op.getBuilders()[index].getType()),
      [&] { return Leaves{builder[0], place, builder[2], builder[3]}; },
      [&] { return newPiece(op, index, builder, size); });
}

void CoreLowering::noteEnd(const Leaves &builder, const Leaves &filled, Value ends, Value chunk) {
  Value isPlaced = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, builder[0], filled[0]);
  Value end = arith::SelectOp::create(b, loc, isPlaced, filled[1], number(-1));
  Value next = elementAt(int64_t(8), ends, make<arith::AddIOp>(chunk, number(1)));
  LLVM::StoreOp::create(b, loc, end, next, /*alignment=*/8, /*isVolatile=*/false,
                        /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::release);
}

/// The offsets of leaves of a piece; its place overwrites the capacity, which is no longer needed.
static constexpr int64_t countOffset = 8, placeOffset = 16;

/// The pieces that are not in the vector yet.
Leaves CoreLowering::gathered(Type element, const Leaves &builder, const Chunks &chunks,
                              int64_t offset, Value ends) {
  auto pieceAt = [&](Value chunk) {
    return at(elementAt(chunks.bytes, chunks.pieces, chunk), offset);
  };
  auto endOf = [&](Value chunk) {
    return loadLeaf(i64, elementAt(int64_t(8), ends, make<arith::AddIOp>(chunk, number(1))));
  };
  Value total;
  {
    OpBuilder::InsertionGuard guard(b);
    auto places = forLoop(number(0), chunks.count, builder[1]);
    b.setInsertionPointToStart(places.getBody());
    Value chunk = places.getInductionVar(), piece = pieceAt(chunk), end = endOf(chunk);
    Value place = places.getRegionIterArg(0);
    storeLeaf(place, at(piece, placeOffset));
    Value later = make<arith::AddIOp>(place, loadLeaf(i64, at(piece, countOffset)));
    Value isPlaced = compare(Predicate::sge, end, number(0));
    Value next = arith::SelectOp::create(b, loc, isPlaced, end, later);
    scf::YieldOp::create(b, loc, next);
    total = places.getResult(0);
  }
  forChunks(chunks.count, number(0), [&](Value chunk) {
    when(compare(Predicate::slt, endOf(chunk), number(0)),
         [&] { copyPiece(element, pieceAt(chunk), builder[0]); });
  });
  return {builder[0], total, builder[2], builder[3]};
}

void CoreLowering::copyPiece(Type element, Value piece, Value data) {
  Value place = loadLeaf(i64, at(piece, placeOffset));
  Value bytes = make<arith::MulIOp>(loadLeaf(i64, at(piece, countOffset)), elementBytes(element));
  LLVM::MemcpyOp::create(b, loc, elementAt(element, data, place), loadLeaf(pointerType, piece),
                         bytes, /*isVolatile=*/false);
}

/// Concatenates pieces: computes where each begins, then copies all.
Leaves CoreLowering::concatenated(Type element, const Leaves &first, const Chunks &chunks,
                                  int64_t offset) {
  auto pieceAt = [&](Value chunk) {
    return at(elementAt(chunks.bytes, chunks.pieces, chunk), offset);
  };
  Value total;
  {
    OpBuilder::InsertionGuard guard(b);
    auto sizes = forLoop(number(1), chunks.count, first[1]);
    b.setInsertionPointToStart(sizes.getBody());
    Value piece = pieceAt(sizes.getInductionVar()), place = sizes.getRegionIterArg(0);
    storeLeaf(place, at(piece, placeOffset));
    scf::YieldOp::create(b, loc, make<arith::AddIOp>(place, loadLeaf(i64, at(piece, countOffset))));
    total = sizes.getResult(0);
  }
  Leaves all = withRoom(element, first, make<arith::SubIOp>(total, first[1]));
  forChunks(chunks.count, number(1),
            [&](Value chunk) { copyPiece(element, pieceAt(chunk), all[0]); });
  all[1] = total;
  return all;
}
