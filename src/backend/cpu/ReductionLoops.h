/// The loops of a reduction, and what one of their iterations computes.
#ifndef TESSERA_BACKEND_CPU_REDUCTIONLOOPS_H
#define TESSERA_BACKEND_CPU_REDUCTIONLOOPS_H

#include "backend/cpu/LoopNest.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::cpu {

/// What a result ends with: combine(old, value), where nothing else asks for the old value; or
/// null.
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

  /// In this iteration.
  Place placeOf(const Result &result);
  /// Of the sums; only the loops that are kept count for them.
  mlir::SmallVector<Place> places();

  Value load(const Place &place);
  void store(Value value, const Place &place);
  Values load(mlir::ArrayRef<Place> from);
  void store(mlir::ArrayRef<Value> values, mlir::ArrayRef<Place> to);

  /// The body for the counters as they are: stores what is walked through, returns the sums.
  Values point(mlir::ArrayRef<Value> old);
  /// All iterations of the first reduced loop from one to another, with all of the others; the sums
  /// stay in registers.
  Values reduce(Value from, Value to, const Values &old);

  /// The results: those of which each iteration computes another element, and the others.
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

  bool isQuick = false; ///< Extremes of numbers, and whether all are.
};

} // namespace tessera::cpu

#endif
