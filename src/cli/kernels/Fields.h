/// Parameters of kernels: what is passed for each, and its type in messages.
#ifndef TESSERA_CLI_KERNELS_FIELDS_H
#define TESSERA_CLI_KERNELS_FIELDS_H

#include "lang/Language.h"

namespace tessera::cli::kernels {

/// One value that is passed for a parameter.
struct Field {
  enum class Kind { Value, Data, Size, Stride, Count, Offset };
  Kind kind;
  unsigned mode = 0; ///< For sizes and strides.

  /// The suffix of the parameter's name in C: "_size1"; "" for values and data.
  std::string suffix() const;
};

/// The fields of a parameter, in the order of docs/runtime-abi.md.
std::vector<Field> fieldsOf(const KernelType &type);

/// As in tinytc: "memref<f32x4x?>", "c32".
std::string text(const KernelType &type);
std::string elementText(const KernelType &type);

/// 1, s1, s1*s2...; dynamicSize after a dynamic size.
llvm::SmallVector<int64_t, 4> packedStrides(llvm::ArrayRef<int64_t> shape);

} // namespace tessera::cli::kernels

#endif
