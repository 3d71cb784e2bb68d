#include "lang/tinytc/Device.h"
#include "lang/tinytc/LocalMemory.h"
#include "lang/tinytc/transform/Passes.h"

namespace tessera::tinytc::transform {
#define GEN_PASS_DEF_PLANLOCALMEMORY
#include "lang/tinytc/transform/Passes.h.inc"
} // namespace tessera::tinytc::transform

using namespace mlir;
using namespace tessera::tinytc::ir;
using namespace tessera::tinytc;

namespace {

/// The tensors of a function and their lifetimes. Times count operations in program order; an
/// operation with regions lasts from its beginning to its end.
class Planner {
public:
  explicit Planner(func::FuncOp function) : function(function) {
    number(function);
    function.walk([&](AllocaOp op) { allocas.push_back(op); });
  }

  /// Lifetimes until the last use are shorter than the stated ones, but may give a worse plan,
  /// because tensors leave gaps. The checker has accepted the stated ones [tinytc.alloca.6], so the
  /// better of both plans is taken.
  void run() {
    SmallVector<LocalTensor> used = tensorsUntil(&Planner::lastUse);
    SmallVector<LocalTensor> stated = tensorsUntil(&Planner::statedEnd);
    int64_t usedBytes = placeLocalMemory(used), statedBytes = placeLocalMemory(stated);
    bool areUsesBetter = usedBytes <= statedBytes;
    for (auto [op, tensor] : llvm::zip_equal(allocas, areUsesBetter ? used : stated)) {
      op.setOffset(tensor.offset);
      stop(op, areUsesBetter ? lastUse(op) : nullptr);
    }
    Builder builder(function.getContext());
    function->setAttr(localBytesAttr, builder.getI64IntegerAttr(std::min(usedBytes, statedBytes)));
  }

private:
  void number(Operation *op) {
    begins[op] = ++time;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        number(&inner);
    ends[op] = ++time;
  }

  using EndOf = Operation *(Planner::*)(AllocaOp);
  SmallVector<LocalTensor> tensorsUntil(EndOf endOf) {
    SmallVector<LocalTensor> tensors;
    for (AllocaOp op : allocas) {
      int64_t bytes = *op.getType().extent() * bytesOf(op.getType().getElement());
      int64_t alignment = op.getAlignment().value_or(device::defaultAlignment);
      tensors.push_back({begins[op], ends[(this->*endOf)(op)], bytes, alignment});
    }
    return tensors;
  }

  static Operation *stopOf(AllocaOp op) {
    for (Operation *user : op->getUsers())
      if (isa<LifetimeStopOp>(user) && user->getBlock() == op->getBlock())
        return user;
    return nullptr;
  }

  /// A stop before the last use has no effect [tinytc.lifetime.2].
  Operation *statedEnd(AllocaOp op) {
    Operation *stop = stopOf(op);
    return stop && lastUse(op)->isBeforeInBlock(stop) ? stop : &op->getBlock()->back();
  }

  /// The last use of the tensor or of a view of it, in its own block: what a loop uses, its next
  /// iteration needs again.
  Operation *lastUse(AllocaOp op) {
    Operation *last = op;
    SmallVector<Value> views{op.getResult()};
    while (!views.empty())
      for (Operation *user : views.pop_back_val().getUsers()) {
        Operation *outer = op->getBlock()->findAncestorOpInBlock(*user);
        if (!isa<LifetimeStopOp>(user) && ends[outer] > ends[last])
          last = outer;
        if (auto view = dyn_cast<ViewLikeOpInterface>(user))
          views.push_back(view.getViewDest());
      }
    return last;
  }

  static void stop(AllocaOp op, Operation *lastUse) {
    bool isStopped =
        llvm::any_of(op->getUsers(), [](Operation *user) { return isa<LifetimeStopOp>(user); });
    if (isStopped || !lastUse)
      return;
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(lastUse);
    LifetimeStopOp::create(builder, builder.getUnknownLoc(), op.getResult());
  }

  func::FuncOp function;
  SmallVector<AllocaOp> allocas;
  llvm::DenseMap<Operation *, int64_t> begins, ends;
  int64_t time = 0;
};

struct PlanLocalMemory : transform::impl::PlanLocalMemoryBase<PlanLocalMemory> {
  void runOnOperation() override { transform::planLocalMemory(getOperation()); }
};

} // namespace

void transform::planLocalMemory(func::FuncOp function) {
  Planner(function).run();
}
