#include "backend/cpu/KnownMasks.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace {

/// Adjacent lanes that are stored.
struct Run {
  unsigned first, count;
};

} // namespace

/// The mask if it is constant, found without relying on LLVM's optimizer.
static Constant *knownMask(Value *mask, const DataLayout &layout) {
  if (auto *computed = dyn_cast<Instruction>(mask))
    return ConstantFoldInstruction(computed, layout);
  return dyn_cast<Constant>(mask);
}

/// Returns nullopt if the mask is unknown.
static std::optional<SmallVector<Run>> runsOf(Value *mask, const DataLayout &layout) {
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  Constant *known = type ? knownMask(mask, layout) : nullptr;
  if (!known)
    return std::nullopt;
  SmallVector<Run> runs;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    auto *isStored = dyn_cast_or_null<ConstantInt>(known->getAggregateElement(lane));
    if (!isStored)
      return std::nullopt;
    if (isStored->isZero())
      continue;
    if (runs.empty() || runs.back().first + runs.back().count != lane)
      runs.push_back({lane, 0});
    ++runs.back().count;
  }
  return runs;
}

/// 16-bit floats are stored as integers, which are legal in registers.
static void storeRun(IntrinsicInst &store, Run run) {
  IRBuilder<> b(&store);
  Value *all = store.getArgOperand(0);
  unsigned bits = all->getType()->getScalarSizeInBits();
  if (bits == 16)
    all = b.CreateBitCast(all, VectorType::getInteger(cast<VectorType>(all->getType())));
  SmallVector<int> lanes(run.count);
  for (unsigned i = 0; i < run.count; ++i)
    lanes[i] = int(run.first + i);
  Value *stored =
      run.count == 1 ? b.CreateExtractElement(all, run.first) : b.CreateShuffleVector(all, lanes);
  Value *place = b.CreateConstInBoundsGEP1_64(all->getType()->getScalarType(),
                                              store.getArgOperand(1), run.first);
  b.CreateAlignedStore(stored, place,
                       commonAlignment(store.getParamAlign(1).valueOrOne(), run.first * bits / 8));
}

static bool isConcerned(const IntrinsicInst &store) {
  return store.getIntrinsicID() == Intrinsic::masked_store &&
         (isa<TruncInst>(store.getArgOperand(0)) ||
          store.getArgOperand(0)->getType()->getScalarSizeInBits() <= 16);
}

void tessera::cpu::storeKnownLanes(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *store = dyn_cast<IntrinsicInst>(&inst);
      if (!store || !isConcerned(*store))
        continue;
      auto runs = runsOf(store->getArgOperand(2), module.getDataLayout());
      if (!runs)
        continue;
      for (Run run : *runs)
        storeRun(*store, run);
      store->eraseFromParent();
    }
}
