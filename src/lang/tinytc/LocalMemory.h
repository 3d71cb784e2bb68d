/// Where the local memory of a group lies: one plan, which the checker compares with what the
/// device has and which kernels use.
#ifndef TESSERA_LANG_TINYTC_LOCALMEMORY_H
#define TESSERA_LANG_TINYTC_LOCALMEMORY_H

#include "llvm/ADT/ArrayRef.h"

namespace tessera::tinytc {

struct Function;

/// When and where a tensor is. Times count instructions in the order of the program.
struct LocalTensor {
  int64_t begin, end;
  int64_t bytes, alignment;
  int64_t offset = 0;
};

/// Gives each, in the order of `begin`, the first place that is free all the time that it lives.
/// Returns how many bytes that takes.
int64_t placeLocalMemory(llvm::MutableArrayRef<LocalTensor> tensors);

/// The local memory that a group needs at a time: each alloca until it is used last, or until its
/// block ends or its lifetime is stopped there, whichever plan is the smaller [tinytc.alloca.6].
int64_t localBytesOf(const Function &function);

} // namespace tessera::tinytc

#endif
