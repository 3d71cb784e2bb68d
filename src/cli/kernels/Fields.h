/// Parameters of kernels: what is passed for each, and what messages call it.
#ifndef TESSERA_CLI_KERNELS_FIELDS_H
#define TESSERA_CLI_KERNELS_FIELDS_H

#include "lang/Language.h"

namespace tessera::cli::kernels {

/// One thing that is passed for a parameter.
struct Field {
  enum class Kind { Value, Data, Size, Stride, Count, Offset };
  Kind kind;
  unsigned mode = 0; ///< Of sizes and strides.

  /// Behind the parameter's name in C: "_size1"; nothing for values and data.
  std::string suffix() const;
};

/// In the order of docs/runtime-abi.md.
std::vector<Field> fieldsOf(const KernelType &type);

/// As tinytc writes them: "memref<f32x4x?>", "c32".
std::string text(const KernelType &type);
std::string elementText(const KernelType &type);

/// 1, s1, s1*s2...; dynamicSize behind a size that is.
llvm::SmallVector<int64_t, 4> packedStrides(llvm::ArrayRef<int64_t> shape);

} // namespace tessera::cli::kernels

#endif
