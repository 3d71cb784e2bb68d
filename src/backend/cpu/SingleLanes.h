/// Masked stores of one lane, which LLVM 22 gets wrong.
#ifndef TESSERA_BACKEND_CPU_SINGLELANES_H
#define TESSERA_BACKEND_CPU_SINGLELANES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::cpu {

/// Makes plain stores of them. For x86, LLVM folds a truncation into the masked store behind it and
/// then, where the mask is known to have one lane, stores that lane in the width before the
/// truncation: past the end of memory.
void storeSingleLanes(llvm::Module &module);

} // namespace tessera::cpu

#endif
