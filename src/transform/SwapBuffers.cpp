#include "mlir/IR/Matchers.h"
#include "transform/Passes.h"

using namespace mlir;
using namespace tessera::transform;

namespace tessera::transform {
#define GEN_PASS_DEF_SWAPBUFFERS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// A copy at the end of each iteration, from one buffer into another.
///
/// Swapping the two instead is equivalent if every element of the source that an iteration does not
/// write is equal in both buffers. Either the iteration overwrites all of the source before it
/// reads any of it; or it writes one fixed box, and the two buffers agree outside: they do before
/// the loop, and nothing else changes them.
class Exchange {
public:
  Exchange(scf::ForOp loop, memref::CopyOp copy)
      : loop(loop), copy(copy), source(copy.getSource()), target(copy.getTarget()) {}

  /// Swaps the buffers if that is safe.
  void tryApply(RewriterBase &rewriter) {
    if (!haveSimpleHomes())
      return;
    renewViews(source);
    renewViews(target);
    if (isSafe())
      apply(rewriter);
    else
      restoreViews();
  }

private:
  bool isSafe() {
    return haveOneName() && isUntouchedAfterCopy(source) && isUntouchedAfterCopy(target) &&
           targetIsOnlyRead() && sourceDiesWithLoop() &&
           (sourceIsOverwritten() || (sourceIsWrittenInBox() && agreeInFront()));
  }

  void apply(RewriterBase &rewriter) {
    auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
      return SmallVector<Value>{added[1], added[0]};
    };
    rewriter.setInsertionPoint(loop);
    rewriter.eraseOp(copy);
    SmallVector<Value> buffers{target, source};
    auto swapped = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, buffers, /*replaceInitOperandUsesInLoop=*/true, yields));
    // This includes deallocations: only one of the two may outlive the function, and it must be the
    // one that holds the result.
    for (auto [buffer, latest] : llvm::zip(buffers, swapped.getResults().take_back(2)))
      rewriter.replaceUsesWithIf(buffer, latest, [&](OpOperand &use) {
        return swapped->isBeforeInBlock(
            swapped->getBlock()->findAncestorOpInBlock(*use.getOwner()));
      });
  }

  static bool isHome(Value buffer, Block *block) {
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    return alloc && alloc->getBlock() == block && alloc.getType().getLayout().isIdentity();
  }
  /// Whether both are allocated in the loop's block, so that all other uses are before or after the
  /// loop.
  bool haveSimpleHomes() {
    return source != target && source.getType() == target.getType() &&
           isHome(source, loop->getBlock()) && isHome(target, loop->getBlock());
  }

  bool isInLoop(Operation *op) { return loop->isProperAncestor(op); }
  /// The operation in the loop's block that contains `op`.
  Operation *topOf(Operation *op) { return loop->getBlock()->findAncestorOpInBlock(*op); }
  bool isInFront(Operation *op) { return topOf(op)->isBeforeInBlock(loop); }
  /// The operation directly in the loop's body that contains `op`.
  Operation *stepOf(Operation *op) { return loop.getBody()->findAncestorOpInBlock(*op); }

  /// Recreates views from before the loop where they are used later, so that they refer to the
  /// buffer that has that role by then.
  void renewViews(Value buffer) {
    for (Operation *view : llvm::to_vector(buffer.getUsers())) {
      if (!isa<memref::SubViewOp, memref::CastOp>(view) || !isInFront(view))
        continue;
      renewViews(view->getResult(0));
      for (OpOperand &use : llvm::make_early_inc_range(view->getUses()))
        if (!isInFront(use.getOwner())) {
          renewed.push_back({&use, view->getResult(0)});
          use.set(OpBuilder(use.getOwner()).clone(*view)->getResult(0));
        }
    }
  }
  /// In reverse order: a view may be based on another recreated view.
  void restoreViews() {
    for (auto [use, view] : llvm::reverse(renewed)) {
      Operation *again = use->get().getDefiningOp();
      use->set(view);
      again->erase();
    }
  }

  /// Adds all values that may be `buffer` or a part of it before the loop.
  void addNames(Value buffer, llvm::SmallDenseSet<Value> &names) {
    if (!isa<BaseMemRefType>(buffer.getType()) || !names.insert(buffer).second)
      return;
    for (Operation *user : buffer.getUsers())
      if (isInFront(user))
        for (Value result : topOf(user)->getResults())
          addNames(result, names);
  }
  llvm::SmallDenseSet<Value> namesInFront() {
    llvm::SmallDenseSet<Value> names;
    addNames(source, names);
    addNames(target, names);
    return names;
  }

  /// Whether no other value from the loop on is known to be either buffer or a part of one.
  bool haveOneName() {
    return llvm::all_of(namesInFront(), [&](Value name) {
      bool isOwn = name == source || name == target;
      return llvm::all_of(name.getUsers(), [&](Operation *user) {
        return user != loop && (isOwn || isInFront(user));
      });
    });
  }

  bool isUntouchedAfterCopy(Value buffer) {
    return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
      if (!isInLoop(user))
        return true;
      Operation *step = stepOf(user);
      return !copy->isBeforeInBlock(step) && llvm::all_of(step->getResults(), [&](Value result) {
        return !isa<BaseMemRefType>(result.getType()) || isUntouchedAfterCopy(result);
      });
    });
  }

  static bool onlyReads(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<memref::LoadOp, memref::DimOp>(op))
      return true;
    if (auto other = dyn_cast<memref::CopyOp>(op))
      return use.get() == other.getSource() && use.get() != other.getTarget();
    if (auto style = dyn_cast<linalg::LinalgOp>(op))
      return style.isDpsInput(&use);
    if (isa<memref::SubViewOp, memref::CastOp>(op))
      return llvm::all_of(op->getResult(0).getUses(), onlyReads);
    return false;
  }

  bool targetIsOnlyRead() {
    return llvm::all_of(target.getUses(), [&](OpOperand &use) {
      return !isInLoop(use.getOwner()) || use.getOwner() == copy || onlyReads(use);
    });
  }

  bool sourceDiesWithLoop() {
    return llvm::all_of(source.getUsers(), [&](Operation *user) {
      return isa<memref::DeallocOp>(user) || isInLoop(user) || isInFront(user);
    });
  }

  /// Whether the first step that accesses the source writes all of it and reads none of it.
  bool sourceIsOverwritten() {
    Operation *first = nullptr;
    for (Operation *user : source.getUsers())
      if (isInLoop(user) && (!first || stepOf(user)->isBeforeInBlock(first)))
        first = stepOf(user);
    if (auto other = dyn_cast<memref::CopyOp>(first))
      return other != copy && other.getTarget() == source && other.getSource() != source;
    auto op = dyn_cast<linalg::LinalgOp>(first);
    if (!op || op.getNumDpsInits() != 1 || op.getDpsInits()[0] != source ||
        llvm::is_contained(op.getDpsInputs(), source))
      return false;
    OpOperand *init = op.getDpsInitOperand(0);
    return !op.payloadUsesValueFromOperand(init) &&
           op.getMatchingIndexingMap(init).isPermutation() && !capturesSource(op);
  }
  bool capturesSource(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          return inner != op && llvm::is_contained(inner->getOperands(), source)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool isFixed(Value value) {
    return matchPattern(value, m_Constant()) ||
           !loop.getRegion().isAncestor(value.getParentRegion());
  }
  /// The loop counter in an index, which may have a fixed offset.
  Value counterIn(Value index) {
    if (auto sum = index.getDefiningOp<arith::AddIOp>())
      return isFixed(sum.getRhs()) ? sum.getLhs() : isFixed(sum.getLhs()) ? sum.getRhs() : index;
    if (auto difference = index.getDefiningOp<arith::SubIOp>();
        difference && isFixed(difference.getRhs()))
      return difference.getLhs();
    return index;
  }

  /// Whether its only use besides the copy writes a fixed box, and nothing reads it.
  bool sourceIsWrittenInBox() {
    Operation *writer = nullptr;
    for (Operation *user : source.getUsers()) {
      if (!isInLoop(user) || user == copy)
        continue;
      if (writer)
        return false;
      writer = user;
    }
    if (auto store = dyn_cast_or_null<memref::StoreOp>(writer))
      return storesBox(store);
    auto view = dyn_cast_or_null<memref::SubViewOp>(writer);
    return view && overwritesBox(view);
  }

  /// Whether the view has a fixed position and one operation overwrites all of it in every
  /// iteration.
  bool overwritesBox(memref::SubViewOp view) {
    bool isFixedBox =
        llvm::all_of(view->getOperands().drop_front(), [&](Value value) { return isFixed(value); });
    if (!isFixedBox || !view->hasOneUse() || view->getBlock() != loop.getBody())
      return false;
    auto op = dyn_cast<linalg::LinalgOp>(*view->user_begin());
    if (!op || op->getBlock() != loop.getBody() || op.getNumDpsInits() != 1 ||
        op.getDpsInits()[0] != view.getResult())
      return false;
    OpOperand *init = op.getDpsInitOperand(0);
    return !op.payloadUsesValueFromOperand(init) && op.getMatchingIndexingMap(init).isPermutation();
  }

  /// A store at the counters of loops with fixed bounds, one per dimension, with nothing else
  /// around it.
  bool storesBox(memref::StoreOp store) {
    if (store.getValueToStore() == source)
      return false;
    llvm::SmallDenseSet<Value> counters;
    for (Operation *parent = store->getParentOp(); parent != loop; parent = parent->getParentOp()) {
      auto nest = dyn_cast<scf::ForOp>(parent);
      if (!nest || !isFixed(nest.getLowerBound()) || !isFixed(nest.getUpperBound()) ||
          !matchPattern(nest.getStep(), m_One()))
        return false;
      counters.insert(nest.getInductionVar());
    }
    for (Value index : store.getIndices())
      if (!counters.erase(counterIn(index)) && !isFixed(index))
        return false;
    return counters.empty();
  }

  /// The last operation before `op` in its block that changed the buffer.
  Operation *lastWrite(Value buffer, Operation *op) {
    llvm::SmallDenseSet<Value> names;
    addNames(buffer, names);
    auto writes = [&](Operation *inner) {
      for (OpOperand &use : inner->getOpOperands())
        if (names.contains(use.get()) && !onlyReads(use))
          return WalkResult::interrupt();
      return WalkResult::advance();
    };
    while ((op = op->getPrevNode()) && !op->walk(writes).wasInterrupted())
      ;
    return op;
  }

  /// The copy that filled the whole buffer before the loop.
  memref::CopyOp madeBy(Value buffer) {
    auto made = dyn_cast_or_null<memref::CopyOp>(lastWrite(buffer, loop));
    return made && made.getTarget() == buffer ? made : memref::CopyOp();
  }

  /// Whether the buffer is known only by names that `lastWrite` follows.
  bool hasOneRoot(Value buffer) {
    bool isParameter = isa<BlockArgument>(buffer) && isa<func::FuncOp>(loop->getParentOp());
    return buffer.getParentBlock() == loop->getBlock() &&
           (isParameter || buffer.getDefiningOp<memref::AllocOp>() ||
            buffer.getDefiningOp<memref::GetGlobalOp>());
  }

  /// Whether, before the loop, one was copied into the other or both were copied from a third
  /// buffer, and none has changed since.
  bool agreeInFront() {
    memref::CopyOp ofSource = madeBy(source), ofTarget = madeBy(target);
    auto isCopied = [&](memref::CopyOp made, Value from) {
      Operation *writeOfOther = lastWrite(from, loop);
      return made && made.getSource() == from &&
             (!writeOfOther || writeOfOther->isBeforeInBlock(made));
    };
    if (isCopied(ofSource, target) || isCopied(ofTarget, source))
      return true;
    if (!ofSource || !ofTarget || ofSource.getSource() != ofTarget.getSource() ||
        !hasOneRoot(ofSource.getSource()))
      return false;
    auto [first, second] = ofSource->isBeforeInBlock(ofTarget) ? std::pair(ofSource, ofTarget)
                                                               : std::pair(ofTarget, ofSource);
    Operation *change = lastWrite(first.getSource(), second);
    return !change || change->isBeforeInBlock(first);
  }

  scf::ForOp loop;
  memref::CopyOp copy;
  Value source, target;
  /// The uses of recreated views, with the original views.
  SmallVector<std::pair<OpOperand *, Value>> renewed;
};

struct SwapBuffers final : tessera::transform::impl::SwapBuffersBase<SwapBuffers> {
  /// Rewrites copies to a single form.
  void unifyCopies() {
    SmallVector<linalg::CopyOp> copies;
    getOperation().walk([&](linalg::CopyOp copy) { copies.push_back(copy); });
    for (linalg::CopyOp copy : copies) {
      OpBuilder b(copy);
      memref::CopyOp::create(b, copy.getLoc(), copy.getInputs()[0], copy.getOutputs()[0]);
      copy.erase();
    }
  }

  void runOnOperation() override {
    unifyCopies();
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    IRRewriter rewriter(&getContext());
    for (memref::CopyOp copy : copies)
      if (auto loop = dyn_cast<scf::ForOp>(copy->getParentOp()))
        Exchange(loop, copy).tryApply(rewriter);
  }
};

} // namespace
