#include "backend/cpu/SingleLanes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

/// The mask where it is known, also to a compiler that does not optimise.
static Constant *knownMask(Value *mask, const DataLayout &layout) {
  if (auto *computed = dyn_cast<Instruction>(mask))
    return ConstantFoldInstruction(computed, layout);
  return dyn_cast<Constant>(mask);
}

/// The one lane that a mask has; nothing where it has others, or is not known.
static std::optional<unsigned> singleLane(Value *mask, const DataLayout &layout) {
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  Constant *known = type ? knownMask(mask, layout) : nullptr;
  std::optional<unsigned> single;
  for (unsigned lane = 0; known && lane < type->getNumElements(); ++lane) {
    Constant *element = known->getAggregateElement(lane);
    bool isKnown = element && isa<ConstantInt>(element);
    if (!isKnown || (element->isOneValue() && single))
      return std::nullopt;
    if (element->isOneValue())
      single = lane;
  }
  return single;
}

static void storeLane(IntrinsicInst &store, unsigned lane) {
  IRBuilder<> b(&store);
  Value *element = b.CreateExtractElement(store.getArgOperand(0), lane);
  Value *place = b.CreateConstInBoundsGEP1_64(element->getType(), store.getArgOperand(1), lane);
  Align alignment = commonAlignment(store.getParamAlign(1).valueOrOne(),
                                    lane * element->getType()->getScalarSizeInBits() / 8);
  b.CreateAlignedStore(element, place, alignment);
  store.eraseFromParent();
}

void tessera::cpu::storeSingleLanes(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *store = dyn_cast<IntrinsicInst>(&inst);
      if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
        continue;
      if (auto lane = singleLane(store->getArgOperand(2), module.getDataLayout()))
        storeLane(*store, *lane);
    }
}
