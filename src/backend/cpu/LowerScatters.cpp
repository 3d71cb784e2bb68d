#include "backend/cpu/LoopNest.h"
#include "backend/cpu/Passes.h"
#include "core/Scatter.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERSCATTERS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

class ScatterEmitter : LoopNest {
public:
  ScatterEmitter(linalg::GenericOp op, const core::Scatter &scatter)
      : LoopNest(op), scatter(scatter) {
    divideLoops();
    for (AffineExpr expr : op.getIndexingMapsArray().back().getResults())
      stored.push_back(cast<AffineDimExpr>(expr).getPosition());
  }

  void emit() {
    Value memory = op.getDpsInits()[0];
    if (isKnownSmall())
      return addAll(memory, {}, zero, sizes[reduced.front()]);
    emitParts(memory);
  }

private:
  static constexpr int64_t partWork = 2 * minChunk;

  bool isKnownSmall() {
    auto others = llvm::to_vector(llvm::seq<unsigned>(0, sizes.size()));
    llvm::erase(others, scatter.loop);
    return iterations(others, /*otherwise=*/INT64_MAX) <= partWork;
  }

  /// Each part has sums of its own, which pays off only if it adds many times as many elements.
  /// Only the sizes decide, so every number of threads gives the same result.
  void emitParts(Value memory) {
    Value results = product(kept);
    Value others = multiply(b, product(ArrayRef(reduced).drop_front()),
                            divide(b, results, larger(b, sizes[scatter.loop], one)));
    Value work = larger(b, index(b, partWork), multiply(b, results, 4));
    Value length = ceilDivide(b, work, larger(b, others, one));
    Value size = sizes[reduced.front()], parts = ceilDivide(b, size, length);
    Value partial = allocate(memory, parts);
    cpu::inParallel(b, parts, /*grain=*/1, [&](Value part) {
      clear(partial, part);
      Value from = multiply(b, part, length);
      addAll(partial, {part}, from, smaller(b, add(b, from, length), size));
    });
    combine(memory, partial, parts);
    memref::DeallocOp::create(b, partial);
  }

  Value allocate(Value memory, Value parts) {
    auto type = cast<MemRefType>(memory.getType());
    SmallVector<int64_t> shape(type.getRank() + 1, ShapedType::kDynamic);
    SmallVector<Value> extents{parts};
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      extents.push_back(memref::DimOp::create(b, memory, dim));
    return memref::AllocOp::create(b, MemRefType::get(shape, type.getElementType()), extents);
  }

  SmallVector<Value> placeIn(ArrayRef<Value> part) {
    SmallVector<Value> place(part);
    for (unsigned loop : stored)
      place.push_back(counters[loop]);
    return place;
  }

  void clear(Value partial, Value part) {
    Value nothing = zeroOf(b, cast<MemRefType>(partial.getType()).getElementType());
    inOrder(stored, [&] { memref::StoreOp::create(b, nothing, partial, placeIn({part})); });
  }

  /// Combines the sums in the order of the parts.
  void combine(Value memory, Value partial, Value parts) {
    forEach(b, zero, parts, one, [&](Value part) {
      inOrder(stored, [&] {
        Value sum = memref::LoadOp::create(b, memory, placeIn({}));
        Value value = memref::LoadOp::create(b, partial, placeIn({part}));
        memref::StoreOp::create(b, plus(sum, value), memory, placeIn({}));
      });
    });
  }

  Value plus(Value sum, Value value) {
    IRMapping mapping;
    for (Value operand : scatter.addition->getOperands())
      mapping.map(operand, operand == op.getRegionOutputArgs()[0] ? sum : value);
    return b.clone(*scatter.addition, mapping)->getResult(0);
  }

  void addAll(Value memory, ArrayRef<Value> part, Value from, Value to) {
    forEach(b, from, to, one, [&](Value counter) {
      counters[reduced.front()] = counter;
      inOrder(ArrayRef(reduced).drop_front(), [&] { addToChosen(memory, part); });
    });
  }

  void addToChosen(Value memory, ArrayRef<Value> part) {
    IRMapping mapping;
    Value chosen = compute(scatter.chosen, mapping);
    if (!chosen.getType().isIndex())
      chosen = arith::IndexCastOp::create(b, b.getIndexType(), chosen);
    Value isPlace =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, chosen, sizes[scatter.loop]);
    when(b, isPlace, [&] {
      counters[scatter.loop] = chosen;
      SmallVector<unsigned> others = stored;
      llvm::erase(others, scatter.loop);
      inOrder(others, [&] { addTo(memory, placeIn(part)); });
    });
  }

  void addTo(Value memory, ValueRange place) {
    IRMapping mapping;
    Value sum = memref::LoadOp::create(b, memory, place);
    Value value = scatter.added
                      ? compute(scatter.added, mapping)
                      : Value(arith::ConstantOp::create(b, b.getIntegerAttr(sum.getType(), 1)));
    memref::StoreOp::create(b, plus(sum, value), memory, place);
  }

  /// The value of the body's computation for the current counters.
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
    return memref::LoadOp::create(b, operand.get(), placeOf(operand));
  }

  core::Scatter scatter;
  SmallVector<unsigned> stored; ///< The result's loops, in memory order.
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
      ScatterEmitter(op, scatter).emit();
      op.erase();
    }
  }
};

} // namespace
