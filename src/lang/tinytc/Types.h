/// tinytc's types. Each is one object of the program's table, so that equal types are equal
/// pointers.
#ifndef TESSERA_LANG_TINYTC_TYPES_H
#define TESSERA_LANG_TINYTC_TYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tessera::tinytc {

enum class ScalarType : uint8_t {
#define TINYTC_SCALAR(name, text, kind, bytes, promotes) name,
#include "lang/tinytc/Types.def"
};
enum class NumberKind : uint8_t { Integer, Float, Complex };

llvm::StringRef spelling(ScalarType);
std::optional<ScalarType> scalarNamed(llvm::StringRef name);
NumberKind kindOf(ScalarType);
unsigned bytesOf(ScalarType);
/// The type of the parts of a complex number; any other scalar is its own.
ScalarType partOf(ScalarType);
/// Whether `from` promotes to `to` [tinytc.promote.1].
bool promotes(ScalarType from, ScalarType to);
/// The type that the other promotes to; nullopt if neither does.
std::optional<ScalarType> promote(ScalarType left, ScalarType right);

/// `?` in shapes, strides, sizes and offsets.
constexpr int64_t dynamic = INT64_MIN;

enum class AddressSpace : uint8_t { Global, Local };
enum class MatrixUse : uint8_t { A, B, Acc };
llvm::StringRef spelling(MatrixUse); // "matrix_acc"

struct Type {
  enum Kind : uint8_t {
    Invalid, ///< In error; its uses report nothing.
    Void,
    Bool,
    Scalar,
    Memref,
    Group,
    Coopmatrix,
  };
  Kind kind = Invalid;
  ScalarType scalar = ScalarType::I32;       ///< Itself, or that of elements and components.
  AddressSpace space = AddressSpace::Global; ///< For a memref.
  MatrixUse use = MatrixUse::A;              ///< For a coopmatrix.
  /// Modes of a memref; rows and columns of a coopmatrix.
  llvm::ArrayRef<int64_t> shape = {};
  llvm::ArrayRef<int64_t> strides = {}; ///< For a memref: one per mode, also default ones.
  const Type *member = nullptr;         ///< For a group.
  int64_t size = 0, offset = 0;         ///< For a group.

  bool isScalar() const { return kind == Scalar; }
  bool isScalar(ScalarType which) const { return kind == Scalar && scalar == which; }
  bool isScalar(NumberKind which) const { return kind == Scalar && kindOf(scalar) == which; }
  bool isIndex() const { return isScalar(ScalarType::Index); }
  bool isMemref() const { return kind == Memref; }
  bool isCoop() const { return kind == Coopmatrix; }
  int64_t order() const { return int64_t(shape.size()); }
  int64_t rows() const { return shape[0]; }
  int64_t columns() const { return shape[1]; }
  /// Whether loops and branches may carry the type: bool, scalars and coopmatrices [tinytc.for.5].
  bool isCarried() const { return kind == Bool || kind == Scalar || kind == Coopmatrix; }
};

/// As a program writes it, without defaults: "memref<f32x4x?,strided<1,8>,local>".
std::string spelling(const Type &);

/// Whether all values of the scalar type `from` are values of the scalar type `to`.
bool isLossless(const Type &from, const Type &to);

/// 1, s1, s1*s2...: `?` after a dynamic mode, and where the product overflows.
llvm::SmallVector<int64_t> packedStrides(llvm::ArrayRef<int64_t> shape);

/// All types, each once. Owned by the program.
class TypeTable {
public:
  const Type *invalid() { return simple(Type::Invalid); }
  const Type *boolean() { return simple(Type::Bool); }
  const Type *simple(Type::Kind kind);
  const Type *scalar(ScalarType scalar);
  const Type *index() { return scalar(ScalarType::Index); }
  const Type *memref(ScalarType element, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> strides, AddressSpace space);
  const Type *group(const Type *member, int64_t size, int64_t offset);
  const Type *coopmatrix(ScalarType component, int64_t rows, int64_t columns, MatrixUse use);

private:
  const Type *intern(Type type);

  struct Contents : llvm::DenseMapInfo<const Type *> {
    static unsigned getHashValue(const Type *type);
    static bool isEqual(const Type *left, const Type *right);
  };

  llvm::BumpPtrAllocator arena;
  llvm::DenseSet<const Type *, Contents> all;
};

} // namespace tessera::tinytc

#endif
