/// How much arithmetic a function does, where that can be told without executing it.
#ifndef TESSERA_COMPILER_COUNTFLOPS_H
#define TESSERA_COMPILER_COUNTFLOPS_H

#include "compiler/Session.h"

namespace tessera {

/// Operations by the registers they fill: a float64 takes twice the place of a float32, and what is
/// narrower is computed as that.
struct Flops {
  double single = 0, wide = 0;

  double total() const { return single + wide; }
  bool operator==(const Flops &) const = default;
};

/// The floating-point operations of one call, for arguments of these shapes (empty for scalars):
/// two an element and step of a matrix product, one for any other operation on an element. Nothing
/// where the number depends on values.
std::optional<Flops> countFlops(const Language &language, const Checked &program,
                                const CompileOptions &options,
                                llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// A launch of a kernel: where its arguments and its launch lie, and all that they say about sizes.
struct KernelLaunch {
  const void *arguments, *launch;
  llvm::ArrayRef<llvm::StringRef> memory;
};
/// The same for a kernel: what its instructions ask for, a complex product of matrices being eight
/// operations an element and step.
std::optional<Flops> countKernelFlops(const Language &language, const Checked &program,
                                      const CompileOptions &options, const KernelLaunch &launch);

} // namespace tessera

#endif
