#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/VectorBody.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERWINDOWS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// The maximal number of result vectors reduced at a time; window iterations that may be unrolled;
/// and results below which vectors do not pay off.
constexpr int64_t vectorsAtATime = 4, maxUnrolled = 32, minResults = 4;

bool isReduced(linalg::GenericOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

bool hasVectorForm(linalg::GenericOp op) {
  auto isPlain = [&](OpOperand &operand) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    return core::isLinear(op.getMatchingIndexingMap(&operand)) && element.isIntOrFloat() &&
           element.getIntOrFloatBitWidth() >= 8;
  };
  return !op.hasIndexSemantics() && llvm::all_of(op->getOpOperands(), isPlain) &&
         llvm::all_of(op.getBody()->without_terminator(), isVectorizable);
}

/// The loop along which results of a window reduction are adjacent.
std::optional<unsigned> laneOf(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool hasWindows = llvm::any_of(ArrayRef(maps).drop_back(), [](AffineMap map) {
    return !map.isProjectedPermutation(/*allowZeroInResults=*/true);
  });
  if (!hasWindows || !maps.back().isProjectedPermutation() || !hasVectorForm(op))
    return std::nullopt;
  auto type = cast<ShapedType>(op.getDpsInits()[0].getType());
  schedule::Access results{type, maps.back()};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!isReduced(op, loop) && results.isDenseAlong(loop) &&
        (ShapedType::isDynamic(sizes[loop]) || sizes[loop] >= minResults))
      return loop;
  return std::nullopt;
}

/// Emits one operation: for each piece of a row of results, the whole window, with the results in
/// registers.
class Windows {
public:
  Windows(KernelBuilder &b, linalg::GenericOp op, unsigned lane, int64_t vectorBytes)
      : b(b), op(op), lane(lane) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, b.getLoc()))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size));
    int64_t bits = getElementTypeOrSelf(op.getDpsInits()[0].getType()).getIntOrFloatBitWidth();
    lanes = std::max<int64_t>(vectorBytes * 8 / bits, 1);
    if (std::optional<int64_t> known = constantOf(sizes[lane]))
      lanes = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(*known));
    SmallVector<schedule::Group> axes{{}, {lane}, {}};
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      axes.push_back({loop});
    body.block = op.getBody();
    for (OpOperand &operand : op->getOpOperands()) {
      ElementBody::Input &input = body.inputs.emplace_back();
      if (isa<MemRefType>(operand.get().getType()))
        input.view = viewOf(b, operand.get(), op.getMatchingIndexingMap(&operand), axes);
      else
        input.scalar = operand.get();
    }
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegion(), captured);
    for (Value value : captured)
      body.captured.push_back({value, value});
  }

  void emit() {
    SmallVector<Value> upper;
    SmallVector<unsigned> kept;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (isReduced(op, loop))
        reduced.push_back(loop);
      else if (loop != lane) {
        kept.push_back(loop);
        upper.push_back(sizes[loop]);
      }
    if (kept.empty())
      return emitRow(body.inputs);
    inParallel(b, upper, workAttr, workOfRow(), [&](ValueRange indices) {
      Inputs row = body.inputs;
      for (auto [number, i] : llvm::zip_equal(kept, indices))
        row = moved(row, axisOf(number), i);
      emitRow(row);
    });
  }

private:
  using Inputs = SmallVector<ElementBody::Input>;

  static unsigned axisOf(unsigned loop) { return Outer + loop; }

  /// The elements read for a row of results; unknown sizes count as usual ones.
  int64_t workOfRow() {
    int64_t work = constantOf(sizes[lane]).value_or(64);
    for (unsigned loop : reduced)
      work *= std::min<int64_t>(constantOf(sizes[loop]).value_or(4), 1 << 12);
    return std::max<int64_t>(work, 1);
  }

  Inputs moved(ArrayRef<ElementBody::Input> inputs, unsigned axis, Value i) {
    Inputs result(inputs);
    for (ElementBody::Input &input : result)
      if (input.view)
        input.view = input.view->from(b, axis, i);
    return result;
  }

  /// Several vectors at a time, so that they need not wait for each other; the last piece has about
  /// as many.
  void emitRow(ArrayRef<ElementBody::Input> row) {
    int64_t vectors = vectorsAtATime;
    if (std::optional<int64_t> known = constantOf(sizes[lane])) {
      int64_t all = std::max<int64_t>(llvm::divideCeil(*known, lanes), 1);
      vectors = llvm::divideCeil(all, llvm::divideCeil(all, vectorsAtATime));
    }
    Value size = sizes[lane], step = index(b, lanes * vectors);
    Value whole = multiply(b, divide(b, size, step), lanes * vectors);
    forEach(b, index(b, 0), whole, step, [&](Value column) {
      emitPiece(moved(row, Column, column), SmallVector<Value>(vectors));
    });
    forEach(b, whole, size, step, [&](Value column) {
      SmallVector<Value> masks;
      for (int64_t v = 0; v < vectors; ++v) {
        Value left = subtract(b, size, add(b, column, v * lanes));
        masks.push_back(maskOf(b, lanes, larger(b, left, index(b, 0))));
      }
      emitPiece(moved(row, Column, column), masks);
    });
  }

  /// One mask per vector; null if all lanes exist.
  void emitPiece(const Inputs &piece, ArrayRef<Value> masks) {
    const View &results = *piece.back().view;
    SmallVector<Value> values;
    for (auto [v, mask] : llvm::enumerate(masks))
      values.push_back(loadVector(b, results, lanes, v, mask));
    values = emitWindow(piece, reduced, masks, values);
    for (auto [v, value] : llvm::enumerate(values))
      storeVector(b, value, results, v, masks[v]);
  }

  bool isUnrolled(ArrayRef<unsigned> loops) {
    int64_t count = 1;
    for (unsigned loop : loops)
      count *= std::min(constantOf(sizes[loop]).value_or(maxUnrolled + 1), maxUnrolled + 1);
    return count <= maxUnrolled;
  }

  /// In ascending order, like the original loops.
  SmallVector<Value> emitWindow(const Inputs &piece, ArrayRef<unsigned> loops,
                                ArrayRef<Value> masks, ValueRange old) {
    if (loops.empty())
      return emitPoint(piece, masks, old);
    unsigned loop = loops.front();
    auto emitAt = [&](Value i, ValueRange values) {
      return emitWindow(moved(piece, axisOf(loop), i), loops.drop_front(), masks, values);
    };
    if (isUnrolled(loops)) {
      SmallVector<Value> values = llvm::to_vector(old);
      for (int64_t i = 0; i < *constantOf(sizes[loop]); ++i)
        values = emitAt(index(b, i), values);
      return values;
    }
    auto counted =
        scf::ForOp::create(b, index(b, 0), sizes[loop], index(b, 1), llvm::to_vector(old));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(counted.getBody());
    scf::YieldOp::create(b, emitAt(counted.getInductionVar(), counted.getRegionIterArgs()));
    return llvm::to_vector(ValueRange(counted.getResults()));
  }

  SmallVector<Value> emitPoint(const Inputs &piece, ArrayRef<Value> masks, ValueRange old) {
    SmallVector<Value> next;
    for (auto [v, value] : llvm::enumerate(old)) {
      SmallVector<Value> inputs;
      for (const ElementBody::Input &input : ArrayRef(piece).drop_back())
        inputs.push_back(input.view ? loadVector(b, *input.view, lanes, v, masks[v])
                                    : input.scalar);
      inputs.push_back(value);
      next.push_back(emitVectorBody(b, body, inputs, lanes));
    }
    return next;
  }

  KernelBuilder &b;
  linalg::GenericOp op;
  unsigned lane;
  SmallVector<Value> sizes; ///< By loop.
  SmallVector<unsigned> reduced;
  int64_t lanes;
  ElementBody body;
};

struct LowerWindows final : cpu::impl::LowerWindowsBase<LowerWindows> {
  using LowerWindowsBase::LowerWindowsBase;

  void runOnOperation() override {
    SmallVector<std::pair<linalg::GenericOp, unsigned>> found;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<unsigned> lane = laneOf(op))
        found.push_back({op, *lane});
    });
    for (auto [op, lane] : found) {
      KernelBuilder b(op.getLoc(), op);
      Windows(b, op, lane, vectorBytes).emit();
      op.erase();
    }
  }
};

} // namespace
