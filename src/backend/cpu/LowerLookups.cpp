#include "backend/cpu/LoopNest.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/UnswitchBranches.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERLOOKUPS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Iterations between prefetching a row and adding it: about the latency of memory.
constexpr int64_t ahead = 16;
/// The bytes of a sum that stay in registers, which is also how much of a row is prefetched.
constexpr int64_t maxSumBytes = 256;

//===- Recognizing lookups --------------------------------------------------------------------===//

/// sum[..., d] += table[chosen row, d]: along the last dimension of the result elements are
/// contiguous; the row is selected by other elements.
class Lookup {
public:
  static std::optional<Lookup> match(linalg::GenericOp op) {
    if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
      return std::nullopt;
    AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    auto last =
        result.getNumResults() ? dyn_cast<AffineDimExpr>(result.getResults().back()) : nullptr;
    if (!last || !result.isProjectedPermutation())
      return std::nullopt;
    Lookup lookup{op, last.getPosition()};
    return lookup.fits() ? std::optional(lookup) : std::nullopt;
  }

  bool varies(Value value) const { return varying.contains(value); }
  ArrayRef<memref::LoadOp> rows() const { return loads; }

  linalg::GenericOp op;
  unsigned lane; ///< The loop along rows.

private:
  Lookup(linalg::GenericOp op, unsigned lane) : op(op), lane(lane) {}

  bool fits() {
    return llvm::all_of(op->getOpOperands(),
                        [&](OpOperand &operand) { return addOperand(operand); }) &&
           llvm::all_of(op.getBody()->without_terminator(),
                        [&](Operation &inner) { return add(inner); }) &&
           !loads.empty();
  }

  /// Vectors of i1 are packed, but their elements in memory are not.
  static bool isDense(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    return !strides.empty() && strides.back() == 1 && !type.getElementType().isInteger(1);
  }

  /// An operand must be constant along a row or contiguous along it.
  bool addOperand(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isFunctionOfDim(lane))
      return true;
    bool isOnlyLast = llvm::none_of(map.getResults().drop_back(),
                                    [&](AffineExpr index) { return index.isFunctionOfDim(lane); });
    varying.insert(op.getMatchingBlockArgument(&operand));
    return isOnlyLast && isa<AffineDimExpr>(map.getResults().back()) && isDense(operand.get());
  }

  bool add(Operation &inner) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      if (index.getDim() == lane)
        positions.insert(index.getResult());
      return true;
    }
    auto load = dyn_cast<memref::LoadOp>(inner);
    if (load && !load.getIndices().empty() && positions.contains(load.getIndices().back()))
      return addRow(load);
    auto depends = [&](Value operand) { return varies(operand); };
    if (llvm::any_of(inner.getOperands(),
                     [&](Value operand) { return positions.contains(operand); }))
      return false;
    if (llvm::none_of(inner.getOperands(), depends))
      return inner.getNumRegions() == 0;
    varying.insert(inner.result_begin(), inner.result_end());
    return inner.getNumRegions() == 0 && inner.getNumResults() == 1 &&
           inner.hasTrait<OpTrait::Vectorizable>();
  }

  bool addRow(memref::LoadOp load) {
    auto isSame = [&](Value index) { return !varies(index) && !positions.contains(index); };
    if (!llvm::all_of(load.getIndices().drop_back(), isSame) || !isDense(load.getMemRef()))
      return false;
    varying.insert(load.getResult());
    loads.push_back(load);
    return true;
  }

  DenseSet<Value> varying, positions;
  SmallVector<memref::LoadOp> loads;
};

//===- The loops ------------------------------------------------------------------------------===//

class Emitter : LoopNest {
public:
  explicit Emitter(const Lookup &lookup) : LoopNest(lookup.op), lookup(lookup) {
    divideLoops(/*except=*/lookup.lane);
  }

  void emit() {
    if (kept.empty())
      emitSum();
    else
      inParallel(kept, workOfSum(), [&] { emitSum(); });
  }

private:
  Type element() { return op.getRegionOutputArgs()[0].getType(); }
  int64_t bytes() { return std::max<int64_t>(element().getIntOrFloatBitWidth() / 8, 1); }

  int64_t workOfSum() {
    int64_t work = boundedProduct(iterations(lookup.lane, 64), iterations(reduced, 64));
    return std::min<int64_t>(work, 1 << 30);
  }

  /// Emits as many elements as fit the registers, then the rest under a mask.
  void emitSum() {
    int64_t lanes = maxSumBytes / bytes(), fewer = lanes / 4;
    Value size = sizes[lookup.lane], width = index(b, lanes);
    Value whole = subtract(b, size, arith::RemUIOp::create(b, size, width));
    forEach(b, zero, whole, width, [&](Value at) { emitPiece(at, lanes, {}); });
    forEach(b, whole, size, index(b, fewer), [&](Value at) {
      auto type = VectorType::get(fewer, b.getI1Type());
      emitPiece(at, fewer, vector::CreateMaskOp::create(b, type, subtract(b, size, at)));
    });
  }

  void emitPiece(Value at, int64_t numLanes, Value activeLanes) {
    lanes = numLanes, mask = activeLanes;
    counters[lookup.lane] = at;
    SmallVector<Value> place = placeOf(*op.getDpsInitOperand(0));
    Value sum = addRows(reduced, read(op.getDpsInits()[0], place));
    if (mask)
      vector::MaskedStoreOp::create(b, op.getDpsInits()[0], place, mask, sum);
    else
      vector::StoreOp::create(b, sum, op.getDpsInits()[0], place);
  }

  Value addRows(ArrayRef<unsigned> loops, Value sum) {
    if (loops.empty()) {
      fetchAhead();
      return row(sum);
    }
    auto loop = scf::ForOp::create(b, zero, sizes[loops.front()], one, sum);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    counters[loops.front()] = loop.getInductionVar();
    Value next = addRows(loops.drop_front(), loop.getRegionIterArgs()[0]);
    scf::YieldOp::create(b, next);
    return loop.getResult(0);
  }

  //===- One row ------------------------------------------------------------------------------===//

  VectorType vectorOf(Type type) { return VectorType::get(lanes, type); }

  Value read(Value memory, ValueRange place) {
    auto type = vectorOf(cast<MemRefType>(memory.getType()).getElementType());
    if (!mask)
      return vector::LoadOp::create(b, type, memory, place);
    Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, type, memory, place, mask, none);
  }

  Value spread(Value value) {
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, vectorOf(value.getType()), value);
  }

  /// The body for a piece of a row.
  Value row(Value sum) {
    IRMapping mapping;
    mapping.map(op.getRegionOutputArgs()[0], sum);
    mapOperands(mapping);
    for (Operation &inner : op.getBody()->without_terminator())
      if (lookup.varies(inner.getNumResults() ? inner.getResult(0) : Value()))
        emitVector(inner, mapping);
      else
        emitScalar(inner, mapping);
    return spread(mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0)));
  }

  void mapOperands(IRMapping &mapping) {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (argument.use_empty())
        continue;
      Value memory = operand->get();
      if (!isa<MemRefType>(memory.getType()))
        mapping.map(argument, memory);
      else if (lookup.varies(argument))
        mapping.map(argument, read(memory, placeOf(*operand)));
      else
        mapping.map(argument, memref::LoadOp::create(b, memory, placeOf(*operand)).getResult());
    }
  }

  void emitScalar(Operation &inner, IRMapping &mapping) {
    if (auto position = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(position.getResult(), counters[position.getDim()]);
    else
      b.clone(inner, mapping);
  }

  void emitVector(Operation &inner, IRMapping &mapping) {
    if (auto load = dyn_cast<memref::LoadOp>(inner)) {
      SmallVector<Value> place = rowOf(load, mapping);
      return mapping.map(load.getResult(), read(mapping.lookupOrDefault(load.getMemRef()), place));
    }
    OperationState state(inner.getLoc(), inner.getName());
    for (Value operand : inner.getOperands())
      state.addOperands(spread(mapping.lookupOrDefault(operand)));
    state.addTypes(vectorOf(inner.getResult(0).getType()));
    state.addAttributes(inner.getAttrs());
    mapping.map(inner.getResult(0), b.create(state)->getResult(0));
  }

  static SmallVector<Value> rowOf(memref::LoadOp load, IRMapping &mapping) {
    return llvm::map_to_vector(load.getIndices(),
                               [&](Value index) { return mapping.lookupOrDefault(index); });
  }

  //===- Prefetching rows ---------------------------------------------------------------------===//

  /// Prefetches the rows of a later iteration, or the first ones of the next sum. If there are no
  /// more, it prefetches a row that exists.
  void fetchAhead() {
    SmallVector<Value> now = counters;
    unsigned loop = reduced.back();
    Value later = add(b, counters[loop], ahead);
    Value isPast = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, later, sizes[loop]);
    later = select(b, isPast, subtract(b, later, sizes[loop]), later);
    counters[loop] = smaller(b, later, subtract(b, sizes[loop], one));
    if (!kept.empty()) {
      unsigned outer = kept.back();
      Value next = add(b, counters[outer], one);
      next = smaller(b, next, subtract(b, sizes[outer], one));
      counters[outer] = select(b, isPast, next, counters[outer]);
    }
    fetchRows();
    counters = now;
  }

  void fetchRows() {
    IRMapping mapping;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      bool isMemory = isa<MemRefType>(operand->get().getType());
      if (!argument.use_empty() && !lookup.varies(argument))
        mapping.map(argument,
                    isMemory
                        ? memref::LoadOp::create(b, operand->get(), placeOf(*operand)).getResult()
                        : operand->get());
    }
    for (Operation &inner : op.getBody()->without_terminator())
      if (auto load = dyn_cast<memref::LoadOp>(inner); load && lookup.varies(load.getResult()))
        fetch(load, mapping);
      else if (inner.getNumResults() && !lookup.varies(inner.getResult(0)))
        emitScalar(inner, mapping);
  }

  void fetch(memref::LoadOp load, IRMapping &mapping) {
    SmallVector<Value> place = rowOf(load, mapping);
    Value first = place.back();
    for (int64_t lane = 0; lane < lanes; lane += lineBytes / bytes()) {
      place.back() = add(b, first, lane);
      memref::PrefetchOp::create(b, mapping.lookupOrDefault(load.getMemRef()), place,
                                 /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
    }
  }

  const Lookup &lookup;
  Value mask;
  int64_t lanes = 0;
};

struct LowerLookups final : cpu::impl::LowerLookupsBase<LowerLookups> {
  void runOnOperation() override {
    unswitchFixedBranches(getOperation());
    SmallVector<Lookup> lookups;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<Lookup> lookup = Lookup::match(op))
        lookups.push_back(*lookup);
    });
    for (const Lookup &lookup : lookups) {
      Emitter(lookup).emit();
      linalg::GenericOp(lookup.op).erase();
    }
  }
};

} // namespace
