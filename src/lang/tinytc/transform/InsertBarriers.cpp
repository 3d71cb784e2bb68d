#include "lang/tinytc/transform/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace tessera::tinytc::transform {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "lang/tinytc/transform/Passes.h.inc"
} // namespace tessera::tinytc::transform

using namespace mlir;
using namespace tessera::tinytc::ir;
using namespace tessera::tinytc;

namespace {

/// Memory that is read and written, as the tensors that views refer to.
struct Accesses {
  llvm::SmallSetVector<Value, 8> reads, writes;

  void add(const Accesses &other) {
    reads.insert_range(other.reads);
    writes.insert_range(other.writes);
  }
  /// Removes the accesses that a barrier has made visible.
  void forget(AddressSpace space) {
    auto isIn = [&](Value root) { return cast<MemrefType>(root.getType()).getSpace() == space; };
    reads.remove_if(isIn);
    writes.remove_if(isIn);
  }
  bool operator==(const Accesses &other) const {
    return reads.size() == other.reads.size() && writes.size() == other.writes.size();
  }
};

/// Two arguments may be the same memory; an `alloca` overlaps only those that were given the same
/// place.
bool mayAlias(Value left, Value right) {
  auto type = cast<MemrefType>(left.getType()), other = cast<MemrefType>(right.getType());
  if (left == right)
    return true;
  if (type.getSpace() != other.getSpace())
    return false;
  auto first = left.getDefiningOp<AllocaOp>(), second = right.getDefiningOp<AllocaOp>();
  if (!first || !second)
    return true;
  if (!first.getOffset() || !second.getOffset())
    return false; // Allocations without a place do not overlap.
  int64_t begin = *first.getOffset(), next = *second.getOffset();
  return begin < next + *other.extent() * bytesOf(other.getElement()) &&
         next < begin + *type.extent() * bytesOf(type.getElement());
}

bool meets(const Accesses &before, const Accesses &after, AddressSpace space) {
  auto meet = [&](const auto &left, const auto &right) {
    return llvm::any_of(left, [&](Value a) {
      return cast<MemrefType>(a.getType()).getSpace() == space &&
             llvm::any_of(right, [&](Value b) { return mayAlias(a, b); });
    });
  };
  return meet(before.writes, after.reads) || meet(before.reads, after.writes) ||
         meet(before.writes, after.writes);
}

/// The accesses of an operation, including those in its regions.
Accesses accessesOf(Operation *op) {
  Accesses accesses;
  op->walk([&](MemoryEffectOpInterface inner) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    inner.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value memref = effect.getValue();
      if (!memref)
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        accesses.reads.insert(rootOf(memref));
      if (isa<MemoryEffects::Write>(effect.getEffect()))
        accesses.writes.insert(rootOf(memref));
    }
  });
  return accesses;
}

struct InsertBarriers : transform::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    Accesses pending;
    visit(getOperation().getBody().front(), pending);
  }

private:
  /// `pending` holds all accesses since the last barrier.
  void visit(Block &block, Accesses &pending) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto loop = dyn_cast<ForOp>(op))
        visitLoop(loop, pending);
      else if (auto branch = dyn_cast<IfOp>(op))
        visitBranch(branch, pending);
      else if (auto barrier = dyn_cast<BarrierOp>(op))
        settle(barrier, pending);
      else
        visitAccess(&op, pending);
    }
  }

  static void settle(BarrierOp barrier, Accesses &pending) {
    if (barrier.getGlobal())
      pending.forget(AddressSpace::Global);
    if (barrier.getLocal())
      pending.forget(AddressSpace::Local);
  }

  static void visitAccess(Operation *op, Accesses &pending) {
    Accesses accesses = accessesOf(op);
    bool isGlobal = meets(pending, accesses, AddressSpace::Global);
    bool isLocal = meets(pending, accesses, AddressSpace::Local);
    if (isGlobal || isLocal) {
      OpBuilder builder(op);
      settle(BarrierOp::create(builder, builder.getUnknownLoc(), isGlobal, isLocal), pending);
    }
    pending.add(accesses);
  }

  void visitBranch(IfOp op, Accesses &pending) {
    Accesses other = pending;
    visit(op.getThenRegion().front(), pending);
    if (op.hasElse())
      visit(op.getElseRegion().front(), other);
    pending.add(other);
  }

  /// An iteration begins after what precedes the loop, or after another iteration.
  void visitLoop(ForOp op, Accesses &pending) {
    Accesses start = pending, before, end;
    do {
      before = start;
      end = start;
      visit(op.getBody().front(), end);
      start.add(end);
    } while (!(start == before));
    pending.add(end);
  }
};

} // namespace
