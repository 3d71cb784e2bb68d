#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using tessera::cpu::lineBytes;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERSTREAMS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Prefetch into the second-level cache, so as not to evict the current row.
constexpr unsigned secondLevel = 2;

/// Emits one elementwise operation as loops over whole lines of its result.
class Stream {
public:
  explicit Stream(linalg::GenericOp op) : op(op), loc(op.getLoc()), b(op) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    counters.resize(sizes.size());
    auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
    elementBytes = type.getElementTypeBitWidth() / 8;
    lanes = lineBytes / elementBytes;
    zero = index(0);
  }

  void emit() {
    if (op->getParentOfType<scf::ParallelOp>()) {
      findNextRows();
      emitLoops(0, zero, sizes[0]);
    } else {
      emitChunks();
    }
    op.erase();
  }

private:
  using Values = SmallVector<Value>;

  Value index(int64_t value) { return core::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value subtract(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value multiply(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }
  Value smaller(Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); }

  //===- Loops --------------------------------------------------------------------------------===//

  /// Divides the first loop into parts that are worth a chunk each.
  void emitChunks() {
    Value one = index(1), inner = one;
    for (Value size : ArrayRef(sizes).drop_front())
      inner = multiply(inner, size);
    inner = arith::MaxSIOp::create(b, loc, inner, one);
    Value length = arith::CeilDivSIOp::create(b, loc, index(cpu::minChunk), inner);
    Value chunks = arith::CeilDivSIOp::create(b, loc, sizes[0], length);
    auto loop = scf::ParallelOp::create(b, loc, zero, chunks, one);
    loop->setAttr(core::grainAttr, b.getI64IntegerAttr(1));
    b.setInsertionPointToStart(loop.getBody());
    Value from = multiply(loop.getInductionVars()[0], length);
    emitLoops(0, from, smaller(add(from, length), sizes[0]));
  }

  void emitLoops(unsigned first, Value from, Value to) {
    if (first + 1 == sizes.size())
      return emitRow(from, to);
    auto loop = scf::ForOp::create(b, loc, from, to, index(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    counters[first] = loop.getInductionVar();
    emitLoops(first + 1, zero, sizes[first + 1]);
  }

  /// The elements before the first whole line, the whole lines, the rest.
  void emitRow(Value from, Value to) {
    loadScalars();
    Value first = smaller(add(from, elementsBeforeLine(from)), to), step = index(lanes);
    Value lines = arith::DivUIOp::create(b, loc, subtract(to, first), step);
    Value end = add(first, multiply(lines, step));
    emitPart(from, subtract(first, from));
    auto loop = scf::ForOp::create(b, loc, first, end, step);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      emitLine(loop.getInductionVar());
    }
    emitPart(end, subtract(to, end));
  }

  Value elementsBeforeLine(Value from) {
    counters.back() = from;
    Value result = op.getDpsInits()[0];
    auto parts = memref::ExtractStridedMetadataOp::create(b, loc, result);
    Value place = getValueOrCreateConstantIndexOp(b, loc, parts.getConstifiedMixedOffset());
    for (auto [counter, stride] : llvm::zip(counters, parts.getConstifiedMixedStrides()))
      place = add(place, multiply(counter, getValueOrCreateConstantIndexOp(b, loc, stride)));
    Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, result);
    Value address = add(begin, multiply(place, index(elementBytes)));
    Value bytes = arith::AndIOp::create(b, loc, subtract(zero, address), index(lineBytes - 1));
    return arith::DivUIOp::create(b, loc, bytes, index(elementBytes));
  }

  //===- Vectors ------------------------------------------------------------------------------===//

  VectorType typeOf(Type element) { return VectorType::get({lanes}, element); }

  Values placeOf(OpOperand &operand) {
    Values place;
    for (AffineExpr dim : op.getMatchingIndexingMap(&operand).getResults())
      place.push_back(counters[cast<AffineDimExpr>(dim).getPosition()]);
    return place;
  }

  bool isWalked(OpOperand &operand) {
    return isa<MemRefType>(operand.get().getType()) &&
           op.getMatchingIndexingMap(&operand).isFunctionOfDim(sizes.size() - 1);
  }

  /// Loads values that are constant along a row.
  void loadScalars() {
    scalars = IRMapping();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (isWalked(*operand))
        continue;
      Value value = operand->get();
      if (isa<MemRefType>(value.getType()))
        value = memref::LoadOp::create(b, loc, value, placeOf(*operand));
      scalars.map(op.getMatchingBlockArgument(operand), value);
    }
  }

  Value vectorOf(Value value, IRMapping &mapping) {
    value = mapping.lookupOrDefault(value);
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, loc, typeOf(value.getType()), value);
  }

  Value compute(IRMapping &mapping) {
    for (Operation &inner : op.getBody()->without_terminator()) {
      OperationState state(inner.getLoc(), inner.getName());
      for (Value operand : inner.getOperands())
        state.addOperands(vectorOf(operand, mapping));
      state.addTypes(typeOf(inner.getResult(0).getType()));
      state.addAttributes(inner.getAttrs());
      mapping.map(inner.getResult(0), b.create(state)->getResult(0));
    }
    return vectorOf(op.getBody()->getTerminator()->getOperand(0), mapping);
  }

  IRMapping load(function_ref<Value(VectorType, Value, ValueRange)> loadVector) {
    IRMapping mapping(scalars);
    for (OpOperand *operand : op.getDpsInputOperands())
      if (isWalked(*operand)) {
        VectorType type = typeOf(getElementTypeOrSelf(operand->get().getType()));
        mapping.map(op.getMatchingBlockArgument(operand),
                    loadVector(type, operand->get(), placeOf(*operand)));
      }
    return mapping;
  }

  void emitLine(Value at) {
    counters.back() = at;
    prefetchNextRows();
    IRMapping mapping = load([&](VectorType type, Value memory, ValueRange place) -> Value {
      return vector::LoadOp::create(b, loc, type, memory, place);
    });
    Value line = compute(mapping);
    vector::StoreOp::create(b, loc, line, op.getDpsInits()[0], counters, /*nontemporal=*/true,
                            llvm::Align(lineBytes));
  }

  /// Emits less than a line with ordinary stores.
  void emitPart(Value at, Value count) {
    counters.back() = at;
    Value mask = vector::CreateMaskOp::create(b, loc, typeOf(b.getI1Type()), count);
    IRMapping mapping = load([&](VectorType type, Value memory, ValueRange place) -> Value {
      Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
      return vector::MaskedLoadOp::create(b, loc, type, memory, place, mask, nothing);
    });
    vector::MaskedStoreOp::create(b, loc, op.getDpsInits()[0], counters, mask, compute(mapping));
  }

  //===- The next row -------------------------------------------------------------------------===//

  /// Whether the view is a whole step in the first dimensions of a contiguous buffer.
  static bool isWholeRow(memref::SubViewOp view) {
    return view.getSourceType().getLayout().isIdentity() &&
           llvm::all_of(view.getMixedStrides(), isOneInteger) &&
           isOneInteger(view.getMixedSizes().front()) &&
           isZeroInteger(view.getMixedOffsets().back());
  }

  /// Whether the view may have as many elements as the result. A useless prefetch only costs time.
  bool isAlike(memref::SubViewOp view) {
    auto result = cast<MemRefType>(op.getDpsInits()[0].getType());
    return view.getType().hasStaticShape() && result.hasStaticShape()
               ? view.getType().getNumElements() == result.getNumElements()
               : view.getType().hasStaticShape() == result.hasStaticShape();
  }

  /// While a row is only written, nothing is read from memory; so the next row to be read is
  /// prefetched meanwhile.
  void findNextRows() {
    auto rows = dyn_cast<scf::ForOp>(op->getParentOp());
    if (!rows)
      return;
    for (auto view : rows.getBody()->getOps<memref::SubViewOp>()) {
      bool isInput = !view.getSource().getDefiningOp<memref::AllocOp>() &&
                     rows.isDefinedOutsideOfLoop(view.getSource()) && view->isBeforeInBlock(op);
      if (isInput && isAlike(view) && isWholeRow(view))
        nextRows.push_back(view);
    }
  }

  void prefetchNextRows() {
    if (nextRows.empty())
      return;
    Value place = zero, length = index(1);
    for (auto [counter, size] : llvm::zip(counters, sizes)) {
      place = add(multiply(place, size), counter);
      length = multiply(length, size);
    }
    for (memref::SubViewOp row : nextRows) {
      Values indices = getValueOrCreateConstantIndexOp(b, loc, row.getMixedOffsets());
      indices.back() = add(place, length);
      memref::PrefetchOp::create(b, loc, row.getSource(), indices, /*isWrite=*/false, secondLevel,
                                 /*isDataCache=*/true);
    }
  }

  linalg::GenericOp op;
  Location loc;
  OpBuilder b;
  Values sizes, counters;
  int64_t elementBytes, lanes;
  Value zero;
  IRMapping scalars;
  SmallVector<memref::SubViewOp> nextRows; ///< The views of the current row.
};

struct LowerStreams final : cpu::impl::LowerStreamsBase<LowerStreams> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->hasAttr(cpu::streamAttr))
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops)
      Stream(op).emit();
  }
};

} // namespace
