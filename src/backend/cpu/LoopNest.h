/// The loops of one operation, which a pass emits one by one: their sizes, and the current
/// iteration.
#ifndef TESSERA_BACKEND_CPU_LOOPNEST_H
#define TESSERA_BACKEND_CPU_LOOPNEST_H

#include "backend/cpu/Arithmetic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::cpu {

/// The product, or INT64_MAX if it is larger.
int64_t boundedProduct(int64_t a, int64_t b);

class LoopNest {
protected:
  /// Emits before the operation.
  explicit LoopNest(mlir::linalg::GenericOp op);

  bool isReduced(unsigned loop);
  /// Divides the loops, except one, into reduction loops and others.
  void divideLoops(std::optional<unsigned> except = std::nullopt);
  /// The bounded product of the loops' sizes; unknown ones count as `otherwise`.
  int64_t iterations(llvm::ArrayRef<unsigned> loops, int64_t otherwise);
  /// The same product at run time; at least one.
  Value product(llvm::ArrayRef<unsigned> loops);

  /// Nests the loops, the first one outermost.
  void inOrder(llvm::ArrayRef<unsigned> loops, llvm::function_ref<void()> body);
  /// Runs the loops in parallel; one iteration processes `work` elements.
  void inParallel(llvm::ArrayRef<unsigned> loops, int64_t work, llvm::function_ref<void()> body);

  /// The operand's element in this iteration. Loops that have not begun count as 0.
  mlir::SmallVector<Value> placeOf(mlir::OpOperand &operand);

  KernelBuilder b;
  mlir::linalg::GenericOp op;
  mlir::SmallVector<Value> sizes, counters;  ///< By loop.
  mlir::SmallVector<unsigned> kept, reduced; ///< Loops.
  Value zero, one;
};

} // namespace tessera::cpu

#endif
