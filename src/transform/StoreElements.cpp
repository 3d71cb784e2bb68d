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

/// Shorter runs cost little, and stay as they are written.
constexpr size_t shortestRun = 8;

//===- Runs -----------------------------------------------------------------------------------===//

bool leadsTo(Value from, Block &block, Value to);

/// Whether an operation overwrites a matrix: an assignment to an element, or a branch that makes
/// such assignments on some of its ways, and nothing else of matrices.
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

/// What overwrites a matrix in a block, if nothing else than reads of single elements, all before
/// it, sees the matrix there.
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
  auto isBefore = [&](Operation *read) { // What a branch reads, it is asked about itself.
    return read == next || read->isBeforeInBlock(next);
  };
  return next && llvm::all_of(reads, isBefore) && overwrites(next, matrix) ? next : nullptr;
}

/// Whether one value becomes the other at the end of a block, by nothing but a run.
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

/// All users of what is overwritten are in the block: nobody sees it later.
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

/// The ways of a branch, without the matrix.
void storeOnWays(scf::IfOp branch, Value matrix, Value buffer) {
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

/// What overwrites a matrix becomes stores; who saw its result sees the matrix.
void storeAll(Operation *op, Value matrix, Value buffer) {
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    OpBuilder b(insert);
    memref::StoreOp::create(b, insert.getLoc(), insert.getScalar(), buffer, insert.getIndices());
  } else {
    storeOnWays(cast<scf::IfOp>(op), matrix, buffer);
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

/// Runs begin and end with assignments, which can be made where a matrix has an element at all.
void trim(Run &run) {
  auto isEnd = [](Operation *op) { return isa<tensor::InsertOp>(op) || hasFirst(op); };
  while (!run.empty() && !isEnd(run.back()))
    run.pop_back();
  run.erase(run.begin(), llvm::find_if(run, isEnd));
}

/// The first element to itself.
Value assignFirst(OpBuilder &b, Value matrix, function_ref<Value(ValueRange)> read) {
  Location loc = matrix.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> place(cast<ShapedType>(matrix.getType()).getRank(), zero);
  return tensor::InsertOp::create(b, loc, read(place), matrix, place);
}

/// What a branch of a run overwrites: what its first way begins with.
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

/// The assignment that all of the run stands behind; it is no part of the run any more.
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

/// The last assignment of a run. What it assigns is read from memory, so that nobody moves it to
/// before the stores.
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
      for (Operation *member : run) // What is inside is stored with them.
        member->walk([&](Operation *inner) { seen.insert(inner); });
      runs.push_back(std::move(run));
    });
    for (Run &run : runs)
      storeBetweenEnds(std::move(run));
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

A branch that only assigns to elements, `if (c) x[i] = a;`, is one of a run; where it is an end, the
first element is assigned to itself there.

From here on x1 is no value but a place: passes that take equal operations for one, or look through
assignments, must have run before.
*/
