/// Arguments of kernels in memory: the layout of their elements, before and after a call.
#ifndef TESSERA_CLI_KERNELS_MEMORY_H
#define TESSERA_CLI_KERNELS_MEMORY_H

#include "cli/ArrayFile.h"
#include "cli/Tensor.h"

namespace tessera::cli::kernels {

/// The type of an element that a kernel's parameter refers to, with both parts of complex numbers.
tessera_dtype dtypeOf(const KernelType &type);

/// A memref; a scalar is one without modes.
struct Array {
  void *data = nullptr;
  llvm::SmallVector<int64_t, 4> shape = {}, strides = {}; ///< In elements.

  bool isEmpty() const { return llvm::is_contained(shape, 0); }
};

/// A scalar, a memref, or the members of a group, which lie one after the other.
class Argument {
public:
  /// Memory with all elements zero; nullopt if there is not enough. `shapes` has one row for each
  /// member; for a scalar or a memref, just one.
  static std::optional<Argument> allocate(const KernelType &type, int64_t offset,
                                          llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes);
  /// A column-major array in place, if the type permits; for a group, its last mode counts the
  /// members.
  static std::optional<Argument> inPlace(const KernelType &type, int64_t offset,
                                         const MappedArray &array);

  /// Sets one array, or all members at once from an array with one more mode: row-major elements,
  /// with a last mode of two for complex numbers.
  void fill(const Tensor &values);
  void fill(size_t member, const Tensor &values);

  /// Whether the members of a group have one shape; then `whole` is one array with the members as
  /// its last mode.
  bool isUniform() const;
  Array whole() const;

  /// The bytes of all memory, including gaps and the offset; and the number of elements.
  size_t numBytes() const { return bytes; }
  size_t numElements() const;
  /// For a group: the number of elements from its first one on, including gaps.
  int64_t numReachable() const { return bytes / type->elementBytes() - offset; }
  char *firstByte() const { return start; }

  std::vector<Array> members;
  int64_t offset = 0;

private:
  explicit Argument(const KernelType &type) : type(&type) {}
  bool isGroup() const { return type->kind == KernelType::Kind::Group; }

  const KernelType *type;
  std::shared_ptr<void> owner;
  char *start = nullptr;
  size_t bytes = 0;
};

/// The array as a view for the runtime; points into it.
tessera_view viewOf(const KernelType &type, Array &array);

} // namespace tessera::cli::kernels

#endif
