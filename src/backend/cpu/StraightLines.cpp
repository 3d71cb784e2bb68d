#include "backend/cpu/StraightLines.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Note [Gathers and stores]
///
/// LLVM 22's straight-line vectorizer (SLP) combines loads at indices that are themselves loaded
/// into one gather, and may move it before stores to the same addresses:
///
///   U[0] = ...; ...; U[6] = ...;  x0 = U[p[0]]; ...; x3 = U[p[3]];   // short loops, unrolled
///
/// None of its options prevents that, so it does not run on functions with such loads after a store
/// in the same block. Strides of arguments are loaded from memory, too, and count as such indices.

namespace {

/// Finds loads at indices that are themselves loaded from memory.
class ChosenLoads {
public:
  explicit ChosenLoads(const Function &function) : function(function) {}

  bool followStores() {
    for (const BasicBlock *block : ReversePostOrderTraversal<const Function *>(&function))
      if (followStores(*block))
        return true;
    return false;
  }

private:
  bool followStores(const BasicBlock &block) {
    bool hasStored = false;
    unsigned numChosen = 0;
    for (const Instruction &instruction : block) {
      hasStored |= instruction.mayWriteToMemory();
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        numChosen += hasStored && hasChosenIndex(load->getPointerOperand());
      if (isFromMemory(instruction))
        fromMemory.insert(&instruction);
    }
    return numChosen >= 2;
  }

  bool isFromMemory(const Instruction &instruction) const {
    return isa<LoadInst>(instruction) || any_of(instruction.operands(), [&](const Use &operand) {
             return fromMemory.contains(operand.get());
           });
  }

  bool hasChosenIndex(const Value *pointer) const {
    for (auto *place = dyn_cast<GetElementPtrInst>(pointer); place;
         place = dyn_cast<GetElementPtrInst>(place->getPointerOperand()))
      if (any_of(place->indices(),
                 [&](const Use &index) { return fromMemory.contains(index.get()); }))
        return true;
    return false;
  }

  const Function &function;
  SmallPtrSet<const Value *, 32> fromMemory;
};

} // namespace

bool tessera::cpu::carriesMany(const Function &function) {
  constexpr size_t many = 64;
  return any_of(function, [&](const BasicBlock &block) { return range_size(block.phis()) > many; });
}

bool tessera::cpu::mayGatherStored(const Function &function) {
  return ChosenLoads(function).followStores();
}
