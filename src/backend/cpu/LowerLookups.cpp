#include "backend/cpu/Passes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERLOOKUPS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Iterations between asking for a row and adding it: about the latency of memory.
constexpr int64_t ahead = 16;
/// Bytes of a sum that stay in registers, and of what a prefetch brings.
constexpr int64_t maxSumBytes = 256, lineBytes = 64;

//===- What is a lookup -----------------------------------------------------------------------===//

/// sum[..., d] += table[chosen row, d]: along the last dimension of the result, elements come from
/// consecutive places; where the row is, others decide.
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

  /// Vectors of bits are packed, their elements in memory are not.
  static bool isDense(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    return !strides.empty() && strides.back() == 1 && !type.getElementType().isInteger(1);
  }

  /// An operand is the same along a row, or lies along it.
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

//===- Whether there is anything to look up ---------------------------------------------------===//

/// Collects what a value is computed by in a body, in its order; false where that depends on the
/// iteration.
bool isFixed(Value value, Block *body, llvm::SetVector<Operation *> &ops) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != body;
  Operation *source = value.getDefiningOp();
  if (source->getBlock() != body)
    return true;
  if (!isPure(source) || source->getNumRegions() || isa<linalg::IndexOp>(source) ||
      !llvm::all_of(source->getOperands(), [&](Value v) { return isFixed(v, body, ops); }))
    return false;
  ops.insert(source);
  return true;
}

/// An operation for each way that a branch can go.
void unswitch(linalg::GenericOp op, scf::IfOp branch, ArrayRef<Operation *> condition) {
  OpBuilder b(op);
  IRMapping outside;
  for (Operation *source : condition)
    b.clone(*source, outside);
  Value test = outside.lookupOrDefault(branch.getCondition());
  auto whole = scf::IfOp::create(b, op.getLoc(), test, /*withElseRegion=*/true);
  IRRewriter rewriter(op.getContext());
  for (unsigned way : {0, 1}) {
    b.setInsertionPointToStart(&whole->getRegion(way).front());
    IRMapping mapping;
    b.clone(*op, mapping);
    Operation *copy = mapping.lookup(branch.getOperation());
    Block *taken = &copy->getRegion(way).front();
    Operation *end = taken->getTerminator();
    SmallVector<Value> results(end->getOperands());
    rewriter.inlineBlockBefore(taken, copy);
    copy->replaceAllUsesWith(results);
    end->erase();
    copy->erase();
  }
  op.erase();
}

/// Tables without rows are not read from: a branch, which the sizes decide.
void unswitchFixedBranches(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (op.hasPureBufferSemantics() && op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops)
    for (auto branch : op.getBody()->getOps<scf::IfOp>()) {
      llvm::SetVector<Operation *> condition;
      if (branch.getElseRegion().empty() ||
          !isFixed(branch.getCondition(), op.getBody(), condition))
        continue;
      unswitch(op, branch, condition.getArrayRef());
      break;
    }
}

//===- Its loops ------------------------------------------------------------------------------===//

class Emitter {
public:
  Emitter(OpBuilder &b, const Lookup &lookup)
      : b(b), lookup(lookup), op(lookup.op), loc(op.getLoc()), counters(op.getNumLoops()) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (loop != lookup.lane)
        (kind == utils::IteratorType::reduction ? reduced : kept).push_back(loop);
    zero = index(0), one = index(1);
  }

  void emit() {
    SmallVector<Value> upper;
    for (unsigned loop : kept)
      upper.push_back(sizes[loop]);
    if (upper.empty())
      upper.push_back(one);
    SmallVector<Value> lower(upper.size(), zero), steps(upper.size(), one);
    auto sums = scf::ParallelOp::create(b, loc, lower, upper, steps);
    sums->setAttr(cpu::workAttr, b.getI64IntegerAttr(workOfSum()));
    b.setInsertionPoint(sums.getBody()->getTerminator());
    for (auto [loop, counter] : llvm::zip(kept, sums.getInductionVars()))
      counters[loop] = counter;
    emitSum();
  }

private:
  Value index(int64_t value) { return core::constantIndex(b, loc, value); }
  Type element() { return op.getRegionOutputArgs()[0].getType(); }
  int64_t bytes() { return std::max<int64_t>(element().getIntOrFloatBitWidth() / 8, 1); }

  int64_t workOfSum() {
    int64_t work = 1;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    for (auto [loop, range] : llvm::enumerate(ranges))
      if (!llvm::is_contained(kept, loop))
        work = std::min<int64_t>(work * (ShapedType::isDynamic(range) ? 64 : range), 1 << 30);
    return work;
  }

  /// As many elements as fit registers, then the rest under a mask.
  void emitSum() {
    int64_t lanes = maxSumBytes / bytes(), fewer = lanes / 4;
    Value size = sizes[lookup.lane], width = index(lanes);
    Value rest = arith::SubIOp::create(b, loc, size, arith::RemUIOp::create(b, loc, size, width));
    forEach(zero, rest, width, [&](Value at) { emitPiece(at, lanes, {}); });
    forEach(rest, size, index(fewer), [&](Value at) {
      Value left = arith::SubIOp::create(b, loc, size, at);
      auto type = VectorType::get(fewer, b.getI1Type());
      emitPiece(at, fewer, vector::CreateMaskOp::create(b, loc, type, left));
    });
  }

  void forEach(Value from, Value to, Value step, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, loc, from, to, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  void emitPiece(Value at, int64_t numLanes, Value activeLanes) {
    lanes = numLanes, mask = activeLanes;
    counters[lookup.lane] = at;
    SmallVector<Value> place = indicesOf(*op.getDpsInitOperand(0));
    Value sum = add(reduced, read(op.getDpsInits()[0], place));
    if (mask)
      vector::MaskedStoreOp::create(b, loc, op.getDpsInits()[0], place, mask, sum);
    else
      vector::StoreOp::create(b, loc, sum, op.getDpsInits()[0], place);
  }

  Value add(ArrayRef<unsigned> loops, Value sum) {
    if (loops.empty()) {
      fetchAhead();
      return row(sum);
    }
    auto loop = scf::ForOp::create(b, loc, zero, sizes[loops.front()], one, sum);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    counters[loops.front()] = loop.getInductionVar();
    Value next = add(loops.drop_front(), loop.getRegionIterArgs()[0]);
    scf::YieldOp::create(b, loc, next);
    return loop.getResult(0);
  }

  //===- One row ------------------------------------------------------------------------------===//

  VectorType vectorOf(Type type) { return VectorType::get(lanes, type); }

  SmallVector<Value> indicesOf(OpOperand &operand) {
    SmallVector<Value> indices;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned result = 0; result < map.getNumResults(); ++result) {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(result));
      indices.push_back(
          loop ? counters[loop.getPosition()]
               : Value(affine::AffineApplyOp::create(b, loc, map.getSubMap(result), counters)));
    }
    return indices;
  }

  Value read(Value memory, ValueRange place) {
    auto type = vectorOf(cast<MemRefType>(memory.getType()).getElementType());
    if (!mask)
      return vector::LoadOp::create(b, loc, type, memory, place);
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, loc, type, memory, place, mask, none);
  }

  Value spread(Value value) {
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), value);
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
        mapping.map(argument, read(memory, indicesOf(*operand)));
      else
        mapping.map(argument,
                    memref::LoadOp::create(b, loc, memory, indicesOf(*operand)).getResult());
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
      SmallVector<Value> place = placeOf(load, mapping);
      return mapping.map(load.getResult(), read(mapping.lookupOrDefault(load.getMemRef()), place));
    }
    OperationState state(inner.getLoc(), inner.getName());
    for (Value operand : inner.getOperands())
      state.addOperands(spread(mapping.lookupOrDefault(operand)));
    state.addTypes(vectorOf(inner.getResult(0).getType()));
    state.addAttributes(inner.getAttrs());
    mapping.map(inner.getResult(0), b.create(state)->getResult(0));
  }

  static SmallVector<Value> placeOf(memref::LoadOp load, IRMapping &mapping) {
    return llvm::map_to_vector(load.getIndices(),
                               [&](Value index) { return mapping.lookupOrDefault(index); });
  }

  //===- Rows to come -------------------------------------------------------------------------===//

  /// Asks for the rows of a later iteration, or of the next sum's first ones. Where there is no
  /// later one, for a row that is there.
  void fetchAhead() {
    SmallVector<Value> now = counters;
    unsigned loop = reduced.back();
    Value later = arith::AddIOp::create(b, loc, counters[loop], index(ahead));
    Value isPast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, later, sizes[loop]);
    Value wrapped = arith::SubIOp::create(b, loc, later, sizes[loop]);
    later = arith::SelectOp::create(b, loc, isPast, wrapped, later);
    counters[loop] = smaller(later, arith::SubIOp::create(b, loc, sizes[loop], one));
    if (!kept.empty()) {
      unsigned outer = kept.back();
      Value next = arith::AddIOp::create(b, loc, counters[outer], one);
      next = smaller(next, arith::SubIOp::create(b, loc, sizes[outer], one));
      counters[outer] = arith::SelectOp::create(b, loc, isPast, next, counters[outer]);
    }
    fetchRows();
    counters = now;
  }

  Value smaller(Value a, Value c) { return arith::MinUIOp::create(b, loc, a, c); }

  void fetchRows() {
    IRMapping mapping;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      bool isMemory = isa<MemRefType>(operand->get().getType());
      if (!argument.use_empty() && !lookup.varies(argument))
        mapping.map(
            argument,
            isMemory
                ? memref::LoadOp::create(b, loc, operand->get(), indicesOf(*operand)).getResult()
                : operand->get());
    }
    for (Operation &inner : op.getBody()->without_terminator())
      if (auto load = dyn_cast<memref::LoadOp>(inner); load && lookup.varies(load.getResult()))
        fetch(load, mapping);
      else if (inner.getNumResults() && !lookup.varies(inner.getResult(0)))
        emitScalar(inner, mapping);
  }

  void fetch(memref::LoadOp load, IRMapping &mapping) {
    SmallVector<Value> place = placeOf(load, mapping);
    Value first = place.back();
    for (int64_t lane = 0; lane < lanes; lane += lineBytes / bytes()) {
      place.back() = arith::AddIOp::create(b, loc, first, index(lane));
      memref::PrefetchOp::create(b, loc, mapping.lookupOrDefault(load.getMemRef()), place,
                                 /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
    }
  }

  OpBuilder &b;
  const Lookup &lookup;
  linalg::GenericOp op;
  Location loc;
  SmallVector<Value> sizes, counters;  ///< By loop.
  SmallVector<unsigned> kept, reduced; ///< Loops around rows.
  Value zero, one, mask;
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
      OpBuilder b(lookup.op);
      Emitter(b, lookup).emit();
      linalg::GenericOp(lookup.op).erase();
    }
  }
};

} // namespace
