#include "transform/Destinations.h"
#include "transform/Passes.h"
#include "transform/Sizes.h"

using namespace mlir;
using namespace tessera::transform;

namespace tessera::transform {
#define GEN_PASS_DEF_KEEPLOOPBUFFERS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// A carried tensor and the value to be copied into its buffer.
struct Slot {
  unsigned number;
  Value carried, value;
};

/// Carried tensors of fixed size whose yielded value is built in another buffer.
SmallVector<Slot> slotsOf(scf::ForOp loop) {
  SizeAnalysis sizes;
  SmallVector<Slot> slots;
  for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value value = loop.getYieldedValues()[number];
    if (isa<RankedTensorType>(carried.getType()) && destinationOf(value) != carried &&
        sizes.isKept(loop, number))
      slots.push_back({unsigned(number), carried, value});
  }
  return slots;
}

/// Orders copies so that a buffer is read before it is overwritten: `u = v; v = w;` copies v first.
void orderByReads(SmallVector<Slot> &slots) {
  for (size_t done = 0; done < slots.size(); ++done)
    for (size_t next = done; next < slots.size(); ++next) {
      bool isFree = llvm::none_of(llvm::seq(done, slots.size()), [&](size_t other) {
        return other != next && mayShare(slots[other].value, slots[next].carried);
      });
      if (isFree) {
        std::rotate(slots.begin() + done, slots.begin() + next, slots.begin() + next + 1);
        break;
      }
    }
}

void keepBuffers(scf::ForOp loop) {
  SmallVector<Slot> slots = slotsOf(loop);
  orderByReads(slots);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  OpBuilder builder(yield);
  for (const Slot &slot : slots) {
    // A plain copy, so that bufferization may still choose another destination.
    auto copy = linalg::CopyOp::create(builder, slot.value.getLoc(), slot.value, slot.carried);
    yield.setOperand(slot.number, copy.getResult(0));
  }
}

struct KeepLoopBuffers final : tessera::transform::impl::KeepLoopBuffersBase<KeepLoopBuffers> {
  void runOnOperation() override { getOperation().walk(keepBuffers); }
};

} // namespace
