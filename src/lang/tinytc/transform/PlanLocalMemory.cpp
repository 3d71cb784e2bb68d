#include "lang/tinytc/transform/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::tinytc::transform {
#define GEN_PASS_DEF_PLANLOCALMEMORY
#include "lang/tinytc/transform/Passes.h.inc"
} // namespace tessera::tinytc::transform

using namespace mlir;
using namespace tessera::tinytc::ir;
using namespace tessera::tinytc;

static constexpr int64_t granule = 64; ///< Bytes: a line of the cache, and a register.

namespace {

/// When and where a tensor is. Times count operations in the order of the program, an operation
/// with regions from its begin to its end.
struct Placed {
  AllocaOp op;
  Operation *lastUse;
  int64_t begin, end;
  int64_t bytes;
  int64_t offset = 0;

  bool meets(const Placed &other) const { return begin <= other.end && other.begin <= end; }
};

struct PlanLocalMemory : transform::impl::PlanLocalMemoryBase<PlanLocalMemory> {
  void runOnOperation() override {
    number(getOperation());
    SmallVector<Placed> tensors;
    int64_t total = 0;
    getOperation().walk([&](AllocaOp op) {
      Placed tensor = lifeOf(op);
      place(tensor, tensors);
      total = std::max(total, tensor.offset + tensor.bytes);
      tensors.push_back(tensor);
    });
    for (Placed &tensor : tensors)
      finish(tensor);
    Builder builder(&getContext());
    getOperation()->setAttr(localBytesAttr, builder.getI64IntegerAttr(total));
  }

private:
  void number(Operation *op) {
    begins[op] = ++time;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        number(&inner);
    ends[op] = ++time;
  }

  /// Up to the last use of it or of a view of it, in its own block: what is used in a loop is
  /// needed in the next iteration again.
  void extend(Value memref, Placed &tensor) {
    for (Operation *user : memref.getUsers()) {
      Operation *outer = tensor.op->getBlock()->findAncestorOpInBlock(*user);
      if (!isa<LifetimeStopOp>(user) && ends[outer] > tensor.end) {
        tensor.end = ends[outer];
        tensor.lastUse = outer;
      }
      if (auto view = dyn_cast<ViewLikeOpInterface>(user))
        extend(view.getViewDest(), tensor);
    }
  }

  Placed lifeOf(AllocaOp op) {
    int64_t bytes = *op.getType().extent() * bytesOf(op.getType().getElement());
    Placed tensor{op, op, begins[op], ends[op], int64_t(llvm::alignTo(bytes, granule))};
    extend(op.getResult(), tensor);
    return tensor;
  }

  /// At the first place that is free all the time.
  static void place(Placed &tensor, ArrayRef<Placed> others) {
    int64_t alignment = std::max<int64_t>(tensor.op.getAlignment().value_or(1), granule);
    auto isFree = [&](int64_t offset) {
      return llvm::none_of(others, [&](const Placed &other) {
        return other.meets(tensor) && other.offset < offset + tensor.bytes &&
               offset < other.offset + other.bytes;
      });
    };
    SmallVector<int64_t> candidates{0};
    for (const Placed &other : others)
      candidates.push_back(llvm::alignTo(other.offset + other.bytes, alignment));
    llvm::sort(candidates);
    tensor.offset = *llvm::find_if(candidates, isFree);
  }

  static bool isStopped(AllocaOp op) {
    return llvm::any_of(op->getUsers(), [](Operation *user) { return isa<LifetimeStopOp>(user); });
  }

  static void finish(Placed &tensor) {
    tensor.op.setOffset(tensor.offset);
    if (isStopped(tensor.op))
      return;
    OpBuilder builder(tensor.op.getContext());
    builder.setInsertionPointAfter(tensor.lastUse);
    LifetimeStopOp::create(builder, builder.getUnknownLoc(), tensor.op.getResult());
  }

  llvm::DenseMap<Operation *, int64_t> begins, ends;
  int64_t time = 0;
};

} // namespace
