/// Values on their way into and out of a program.
#ifndef TESSERA_CLI_TENSOR_H
#define TESSERA_CLI_TENSOR_H

#include "lang/Language.h"
#include "runtime/Float.h"
#include "tessera/runtime.h"

namespace tessera::cli {

/// The C++ type of each row of Scalars.def.
template <Scalar scalar> struct ElementOf;
#define TESSERA_ELEMENT(name, type)                                                                \
  template <> struct ElementOf<Scalar::name> {                                                     \
    using Type = type;                                                                             \
  };
TESSERA_ELEMENT(Bool, bool)
TESSERA_ELEMENT(I8, int8_t)
TESSERA_ELEMENT(I16, int16_t)
TESSERA_ELEMENT(I32, int32_t)
TESSERA_ELEMENT(I64, int64_t)
TESSERA_ELEMENT(U8, uint8_t)
TESSERA_ELEMENT(U16, uint16_t)
TESSERA_ELEMENT(U32, uint32_t)
TESSERA_ELEMENT(U64, uint64_t)
TESSERA_ELEMENT(F16, runtime::Half)
TESSERA_ELEMENT(BF16, runtime::BFloat16)
TESSERA_ELEMENT(F32, float)
TESSERA_ELEMENT(F64, double)
#undef TESSERA_ELEMENT

/// Calls `visit` with a value of the element's C++ type.
template <typename Visitor> auto withElement(Scalar scalar, Visitor visit) {
  switch (scalar) {
#define TESSERA_SCALAR(name, text, kind, bits)                                                     \
  case Scalar::name:                                                                               \
    return visit(ElementOf<Scalar::name>::Type());
#include "lang/Scalars.def"
  }
  __builtin_unreachable();
}

tessera_dtype dtypeOf(Scalar scalar);
/// Returns nullopt if no parameter can have this type: files contain such types, too.
std::optional<Scalar> scalarOf(tessera_dtype dtype);
inline int64_t bytesOf(Scalar scalar) {
  return bitsOf(scalar) / 8;
}
/// "-2147483648 to 2147483647", "true or false".
std::string rangeText(Scalar scalar);

/// A tensor, or a scalar (rank 0), row-major without gaps. It owns its memory, aligned to 64 bytes.
class Tensor {
public:
  /// Returns nullopt if there is not enough memory. The elements are zero.
  static std::optional<Tensor> allocate(Scalar element, llvm::ArrayRef<int64_t> shape);
  /// Elements in memory that `owner` keeps, such as a mapped file.
  Tensor(Scalar element, llvm::ArrayRef<int64_t> shape, std::shared_ptr<void> owner, void *start);

  Scalar element() const { return scalar; }
  llvm::ArrayRef<int64_t> shape() const { return sizes; }
  int64_t numElements() const;
  size_t numBytes() const { return numElements() * bytesOf(scalar); }
  void *data() const { return start; }
  const std::shared_ptr<void> &memory() const { return owner; }
  template <typename T> llvm::MutableArrayRef<T> elements() const {
    return {static_cast<T *>(start), static_cast<size_t>(numElements())};
  }
  /// Points into this tensor, which must not move.
  tessera_view view();

private:
  Scalar scalar;
  llvm::SmallVector<int64_t, 4> sizes;
  std::shared_ptr<void> owner;
  void *start;
};

/// In bytes. Linux promises more memory than it has and kills processes that use it.
size_t physicalMemory();

/// The number of elements; nullopt if it, or the number of bytes, is too large.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// "float32[2, ?]", "float32[M, K]", "int32"; for values of Weld, "vec[i64]"; for kernels,
/// "memref<f32x4>".
std::string describe(const Parameter &parameter);
std::string describe(llvm::StringRef element, llvm::ArrayRef<int64_t> shape);
/// "[2, ?]".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// The name of a dimension's size; "" if it has none.
llvm::StringRef sizeName(const Parameter &parameter, size_t dimension);

} // namespace tessera::cli

#endif
