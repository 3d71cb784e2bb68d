#include "backend/cpu/contraction/Neighbors.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/VectorBody.h"
#include "core/Attributes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

bool isBuffer(Value value) {
  return isa<MemRefType>(value.getType());
}

/// An operand's map in terms of the contraction's loops: both operations access the same buffer,
/// one element per iteration.
AffineMap inLoopsOf(linalg::LinalgOp contraction, linalg::LinalgOp neighbor, OpOperand &operand,
                    AffineMap neighborsBuffer) {
  AffineMap result = contraction.getIndexingMapsArray()[core::Result];
  SmallVector<AffineExpr> loops(neighbor.getNumLoops());
  for (auto [dim, expr] : llvm::enumerate(neighborsBuffer.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = result.getResult(dim);
  return neighbor.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(
      loops, {}, contraction.getNumLoops(), 0);
}

class Search {
public:
  Search(Neighborhood &found, AliasAnalysis &aliases)
      : found(found), op(found.op), aliases(aliases), buffer(op.getDpsInits()[0]),
        accesses(schedule::accessesOf(op)) {}

  void run() {
    if (linalg::LinalgOp start = previous(); start && canStart(start))
      found.start = start;
    if (linalg::LinalgOp finish = next(); finish && canFinish(finish))
      found.finish = finish;
  }

private:
  /// Between neighbors, the only effect on memory may be allocation.
  static bool isQuiet(Operation &op) {
    return isa<memref::AllocOp>(op) || (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
  }

  linalg::LinalgOp previous() {
    Operation *at = op->getPrevNode();
    while (at && isQuiet(*at))
      at = at->getPrevNode();
    return dyn_cast_or_null<linalg::LinalgOp>(at);
  }

  linalg::LinalgOp next() {
    Operation *at = op->getNextNode();
    while (at && isQuiet(*at))
      at = at->getNextNode();
    return dyn_cast_or_null<linalg::LinalgOp>(at);
  }

  /// Whether the operation computes one value per buffer element, from elements at corresponding
  /// indices.
  static bool isElementwise(linalg::LinalgOp other) {
    auto isPlain = [&](OpOperand &operand) {
      return other.getMatchingIndexingMap(&operand).isProjectedPermutation() &&
             !getElementTypeOrSelf(operand.get().getType()).isInteger(1);
    };
    AffineMap out = other.getIndexingMapsArray().back();
    return other.getNumDpsInits() == 1 && other.hasPureBufferSemantics() && out.isPermutation() &&
           other.getNumParallelLoops() == other.getNumLoops() && !other.hasIndexSemantics() &&
           !other.payloadUsesValueFromOperand(other.getDpsInitOperand(0)) &&
           llvm::all_of(other->getOpOperands(), isPlain) &&
           llvm::all_of(other.getBlock()->without_terminator(), isVectorizable);
  }

  /// Whether all operands can be accessed along the vectors of the tuned loops, within the same
  /// loops.
  bool fitsKernel(linalg::LinalgOp other, AffineMap itsBuffer) {
    SmallVector<schedule::Access> all(accesses);
    for (OpOperand &operand : other->getOpOperands()) {
      if (!isBuffer(operand.get()))
        continue;
      schedule::Access access{cast<ShapedType>(operand.get().getType()),
                              inLoopsOf(op, other, operand, itsBuffer)};
      if (!isDenseOrSame(access))
        return false;
      all.push_back(access);
    }
    return found.groups.isInTileOrder ||
           schedule::groupLoops(found.contraction, all, found.isAcross) == found.groups;
  }

  bool isDenseOrSame(const schedule::Access &access) {
    const schedule::Group &lanes = found.isAcross ? found.groups.row : found.groups.column;
    return lanes.empty() || found.groups.column.empty() ||
           !access.isUsedBy(found.groups.column.back()) || access.isDenseAlong(lanes.back()) ||
           access.isDenseAlong(found.groups.column.back());
  }

  bool areApart(Value first, Value second) {
    return op->hasAttr(core::scratchAttr) || aliases.alias(first, second).isNo();
  }

  /// Whether the operation reads nothing that the tuned loops write to `written`, except each
  /// element itself just before.
  bool readsSafely(linalg::LinalgOp other, Value written, AffineMap itsBuffer) {
    return llvm::all_of(other.getDpsInputOperands(), [&](OpOperand *operand) {
      return !isBuffer(operand->get()) || areApart(operand->get(), written) ||
             (operand->get() == written && other.getMatchingIndexingMap(operand) == itsBuffer);
    });
  }

  bool canStart(linalg::LinalgOp start) {
    AffineMap out = start.getIndexingMapsArray().back();
    return isElementwise(start) && start.getDpsInits()[0] == buffer && fitsKernel(start, out) &&
           readsSafely(start, buffer, out);
  }

  /// Whether writing `output` leaves alone what the tuned loops still read.
  bool leavesOperands(Value output) {
    SmallVector<Value> reads(op.getDpsInputs());
    if (found.start)
      llvm::copy_if(found.start.getDpsInputs(), std::back_inserter(reads), isBuffer);
    return llvm::all_of(reads, [&](Value read) { return areApart(read, output); });
  }

  bool canFinish(linalg::LinalgOp finish) {
    if (!isElementwise(finish))
      return false;
    OpOperand *sums = llvm::find_singleton<OpOperand>(
        finish.getDpsInputOperands(),
        [&](OpOperand *operand, bool) { return operand->get() == buffer ? operand : nullptr; });
    if (!sums || !finish.getMatchingIndexingMap(sums).isPermutation())
      return false;
    AffineMap itsBuffer = finish.getMatchingIndexingMap(sums);
    Value output = finish.getDpsInits()[0];
    bool isInPlace = output == buffer && finish.getIndexingMapsArray().back() == itsBuffer;
    return (isInPlace || areApart(output, buffer)) && fitsKernel(finish, itsBuffer) &&
           readsSafely(finish, buffer, itsBuffer) && leavesOperands(output);
  }

  Neighborhood &found;
  linalg::LinalgOp op;
  AliasAnalysis &aliases;
  Value buffer;
  SmallVector<schedule::Access> accesses;
};

/// The body of a neighbor, with its operands as views.
ElementBody bodyOf(KernelBuilder &b, Neighborhood &around, linalg::LinalgOp neighbor,
                   AffineMap itsBuffer, Value sums) {
  ElementBody body;
  body.block = neighbor.getBlock();
  SmallVector<schedule::Group> axes = axesOf(around.groups);
  for (OpOperand &operand : neighbor->getOpOperands()) {
    ElementBody::Input &input = body.inputs.emplace_back();
    bool isUsed = neighbor.payloadUsesValueFromOperand(&operand);
    input.isSum = operand.get() == sums && neighbor.isDpsInput(&operand);
    if (!isBuffer(operand.get()))
      input.scalar = operand.get();
    else if (isUsed && !input.isSum)
      input.view =
          viewOf(b, operand.get(), inLoopsOf(around.op, neighbor, operand, itsBuffer), axes);
  }
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(neighbor->getRegion(0), captured);
  for (Value value : captured)
    body.captured.push_back({value, value});
  return body;
}

/// Whether nothing else reads the original sums.
bool isOnlyUsedBy(Value buffer, ArrayRef<Operation *> users) {
  return buffer.getDefiningOp<memref::AllocOp>() &&
         llvm::all_of(buffer.getUsers(), [&](Operation *user) {
           return llvm::is_contained(users, user) || isa<memref::DeallocOp>(user);
         });
}

} // namespace

Neighborhood cpu::neighborhoodOf(linalg::LinalgOp op, const core::Contraction &contraction,
                                 const schedule::LoopGroups &groups, bool isAcross,
                                 AliasAnalysis &aliases) {
  Neighborhood found{op, contraction, groups, isAcross, {}, {}};
  Search(found, aliases).run();
  return found;
}

Product Neighborhood::product(KernelBuilder &b) {
  Value buffer = op.getDpsInits()[0];
  Product product = productOf(b, op, contraction, groups);
  if (start)
    product.start = bodyOf(b, *this, start, start.getIndexingMapsArray().back(), {});
  if (!finish)
    return product;
  AffineMap itsBuffer;
  for (OpOperand *operand : finish.getDpsInputOperands())
    if (operand->get() == buffer)
      itsBuffer = finish.getMatchingIndexingMap(operand);
  product.finish = bodyOf(b, *this, finish, itsBuffer, buffer);
  OpOperand &output = *finish.getDpsInitOperand(0);
  product.output =
      viewOf(b, output.get(), inLoopsOf(op, finish, output, itsBuffer), axesOf(groups));
  product.dropsSums = output.get() == buffer || op->hasAttr(core::scratchAttr) ||
                      isOnlyUsedBy(buffer, {start, op, finish.getOperation()});
  return product;
}

void Neighborhood::erase() {
  for (linalg::LinalgOp done : {finish, op, start})
    if (done)
      done.erase();
}
