#include "backend/cpu/Passes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERTRANSPOSES
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Elements on each side of a block: its lines stay in cache until all of them is used.
constexpr int64_t blockSize = 64;

/// A copy into another order of dimensions.
struct Transpose {
  linalg::GenericOp op;
  unsigned fromLane, toLane; ///< The loops along which source and result are dense.
};

/// Fewer elements along a lane are left to plain loops.
constexpr int64_t minSize = 8;

bool isShort(linalg::GenericOp op, unsigned loop) {
  int64_t size = op.getStaticLoopRanges()[loop];
  return !ShapedType::isDynamic(size) && size < minSize;
}

bool isDense(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  return !strides.empty() && strides.back() == 1 && !type.getElementType().isInteger(1);
}

std::optional<unsigned> lastLoop(AffineMap map) {
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return std::nullopt;
  return cast<AffineDimExpr>(map.getResults().back()).getPosition();
}

std::optional<Transpose> match(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() > 0 || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || !isa<MemRefType>(op.getDpsInputs()[0].getType()))
    return std::nullopt;
  Block &body = *op.getBody();
  if (body.getTerminator()->getOperand(0) != body.getArgument(0))
    return std::nullopt;
  auto from = lastLoop(op.getIndexingMapsArray()[0]), to = lastLoop(op.getIndexingMapsArray()[1]);
  bool isTransposed = from && to && *from != *to && op.getIndexingMapsArray()[0].isPermutation();
  if (!isTransposed || isShort(op, *from) || isShort(op, *to) || !isDense(op.getDpsInputs()[0]) ||
      !isDense(op.getDpsInits()[0]))
    return std::nullopt;
  return Transpose{op, *from, *to};
}

class Emitter {
public:
  Emitter(OpBuilder &b, const Transpose &transpose, int64_t vectorBytes)
      : b(b), op(transpose.op), fromLane(transpose.fromLane), toLane(transpose.toLane),
        loc(op.getLoc()), counters(op.getNumLoops()) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    Type element = op.getBody()->getArgument(0).getType();
    lanes = vectorBytes / std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 4);
    one = index(1);
  }

  /// Blocks of both lanes, for each combination of the other counters.
  void emit() {
    SmallVector<Value> upper;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      upper.push_back(
          isLane(loop)
              ? arith::CeilDivSIOp::create(b, loc, sizes[loop], index(blockSize)).getResult()
              : sizes[loop]);
    SmallVector<Value> lower(upper.size(), index(0)), steps(upper.size(), one);
    auto blocks = scf::ParallelOp::create(b, loc, lower, upper, steps);
    blocks->setAttr(cpu::workAttr, b.getI64IntegerAttr(blockSize * blockSize));
    b.setInsertionPoint(blocks.getBody()->getTerminator());
    for (auto [loop, counter] : llvm::enumerate(blocks.getInductionVars()))
      counters[loop] = counter;
    emitBlock();
  }

private:
  struct Span {
    Value from, whole, to; ///< Whole vectors, and the rest.
  };

  Value index(int64_t value) { return core::constantIndex(b, loc, value); }
  bool isLane(unsigned loop) { return loop == fromLane || loop == toLane; }

  Span spanOf(unsigned loop) {
    Value size = index(blockSize), from = arith::MulIOp::create(b, loc, counters[loop], size);
    Value end = arith::AddIOp::create(b, loc, from, size);
    Value to = arith::MinSIOp::create(b, loc, end, sizes[loop]);
    Value rest =
        arith::RemUIOp::create(b, loc, arith::SubIOp::create(b, loc, to, from), index(lanes));
    return {from, arith::SubIOp::create(b, loc, to, rest), to};
  }

  void emitBlock() {
    Span rows = spanOf(toLane), columns = spanOf(fromLane);
    Value step = index(lanes);
    forEach(columns.from, columns.whole, step, fromLane,
            [&] { forEach(rows.from, rows.whole, step, toLane, [&] { emitTile(); }); });
    auto copy = [&] {
      Value element = memref::LoadOp::create(b, loc, source(), placeIn(0));
      memref::StoreOp::create(b, loc, element, result(), placeIn(1));
    };
    forEach(columns.whole, columns.to, one, fromLane,
            [&] { forEach(rows.from, rows.to, one, toLane, copy); });
    forEach(columns.from, columns.whole, one, fromLane,
            [&] { forEach(rows.whole, rows.to, one, toLane, copy); });
  }

  void forEach(Value from, Value to, Value step, unsigned loop, function_ref<void()> body) {
    auto nest = scf::ForOp::create(b, loc, from, to, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(nest.getBody());
    counters[loop] = nest.getInductionVar();
    body();
  }

  Value source() { return op.getDpsInputs()[0]; }
  Value result() { return op.getDpsInits()[0]; }

  SmallVector<Value> placeIn(unsigned operand) {
    SmallVector<Value> place;
    for (AffineExpr expr : op.getIndexingMapsArray()[operand].getResults())
      place.push_back(counters[cast<AffineDimExpr>(expr).getPosition()]);
    return place;
  }

  /// As many vectors as a vector has lanes.
  void emitTile() {
    auto type = VectorType::get(lanes, op.getBody()->getArgument(0).getType());
    SmallVector<Value> vectors = atEach(toLane, [&](unsigned) -> Value {
      return vector::LoadOp::create(b, loc, type, source(), placeIn(0));
    });
    for (int64_t distance = 1; distance < lanes; distance *= 2)
      exchange(vectors, distance);
    atEach(fromLane, [&](unsigned number) -> Value {
      vector::StoreOp::create(b, loc, vectors[number], result(), placeIn(1));
      return {};
    });
  }

  SmallVector<Value> atEach(unsigned loop, function_ref<Value(unsigned)> body) {
    SmallVector<Value> values;
    Value first = counters[loop];
    for (int64_t number = 0; number < lanes; ++number) {
      counters[loop] = arith::AddIOp::create(b, loc, first, index(number));
      values.push_back(body(number));
    }
    counters[loop] = first;
    return values;
  }

  /// One of log2(lanes) steps: vectors that are `distance` apart swap the elements that are.
  void exchange(SmallVector<Value> &vectors, int64_t distance) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool isUpper = lane & distance;
      low.push_back(isUpper ? lanes + lane - distance : lane);
      high.push_back(isUpper ? lanes + lane : lane + distance);
    }
    for (int64_t number = 0; number < lanes; ++number) {
      if (number & distance)
        continue;
      Value first = vectors[number], second = vectors[number + distance];
      vectors[number] = vector::ShuffleOp::create(b, loc, first, second, low);
      vectors[number + distance] = vector::ShuffleOp::create(b, loc, first, second, high);
    }
  }

  OpBuilder &b;
  linalg::GenericOp op;
  unsigned fromLane, toLane;
  Location loc;
  SmallVector<Value> sizes, counters; ///< By loop.
  Value one;
  int64_t lanes;
};

struct LowerTransposes final : cpu::impl::LowerTransposesBase<LowerTransposes> {
  using LowerTransposesBase::LowerTransposesBase;

  void runOnOperation() override {
    SmallVector<Transpose> found;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<Transpose> transpose = match(op))
        found.push_back(*transpose);
    });
    for (const Transpose &transpose : found) {
      OpBuilder b(transpose.op);
      Emitter(b, transpose, vectorBytes).emit();
      linalg::GenericOp(transpose.op).erase();
    }
  }
};

} // namespace
