/// Kernels as callers see them: the parameters that `tessera.kernel` describes, and the C struct
/// that holds the arguments [core.9].
#ifndef TESSERA_CORE_KERNEL_H
#define TESSERA_CORE_KERNEL_H

#include "core/Entry.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

namespace tessera::core {

/// A parameter of a kernel. Sizes, strides, counts and offsets are -1 if each call passes them.
struct KernelParameter {
  enum class Kind { Scalar, Memref, Group };
  static constexpr int64_t dynamic = -1;

  std::string name;
  Kind kind = Kind::Scalar;
  ElementType element = {ElementType::Float, 32}; ///< For complex numbers, the type of each part.
  bool isComplex = false;
  /// The shape of a memref or of each member of a group; the first mode is contiguous.
  llvm::SmallVector<int64_t, 4> shape = {}, strides = {};
  int64_t count = 0, offset = 0; ///< For groups only.
  /// Guarantees by the caller; 1 and lists that are too short guarantee nothing.
  int64_t alignment = 1;
  llvm::SmallVector<int64_t, 4> shapeDivisors = {}, strideDivisors = {};

  mlir::DictionaryAttr attribute(mlir::MLIRContext *context) const;
  /// Returns nullopt if the attribute is not a valid parameter.
  static std::optional<KernelParameter> read(mlir::Attribute attribute);

  /// The fields passed for this parameter, in order: the scalar; or the pointer, then an i64 for
  /// each dynamic size and stride (for a group, a pointer to one i64 per member), the count, the
  /// offset.
  llvm::SmallVector<mlir::Type> fields(mlir::MLIRContext *context) const;
};

/// The parameters of an entry, from `tessera.kernel`; nullopt if that attribute is missing or
/// invalid.
std::optional<std::vector<KernelParameter>> kernelParameters(mlir::func::FuncOp entry);

/// The struct that the first argument of a kernel points to: the fields of all parameters, in C
/// layout. A bool is an i8, a complex number a struct of its parts.
mlir::LLVM::LLVMStructType argumentsType(mlir::MLIRContext *context,
                                         llvm::ArrayRef<KernelParameter> parameters);

/// The struct that the second argument points to, `tessera_launch`: groups, threads, alone.
mlir::LLVM::LLVMStructType launchType(mlir::MLIRContext *context);
inline constexpr int32_t launchAloneField = 2;

} // namespace tessera::core

#endif
