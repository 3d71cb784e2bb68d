#include "backend/cpu/Passes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_COLLAPSELOOPS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Whether a view contains its whole source in a dimension.
bool isWhole(memref::SubViewOp view, unsigned dim) {
  OpFoldResult size = view.getMixedSizes()[dim];
  if (!isZeroInteger(view.getMixedOffsets()[dim]) || !isOneInteger(view.getMixedStrides()[dim]))
    return false;
  if (int64_t whole = view.getSourceType().getDimSize(dim); !ShapedType::isDynamic(whole))
    return isEqualConstantIntOrValue(size,
                                     IntegerAttr::get(IndexType::get(view.getContext()), whole));
  auto value = dyn_cast<Value>(size);
  if (auto allocation = view.getSource().getDefiningOp<memref::AllocOp>())
    return isEqualConstantIntOrValue(size, allocation.getMixedSizes()[dim]);
  auto query = value ? value.getDefiningOp<memref::DimOp>() : nullptr;
  return query && query.getSource() == view.getSource() && query.getConstantIndex() == dim;
}

/// Whether one step in a dimension equals all steps in the next.
bool isDense(Value buffer, unsigned dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getLayout().isIdentity())
    return true;
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  if (view && view.getSourceType().getRank() == type.getRank() && isWhole(view, dim + 1) &&
      isOneInteger(view.getMixedStrides()[dim]))
    return isDense(view.getSource(), dim);
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t size = type.getDimSize(dim + 1);
  return !ShapedType::isDynamic(strides[dim]) && !ShapedType::isDynamic(strides[dim + 1]) &&
         !ShapedType::isDynamic(size) && strides[dim] == strides[dim + 1] * size;
}

/// Whether a loop and the next one step through an operand as a single loop would, or not at all.
bool isOneWalk(linalg::GenericOp op, OpOperand &operand, unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(loop) && !map.isFunctionOfDim(loop + 1))
    return true;
  auto first = map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  auto second = map.getResultPosition(getAffineDimExpr(loop + 1, op.getContext()));
  return first && second && *second == *first + 1 && map.isProjectedPermutation() &&
         isDense(operand.get(), *first);
}

bool isOneLoop(linalg::GenericOp op, unsigned loop) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  return kinds[loop] == kinds[loop + 1] &&
         llvm::all_of(op->getOpOperands(),
                      [&](OpOperand &operand) { return isOneWalk(op, operand, loop); });
}

/// Groups the loops that become one.
SmallVector<ReassociationIndices> groupsOf(linalg::GenericOp op) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (loop > 0 && isOneLoop(op, loop - 1))
      groups.back().push_back(loop);
    else
      groups.push_back({loop});
  return groups;
}

/// Rewrites an operation with fewer loops.
class Collapse {
public:
  Collapse(linalg::GenericOp op, ArrayRef<ReassociationIndices> groups)
      : op(op), groups(groups), b(op), loc(op.getLoc()) {}

  void run() {
    SmallVector<Value> inputs, outputs;
    SmallVector<AffineMap> maps;
    SmallVector<utils::IteratorType> kinds;
    for (OpOperand &operand : op->getOpOperands()) {
      (op.isDpsInput(&operand) ? inputs : outputs).push_back(collapsed(operand));
      maps.push_back(mapOf(op.getMatchingIndexingMap(&operand)));
    }
    for (const ReassociationIndices &group : groups)
      kinds.push_back(op.getIteratorTypesArray()[group.front()]);
    auto fewer = linalg::GenericOp::create(b, loc, TypeRange{}, inputs, outputs, maps, kinds);
    fewer.getRegion().takeBody(op.getRegion());
    if (Attribute stream = op->getAttr(cpu::streamAttr))
      fewer->setAttr(cpu::streamAttr, stream);
    op.erase();
  }

private:
  /// The same indexing map with one loop per group.
  AffineMap mapOf(AffineMap map) {
    SmallVector<AffineExpr> results, counters(map.getNumDims());
    for (auto [number, group] : llvm::enumerate(groups))
      for (int64_t loop : group)
        counters[loop] = b.getAffineDimExpr(number);
    for (const ReassociationIndices &dims : dimsOf(map))
      results.push_back(map.getResult(dims.front()).replaceDims(counters));
    return AffineMap::get(groups.size(), 0, results, b.getContext());
  }

  /// The dimensions of an operand that become one.
  SmallVector<ReassociationIndices> dimsOf(AffineMap map) {
    SmallVector<ReassociationIndices> dims;
    for (auto [number, index] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(index);
      auto begins = [&](const ReassociationIndices &group) {
        return group.front() == loop.getPosition();
      };
      if (!loop || llvm::any_of(groups, begins))
        dims.push_back({});
      dims.back().push_back(number);
    }
    return dims;
  }

  Value collapsed(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    SmallVector<ReassociationIndices> dims = dimsOf(op.getMatchingIndexingMap(&operand));
    if (!type || int64_t(dims.size()) == type.getRank())
      return operand.get();
    if (type.getLayout().isIdentity())
      return memref::CollapseShapeOp::create(b, loc, operand.get(), dims);
    return reinterpreted(operand.get(), dims);
  }

  /// MLIR cannot see that the elements are dense if the sizes are dynamic.
  Value reinterpreted(Value buffer, ArrayRef<ReassociationIndices> dims) {
    auto parts = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
    SmallVector<OpFoldResult> sizes, strides;
    for (const ReassociationIndices &group : dims) {
      sizes.push_back(productOf(parts, group));
      strides.push_back(parts.getConstifiedMixedStrides()[group.back()]);
    }
    SmallVector<int64_t> shape, steps;
    SmallVector<Value> dynamicSizes, dynamicSteps;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
    dispatchIndexOpFoldResults(strides, dynamicSteps, steps);
    auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, steps);
    auto type = MemRefType::get(shape, cast<MemRefType>(buffer.getType()).getElementType(), layout);
    return memref::ReinterpretCastOp::create(b, loc, type, parts.getBaseBuffer(),
                                             OpFoldResult(parts.getOffset()), sizes, strides);
  }

  OpFoldResult productOf(memref::ExtractStridedMetadataOp parts, ArrayRef<int64_t> dims) {
    SmallVector<OpFoldResult> sizes = parts.getConstifiedMixedSizes();
    OpFoldResult product = sizes[dims.front()];
    for (int64_t dim : dims.drop_front()) {
      auto first = getConstantIntValue(product), second = getConstantIntValue(sizes[dim]);
      if (first && second)
        product = b.getIndexAttr(*first * *second);
      else
        product = arith::MulIOp::create(b, loc, getValueOrCreateConstantIndexOp(b, loc, product),
                                        getValueOrCreateConstantIndexOp(b, loc, sizes[dim]))
                      .getResult();
    }
    return product;
  }

  linalg::GenericOp op;
  ArrayRef<ReassociationIndices> groups;
  OpBuilder b;
  Location loc;
};

bool isCandidate(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() && op.getNumLoops() > 1 && !op.hasIndexSemantics();
}

struct CollapseLoops final : cpu::impl::CollapseLoopsBase<CollapseLoops> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isCandidate(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      collapse(rewriter, op);
  }

  static void collapse(RewriterBase &rewriter, linalg::LinalgOp op) {
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic)
      generic = *linalg::generalizeNamedOp(rewriter, op);
    SmallVector<ReassociationIndices> groups = groupsOf(generic);
    if (groups.size() < generic.getNumLoops())
      Collapse(generic, groups).run();
  }
};

} // namespace
