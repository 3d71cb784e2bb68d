/// Emitters for matrix products on buffers. Each element of the result is one chain in ascending k,
/// of fma for floats, whatever the blocking [core.7].
#ifndef TESSERA_BACKEND_CPU_MATMULKERNEL_H
#define TESSERA_BACKEND_CPU_MATMULKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// m, n and k of a product; k from whichever operand knows it.
schedule::ContractionSizes sizesOf(mlir::ValueRange operands);

/// Adds lhs x rhs to `result`, or to zero without reading it: all sizes, m, n and k, small; no
/// loops left.
void emitUnrolledMatmul(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange operands,
                        schedule::ContractionSizes sizes, bool startsAtZero, int64_t lanes);

/// The type of the operands of a blocked product: rows at any distance, elements side by side.
mlir::MemRefType blockedOperandType(mlir::Type element);

/// A function (lhs, rhs, result, startsAtZero: i1) that does the same for all sizes.
mlir::func::FuncOp emitBlockedMatmul(mlir::ModuleOp module, llvm::StringRef name,
                                     mlir::Type element, const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
