#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERROWS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// The assumed value of an unknown size without better information.
constexpr int64_t assumedSize = 64;

/// Emits a loop over rows as parallel chunks of rows.
class Chunks {
public:
  explicit Chunks(scf::ForallOp rows) : rows(rows), loc(rows.getLoc()), b(rows) {}

  void emit() {
    moveLoopInvariantCode(cast<LoopLikeOpInterface>(rows.getOperation()));
    for (OpFoldResult upper : rows.getMixedUpperBound())
      sizes.push_back(valueOf(upper));
    Value count = sizes.front();
    for (Value size : ArrayRef(sizes).drop_front())
      count = arith::MulIOp::create(b, loc, count, size);
    // It depends only on the operations, so every number of threads gets the same chunks.
    Value length = lengthOfChunk();
    Value chunks = arith::CeilDivSIOp::create(b, loc, count, length);
    Value zero = index(0), one = index(1);
    auto parallel = scf::ParallelOp::create(b, loc, zero, chunks, one);
    parallel->setAttr(core::grainAttr, b.getI64IntegerAttr(1));
    b.setInsertionPointToStart(parallel.getBody());
    Value from = arith::MulIOp::create(b, loc, parallel.getInductionVars()[0], length);
    Value to = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, from, length), count);
    auto loop = scf::ForOp::create(b, loc, from, to, one);
    b.setInsertionPointToStart(loop.getBody());
    moveBody(loop);
    keepBuffers(loop);
    rows.erase();
  }

private:
  Value index(int64_t value) { return core::constantIndex(b, loc, value); }
  Value valueOf(OpFoldResult size) { return getValueOrCreateConstantIndexOp(b, loc, size); }

  Value lengthOfChunk() {
    if (auto fixed = rows->getAttrOfType<IntegerAttr>(core::grainAttr))
      return index(fixed.getInt());
    return arith::CeilDivSIOp::create(b, loc, index(cpu::minChunk), workOfRow());
  }

  /// The number of elements that a row's operations process; at least one.
  Value workOfRow() {
    Value work = index(1);
    rows.walk([&](linalg::LinalgOp op) {
      Value elements = index(1);
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        elements = arith::MulIOp::create(b, loc, elements, sizeOf(op, loop));
      work = arith::AddIOp::create(b, loc, work, elements);
    });
    return work;
  }

  /// The size of a loop, without computing anything inside the row loop.
  Value sizeOf(linalg::LinalgOp op, unsigned loop) {
    if (int64_t size = op.getStaticLoopRanges()[loop]; !ShapedType::isDynamic(size))
      return index(size);
    for (OpOperand &operand : op->getOpOperands())
      if (auto dim = op.getMatchingIndexingMap(&operand).getResultPosition(
              getAffineDimExpr(loop, b.getContext())))
        if (Value size = sizeOf(operand.get(), *dim))
          return size;
    return index(assumedSize);
  }

  Value sizeOf(Value buffer, unsigned dim) {
    auto view = buffer.getDefiningOp<OffsetSizeAndStrideOpInterface>();
    auto allocation = buffer.getDefiningOp<memref::AllocOp>();
    OpFoldResult size = view         ? view.getMixedSizes()[dim]
                        : allocation ? allocation.getMixedSizes()[dim]
                                     : OpFoldResult();
    auto value = dyn_cast_if_present<Value>(size);
    if (value && rows.isDefinedOutsideOfLoop(value))
      return value;
    if (rows.isDefinedOutsideOfLoop(buffer))
      return memref::DimOp::create(b, loc, buffer, dim);
    return {};
  }

  /// Converts the number of a row to its indices, the last one fastest.
  SmallVector<Value> indicesOf(Value row) {
    SmallVector<Value> indices(sizes.size());
    for (unsigned dim = sizes.size(); dim-- > 1;) {
      indices[dim] = arith::RemUIOp::create(b, loc, row, sizes[dim]);
      row = arith::DivUIOp::create(b, loc, row, sizes[dim]);
    }
    indices.front() = row;
    return indices;
  }

  void moveBody(scf::ForOp loop) {
    SmallVector<Value> indices = indicesOf(loop.getInductionVar());
    rows.getTerminator().erase();
    for (auto [counter, value] : llvm::zip(rows.getInductionVars(), indices))
      counter.replaceAllUsesWith(value);
    loop.getBody()->getOperations().splice(loop.getBody()->getTerminator()->getIterator(),
                                           rows.getBody()->getOperations());
  }

  /// Allocates a row's buffers once per chunk.
  static void keepBuffers(scf::ForOp loop) {
    for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
      bool isFixed = llvm::all_of(
          op.getOperands(), [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); });
      if (auto buffer = dyn_cast<memref::AllocaOp>(op); buffer && isFixed)
        buffer->moveBefore(loop);
      auto buffer = dyn_cast<memref::AllocOp>(op);
      memref::DeallocOp end = buffer && isFixed ? endOf(buffer) : nullptr;
      if (!end)
        continue;
      buffer->moveBefore(loop);
      end->moveAfter(loop);
    }
  }

  static memref::DeallocOp endOf(memref::AllocOp buffer) {
    for (Operation *user : buffer->getUsers())
      if (auto end = dyn_cast<memref::DeallocOp>(user);
          end && end->getBlock() == buffer->getBlock())
        return end;
    return nullptr;
  }

  scf::ForallOp rows;
  Location loc;
  OpBuilder b;
  SmallVector<Value> sizes;
};

struct LowerRows final : cpu::impl::LowerRowsBase<LowerRows> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation().walk([&](scf::ForallOp loop) { loops.push_back(loop); });
    for (scf::ForallOp loop : loops)
      Chunks(loop).emit();
  }
};

} // namespace
