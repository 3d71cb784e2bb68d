/// Kernels as their callers see them: what `tessera.kernel` says of the parameters, and the C
/// struct in which arguments lie [core.9].
#ifndef TESSERA_CORE_KERNEL_H
#define TESSERA_CORE_KERNEL_H

#include "core/Entry.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

namespace tessera::core {

/// A parameter of a kernel. Sizes, strides, counts and offsets are -1 where each call says them.
struct KernelParameter {
  enum class Kind { Scalar, Memref, Group };
  static constexpr int64_t dynamic = -1;

  std::string name;
  Kind kind = Kind::Scalar;
  ElementType element = {ElementType::Float, 32}; ///< Of a complex number: that of its parts.
  bool isComplex = false;
  /// Of a memref, or of each member of a group: the first mode is the fastest.
  llvm::SmallVector<int64_t, 4> shape = {}, strides = {};
  int64_t count = 0, offset = 0; ///< Of a group.
  /// What callers promise; 1 and shorter lists promise nothing.
  int64_t alignment = 1;
  llvm::SmallVector<int64_t, 4> shapeDivisors = {}, strideDivisors = {};

  mlir::DictionaryAttr attribute(mlir::MLIRContext *context) const;
  /// Nothing where the attribute is none of these.
  static std::optional<KernelParameter> read(mlir::Attribute attribute);

  /// What is passed for it, in this order: the scalar; or the pointer, then an i64 for each size
  /// and stride that is dynamic (of a group: a pointer to one i64 a member), the count, the offset.
  llvm::SmallVector<mlir::Type> fields(mlir::MLIRContext *context) const;
};

/// Those of an entry, from `tessera.kernel`; nothing where it has no such attribute, or one that
/// cannot be read.
std::optional<std::vector<KernelParameter>> kernelParameters(mlir::func::FuncOp entry);

/// The struct that the first argument of a kernel points to: the fields of all parameters, as C
/// lays them out. A bool is an i8, a complex number a struct of its parts.
mlir::LLVM::LLVMStructType argumentsType(mlir::MLIRContext *context,
                                         llvm::ArrayRef<KernelParameter> parameters);

/// The struct that the second one points to, `tessera_launch`: groups, threads, alone.
mlir::LLVM::LLVMStructType launchType(mlir::MLIRContext *context);
inline constexpr int32_t launchAloneField = 2;

} // namespace tessera::core

#endif
