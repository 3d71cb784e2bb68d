/// Emitters for matrix products on buffers. Each element of the result is one chain in ascending k,
/// of fma for floats, whatever the blocking [core.7].
#ifndef TESSERA_BACKEND_CPU_MATMULKERNEL_H
#define TESSERA_BACKEND_CPU_MATMULKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::cpu {

/// How a product is computed: a schedule, in numbers.
struct MatmulSchedule {
  int64_t lanes;   ///< Elements of a vector register.
  int64_t rows;    ///< Rows of the register block.
  int64_t vectors; ///< Its columns, in vectors.
  int64_t depth;   ///< k of one pass over a packed panel.
  int64_t width;   ///< Columns that are packed at a time.

  int64_t columns() const { return lanes * vectors; }
};

/// m, n and k of a product; k from whichever operand knows it. ShapedType::kDynamic where none does.
struct MatmulSizes {
  int64_t rows, columns, depth;
  static MatmulSizes of(mlir::ValueRange operands);
};

/// Adds lhs x rhs to `result`, or to zero without reading it: all sizes, m, n and k, small; no loops left.
void emitUnrolledMatmul(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange operands, MatmulSizes sizes,
                        bool startsAtZero, int64_t lanes);

/// The type of the operands of a blocked product: rows at any distance, elements side by side.
mlir::MemRefType blockedOperandType(mlir::Type element);

/// A function (lhs, rhs, result, startsAtZero: i1) that does the same for all sizes.
mlir::func::FuncOp emitBlockedMatmul(mlir::ModuleOp module, llvm::StringRef name, mlir::Type element,
                                     const MatmulSchedule &schedule);

} // namespace tessera::cpu

#endif
