/// Works around errors in LLVM 22 with masked stores of narrow numbers.
#ifndef TESSERA_BACKEND_CPU_KNOWNMASKS_H
#define TESSERA_BACKEND_CPU_KNOWNMASKS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::cpu {

/// Replaces masked stores with a known mask by plain stores. For x86, LLVM folds a truncation into
/// the masked store that follows; if the mask, or its part in one register, has a single lane, it
/// then stores that lane in the width before the truncation, past the end of memory. It cannot
/// store a single lane of bf16 at all.
void storeKnownLanes(llvm::Module &module);

} // namespace tessera::cpu

#endif
