/// The loops of a reduction, and the computation of one iteration.
#ifndef TESSERA_BACKEND_CPU_REDUCTIONLOOPS_H
#define TESSERA_BACKEND_CPU_REDUCTIONLOOPS_H

#include "backend/cpu/LoopNest.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::cpu {

/// The final operation combine(old, value) of a result, if nothing else uses the old value; null
/// otherwise.
mlir::Operation *combinerOf(mlir::linalg::GenericOp op, unsigned result);

class ReductionLoops : protected LoopNest {
protected:
  explicit ReductionLoops(mlir::linalg::GenericOp op);

  using Values = mlir::SmallVector<Value>;

  struct Place {
    Value memory;
    Values indices;
  };

  /// A result of the operation.
  struct Result {
    mlir::OpOperand *operand;
    unsigned number;
  };

  /// Its position in this iteration.
  Place placeOf(const Result &result);
  /// The positions of the sums, which depend only on the kept loops.
  mlir::SmallVector<Place> places();

  Value load(const Place &place);
  void store(Value value, const Place &place);
  Values load(mlir::ArrayRef<Place> from);
  void store(mlir::ArrayRef<Value> values, mlir::ArrayRef<Place> to);

  /// Emits the body for the current counters: stores the elements of `walked` results and returns
  /// the sums.
  Values point(mlir::ArrayRef<Value> old);
  /// Emits the iterations of the first reduced loop within a range, and all of the other reduced
  /// loops; the sums stay in registers.
  Values reduce(Value from, Value to, const Values &old);

  /// The results of which each iteration computes a different element, and the reduced ones.
  mlir::SmallVector<Result> walked, sums;

private:
  bool isWalked(mlir::OpOperand &operand);
  void mapOperands(mlir::IRMapping &mapping);
  Values carry(mlir::ArrayRef<unsigned> loops, const Values &old);
  Values carry(mlir::ArrayRef<unsigned> loops, Value from, Value to, const Values &old);
  bool isExtreme();
  Value isNan(Value value);
  Values quickExtreme(mlir::Operation &combiner, mlir::ArrayRef<Value> old,
                      mlir::IRMapping &mapping);

  bool isQuick = false; ///< See Note [Quick extremes].
};

} // namespace tessera::cpu

#endif
