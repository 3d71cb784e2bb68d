/// The plan of a work-group's local memory, which kernels follow and the checker compares with the
/// device's limit.
#ifndef TESSERA_LANG_TINYTC_LOCALMEMORY_H
#define TESSERA_LANG_TINYTC_LOCALMEMORY_H

#include "llvm/ADT/SmallVector.h"

namespace tessera::tinytc {

struct Function;
struct Inst;

/// The lifetime and the position of a tensor. Times count instructions in program order.
struct LocalTensor {
  int64_t begin, end;
  int64_t bytes, alignment;
  int64_t offset = 0;
};

/// The most that is counted of a tensor: more than any device has, but small enough that the sum
/// over all tensors of a file does not overflow.
inline constexpr int64_t mostLocalBytes = int64_t(1) << 48;

/// Gives each tensor, in the order of `begin`, the first position that is free during its lifetime.
/// Returns the number of bytes needed.
int64_t placeLocalMemory(llvm::MutableArrayRef<LocalTensor> tensors);

/// The local memory that a work-group needs at a time, by the smaller of two plans: each alloca
/// lives until its last use, or until its block ends or its lifetime is stopped there
/// [tinytc.alloca.6].
int64_t localBytesOf(const Function &function);

/// An `alloca` whose memory is in use when the most local memory is.
struct LocalUse {
  const Inst *alloca;
  int64_t bytes;
};
/// The largest ones first.
llvm::SmallVector<LocalUse> localUsesOf(const Function &function);

} // namespace tessera::tinytc

#endif
