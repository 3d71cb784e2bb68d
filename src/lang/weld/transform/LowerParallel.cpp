/// Parallel loops, which are cut into chunks. The first chunk continues with the loop's builders,
/// each other one has pieces of its own, which are combined in the order of the chunks. Chunks
/// depend only on numbers of elements, so results do not depend on the number of threads.
#include "core/Attributes.h"
#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

bool weld::hasLoops(ir::ForOp op) {
  return op.getBody()
      .walk([](Operation *inner) {
        return isa<ir::ForOp, ir::IterateOp, ir::SortOp>(inner) ? WalkResult::interrupt()
                                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// The most iterations of a chunk of a loop that contains others.
constexpr int64_t outerChunk = 4096;
/// The most chunks: if their number is free, if each has a table, and of any loop. With more than
/// 2^27 iterations, chunks are larger.
constexpr int64_t maxChunks = 256, maxTables = 64, maxPieces = 8192;

/// Whether chunks write directly to their places in one vector: an appender with one merge per
/// iteration.
bool isShared(const std::optional<Reservation> &known) {
  return known && known->isExact;
}

} // namespace

/// The number of iterations of a chunk.
Value CoreLowering::chunkSize(ir::ForOp op, Value count, const Leaves &builders) {
  auto split = [&](Value parts) {
    Value one = number(1);
    Value rounded = make<arith::SubIOp>(make<arith::AddIOp>(count, parts), one);
    return make<arith::MaxSIOp>(make<arith::DivUIOp>(rounded, parts), one);
  };
  Value chunk = number(innerChunk);
  if (hasLoops(op))
    chunk = make<arith::MinSIOp>(split(number(maxChunks)), number(outerChunk));
  chunk = make<arith::MaxSIOp>(chunk, split(number(maxPieces)));
  ArrayRef<Value> rest = builders;
  for (Value builder : op.getBuilders()) {
    Type type = builder.getType();
    if (isa<ir::DictMergerType, ir::GroupBuilderType>(type))
      chunk = make<arith::MaxSIOp>(chunk, split(number(maxTables)));
    if (isa<ir::VecMergerType>(type)) {
      // All pieces together are shorter than the loop.
      Value fewer = make<arith::DivSIOp>(
          count, make<arith::MulIOp>(make<arith::AddIOp>(rest[1], number(1)), number(4)));
      Value parts = make<arith::MinSIOp>(make<arith::MaxSIOp>(fewer, number(1)), number(maxTables));
      chunk = make<arith::MaxSIOp>(chunk, split(parts));
    }
    rest = rest.drop_front(leafTypes(type).size());
  }
  return chunk;
}

/// An empty piece for one chunk.
Leaves CoreLowering::newPiece(ir::ForOp op, unsigned index, const Leaves &builder, Value size) {
  auto type = cast<ir::BuilderType>(op.getBuilders()[index].getType());
  if (auto vec = dyn_cast<ir::VecMergerType>(Type(type))) {
    OpBuilder::InsertionGuard guard(b);
    Value data = allocate(make<arith::MulIOp>(builder[1], elementBytes(vec.getElement())));
    Leaves empty = identity(vec.getElement(), vec.getCombine());
    auto fill = forLoop(number(0), builder[1], {});
    b.setInsertionPointToStart(fill.getBody());
    store(layoutOf(vec.getElement()), empty,
          elementAt(vec.getElement(), data, fill.getInductionVar()));
    return {data, builder[1]};
  }
  if (auto dict = dyn_cast<ir::DictMergerType>(Type(type)))
    return tableLeaves(dict.getKey(), callFor("tessera_rt_table_piece", pointerType,
                                              {builder[Table], region, site("OutOfMemory")}));
  if (auto merger = dyn_cast<ir::MergerType>(Type(type)))
    return identity(merger.getValue(), merger.getCombine());
  Leaves piece = newBuilder(type);
  auto known = reservationOf(op, index);
  if (!known)
    return piece;
  return withRoom(cast<ir::AppenderType>(Type(type)).getElement(), piece,
                  product(size, known->perIteration));
}

/// The initial state of a chunk. If there is only one after the first chunk, it continues with the
/// tables of the first.
Leaves CoreLowering::piecesOf(ir::ForOp op, const Leaves &builders, const Chunks &chunks,
                              const Cut &cut, Value chunk) {
  auto [lo, hi] = boundsOf(cut, chunk, chunks.iterations);
  Value isFirst = compare(Predicate::eq, chunk, number(0));
  Value isOnly = compare(Predicate::eq, cut.numChunks, number(2));
  Leaves pieces;
  ArrayRef<Value> rest = builders;
  Value size = make<arith::SubIOp>(hi, lo);
  for (auto [index, builder] : llvm::enumerate(op.getBuilders())) {
    Type type = builder.getType();
    Leaves own(rest.take_front(leafTypes(type).size()));
    rest = rest.drop_front(own.size());
    auto known = reservationOf(op, index);
    if (isShared(known)) {
      Value before = make<arith::MulIOp>(lo, number(known->perIteration));
      Value place = make<arith::AddIOp>(own[1], before);
      Type element = cast<ir::AppenderType>(type).getElement();
      own = {elementAt(element, own[0], place), number(0), own[2], own[3]};
    } else if (Value ends = chunks.ends[index]) {
      own = pieceAtEnd(op, index, own, elementAt(int64_t(8), ends, chunk), size);
    } else if (isa<ir::MergerType>(type)) { // Many branches take long to compile.
      for (auto [leaf, empty] : llvm::zip_equal(own, newPiece(op, index, own, size)))
        leaf = arith::SelectOp::create(b, loc, isFirst, leaf, empty);
    } else {
      auto first = [&] {
        if (auto dict = dyn_cast<ir::DictMergerType>(type)) // Another chunk may have changed it.
          return tableLeaves(dict.getKey(), own[Table]);
        Value more = known ? product(size, known->perIteration) : Value();
        return more ? withRoom(cast<ir::AppenderType>(type).getElement(), own, more) : own;
      };
      Value goesOn = isFirst;
      if (isa<ir::DictMergerType>(type))
        goesOn = make<arith::OrIOp>(isFirst, make<arith::AndIOp>(isOnly, isWhole(own[Table])));
      own = either(goesOn, leafTypes(type), first, [&] { return newPiece(op, index, own, size); });
    }
    llvm::append_range(pieces, own);
  }
  return pieces;
}

/// Whether chunks need memory of their own.
bool CoreLowering::wantsChunkRegions(ir::ForOp op) {
  bool hasPieces = false;
  for (auto [index, builder] : llvm::enumerate(op.getBuilders()))
    hasPieces |= !isa<ir::MergerType>(builder.getType()) && !isShared(reservationOf(op, index));
  return hasPieces || allocates(op.getBody());
}

/// After a first chunk of `first` iterations, the others have `rest`.
Cut CoreLowering::cutOf(Value count, Value first, Value rest) {
  Value after = make<arith::SubIOp>(count, first);
  Value rounded = make<arith::SubIOp>(make<arith::AddIOp>(after, rest), number(1));
  Value others = make<arith::MaxSIOp>(make<arith::DivSIOp>(rounded, rest), number(0));
  return {first, rest, make<arith::AddIOp>(others, number(1))};
}

std::pair<Value, Value> CoreLowering::boundsOf(const Cut &cut, Value chunk, Value count) {
  Value isFirst = compare(Predicate::eq, chunk, number(0));
  Value after = make<arith::MulIOp>(make<arith::SubIOp>(chunk, number(1)), cut.rest);
  Value lo =
      arith::SelectOp::create(b, loc, isFirst, number(0), make<arith::AddIOp>(cut.first, after));
  Value size = arith::SelectOp::create(b, loc, isFirst, cut.first, cut.rest);
  Value left = make<arith::SubIOp>(count, lo); // lo + size may overflow.
  return {lo, make<arith::AddIOp>(lo, make<arith::MinSIOp>(size, left))};
}

/// The runtime's tessera_strategy.
static int64_t tableStrategy(ir::ForOp op, unsigned builder) {
  if (!op.getStrategies())
    return 0;
  auto strategy = cast<ir::StrategyAttr>((*op.getStrategies())[builder]).getValue();
  return strategy == ir::Strategy::Partitioned                                ? 2
         : strategy == ir::Strategy::Local || strategy == ir::Strategy::Dense ? 1
                                                                              : 0;
}

/// The size of the chunks after the first, judged by the tables that it has filled.
Value CoreLowering::restSize(ir::ForOp op, const Leaves &builders, Value first, Value count) {
  Value size = first;
  ArrayRef<Value> rest = builders;
  for (auto [index, builder] : llvm::enumerate(op.getBuilders())) {
    if (isa<ir::DictMergerType>(builder.getType())) {
      Value strategy = number(tableStrategy(op, index));
      Value wanted = callFor("tessera_rt_table_divide", i64, {rest[Table], first, count, strategy});
      size = make<arith::MaxSIOp>(size, wanted);
    }
    rest = rest.drop_front(leafTypes(builder.getType()).size());
  }
  return size;
}

Leaves CoreLowering::inParallel(ir::ForOp op, ArrayRef<Walk> walks, const Leaves &given) {
  Value count = walks[0].count;
  Leaves builders = reserved(op, given, count, /*hasPieces=*/true);
  Value size = chunkSize(op, count, builders);
  Layout layout = layoutOf(op.getBuilders().getTypes());
  int64_t home = llvm::alignTo(layout.size, 8); // After the pieces: the chunk's region.
  Chunks chunks{
      layout, int64_t(llvm::alignTo(home + 8, 64)), home, nullptr, nullptr, wantsChunkRegions(op),
      count};
  Cut cut = cutOf(count, size, size); // No other cut has more chunks.
  chunks.pieces = allocate(product(cut.numChunks, chunks.bytes));
  addEnds(op, builders, cut, chunks);
  Value inside = chunksInside(op, walks);
  auto runChunks = [&](const Cut &cut, Value begin, Value end) {
    auto run = [&](Value chunk) { runChunk(op, walks, builders, chunks, cut, chunk); };
    forChunks(end, begin, run, inside);
  };
  if (llvm::any_of(op.getBuilders().getTypes(), llvm::IsaPred<ir::DictMergerType>)) {
    // The first chunk runs alone: its tables show how to cut the others.
    auto rounds = forLoop(number(0), number(2), {size});
    b.setInsertionPointToStart(rounds.getBody());
    Value round = rounds.getInductionVar(), rest = rounds.getRegionIterArg(0);
    Value isFirst = compare(Predicate::eq, round, number(0));
    Cut known = cutOf(count, size, rest);
    runChunks(known, round, arith::SelectOp::create(b, loc, isFirst, number(1), known.numChunks));
    Value goesOn = make<arith::AndIOp>(isFirst, compare(Predicate::sgt, count, size));
    Value next = either(
        goesOn, i64, [&] { return Leaves{restSize(op, builders, size, count)}; },
        [&] { return Leaves{rest}; })[0];
    scf::YieldOp::create(b, loc, next);
    b.setInsertionPointAfter(rounds);
    cut = cutOf(count, size, rounds.getResult(0));
  } else {
    runChunks(cut, number(0), cut.numChunks);
  }
  chunks.count = cut.numChunks;
  return combined(op, builders, chunks, count);
}

void CoreLowering::runChunk(ir::ForOp op, ArrayRef<Walk> walks, const Leaves &builders,
                            const Chunks &chunks, const Cut &cut, Value chunk) {
  Value outer = region;
  Value piece = elementAt(chunks.bytes, chunks.pieces, chunk);
  if (chunks.haveRegions) {
    region = either(
        compare(Predicate::eq, chunk, number(0)), pointerType, [&] { return Leaves{outer}; },
        [&] { return Leaves{createRegion()}; })[0];
    storeLeaf(region, at(piece, chunks.home));
  }
  auto [lo, hi] = boundsOf(cut, chunk, chunks.iterations);
  Leaves pieces = piecesOf(op, builders, chunks, cut, chunk);
  Leaves filled = isStream(op) ? stream(op, walks, lo, hi, pieces, chunks.iterations)
                               : loop(op, walks, lo, hi, pieces);
  store(chunks.layout, filled, piece);
  unsigned at = 0;
  for (auto [index, builder] : llvm::enumerate(op.getBuilders())) {
    unsigned width = leafTypes(builder.getType()).size();
    if (isa<ir::DictMergerType>(builder.getType()))
      settle(filled[at]);
    if (Value ends = chunks.ends[index])
      noteEnd(Leaves(ArrayRef(builders).slice(at, width)),
              Leaves(ArrayRef(filled).slice(at, width)), ends, chunk);
    at += width;
  }
  region = outer;
}

/// Whether keys are looked up in what a loop has built, or more is merged into it.
static bool isSearched(Value builder) {
  return !llvm::all_of(builder.getUsers(), [](Operation *user) {
    auto isListed = llvm::IsaPred<ir::ToVecOp, ir::LenOp>;
    return isa<ir::ResultOp>(user) && llvm::all_of(user->getUsers(), isListed);
  });
}

/// Combines the pieces of all chunks.
Leaves CoreLowering::combined(ir::ForOp op, const Leaves &builders, const Chunks &chunks,
                              Value count) {
  Leaves first = load(chunks.layout, chunks.pieces), result;
  foldMergers(op, first, chunks);
  unsigned at = 0;
  for (auto [index, builder] : llvm::enumerate(op.getBuilders())) {
    unsigned width = leafTypes(builder.getType()).size();
    Leaves own(ArrayRef(first).slice(at, width));
    auto known = reservationOf(op, index);
    if (isShared(known)) {
      own = Leaves(ArrayRef(builders).slice(at, width));
      own[1] = make<arith::AddIOp>(own[1], make<arith::MulIOp>(count, number(known->perIteration)));
    } else if (chunks.ends[index]) {
      Type element = cast<ir::AppenderType>(builder.getType()).getElement();
      own = gathered(element, Leaves(ArrayRef(builders).slice(at, width)), chunks,
                     chunks.layout.leaves[at].offset, chunks.ends[index]);
    } else if (auto appender = dyn_cast<ir::AppenderType>(builder.getType())) {
      own = concatenated(appender.getElement(), own, chunks, chunks.layout.leaves[at].offset);
    } else if (auto dict = dyn_cast<ir::DictMergerType>(builder.getType())) {
      own = combinedTables(dict, own, chunks, at, isSearched(op.getResults()[index]));
    } else if (!isa<ir::MergerType>(builder.getType())) {
      own = folded(cast<ir::BuilderType>(builder.getType()), own, chunks, at);
    }
    llvm::append_range(result, own);
    at += width;
  }
  settleRegions(op, chunks);
  return result;
}

/// Some leaves of a chunk's pieces.
Leaves CoreLowering::pieceOf(const Chunks &chunks, Value chunk, unsigned leaf, unsigned count) {
  Value address = elementAt(chunks.bytes, chunks.pieces, chunk);
  Leaves piece;
  for (const Leaf &part : ArrayRef(chunks.layout.leaves).slice(leaf, count))
    piece.push_back(loadLeaf(part.type, at(address, part.offset)));
  return piece;
}

/// Adds the pieces of later chunks to those of the first, which are in `leaves`, for all builders
/// in one loop, since there may be many.
void CoreLowering::foldMergers(ir::ForOp op, Leaves &leaves, const Chunks &chunks) {
  SmallVector<Leaves> pieces = split(op, leaves);
  auto isMerger = [&](size_t index) {
    return isa<ir::MergerType>(op.getBuilders()[index].getType());
  };
  Leaves initial;
  for (auto [index, piece] : llvm::enumerate(pieces))
    if (isMerger(index))
      llvm::append_range(initial, piece);
  if (initial.empty())
    return;
  OpBuilder::InsertionGuard guard(b);
  auto rest = forLoop(number(1), chunks.count, initial);
  setVectorizing(rest, false); // They are few and far apart in memory.
  b.setInsertionPointToStart(rest.getBody());
  Leaves sums;
  ValueRange old = rest.getRegionIterArgs(), now = rest.getResults();
  unsigned at = 0;
  for (auto [index, piece] : llvm::enumerate(pieces)) {
    unsigned width = piece.size();
    if (isMerger(index)) {
      auto merger = cast<ir::MergerType>(op.getBuilders()[index].getType());
      Leaves added = pieceOf(chunks, rest.getInductionVar(), at, width);
      llvm::append_range(sums, combine(merger.getValue(), merger.getCombine(),
                                       Leaves(old.take_front(width)), added));
      llvm::copy(now.take_front(width), leaves.begin() + at);
      old = old.drop_front(width);
      now = now.drop_front(width);
    }
    at += width;
  }
  scf::YieldOp::create(b, loc, sums);
}

/// Adds later pieces to the first in order.
Leaves CoreLowering::folded(ir::BuilderType type, const Leaves &first, const Chunks &chunks,
                            unsigned leaf) {
  OpBuilder::InsertionGuard guard(b);
  auto rest = forLoop(number(1), chunks.count, first);
  b.setInsertionPointToStart(rest.getBody());
  Leaves piece = pieceOf(chunks, rest.getInductionVar(), leaf, first.size());
  scf::YieldOp::create(b, loc, addPiece(type, Leaves(rest.getRegionIterArgs()), piece));
  return Leaves(rest.getResults());
}

/// Adds a piece in memory to a sum.
Leaves CoreLowering::addPiece(ir::BuilderType type, const Leaves &sum, const Leaves &piece) {
  if (isa<ir::GroupBuilderType>(Type(type))) {
    call("tessera_rt_groups_append", {}, {sum[0], piece[0], site("OutOfMemory")});
    return sum;
  }
  if (auto dict = dyn_cast<ir::DictMergerType>(Type(type)))
    return addTable(dict, sum, piece[Table]);
  OpBuilder::InsertionGuard guard(b);
  auto vec = cast<ir::VecMergerType>(Type(type));
  Layout layout = layoutOf(vec.getElement());
  auto elements = forLoop(number(0), sum[1], {});
  b.setInsertionPointToStart(elements.getBody());
  Value index = elements.getInductionVar(), to = elementAt(vec.getElement(), sum[0], index);
  Leaves added = load(layout, elementAt(vec.getElement(), piece[0], index));
  store(layout, combine(vec.getElement(), vec.getCombine(), load(layout, to), added), to);
  return sum;
}

/// Keeps the regions of chunks if the builders point to them.
void CoreLowering::settleRegions(ir::ForOp op, const Chunks &chunks) {
  if (!chunks.haveRegions)
    return;
  OpBuilder::InsertionGuard guard(b);
  auto rest = forLoop(number(1), chunks.count, {});
  b.setInsertionPointToStart(rest.getBody());
  Value piece = elementAt(chunks.bytes, chunks.pieces, rest.getInductionVar());
  Value home = loadLeaf(pointerType, at(piece, chunks.home));
  if (llvm::any_of(op.getBuilders().getTypes(), keepsPointers))
    call("tessera_rt_region_adopt", {}, {region, home});
  else
    call("tessera_rt_region_free", {}, home);
}
