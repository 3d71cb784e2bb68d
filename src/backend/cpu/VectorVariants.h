/// Vector variants of runtime functions for rare cases, so that loops that call them can be
/// vectorized.
#ifndef TESSERA_BACKEND_CPU_VECTORVARIANTS_H
#define TESSERA_BACKEND_CPU_VECTORVARIANTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::cpu {

/// Defines variants of up to `maxBits` for each `tessera_rt_far_...` that the module declares, and
/// registers them with LLVM's vectorizers.
void addVectorVariants(llvm::Module &module, unsigned maxBits);

/// Inlines the variants that are used and drops the others; call it after loops are vectorized.
void inlineVectorVariants(llvm::Module &module);

} // namespace tessera::cpu

#endif
