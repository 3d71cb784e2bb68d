/// What kernels take at the boundary: scalars, references to memory, and groups of such. A kernel
/// has no results; it writes to what its parameters refer to.
#ifndef TESSERA_LANG_KERNELTYPE_H
#define TESSERA_LANG_KERNELTYPE_H

#include "lang/DataType.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tessera {

/// A parameter of a kernel. Sizes, strides, counts and offsets are dynamicSize where `?`.
struct KernelType {
  enum class Kind : uint8_t { Scalar, Memref, Group };
  Kind kind = Kind::Scalar;
  Scalar element = Scalar::F32; ///< Of a complex number: that of its parts.
  bool isComplex = false;
  bool isIndex = false; ///< What programs call an int64 that counts.
  /// Of a memref, or of each member of a group: the first mode is the fastest.
  llvm::SmallVector<int64_t, 4> shape = {}, strides = {};
  int64_t count = 0, offset = 0; ///< Of a group; the offset counts elements.
  // What callers promise; 1 and shorter lists promise nothing.
  int64_t alignment = 1;
  llvm::SmallVector<int64_t, 4> shapeDivisors = {}, strideDivisors = {};

  unsigned elementBytes() const { return bitsOf(element) / 8 * (isComplex ? 2 : 1); }
};

/// How a kernel is launched.
struct KernelShape {
  int64_t subgroupSize = 0, workGroupSize[2] = {0, 0};
  int64_t localBytes = 0; ///< A group's own memory.
};

} // namespace tessera

#endif
