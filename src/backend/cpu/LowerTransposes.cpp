#include "backend/cpu/LoopNest.h"
#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERTRANSPOSES
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Elements on each side of a block: its lines stay in cache until they are fully used.
constexpr int64_t blockSize = 64;

/// A copy that permutes dimensions.
struct Transpose {
  linalg::GenericOp op;
  unsigned fromLane, toLane; ///< The loops along which the source and the result are dense.
};

/// Smaller dimensions are left to plain loops.
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

class TransposeEmitter : LoopNest {
public:
  TransposeEmitter(const Transpose &transpose, int64_t vectorBytes)
      : LoopNest(transpose.op), fromLane(transpose.fromLane), toLane(transpose.toLane) {
    Type element = op.getBody()->getArgument(0).getType();
    lanes = vectorBytes / std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 4);
  }

  /// Emits blocks of both lanes for each combination of the other counters.
  void emit() {
    SmallVector<Value> upper = sizes;
    for (unsigned lane : {fromLane, toLane})
      upper[lane] = ceilDivide(b, sizes[lane], index(b, blockSize));
    cpu::inParallel(b, upper, workAttr, blockSize * blockSize, [&](ValueRange indices) {
      counters.assign(indices.begin(), indices.end());
      emitBlock();
    });
  }

private:
  struct Span {
    Value from, whole, to; ///< Whole vectors, and the rest.
  };

  Span spanOf(unsigned loop) {
    Value from = multiply(b, counters[loop], blockSize);
    Value to = smaller(b, add(b, from, blockSize), sizes[loop]);
    Value rest = arith::RemUIOp::create(b, subtract(b, to, from), index(b, lanes));
    return {from, subtract(b, to, rest), to};
  }

  void emitBlock() {
    Span rows = spanOf(toLane), columns = spanOf(fromLane);
    Value step = index(b, lanes);
    walk(columns.from, columns.whole, step, fromLane,
         [&] { walk(rows.from, rows.whole, step, toLane, [&] { emitTile(); }); });
    auto copy = [&] {
      Value element = memref::LoadOp::create(b, source(), placeIn(0));
      memref::StoreOp::create(b, element, result(), placeIn(1));
    };
    walk(columns.whole, columns.to, one, fromLane,
         [&] { walk(rows.from, rows.to, one, toLane, copy); });
    walk(columns.from, columns.whole, one, fromLane,
         [&] { walk(rows.whole, rows.to, one, toLane, copy); });
  }

  void walk(Value from, Value to, Value step, unsigned loop, function_ref<void()> body) {
    forEach(b, from, to, step, [&](Value counter) {
      counters[loop] = counter;
      body();
    });
  }

  Value source() { return op.getDpsInputs()[0]; }
  Value result() { return op.getDpsInits()[0]; }

  SmallVector<Value> placeIn(unsigned operand) { return placeOf(op->getOpOperand(operand)); }

  /// Transposes as many vectors as a vector has lanes.
  void emitTile() {
    auto type = VectorType::get(lanes, op.getBody()->getArgument(0).getType());
    SmallVector<Value> vectors = atEach(toLane, [&](unsigned) -> Value {
      return vector::LoadOp::create(b, type, source(), placeIn(0));
    });
    for (int64_t distance = 1; distance < lanes; distance *= 2)
      exchange(vectors, distance);
    atEach(fromLane, [&](unsigned number) -> Value {
      vector::StoreOp::create(b, vectors[number], result(), placeIn(1));
      return {};
    });
  }

  SmallVector<Value> atEach(unsigned loop, function_ref<Value(unsigned)> body) {
    SmallVector<Value> values;
    Value first = counters[loop];
    for (int64_t number = 0; number < lanes; ++number) {
      counters[loop] = add(b, first, number);
      values.push_back(body(number));
    }
    counters[loop] = first;
    return values;
  }

  /// One of log2(lanes) steps: vectors at this distance swap the elements at this distance.
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
      vectors[number] = vector::ShuffleOp::create(b, first, second, low);
      vectors[number + distance] = vector::ShuffleOp::create(b, first, second, high);
    }
  }

  unsigned fromLane, toLane;
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
      TransposeEmitter(transpose, vectorBytes).emit();
      linalg::GenericOp(transpose.op).erase();
    }
  }
};

} // namespace
