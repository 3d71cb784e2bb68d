/// Masked stores of narrow numbers, some of which LLVM 22 gets wrong.
#ifndef TESSERA_BACKEND_CPU_KNOWNMASKS_H
#define TESSERA_BACKEND_CPU_KNOWNMASKS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::cpu {

/// Makes plain stores of them where the mask is known. For x86, LLVM folds a truncation into the
/// masked store behind it; where the mask, or the part of it that is in one register, has one lane,
/// it then stores that lane in the width before the truncation: past the end of memory. One lane of
/// bf16 it cannot store at all.
void storeKnownLanes(llvm::Module &module);

} // namespace tessera::cpu

#endif
