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

/// lhs x rhs into `result`, which it does not read: all sizes static and small, no loops left.
void emitUnrolledMatmul(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs, mlir::Value rhs, mlir::Value result,
                        int64_t lanes);

/// The type of the operands of a blocked product: rows at any distance, elements side by side.
mlir::MemRefType blockedOperandType(mlir::Type element);

/// A function that computes lhs x rhs into its third argument, which it does not read, for all sizes.
mlir::func::FuncOp emitBlockedMatmul(mlir::ModuleOp module, llvm::StringRef name, mlir::Type element,
                                     const MatmulSchedule &schedule);

} // namespace tessera::cpu

#endif
