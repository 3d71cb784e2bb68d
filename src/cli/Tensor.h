/// Values on their way into and out of a program.
#ifndef TESSERA_CLI_TENSOR_H
#define TESSERA_CLI_TENSOR_H

#include "lang/Language.h"
#include "tessera/runtime.h"

namespace tessera::cli {

/// What the command line knows about an element type.
struct ElementType {
  Scalar scalar;
  tessera_dtype dtype;
  llvm::StringRef name;  ///< As in NumPy.
  llvm::StringRef range; ///< "-2147483648 to 2147483647".
};
const ElementType &elementType(Scalar scalar);
/// Null where there is none: files can hold types that no parameter has.
const ElementType *elementType(tessera_dtype dtype);

/// Calls `visit` with a value of the element's C++ type.
template <typename Visitor> auto withElement(Scalar scalar, Visitor visit) {
  switch (scalar) {
  case Scalar::I32:
    return visit(int32_t());
  case Scalar::F32:
    return visit(float());
  default:
    break;
  }
  __builtin_unreachable();
}

/// A tensor, or a scalar (rank 0), row-major without gaps. It owns its memory, aligned to 64 bytes.
class Tensor {
public:
  /// Nothing when there is no memory for it. The elements are zero.
  static std::optional<Tensor> allocate(Scalar element, llvm::ArrayRef<int64_t> shape);
  /// Elements in memory of somebody else's kind, such as a mapped file: `owner` keeps it.
  Tensor(Scalar element, llvm::ArrayRef<int64_t> shape, std::shared_ptr<void> owner, void *start);

  Scalar element() const { return scalar; }
  llvm::ArrayRef<int64_t> shape() const { return sizes; }
  int64_t numElements() const;
  size_t numBytes() const { return numElements() * sizeof(int32_t); }
  void *data() const { return start; }
  /// Points into this tensor, which must stay where it is.
  tessera_view view();

private:
  Scalar scalar;
  llvm::SmallVector<int64_t, 4> sizes;
  std::shared_ptr<void> owner;
  void *start;
};

/// The number of elements; nothing when it, or its bytes, cannot be counted.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// "float32[2, ?]", "int32".
std::string describe(const Parameter &parameter);
std::string describe(llvm::StringRef element, llvm::ArrayRef<int64_t> shape);
/// "[2, ?]".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace tessera::cli

#endif
