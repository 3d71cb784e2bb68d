/// Arguments of kernels in memory: where their elements lie, before a call and after it.
#ifndef TESSERA_CLI_KERNELS_MEMORY_H
#define TESSERA_CLI_KERNELS_MEMORY_H

#include "cli/ArrayFile.h"
#include "cli/Tensor.h"

namespace tessera::cli::kernels {

/// Of a value that a kernel's parameter refers to, parts and all.
tessera_dtype dtypeOf(const KernelType &type);

/// A memref; a value is one without modes.
struct Array {
  void *data = nullptr;
  llvm::SmallVector<int64_t, 4> shape = {}, strides = {}; ///< In elements.

  bool isEmpty() const { return llvm::is_contained(shape, 0); }
};

/// A value, a memref, or the members of a group, which lie one behind the other.
class Argument {
public:
  /// Nothing where there is no memory for it. All elements are zero. `shapes` has one row a member;
  /// of a value and of a memref just one.
  static std::optional<Argument> allocate(const KernelType &type, int64_t offset,
                                          llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes);
  /// A column-major array as it is, if the type can have it so: of a group, the last mode counts
  /// the members.
  static std::optional<Argument> inPlace(const KernelType &type, int64_t offset,
                                         const MappedArray &array);

  /// Sets one array, or all members at once from one with a mode more: row-major elements, of
  /// complex numbers with a last mode of two.
  void fill(const Tensor &values);
  void fill(size_t member, const Tensor &values);

  /// One array for all, where the members of a group have one shape: they are its last mode.
  bool isUniform() const;
  Array whole() const;

  /// Of all memory, gaps and what an offset needs included; and of elements.
  size_t numBytes() const { return bytes; }
  size_t numElements() const;
  /// Of a group: how many elements follow its first one, gaps included.
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

/// The array as callers of the runtime see it; points into it.
tessera_view viewOf(const KernelType &type, Array &array);

} // namespace tessera::cli::kernels

#endif
