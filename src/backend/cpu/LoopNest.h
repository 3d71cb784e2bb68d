/// The loops of one operation, which a pass emits one by one: how long they are, and the iteration
/// that is being emitted.
#ifndef TESSERA_BACKEND_CPU_LOOPNEST_H
#define TESSERA_BACKEND_CPU_LOOPNEST_H

#include "backend/cpu/Arithmetic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::cpu {

/// INT64_MAX where it is more: beyond counting, all are alike.
int64_t boundedProduct(int64_t a, int64_t b);

class LoopNest {
protected:
  /// Emits in front of the operation.
  explicit LoopNest(mlir::linalg::GenericOp op);

  bool isReduced(unsigned loop);
  /// All loops but one, those of a reduction apart from the others.
  void divideLoops(std::optional<unsigned> except = std::nullopt);
  /// The bounded product of the loops' sizes; unknown ones count as `otherwise`.
  int64_t iterations(llvm::ArrayRef<unsigned> loops, int64_t otherwise);
  /// The same when the program runs; at least one.
  Value product(llvm::ArrayRef<unsigned> loops);

  /// One inside of the other, the first one outermost.
  void inOrder(llvm::ArrayRef<unsigned> loops, llvm::function_ref<void()> body);
  /// In any order; an iteration stands for `work` elements.
  void inParallel(llvm::ArrayRef<unsigned> loops, int64_t work, llvm::function_ref<void()> body);

  /// Where an operand is read or written in this iteration. Loops that have not begun count as 0.
  mlir::SmallVector<Value> placeOf(mlir::OpOperand &operand);

  KernelBuilder b;
  mlir::linalg::GenericOp op;
  mlir::SmallVector<Value> sizes, counters;  ///< By loop.
  mlir::SmallVector<unsigned> kept, reduced; ///< Loops.
  Value zero, one;
};

} // namespace tessera::cpu

#endif
