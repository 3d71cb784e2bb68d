#include "backend/cpu/UniformLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace {

/// Paths that the vectoriser may follow, and accesses and sums that it may compare with each other:
/// some milliseconds.
constexpr uint64_t maxPaths = 1 << 14, maxCompared = 256;

/// Counts the paths from an instruction of a loop through instructions that compute the same in
/// every iteration; none where it is no such instruction.
class PathCounter {
public:
  explicit PathCounter(Loop &loop) : loop(loop) {}

  uint64_t most(LoopInfo &loops) {
    uint64_t most = 0;
    LoopBlocksRPO blocks(&loop); // Operands come before their users.
    blocks.perform(&loops);
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : *block)
        most = std::max(most, count(instruction));
    return most;
  }

private:
  uint64_t count(Instruction &instruction) {
    if (isa<PHINode>(instruction) || instruction.mayHaveSideEffects())
      return 0;
    uint64_t sum = 1;
    for (Value *operand : instruction.operands()) {
      auto *inner = dyn_cast<Instruction>(operand);
      if (!inner || !loop.contains(inner))
        continue;
      auto found = paths.find(inner);
      if (found == paths.end())
        return 0;
      sum = SaturatingAdd(sum, found->second);
    }
    return paths[&instruction] = sum;
  }

  Loop &loop;
  DenseMap<const Instruction *, uint64_t> paths;
};

/// Whether some iterations divide integers, and others do not.
bool dividesUnderCondition(const Loop &loop, const DominatorTree &dominators) {
  const BasicBlock *last = loop.getLoopLatch();
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    bool isAlwaysRun = last && dominators.dominates(block, last);
    return !isAlwaysRun &&
           any_of(*block, [](const Instruction &each) { return each.isIntDivRem(); });
  });
}

/// Whether an iteration reads, writes and sums up so much that there is no register left anyway.
bool isLong(const Loop &loop) {
  uint64_t compared = 0;
  for (const BasicBlock *block : loop.blocks())
    compared += count_if(*block, [](const Instruction &each) {
      return isa<PHINode>(each) || each.mayReadOrWriteMemory();
    });
  return compared > maxCompared;
}

} // namespace

PreservedAnalyses tessera::cpu::SkipUniformLoops::run(Function &function,
                                                      FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && (isLong(*loop) || PathCounter(*loop).most(loops) > maxPaths ||
                                dividesUnderCondition(*loop, dominators)))
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  return PreservedAnalyses::all();
}

// Note [Uniform loops]
//
// LLVM 22 asks of each operation whether it computes the same in all iterations by asking the same
// of its operands, and remembers no answer. Formulas of mathematical functions use each value
// several times, one after the other. Where one of them has an operand that is read at one place in
// every iteration, and that LLVM cannot read in front of the loop, it would ask for hours.
//
// Where a division is the same in all iterations but some do not come to it, LLVM 22 computes it if
// the first lane comes to it, and gives what it has, or has not, to all: as an address, too.
