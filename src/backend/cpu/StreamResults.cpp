#include "backend/cpu/Passes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_STREAMRESULTS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Shorter rows consist mostly of partial lines at their ends.
constexpr int64_t shortestRow = 128;

//===- What can be written past the caches ----------------------------------------------------===//

/// Whether the operation is one instruction or a few for a whole vector, whatever the unused lanes
/// hold.
bool isVectorInstruction(Operation &op) {
  bool isKnown = isa<arith::ArithDialect>(op.getDialect()) ||
                 isa<math::FmaOp, math::SqrtOp, math::AbsFOp, math::FloorOp, math::CeilOp>(op);
  return isKnown && op.getNumRegions() == 0 && op.getNumResults() == 1 &&
         op.hasTrait<OpTrait::Vectorizable>() && isSpeculatable(&op);
}

/// Whether the last loop steps to the adjacent element, or does not move the operand.
bool isVectorOperand(linalg::GenericOp op, OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return true;
  unsigned bits = type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 0;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if ((bits != 32 && bits != 64) || !map.isProjectedPermutation())
    return false;
  unsigned last = op.getNumLoops() - 1;
  if (!map.isFunctionOfDim(last))
    return true;
  auto [strides, offset] = type.getStridesAndOffset();
  return map.getResults().back() == getAffineDimExpr(last, op.getContext()) && strides.back() == 1;
}

bool isLongEnough(linalg::GenericOp op) {
  int64_t elements = 1;
  for (int64_t range : op.getStaticLoopRanges())
    elements *= ShapedType::isDynamic(range) ? shortestRow : range;
  return elements >= shortestRow;
}

bool isStreamable(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 || op.getNumLoops() == 0 ||
      op.getNumParallelLoops() != op.getNumLoops() || op.hasIndexSemantics())
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  return op.getMatchingIndexingMap(init).isIdentity() && !op.payloadUsesValueFromOperand(init) &&
         isLongEnough(op) &&
         llvm::all_of(op->getOpOperands(),
                      [&](OpOperand &operand) { return isVectorOperand(op, operand); }) &&
         llvm::all_of(op.getBody()->without_terminator(), isVectorInstruction);
}

//===- The writers of a result ----------------------------------------------------------------===//

bool isReturned(memref::AllocOp buffer) {
  return llvm::any_of(buffer->getUsers(),
                      [](Operation *user) { return isa<func::ReturnOp>(user); });
}

SmallVector<Operation *> accessesOf(memref::AllocOp buffer) {
  SmallVector<Operation *> accesses;
  for (Operation *user : buffer->getUsers())
    if (!isa<func::ReturnOp, memref::DimOp>(user))
      accesses.push_back(user);
  return accesses;
}

/// The only operation that writes a result, if it writes all of it and nothing reads it.
linalg::GenericOp onlyWriterOf(memref::AllocOp result) {
  SmallVector<Operation *> accesses = accessesOf(result);
  auto op = accesses.size() == 1 ? dyn_cast<linalg::GenericOp>(accesses[0]) : nullptr;
  bool isWriter = op && isa<func::FuncOp>(op->getParentOp()) && op.getNumDpsInits() == 1 &&
                  op.getDpsInits()[0] == result && isStreamable(op);
  return isWriter ? op : nullptr;
}

/// The rows of a result: the loop over them, the views of a row, and the last operation that
/// accesses a row.
struct Rows {
  scf::ForOp loop;
  SmallVector<memref::SubViewOp> views;
  linalg::GenericOp last;
};

bool isSameRow(memref::SubViewOp a, memref::SubViewOp b) {
  return a.getType() == b.getType() && a.getMixedOffsets() == b.getMixedOffsets() &&
         a.getMixedSizes() == b.getMixedSizes() && a.getMixedStrides() == b.getMixedStrides();
}

std::optional<Rows> rowsOf(memref::AllocOp result) {
  Rows rows;
  Operation *last = nullptr;
  for (Operation *access : accessesOf(result)) {
    auto view = dyn_cast<memref::SubViewOp>(access);
    auto loop = view ? dyn_cast<scf::ForOp>(view->getParentOp()) : nullptr;
    if (!loop || !isa<scf::ParallelOp>(loop->getParentOp()) || (rows.loop && loop != rows.loop) ||
        (!rows.views.empty() && !isSameRow(view, rows.views.front())))
      return std::nullopt;
    rows.loop = loop;
    rows.views.push_back(view);
    for (Operation *user : view->getUsers()) {
      if (!isa<linalg::LinalgOp>(user) || user->getBlock() != loop.getBody())
        return std::nullopt;
      last = !last || last->isBeforeInBlock(user) ? user : last;
    }
  }
  rows.last = dyn_cast_if_present<linalg::GenericOp>(last);
  if (!rows.last || !isStreamable(rows.last) ||
      !llvm::is_contained(rows.views, rows.last.getDpsInits()[0].getDefiningOp()))
    return std::nullopt;
  return rows;
}

//===- The pass -------------------------------------------------------------------------------===//

struct StreamResults final : cpu::impl::StreamResultsBase<StreamResults> {
  using StreamResultsBase::StreamResultsBase;

  void runOnOperation() override {
    SmallVector<memref::AllocOp> results;
    getOperation().walk([&](memref::AllocOp buffer) {
      if (isReturned(buffer) && mayBeLarge(buffer.getType()))
        results.push_back(buffer);
    });
    for (memref::AllocOp result : results)
      if (linalg::GenericOp op = onlyWriterOf(result))
        streamAll(result, op);
      else if (std::optional<Rows> rows = rowsOf(result))
        streamRows(result, *rows);
  }

  bool mayBeLarge(MemRefType type) {
    return !type.hasStaticShape() || type.getNumElements() > smallest / bytesOf(type);
  }
  static int64_t bytesOf(MemRefType type) { return (type.getElementTypeBitWidth() + 7) / 8; }

  static void mark(linalg::GenericOp op) {
    op->setAttr(cpu::streamAttr, UnitAttr::get(op.getContext()));
  }

  /// Whether a result is large, decided at run time if its type does not tell.
  Value isLarge(memref::AllocOp result) {
    OpBuilder b(&getContext());
    b.setInsertionPointAfter(result);
    Location loc = result.getLoc();
    Value count = core::constantIndex(b, loc, 1);
    for (OpFoldResult size : result.getMixedSizes())
      count = arith::MulIOp::create(b, loc, count, getValueOrCreateConstantIndexOp(b, loc, size));
    Value limit = core::constantIndex(b, loc, smallest / bytesOf(result.getType()));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, count, limit);
  }

  /// if isLarge { a copy of the operation } else { the operation }; maps the originals to their
  /// copies.
  IRMapping version(memref::AllocOp result, Operation *op) {
    Value large = isLarge(result);
    OpBuilder b(op);
    auto choice = scf::IfOp::create(b, op->getLoc(), large, /*withElseRegion=*/true);
    IRMapping copies;
    b.setInsertionPointToStart(choice.thenBlock());
    b.clone(*op, copies);
    op->moveBefore(choice.elseBlock()->getTerminator());
    return copies;
  }

  void streamAll(memref::AllocOp result, linalg::GenericOp op) {
    if (result.getType().hasStaticShape())
      return mark(op);
    IRMapping copies = version(result, op);
    mark(cast<linalg::GenericOp>(copies.lookup(op.getOperation())));
  }

  void streamRows(memref::AllocOp result, Rows rows) {
    if (!result.getType().hasStaticShape()) {
      IRMapping copies = version(result, rows.loop);
      rows.loop = cast<scf::ForOp>(copies.lookup(rows.loop.getOperation()));
      rows.last = cast<linalg::GenericOp>(copies.lookup(rows.last.getOperation()));
      for (memref::SubViewOp &view : rows.views)
        view = cast<memref::SubViewOp>(copies.lookup(view.getOperation()));
    }
    if (keepUnfinished(rows))
      mark(rows.last);
  }

  /// Keeps unfinished rows in a buffer that all rows of a chunk share. Fails if its size is not
  /// known in advance.
  static bool keepUnfinished(Rows &rows) {
    Value buffer;
    for (memref::SubViewOp view : rows.views)
      for (OpOperand &use : llvm::make_early_inc_range(view->getUses())) {
        if (&use == rows.last.getDpsInitOperand(0))
          continue;
        buffer = buffer ? buffer : makeBuffer(rows.loop, view);
        if (!buffer)
          return false;
        use.set(buffer);
      }
    return true;
  }

  static Value makeBuffer(scf::ForOp loop, memref::SubViewOp view) {
    OpBuilder b(loop);
    auto type = MemRefType::get(view.getType().getShape(), view.getType().getElementType());
    SmallVector<Value> sizes;
    for (auto [size, extent] : llvm::zip(view.getMixedSizes(), view.getType().getShape()))
      if (ShapedType::isDynamic(extent))
        sizes.push_back(cast<Value>(size));
    if (llvm::any_of(sizes, [&](Value size) { return !loop.isDefinedOutsideOfLoop(size); }))
      return {};
    Value buffer = memref::AllocOp::create(b, loop.getLoc(), type, sizes);
    b.setInsertionPointAfter(loop);
    memref::DeallocOp::create(b, loop.getLoc(), buffer);
    return buffer;
  }
};

} // namespace
