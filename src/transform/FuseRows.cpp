#include "core/Attributes.h"
#include "core/Build.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "transform/Passes.h"
#include "transform/RowGroups.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::transform;
using linalg::LinalgOp;

namespace tessera::transform {
#define GEN_PASS_DEF_FUSEROWS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Emits one group as a loop over rows.
class Fusion {
public:
  explicit Fusion(RowGroup rows)
      : group(std::move(rows)), loc(group.ops.back().getLoc()), b(group.ops.back()) {}

  void run() {
    SmallVector<Operation *> dependents = dependentsBetween(group.ops);
    findOutputs();
    SmallVector<OpFoldResult> rows;
    for (unsigned dim = 0; dim < group.depth; ++dim)
      rows.push_back(tensor::getMixedSize(b, loc, group.ops.front().getDpsInits()[0], dim));
    for (LinalgOp op : group.ops)
      boundsOf.push_back(boundsBefore(op));
    auto loop = scf::ForallOp::create(b, loc, rows, destinations, std::nullopt);
    if (group.hasProducts()) // One row of these is enough work for a thread.
      loop->setAttr(core::grainAttr, b.getI64IntegerAttr(1));
    emitBody(loop);
    for (auto [output, result] : llvm::zip(outputs, loop.getResults()))
      output.replaceAllUsesWith(result);
    for (Operation *op : llvm::reverse(dependents))
      op->moveAfter(loop);
    for (LinalgOp op : llvm::reverse(group.ops))
      op.erase();
  }

private:
  bool isUsedOutside(Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !group.contains(user); });
  }

  void findOutputs() {
    for (LinalgOp op : group.ops)
      for (OpResult result : op->getResults())
        if (isUsedOutside(result))
          addOutput(op, result);
  }

  /// The output takes its memory from the first operation in the chain of operations that each
  /// overwrite their predecessor's result.
  void addOutput(LinalgOp op, OpResult result) {
    OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
    while (group.contains(init->get().getDefiningOp()) && !isUsedOutside(init->get())) {
      auto earlier = cast<OpResult>(init->get());
      init = cast<LinalgOp>(earlier.getOwner()).getDpsInitOperand(earlier.getResultNumber());
    }
    Value destination = init->get();
    // If another output or an operand were overwritten, the loop would copy all of it.
    bool isOutput = group.contains(destination.getDefiningOp());
    bool isRead = cast<LinalgOp>(init->getOwner()).payloadUsesValueFromOperand(init);
    if (isOutput || !isRead)
      destination = tensor::EmptyOp::create(b, loc, sizesOf(destination), elementOf(destination));
    outputs.push_back(result);
    destinations.push_back(destination);
    if (!isOutput || !isRead) // An update of another output starts with that output's row.
      places[init] = outputs.size() - 1;
  }

  static Type elementOf(Value tensor) {
    return cast<ShapedType>(tensor.getType()).getElementType();
  }

  /// A tensor of the same sizes from outside the group: the members' results will not exist.
  Value likeOf(Value tensor) {
    while (group.contains(tensor.getDefiningOp())) {
      auto result = cast<OpResult>(tensor);
      tensor = cast<LinalgOp>(result.getOwner()).getDpsInits()[result.getResultNumber()];
    }
    return tensor;
  }
  SmallVector<OpFoldResult> sizesOf(Value tensor) { return core::sizesOf(b, loc, likeOf(tensor)); }

  /// The loop bounds of an operation, computed before the group.
  SmallVector<OpFoldResult> boundsBefore(LinalgOp op) {
    SmallVector<OpFoldResult> sizes;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<ShapedType>(operand.get().getType()))
        llvm::append_range(sizes, sizesOf(operand.get()));
    AffineMap map = op.getShapesToLoopsMap();
    SmallVector<OpFoldResult> bounds;
    for (AffineExpr expr : map.getResults())
      bounds.push_back(affine::makeComposedFoldedAffineApply(
          b, loc, AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr), sizes));
    return bounds;
  }

  void emitBody(scf::ForallOp loop) {
    b.setInsertionPointToStart(loop.getBody());
    for (auto [op, bounds] : llvm::zip(group.ops, boundsOf))
      emitRow(op, bounds, loop);
    for (auto [output, place] : llvm::zip(outputs, loop.getRegionIterArgs())) {
      SmallVector<OpFoldResult> offsets, sizes;
      b.setInsertionPoint(loop.getTerminator());
      Value row = rowOf.lookup(output);
      rowBounds(place, loop, offsets, sizes);
      SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
      b.setInsertionPointToEnd(loop.getTerminator().getBody());
      tensor::ParallelInsertSliceOp::create(b, loc, row, place, offsets, sizes, strides);
    }
  }

  /// The offsets and sizes of a result's row.
  void rowBounds(Value tensor, scf::ForallOp loop, SmallVector<OpFoldResult> &offsets,
                 SmallVector<OpFoldResult> &sizes) {
    sizes = core::sizesOf(b, loc, tensor);
    offsets.assign(sizes.size(), b.getIndexAttr(0));
    for (auto [dim, counter] : llvm::enumerate(loop.getInductionVars())) {
      offsets[dim] = counter;
      sizes[dim] = b.getIndexAttr(1);
    }
  }

  /// Emits one operation for the loop's current row.
  void emitRow(LinalgOp op, ArrayRef<OpFoldResult> bounds, scf::ForallOp loop) {
    SmallVector<OpFoldResult> offsets(op.getNumLoops(), b.getIndexAttr(0)), sizes(offsets);
    for (auto [rowLoop, counter] : llvm::zip(rowLoops(op, group.depth), loop.getInductionVars())) {
      offsets[rowLoop] = counter;
      sizes[rowLoop] = b.getIndexAttr(1);
    }
    SmallVector<Value> whole(op->getOperands()), alike, operands;
    for (auto [index, value] : llvm::enumerate(whole)) {
      if (auto place = places.find(&op->getOpOperand(index)); place != places.end())
        value = loop.getRegionIterArgs()[place->second];
      alike.push_back(likeOf(value));
    }
    auto slices =
        linalg::computeAllSliceParameters(b, loc, op, alike, counterOffsets(offsets, sizes), sizes,
                                          bounds, /*omitPartialTileCheck=*/true);
    for (auto [value, slice] : llvm::zip(whole, slices))
      operands.push_back(rowOfOperand(value, slice));
    SmallVector<Type> types;
    for (Value init : ArrayRef(operands).take_back(op.getNumDpsInits()))
      types.push_back(init.getType());
    Operation *row = clone(b, op, types, operands);
    linalg::offsetIndices(b, cast<LinalgOp>(row), offsets);
    for (auto [result, computed] : llvm::zip(op->getResults(), row->getResults()))
      rowOf[result] = computed;
  }

  /// MLIR expects offsets only for loops that are cut.
  static SmallVector<OpFoldResult> counterOffsets(ArrayRef<OpFoldResult> offsets,
                                                  ArrayRef<OpFoldResult> sizes) {
    SmallVector<OpFoldResult> counters;
    for (auto [offset, size] : llvm::zip(offsets, sizes))
      if (!isZeroInteger(size))
        counters.push_back(offset);
    return counters;
  }

  Value rowOfOperand(Value value, const std::optional<linalg::SliceParameters> &slice) {
    if (Value row = rowOf.lookup(value))
      return row;
    if (!slice)
      return value;
    if (value.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(b, loc, slice->sizes, elementOf(value));
    return tensor::ExtractSliceOp::create(b, loc, value, slice->offsets, slice->sizes,
                                          slice->strides);
  }

  RowGroup group;
  Location loc;
  OpBuilder b;
  SmallVector<Value> outputs, destinations; ///< The loop's, index by index.
  DenseMap<OpOperand *, unsigned> places;   ///< Destinations that are rows of the loop's outputs.
  SmallVector<SmallVector<OpFoldResult>> boundsOf;
  DenseMap<Value, Value> rowOf;
};

/// Duplicates fills for each use, which is cheaper than keeping the filled tensor.
void separateFills(func::FuncOp function) {
  SmallVector<linalg::FillOp> fills;
  function.walk([&](linalg::FillOp fill) {
    if (fill.hasPureTensorSemantics())
      fills.push_back(fill);
  });
  for (linalg::FillOp fill : fills) {
    OpBuilder b(fill);
    for (OpOperand &use : llvm::make_early_inc_range(fill.getResult(0).getUses()))
      if (!fill.getResult(0).hasOneUse() && isa<LinalgOp>(use.getOwner()))
        use.set(b.clone(*fill)->getResult(0));
  }
}

struct FuseRows final : transform::impl::FuseRowsBase<FuseRows> {
  void runOnOperation() override {
    separateFills(getOperation());
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      fuse(findProductGroups(*block));
      fuse(findRowGroups(*block));
    }
  }

  /// Two groups may each be fusible, but not both at once.
  static void fuse(ArrayRef<RowGroup> groups) {
    for (const RowGroup &group : groups)
      if (canBeTogether(group.ops))
        Fusion(group).run();
  }
};

} // namespace
