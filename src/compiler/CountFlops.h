/// Counts the arithmetic of a function, if that is possible without executing it.
#ifndef TESSERA_COMPILER_COUNTFLOPS_H
#define TESSERA_COMPILER_COUNTFLOPS_H

#include "compiler/Session.h"

namespace tessera {

/// Operations by the register space they use: a float64 counts twice as much as a float32, and
/// narrower types count as float32.
struct Flops {
  double single = 0, wide = 0;

  double total() const { return single + wide; }
  bool operator==(const Flops &) const = default;
};

/// The floating-point operations of one call, for arguments of these shapes (empty for scalars):
/// two per element and step of a matrix product, one for any other operation on an element. Returns
/// nullopt if the number depends on values.
std::optional<Flops> countFlops(const Language &language, const Checked &program,
                                const CompileOptions &options,
                                llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// A kernel launch: the addresses of its arguments and its launch, with all memory that determines
/// sizes.
struct KernelLaunch {
  const void *arguments, *launch;
  llvm::ArrayRef<llvm::StringRef> memory;
};
/// The same for a kernel: the operations of its instructions, where a complex matrix product has
/// eight per element and step.
std::optional<Flops> countKernelFlops(const Language &language, const Checked &program,
                                      const CompileOptions &options, const KernelLaunch &launch);

} // namespace tessera

#endif
