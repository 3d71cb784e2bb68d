/// Stores of a vector's selected lanes next to each other.
#ifndef TESSERA_BACKEND_CPU_PRESSLANES_H
#define TESSERA_BACKEND_CPU_PRESSLANES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::cpu {

/// AVX2 has no compress instruction: this permutes each 256-bit register with a table indexed by
/// its mask and stores the registers so that each overwrites the unused end of the previous one.
/// LLVM would store lane by lane. As before, the memory after the last selected lane is undefined.
void pressLanes(llvm::Module &module);

} // namespace tessera::cpu

#endif
