/// Vector variants of the runtime's functions for rare cases, so that loops that call them are
/// vectorised.
#ifndef TESSERA_BACKEND_CPU_VECTORVARIANTS_H
#define TESSERA_BACKEND_CPU_VECTORVARIANTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::cpu {

/// Defines variants of up to so many bits for each `tessera_rt_far_...` that the module declares,
/// and tells LLVM's vectorisers of them.
void addVectorVariants(llvm::Module &module, unsigned maxBits);

/// Inlines those that are used and drops the rest; to be called when loops are vectorised.
void inlineVectorVariants(llvm::Module &module);

} // namespace tessera::cpu

#endif
