#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_STOREELEMENTS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// Shorter runs cost little and are left alone.
constexpr size_t shortestRun = 8;

//===- Runs -----------------------------------------------------------------------------------===//

bool leadsTo(Value from, Block &block, Value to);

/// Whether an operation overwrites a matrix: it assigns to an element, or it is a branch that makes
/// such assignments on some paths and produces no other matrices.
bool overwrites(Operation *op, Value matrix) {
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return insert.getDest() == matrix;
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch.getNumResults() != 1 || branch.getResult(0).getType() != matrix.getType())
    return false;
  return llvm::all_of(branch->getRegions(), [&](Region &way) {
    return leadsTo(matrix, way.front(), way.front().getTerminator()->getOperand(0));
  });
}

/// The operation in the block that overwrites a matrix next, if all other uses of the matrix read
/// single elements and come first.
Operation *nextInRun(Value matrix, Block &block) {
  Operation *next = nullptr;
  SmallVector<Operation *> reads;
  for (Operation *user : matrix.getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    if (!here)
      continue;
    if (isa<tensor::ExtractOp>(user))
      reads.push_back(here);
    else if (next && next != here)
      return nullptr;
    else
      next = here;
  }
  auto isBefore = [&](Operation *read) { // Reads inside a branch are checked separately.
    return read == next || read->isBeforeInBlock(next);
  };
  return next && llvm::all_of(reads, isBefore) && overwrites(next, matrix) ? next : nullptr;
}

/// Whether a run in the block turns `from` into `to`, and the block uses `to` only to read elements
/// or to yield it.
bool leadsTo(Value from, Block &block, Value to) {
  while (from != to) {
    Operation *next = nextInRun(from, block);
    if (!next)
      return false;
    from = next->getResult(0);
  }
  return llvm::all_of(from.getUsers(), [&](Operation *user) {
    return isa<tensor::ExtractOp>(user) || user == block.getTerminator() ||
           !block.findAncestorOpInBlock(*user);
  });
}

using Run = SmallVector<Operation *>;

/// Collects a run. All users of the overwritten matrices must be in the block, so that none sees
/// them later.
Run runFrom(Operation *first) {
  Run run;
  auto isHere = [&](Operation *user) {
    return first->getBlock()->findAncestorOpInBlock(*user) != nullptr;
  };
  for (Operation *op = first; op; op = nextInRun(op->getResult(0), *op->getBlock())) {
    run.push_back(op);
    if (!llvm::all_of(op->getUsers(), isHere))
      break;
  }
  return run;
}

//===- Stores ---------------------------------------------------------------------------------===//

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

void storeAll(Operation *op, Value matrix, Value buffer);

/// Turns the paths of a branch into stores; it no longer yields the matrix.
void storeOnPaths(scf::IfOp branch, Value matrix, Value buffer) {
  for (Region &way : branch->getRegions()) {
    Operation *end = way.front().getTerminator();
    while (end->getOperand(0) != matrix)
      storeAll(nextInRun(matrix, way.front()), matrix, buffer);
    end->setOperands({});
  }
  OpBuilder b(branch);
  auto plain = scf::IfOp::create(b, branch.getLoc(), TypeRange(), branch.getCondition(),
                                 /*addThenBlock=*/false, /*addElseBlock=*/false);
  plain.getThenRegion().takeBody(branch.getThenRegion());
  plain.getElseRegion().takeBody(branch.getElseRegion());
}

/// Turns an operation that overwrites a matrix into stores; users of its result use the matrix.
void storeAll(Operation *op, Value matrix, Value buffer) {
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    OpBuilder b(insert);
    memref::StoreOp::create(b, insert.getLoc(), insert.getScalar(), buffer, insert.getIndices());
  } else {
    storeOnPaths(cast<scf::IfOp>(op), matrix, buffer);
  }
  loadElements(op->getResult(0), buffer);
  op->getResult(0).replaceAllUsesWith(matrix);
  op->erase();
}

//===- Ends of runs ---------------------------------------------------------------------------===//

bool hasFirst(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return type.hasStaticShape() && type.getNumElements() > 0;
}

/// Runs begin and end with assignments; these can be added if the matrix is not empty.
void trim(Run &run) {
  auto isEnd = [](Operation *op) { return isa<tensor::InsertOp>(op) || hasFirst(op); };
  while (!run.empty() && !isEnd(run.back()))
    run.pop_back();
  run.erase(run.begin(), llvm::find_if(run, isEnd));
}

/// Assigns the first element to itself.
Value assignFirst(OpBuilder &b, Value matrix, function_ref<Value(ValueRange)> read) {
  Location loc = matrix.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> place(cast<ShapedType>(matrix.getType()).getRank(), zero);
  return tensor::InsertOp::create(b, loc, read(place), matrix, place);
}

/// The matrix that a branch of a run overwrites, found on its first path.
Value overwrittenBy(scf::IfOp branch) {
  Value matrix = branch.thenYield().getOperand(0);
  while (Operation *source = matrix.getDefiningOp()) {
    if (!branch->isProperAncestor(source))
      break;
    if (auto inner = dyn_cast<scf::IfOp>(source))
      matrix = overwrittenBy(inner);
    else if (auto insert = dyn_cast<tensor::InsertOp>(source))
      matrix = insert.getDest();
    else
      return {};
  }
  return matrix;
}

/// Makes the assignment before the run and removes it from the run.
Value begin(Run &run) {
  Operation *first = run.front();
  if (isa<tensor::InsertOp>(first)) {
    run.erase(run.begin());
    return first->getResult(0);
  }
  OpBuilder b(first);
  Value matrix = overwrittenBy(cast<scf::IfOp>(first));
  Value assigned = assignFirst(b, matrix, [&](ValueRange place) -> Value {
    return tensor::ExtractOp::create(b, first->getLoc(), matrix, place);
  });
  matrix.replaceUsesWithIf(assigned,
                           [&](OpOperand &use) { return first->isProperAncestor(use.getOwner()); });
  return assigned;
}

/// Makes the last assignment of a run. The assigned value is read from memory, so that the
/// assignment cannot move before the stores.
void end(Operation *last, Value matrix, Value buffer) {
  OpBuilder b(last);
  Location loc = last->getLoc();
  auto load = [&](ValueRange place) -> Value {
    return memref::LoadOp::create(b, loc, buffer, place).getResult();
  };
  if (auto insert = dyn_cast<tensor::InsertOp>(last)) {
    memref::StoreOp::create(b, loc, insert.getScalar(), buffer, insert.getIndices());
    insert.getScalarMutable().set(load(insert.getIndices()));
    return;
  }
  b.setInsertionPointAfter(last);
  last->getResult(0).replaceAllUsesWith(assignFirst(b, matrix, load));
  storeAll(last, matrix, buffer);
}

/// See Note [Stores between two assignments].
void storeBetweenEnds(Run run) {
  Value matrix = begin(run);
  OpBuilder b(matrix.getContext());
  b.setInsertionPointAfterValue(matrix);
  auto type =
      bufferization::getMemRefTypeWithFullyDynamicLayout(cast<RankedTensorType>(matrix.getType()));
  Value buffer = bufferization::ToBufferOp::create(b, matrix.getLoc(), type, matrix,
                                                   /*read_only=*/true);
  loadElements(matrix, buffer);
  for (Operation *op : ArrayRef(run).drop_back())
    storeAll(op, matrix, buffer);
  end(run.back(), matrix, buffer);
}

bool mayBegin(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return isa<tensor::InsertOp>(op);
  if (branch.getNumResults() != 1 || !isa<RankedTensorType>(branch.getResult(0).getType()))
    return false;
  Value matrix = overwrittenBy(branch);
  return matrix && overwrites(op, matrix);
}

struct StoreElements final : tessera::transform::impl::StoreElementsBase<StoreElements> {
  void runOnOperation() override {
    llvm::DenseSet<Operation *> seen;
    SmallVector<Run> runs;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (seen.contains(op) || !mayBegin(op))
        return;
      Run run = runFrom(op);
      seen.insert_range(run);
      trim(run);
      if (run.size() < shortestRun)
        return;
      for (Operation *member : run) // Nested assignments are stored with them.
        member->walk([&](Operation *inner) { seen.insert(inner); });
      runs.push_back(std::move(run));
    });
    for (Run &run : runs)
      storeBetweenEnds(std::move(run));
  }
};

} // namespace

/* Note [Stores between two assignments]

For each write, bufferization compares all reads with all writes that may share a buffer: the time
grows with the third power of the number of assignments. It need not see inside a run of them, in
which each overwrites the result of the one before and nothing else uses that result:

  x1 = insert a, x0[i]           x1 = insert a, x0[i]
  x2 = insert b, x1[j]           m  = to_buffer x1 read_only
  e  = extract x2[k]       =>    store b, m[j]
  x3 = insert c, x2[l]           e  = load m[k]
                                 store c, m[l]
                                 x3 = insert (load m[l]), x1[l]

The first assignment shows that the matrix is written: later readers of x0 get a copy that is made
there, before any store. The last one reads x1: any other writer to that buffer in between gets a
copy. Bufferization needs to know nothing else about the run, so `read_only` is correct for all that
it sees. It still sees that x3 lives where x0 does, which keeps a loop in one buffer.

A branch that only assigns to elements, `if (c) x[i] = a;`, can be part of a run; if the run begins
or ends with one, an assignment of the first element to itself is added there.

From here on x1 is a memory location rather than a value: passes that merge equal operations or look
through assignments must have run before.
*/
