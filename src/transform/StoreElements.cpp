#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_STOREELEMENTS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Shorter runs cost little, and stay as they are written.
constexpr size_t shortestRun = 8;

/// The assignment that overwrites the result of this one, if nothing else than reads of single
/// elements, all before it, sees the result.
tensor::InsertOp nextInRun(tensor::InsertOp insert) {
  tensor::InsertOp next;
  for (Operation *user : insert->getUsers()) {
    if (isa<tensor::ExtractOp>(user))
      continue;
    auto other = dyn_cast<tensor::InsertOp>(user);
    if (next || !other || other->getBlock() != insert->getBlock())
      return {};
    next = other;
  }
  auto isBefore = [&](Operation *user) {
    Operation *here = insert->getBlock()->findAncestorOpInBlock(*user);
    return user == next || (here && here->isBeforeInBlock(next));
  };
  return next && llvm::all_of(insert->getUsers(), isBefore) ? next : tensor::InsertOp();
}

SmallVector<tensor::InsertOp> runFrom(tensor::InsertOp first) {
  SmallVector<tensor::InsertOp> run;
  for (tensor::InsertOp insert = first; insert; insert = nextInRun(insert))
    run.push_back(insert);
  return run;
}

void loadElements(Value matrix, Value buffer) {
  for (Operation *user : llvm::make_early_inc_range(matrix.getUsers())) {
    auto extract = dyn_cast<tensor::ExtractOp>(user);
    if (!extract)
      continue;
    OpBuilder b(extract);
    Value element =
        memref::LoadOp::create(b, extract.getLoc(), buffer, extract.getIndices()).getResult();
    extract.replaceAllUsesWith(element);
    extract.erase();
  }
}

void storeElement(tensor::InsertOp insert, Value buffer) {
  OpBuilder b(insert);
  memref::StoreOp::create(b, insert.getLoc(), insert.getScalar(), buffer, insert.getIndices());
}

/// What it assigns is read from memory, so that nobody moves it to before the stores.
void keepBehindStores(tensor::InsertOp last, Value buffer) {
  OpBuilder b(last);
  last.getScalarMutable().set(
      memref::LoadOp::create(b, last.getLoc(), buffer, last.getIndices()).getResult());
}

/// See Note [Stores between two assignments].
void storeBetweenEnds(ArrayRef<tensor::InsertOp> run) {
  tensor::InsertOp first = run.front();
  OpBuilder b(first->getContext());
  b.setInsertionPointAfter(first);
  auto type = bufferization::getMemRefTypeWithFullyDynamicLayout(first.getType());
  Value buffer = bufferization::ToBufferOp::create(b, first.getLoc(), type, first.getResult(),
                                                   /*read_only=*/true);
  loadElements(first.getResult(), buffer);
  for (tensor::InsertOp insert : run.drop_front()) {
    storeElement(insert, buffer);
    if (insert == run.back())
      return keepBehindStores(insert, buffer);
    loadElements(insert.getResult(), buffer);
    insert.replaceAllUsesWith(first.getResult());
    insert.erase();
  }
}

struct StoreElements final : tessera::transform::impl::StoreElementsBase<StoreElements> {
  void runOnOperation() override {
    llvm::DenseSet<Operation *> seen;
    SmallVector<SmallVector<tensor::InsertOp>> runs;
    getOperation().walk([&](tensor::InsertOp insert) {
      if (seen.contains(insert))
        return;
      SmallVector<tensor::InsertOp> run = runFrom(insert);
      seen.insert_range(run);
      if (run.size() >= shortestRun)
        runs.push_back(std::move(run));
    });
    for (ArrayRef<tensor::InsertOp> run : runs)
      storeBetweenEnds(run);
  }
};

} // namespace

/* Note [Stores between two assignments]

Bufferization compares all reads with all writes of what may share a buffer, once for each write:
the time grows with the third power of the number of assignments. It need not look at a run of them,
in which each overwrites the result of the one before and nothing else sees that result:

  x1 = insert a, x0[i]           x1 = insert a, x0[i]
  x2 = insert b, x1[j]           m  = to_buffer x1 read_only
  e  = extract x2[k]       =>    store b, m[j]
  x3 = insert c, x2[l]           e  = load m[k]
                                 store c, m[l]
                                 x3 = insert (load m[l]), x1[l]

The first one says that the matrix is written: whoever reads x0 later gets a copy made there, before
any store. The last one reads x1: whoever else would write to that buffer meanwhile gets a copy. So
no more has to be said about what happens in between, and `read_only` is true of all that is left to
be said. That x3 lives where x0 does can still be seen, which keeps a loop in one buffer.

From here on x1 is no value but a place: passes that take equal operations for one, or look through
assignments, must have run before.
*/
