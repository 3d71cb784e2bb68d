/// Vectors of which some lanes are wanted and are stored next to each other.
#ifndef TESSERA_BACKEND_CPU_PRESSLANES_H
#define TESSERA_BACKEND_CPU_PRESSLANES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::cpu {

/// For AVX2, which has no instruction for it: permutes each register of 256 bits as a table says
/// for its mask, and stores them one over the end of the other. LLVM would store lane for lane.
/// What lies behind the last wanted lane is anything, as before.
void pressLanes(llvm::Module &module);

} // namespace tessera::cpu

#endif
