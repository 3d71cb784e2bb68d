#include "backend/cpu/UnswitchBranches.h"
#include "backend/cpu/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

/// Collects the operations of a body that compute a value, in order; false if the value depends on
/// the iteration.
static bool isFixed(Value value, Block *body, llvm::SetVector<Operation *> &ops) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != body;
  Operation *source = value.getDefiningOp();
  if (source->getBlock() != body)
    return true;
  if (!isPure(source) || source->getNumRegions() || isa<linalg::IndexOp>(source) ||
      !llvm::all_of(source->getOperands(), [&](Value v) { return isFixed(v, body, ops); }))
    return false;
  ops.insert(source);
  return true;
}

/// Makes a copy of the operation for each outcome of a branch.
static void unswitch(linalg::GenericOp op, scf::IfOp branch, ArrayRef<Operation *> condition) {
  OpBuilder b(op);
  IRMapping outside;
  for (Operation *source : condition)
    b.clone(*source, outside);
  Value test = outside.lookupOrDefault(branch.getCondition());
  auto whole = scf::IfOp::create(b, op.getLoc(), test, /*withElseRegion=*/true);
  IRRewriter rewriter(op.getContext());
  for (unsigned way : {0, 1}) {
    b.setInsertionPointToStart(&whole->getRegion(way).front());
    IRMapping mapping;
    b.clone(*op, mapping);
    Operation *copy = mapping.lookup(branch.getOperation());
    Block *taken = &copy->getRegion(way).front();
    Operation *end = taken->getTerminator();
    SmallVector<Value> results(end->getOperands());
    rewriter.inlineBlockBefore(taken, copy);
    copy->replaceAllUsesWith(results);
    end->erase();
    copy->erase();
  }
  op.erase();
}

void cpu::unswitchFixedBranches(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (op.hasPureBufferSemantics() && op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops)
    for (auto branch : op.getBody()->getOps<scf::IfOp>()) {
      llvm::SetVector<Operation *> condition;
      if (branch.getElseRegion().empty() ||
          !isFixed(branch.getCondition(), op.getBody(), condition))
        continue;
      unswitch(op, branch, condition.getArrayRef());
      break;
    }
}
