#include "transform/RowGroups.h"
#include "core/Contraction.h"
#include "core/Scatter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::transform;
using linalg::LinalgOp;

namespace {

/// The rows that keep all threads busy, and the elements that make a row worth a loop.
constexpr int64_t minRows = 8, minRowSize = 16;

/// Much here takes time quadratic in the size of a group, and so does LLVM for the loop over its
/// rows.
constexpr size_t maxOps = 64;

/// The loops of the leading result dimensions, as far as all results agree.
SmallVector<unsigned> leadingLoops(LinalgOp op) {
  SmallVector<unsigned> loops;
  ArrayRef<AffineExpr> first = op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults();
  for (auto [position, expr] : llvm::enumerate(first)) {
    auto isSame = [&](OpOperand &init) {
      ArrayRef<AffineExpr> results = op.getMatchingIndexingMap(&init).getResults();
      return position < results.size() && results[position] == expr;
    };
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || op.getIteratorTypesArray()[dim.getPosition()] != utils::IteratorType::parallel ||
        llvm::is_contained(loops, dim.getPosition()) ||
        !llvm::all_of(op.getDpsInitsMutable(), isSame))
      break;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

bool usesAny(AffineExpr expr, ArrayRef<unsigned> loops) {
  return llvm::any_of(loops, [&](unsigned loop) { return expr.isFunctionOfDim(loop); });
}

bool usesOthers(AffineMap map, ArrayRef<unsigned> loops) {
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
    if (map.isFunctionOfDim(loop) && !llvm::is_contained(loops, loop))
      return true;
  return false;
}

/// The number of leading dimensions of an operand that are indexed like those of the results.
unsigned alignedDims(LinalgOp op, OpOperand &operand) {
  SmallVector<unsigned> loops = leadingLoops(op);
  ArrayRef<AffineExpr> indices = op.getMatchingIndexingMap(&operand).getResults();
  unsigned depth = 0;
  while (depth < loops.size() && depth < indices.size() &&
         indices[depth] == getAffineDimExpr(loops[depth], op.getContext()))
    ++depth;
  // No other dimension may depend on the row.
  while (depth > 0 && llvm::any_of(indices.drop_front(depth), [&](AffineExpr index) {
           return usesAny(index, ArrayRef(loops).take_front(depth));
         }))
    --depth;
  return depth;
}

/// Whether the elements that one row needs are contiguous.
bool hasDenseRows(LinalgOp op, unsigned depth) {
  SmallVector<unsigned> loops = leadingLoops(op);
  if (loops.size() < depth)
    return false;
  loops.resize(depth);
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return map.getNumResults() == 0 || !usesAny(map.getResults().back(), loops) ||
           !usesOthers(map, loops);
  });
}

/// External functions that return a value are mathematical; others end the program.
bool isMath(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && callee.isDeclaration() && callee.getNumResults() > 0;
}

/// Whether the operation may be moved.
bool isMovable(Operation *op) {
  WalkResult result = op->walk([&](Operation *inner) {
    auto call = dyn_cast<func::CallOp>(inner);
    bool isFree =
        call ? isMath(call)
             : inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(inner);
    return isFree ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted() && !op->hasTrait<OpTrait::IsTerminator>();
}

bool isCandidate(Operation &op) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() && linalgOp->getNumResults() > 0 &&
         isMovable(&op) && !leadingLoops(linalgOp).empty() && !core::matchScatter(linalgOp);
}

bool isContraction(LinalgOp op) {
  return core::matchContraction(op).has_value();
}

/// Whether a row is more than scalars.
bool isWide(LinalgOp op, unsigned depth) {
  return op.getNumLoops() > depth && !isa<linalg::FillOp>(op.getOperation());
}

SmallVector<Value> valuesUsedBy(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used.takeVector();
}

/// The product of the sizes; unknown sizes count as large.
int64_t countOf(ArrayRef<int64_t> sizes) {
  constexpr int64_t large = int64_t(1) << 40;
  int64_t count = 1;
  for (int64_t size : sizes)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(count, size, count) || count > large)
      return large;
  return count;
}

bool isWorthIt(const RowGroup &group) {
  auto isWideHere = [&](LinalgOp op) { return isWide(op, group.depth); };
  if (llvm::count_if(group.ops, isWideHere) < 2)
    return false;
  auto type = cast<ShapedType>(group.ops.front()->getResult(0).getType());
  if (countOf(type.getShape().take_front(group.depth)) < minRows)
    return false;
  return llvm::any_of(group.ops, [&](LinalgOp op) {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges(), inner;
    SmallVector<unsigned> rows = rowLoops(op, group.depth);
    for (auto [loop, size] : llvm::enumerate(sizes))
      if (!llvm::is_contained(rows, loop))
        inner.push_back(size);
    return isWideHere(op) && countOf(inner) >= minRowSize;
  });
}

bool isAmong(ArrayRef<LinalgOp> ops, Operation *op) {
  return op && llvm::any_of(ops, [&](LinalgOp member) { return member.getOperation() == op; });
}

/// Whether the body reads none of the others' results.
bool usesAsOperandsOnly(LinalgOp op, ArrayRef<LinalgOp> others) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return llvm::none_of(captured,
                       [&](Value value) { return isAmong(others, value.getDefiningOp()); });
}

//===- Groups of products ---------------------------------------------------------------------===//

/// The multiplications that make a row worth its own tuned loops, and how often these must use each
/// element. A single row of a matrix uses each element of the other matrix only once.
constexpr int64_t minRowWork = 1 << 17, minReuse = 8;
/// The bytes of an intermediate tensor that no cache near a core holds, and the bytes that one row
/// may need.
constexpr int64_t minBetween = 4 << 20, maxRowBytes = 2 << 20;

/// Whether one row of a contraction is as efficient a product as all rows together.
bool hasGoodRows(LinalgOp op) {
  unsigned rowLoop = rowLoops(op, 1).front();
  int64_t work = countOf(op.getStaticLoopRanges()), rows = op.getStaticLoopRanges()[rowLoop];
  if (rows < minRows)
    return false;
  int64_t used = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    bool hasRows = op.getMatchingIndexingMap(&operand).isFunctionOfDim(rowLoop);
    used += countOf(op.getShape(&operand)) / (hasRows ? rows : 1);
  }
  return work / rows >= std::max(minRowWork, minReuse * used);
}

int64_t bytesOf(Type tensor) {
  auto type = cast<ShapedType>(tensor);
  return countOf(type.getShape()) * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Whether some product uses the result of another, which is too large for the cache as a whole.
bool isWorthTogether(const RowGroup &group) {
  bool isFar = false;
  int64_t rowBytes = 0;
  for (LinalgOp op : group.ops) {
    if (ShapedType::isDynamicShape(op.getStaticLoopRanges()) ||
        (isContraction(op) && !hasGoodRows(op)))
      return false;
    Type type = op->getResult(0).getType();
    int64_t rows = std::max<int64_t>(cast<ShapedType>(type).getDimSize(0), 1);
    rowBytes += bytesOf(type) / rows;
    isFar |= isContraction(op) && bytesOf(type) >= minBetween &&
             llvm::any_of(op->getUsers(), [&](Operation *user) {
               return group.contains(user) && isContraction(cast<LinalgOp>(user));
             });
  }
  return isFar && rowBytes <= maxRowBytes;
}

//===- Forming groups -------------------------------------------------------------------------===//

/// A kind of group: without products, and then with as many row dimensions as possible; or with
/// products.
struct GroupKind {
  bool hasProducts;
  unsigned maxDepth;
  bool (*isWorthIt)(const RowGroup &);

  bool isCandidate(Operation &op) const {
    return ::isCandidate(op) && (hasProducts || !isContraction(cast<LinalgOp>(op)));
  }
};

constexpr GroupKind plainRows{false, UINT_MAX, isWorthIt}, products{true, 1, isWorthTogether};

/// Forms the groups of one block.
class Grouping {
public:
  Grouping(Block &block, const GroupKind &kind) : block(block), kind(kind) {}

  SmallVector<RowGroup> run() {
    for (Operation &op : block)
      if (kind.isCandidate(op))
        add(cast<LinalgOp>(op));
    llvm::erase_if(groups, [&](const RowGroup &group) { return !kind.isWorthIt(group); });
    return std::move(groups);
  }

private:
  /// Joins every group that shares something with the operation into one.
  void add(LinalgOp op) {
    RowGroup joined{{op}, std::min(unsigned(leadingLoops(op).size()), kind.maxDepth)};
    for (unsigned index = groups.size(); index-- > 0;)
      if (std::optional<RowGroup> larger = join(groups[index], joined)) {
        joined = std::move(*larger);
        groups.erase(groups.begin() + index);
      }
    groups.push_back(std::move(joined));
  }

  std::optional<RowGroup> join(const RowGroup &earlier, const RowGroup &later) {
    if (earlier.ops.size() + later.ops.size() > maxOps)
      return std::nullopt;
    unsigned depth = std::min({earlier.depth, later.depth, commonDepth(earlier, later)});
    if (depth == 0 || wouldCoarsen(earlier, depth) || wouldCoarsen(later, depth))
      return std::nullopt;
    RowGroup both{earlier.ops, depth};
    llvm::append_range(both.ops, later.ops);
    llvm::sort(both.ops, [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
    bool isDense = llvm::all_of(both.ops, [&](LinalgOp op) { return hasDenseRows(op, depth); });
    if (!isDense || !canBeTogether(both.ops))
      return std::nullopt;
    return both;
  }

  /// Larger rows fit caches less well, and fewer rows keep fewer threads busy.
  bool wouldCoarsen(const RowGroup &group, unsigned depth) {
    return depth < group.depth && kind.isWorthIt(group);
  }

  /// The number of dimensions that two groups can share; 0 if they are unrelated.
  unsigned commonDepth(const RowGroup &earlier, const RowGroup &later) {
    unsigned depth = UINT_MAX;
    for (LinalgOp op : later.ops)
      for (OpOperand &operand : op->getOpOperands())
        if (Operation *producer = operand.get().getDefiningOp(); earlier.contains(producer))
          depth = std::min(depth, alignedDims(op, operand));
        else
          depth = std::min(depth, sharedDims(earlier, op, operand));
    return depth == UINT_MAX ? 0 : depth;
  }

  /// The row dimensions of a tensor that both read; unlimited if there is no such tensor.
  static unsigned sharedDims(const RowGroup &earlier, LinalgOp op, OpOperand &operand) {
    unsigned depth = alignedDims(op, operand), result = UINT_MAX;
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type || !op.isDpsInput(&operand) || depth == 0 || type.getRank() <= depth)
      return result;
    for (OpOperand &use : operand.get().getUses()) {
      if (!earlier.contains(use.getOwner()))
        continue;
      auto other = cast<LinalgOp>(use.getOwner());
      if (unsigned shared = std::min(depth, alignedDims(other, use));
          shared > 0 && other.isDpsInput(&use))
        result = std::min(result, shared);
    }
    return result;
  }

  Block &block;
  const GroupKind &kind;
  SmallVector<RowGroup> groups;
};

} // namespace

bool RowGroup::contains(Operation *op) const {
  return isAmong(ops, op);
}

SmallVector<unsigned> tessera::transform::rowLoops(LinalgOp op, unsigned depth) {
  SmallVector<unsigned> loops = leadingLoops(op);
  loops.resize(depth);
  return loops;
}

bool RowGroup::hasProducts() const {
  return llvm::any_of(ops, isContraction);
}

SmallVector<RowGroup> tessera::transform::findRowGroups(Block &block) {
  return Grouping(block, plainRows).run();
}

SmallVector<RowGroup> tessera::transform::findProductGroups(Block &block) {
  return Grouping(block, products).run();
}

SmallVector<Operation *> tessera::transform::dependentsBetween(ArrayRef<LinalgOp> ops) {
  llvm::SetVector<Operation *> dependents;
  for (Operation *op = LinalgOp(ops.front()); op != LinalgOp(ops.back()); op = op->getNextNode())
    if (!isAmong(ops, op) && llvm::any_of(valuesUsedBy(op), [&](Value value) {
          Operation *source = value.getDefiningOp();
          return isAmong(ops, source) || (source && dependents.contains(source));
        }))
      dependents.insert(op);
  return dependents.takeVector();
}

bool tessera::transform::canBeTogether(ArrayRef<LinalgOp> ops) {
  SmallVector<Operation *> dependents = dependentsBetween(ops);
  auto needsDependents = [&](LinalgOp op) {
    return llvm::any_of(valuesUsedBy(op), [&](Value value) {
      return llvm::is_contained(dependents, value.getDefiningOp());
    });
  };
  return llvm::all_of(dependents, isMovable) && llvm::none_of(ops, needsDependents) &&
         llvm::all_of(ops, [&](LinalgOp op) { return usesAsOperandsOnly(op, ops); });
}
