#include "backend/cpu/UniformLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace {

/// The paths that the vectorizer may follow, and the accesses and sums that it may compare with
/// each other: some milliseconds.
constexpr uint64_t maxPaths = 1 << 14, maxCompared = 256;

/// Counts the paths from an instruction through uniform instructions of the loop; 0 if the
/// instruction is not uniform.
class PathCounter {
public:
  explicit PathCounter(Loop &loop) : loop(loop) {}

  uint64_t most(LoopInfo &loops) {
    uint64_t most = 0;
    LoopBlocksRPO blocks(&loop); // Definitions come before their uses.
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

/// Whether only some iterations divide integers.
bool dividesUnderCondition(const Loop &loop, const DominatorTree &dominators) {
  const BasicBlock *last = loop.getLoopLatch();
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    bool isAlwaysRun = last && dominators.dominates(block, last);
    return !isAlwaysRun &&
           any_of(*block, [](const Instruction &each) { return each.isIntDivRem(); });
  });
}

/// Whether an iteration has so many accesses and sums that registers run out anyway.
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
// LLVM 22 decides whether an operation is uniform, the same in all iterations, by asking the same
// of its operands, without caching the answers. Formulas of mathematical functions use each value
// several times, in long chains. If one has an operand that is loaded from a fixed address in every
// iteration and cannot be hoisted out of the loop, the analysis would take hours.
//
// If a division is uniform but only some iterations reach it, LLVM 22 computes it if the first lane
// reaches it, and broadcasts the result, or an undefined value, to all lanes, even as an address.
