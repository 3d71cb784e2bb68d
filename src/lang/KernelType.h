/// Parameter types of kernels: scalars, references to memory, and groups of these. A kernel has no
/// results; it writes through its parameters.
#ifndef TESSERA_LANG_KERNELTYPE_H
#define TESSERA_LANG_KERNELTYPE_H

#include "lang/DataType.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tessera {

/// A parameter of a kernel. Dynamic sizes, strides, counts and offsets are dynamicSize.
struct KernelType {
  enum class Kind : uint8_t { Scalar, Memref, Group };
  Kind kind = Kind::Scalar;
  Scalar element = Scalar::F32; ///< For complex numbers, the type of each part.
  bool isComplex = false;
  bool isIndex = false; ///< The type is written `index`; it is an int64.
  /// The shape of a memref, or of each member of a group; the first mode is contiguous.
  llvm::SmallVector<int64_t, 4> shape = {}, strides = {};
  int64_t count = 0, offset = 0; ///< For groups; the offset counts elements.
  bool isWritten = true;         ///< False if the kernel only reads the memory.
  // Guarantees by the caller; 1 and lists that are too short guarantee nothing.
  int64_t alignment = 1;
  llvm::SmallVector<int64_t, 4> shapeDivisors = {}, strideDivisors = {};

  unsigned elementBytes() const { return bitsOf(element) / 8 * (isComplex ? 2 : 1); }
};

/// How a kernel is launched.
struct KernelShape {
  int64_t subgroupSize = 0, workGroupSize[2] = {0, 0};
  int64_t localBytes = 0; ///< The local memory of a group.
};

} // namespace tessera

#endif
