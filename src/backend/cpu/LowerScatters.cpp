#include "backend/cpu/Passes.h"
#include "core/Build.h"
#include "core/Scatter.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERSCATTERS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

class Emitter {
public:
  Emitter(OpBuilder &b, linalg::GenericOp op, const core::Scatter &scatter)
      : b(b), op(op), scatter(scatter), loc(op.getLoc()), counters(op.getNumLoops()) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      (kind == utils::IteratorType::reduction ? reduced : kept).push_back(loop);
    zero = index(0), one = index(1);
  }

  void emit() {
    Value memory = op.getDpsInits()[0];
    if (isKnownSmall())
      return add(memory, {}, zero, sizes[reduced.front()]);
    emitParts(memory);
  }

private:
  Value index(int64_t value) { return core::constantIndex(b, loc, value); }
  static constexpr int64_t partWork = 2 * cpu::minChunk;

  bool isKnownSmall() {
    int64_t work = 1;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    for (auto [loop, range] : llvm::enumerate(ranges))
      if (loop != scatter.loop &&
          (ShapedType::isDynamic(range) || llvm::MulOverflow(work, range, work) || work > partWork))
        return false;
    return true;
  }

  Value product(ArrayRef<unsigned> loops) {
    Value count = one;
    for (unsigned loop : loops)
      count = arith::MulIOp::create(b, loc, count, sizes[loop]);
    return arith::MaxSIOp::create(b, loc, count, one);
  }

  /// Each part has sums of its own, so it has to have many times as much to add to them. The sizes
  /// alone decide, so every number of threads gets the same result.
  void emitParts(Value memory) {
    Value results = product(kept);
    Value others =
        arith::MulIOp::create(b, loc, product(ArrayRef(reduced).drop_front()),
                              arith::DivUIOp::create(b, loc, results, larger(sizes[scatter.loop])));
    Value work = arith::MaxSIOp::create(b, loc, index(partWork),
                                        arith::MulIOp::create(b, loc, results, index(4)));
    Value length = arith::CeilDivSIOp::create(b, loc, work, larger(others));
    Value size = sizes[reduced.front()], parts = arith::CeilDivSIOp::create(b, loc, size, length);
    Value partial = allocate(memory, parts);
    auto loop = scf::ParallelOp::create(b, loc, zero, parts, one);
    loop->setAttr(cpu::grainAttr, b.getI64IntegerAttr(1));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(loop.getBody()->getTerminator());
      Value part = loop.getInductionVars()[0];
      clear(partial, part);
      Value from = arith::MulIOp::create(b, loc, part, length);
      Value to = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, from, length), size);
      add(partial, {part}, from, to);
    }
    combine(memory, partial, parts);
    memref::DeallocOp::create(b, loc, partial);
  }

  Value larger(Value size) { return arith::MaxSIOp::create(b, loc, size, one); }

  Value allocate(Value memory, Value parts) {
    auto type = cast<MemRefType>(memory.getType());
    SmallVector<int64_t> shape(type.getRank() + 1, ShapedType::kDynamic);
    SmallVector<Value> extents{parts};
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      extents.push_back(memref::DimOp::create(b, loc, memory, dim));
    return memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()), extents);
  }

  void forEach(Value from, Value to, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, loc, from, to, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  void inOrder(ArrayRef<unsigned> loops, function_ref<void()> body) {
    if (loops.empty())
      return body();
    forEach(zero, sizes[loops.front()], [&](Value counter) {
      counters[loops.front()] = counter;
      inOrder(loops.drop_front(), body);
    });
  }

  SmallVector<Value> placeIn(ArrayRef<Value> part) {
    SmallVector<Value> place(part);
    for (AffineExpr expr : op.getIndexingMapsArray().back().getResults())
      place.push_back(counters[cast<AffineDimExpr>(expr).getPosition()]);
    return place;
  }

  void clear(Value partial, Value part) {
    Value nothing = core::zero(b, loc, cast<MemRefType>(partial.getType()).getElementType());
    inOrder(keptInOrder(),
            [&] { memref::StoreOp::create(b, loc, nothing, partial, placeIn({part})); });
  }

  /// In the order of the parts.
  void combine(Value memory, Value partial, Value parts) {
    forEach(zero, parts, [&](Value part) {
      inOrder(keptInOrder(), [&] {
        Value sum = memref::LoadOp::create(b, loc, memory, placeIn({}));
        Value value = memref::LoadOp::create(b, loc, partial, placeIn({part}));
        memref::StoreOp::create(b, loc, plus(sum, value), memory, placeIn({}));
      });
    });
  }

  /// As the result lies in memory.
  SmallVector<unsigned> keptInOrder() {
    SmallVector<unsigned> loops;
    for (AffineExpr expr : op.getIndexingMapsArray().back().getResults())
      loops.push_back(cast<AffineDimExpr>(expr).getPosition());
    return loops;
  }

  Value plus(Value sum, Value value) {
    IRMapping mapping;
    for (Value operand : scatter.addition->getOperands())
      mapping.map(operand, operand == op.getRegionOutputArgs()[0] ? sum : value);
    return b.clone(*scatter.addition, mapping)->getResult(0);
  }

  void add(Value memory, ArrayRef<Value> part, Value from, Value to) {
    forEach(from, to, [&](Value counter) {
      counters[reduced.front()] = counter;
      inOrder(ArrayRef(reduced).drop_front(), [&] { addToChosen(memory, part); });
    });
  }

  void addToChosen(Value memory, ArrayRef<Value> part) {
    IRMapping mapping;
    Value chosen = compute(scatter.chosen, mapping);
    if (!chosen.getType().isIndex())
      chosen = arith::IndexCastOp::create(b, loc, b.getIndexType(), chosen);
    Value isPlace =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, chosen, sizes[scatter.loop]);
    auto branch = scf::IfOp::create(b, loc, isPlace);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    counters[scatter.loop] = chosen;
    SmallVector<unsigned> others = keptInOrder();
    llvm::erase(others, scatter.loop);
    inOrder(others, [&] {
      IRMapping inner;
      SmallVector<Value> place = placeIn(part);
      Value sum = memref::LoadOp::create(b, loc, memory, place);
      Value value =
          scatter.added
              ? compute(scatter.added, inner)
              : arith::ConstantOp::create(b, loc, b.getIntegerAttr(sum.getType(), 1)).getResult();
      memref::StoreOp::create(b, loc, plus(sum, value), memory, place);
    });
  }

  /// A value of the body for the counters as they are.
  Value compute(Value value, IRMapping &mapping) {
    if (mapping.contains(value))
      return mapping.lookup(value);
    Value result = value;
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == op.getBody())
      result = read(op->getOpOperand(argument.getArgNumber()));
    else if (!argument && value.getDefiningOp()->getBlock() == op.getBody())
      result = computeOp(value, mapping);
    mapping.map(value, result);
    return result;
  }

  Value computeOp(Value value, IRMapping &mapping) {
    if (auto index = value.getDefiningOp<linalg::IndexOp>())
      return counters[index.getDim()];
    for (Value operand : value.getDefiningOp()->getOperands())
      compute(operand, mapping);
    return b.clone(*value.getDefiningOp(), mapping)
        ->getResult(cast<OpResult>(value).getResultNumber());
  }

  Value read(OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    SmallVector<Value> place;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned result = 0; result < map.getNumResults(); ++result) {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(result));
      place.push_back(
          loop ? counters[loop.getPosition()]
               : Value(affine::AffineApplyOp::create(b, loc, map.getSubMap(result), filled())));
    }
    return memref::LoadOp::create(b, loc, operand.get(), place);
  }

  /// Loops that have not begun do not matter where this is asked for.
  SmallVector<Value> filled() {
    return llvm::map_to_vector(counters, [&](Value counter) { return counter ? counter : zero; });
  }

  OpBuilder &b;
  linalg::GenericOp op;
  core::Scatter scatter;
  Location loc;
  SmallVector<Value> sizes, counters;  ///< By loop.
  SmallVector<unsigned> kept, reduced; ///< Loops.
  Value zero, one;
};

struct LowerScatters final : cpu::impl::LowerScattersBase<LowerScatters> {
  void runOnOperation() override {
    SmallVector<std::pair<linalg::GenericOp, core::Scatter>> found;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureBufferSemantics())
        if (std::optional<core::Scatter> scatter = core::matchScatter(op))
          found.push_back({op, *scatter});
    });
    for (auto &[op, scatter] : found) {
      OpBuilder b(op);
      Emitter(b, op, scatter).emit();
      op.erase();
    }
  }
};

} // namespace
