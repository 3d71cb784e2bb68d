/// What the loops of a comprehension read.
#ifndef TESSERA_LANG_TC_OPERANDS_H
#define TESSERA_LANG_TC_OPERANDS_H

#include "lang/tc/Lower.h"

namespace tessera::tc {

/// A part of a tensor that the loops iterate over, and the reads it serves.
struct Operand {
  mlir::Value part;
  mlir::AffineMap map;
  mlir::SmallVector<const Apply *, 2> reads = {};
};

/// Finds the reads that can be operands of the loops: those of which every index is a sum of
/// variables with positive coefficients, and which may happen at every point.
class OperandFinder {
public:
  OperandFinder(FrameLowering::Function &function, const Frame &frame,
                const mlir::DenseMap<const Tensor *, mlir::Value> &values,
                const Comprehension &statement, const Shape &variables)
      : function(function), frame(frame), values(values), statement(statement),
        variables(variables), sizes(function.inferred.sizes) {}

  void visit(const Expr &expr, bool isGuarded);
  /// linalg takes each loop's length from an operand that is indexed by its counter alone. This
  /// operand gives the lengths that no other gives, if there are any.
  std::optional<Operand> lengthsOfOthers(mlir::Location loc);

  mlir::SmallVector<Operand> operands;

private:
  /// Where the loops find the tensor's elements in one dimension.
  struct Walk {
    mlir::AffineExpr index;
    Size offset, size;
  };

  void addRead(const Apply &read, bool isGuarded);
  std::optional<Walk> walkOf(const Apply &read, unsigned dimension, const Expr &index);
  bool startsAtEnd(const Apply &read, unsigned dimension, const Walk &walk);
  bool staysInside(const Apply &read, unsigned dimension, const Walk &walk);
  void keep(const Apply &read, mlir::ArrayRef<Walk> walks);
  mlir::Value partOf(const Apply &read, mlir::ArrayRef<Walk> walks);
  bool isTold(unsigned loop) const;

  using Sizes = mlir::SmallVector<mlir::OpFoldResult>;

  /// A slice that was made before.
  struct Part {
    mlir::Value tensor;
    Sizes offsets, extents;
    mlir::Value value;
  };

  FrameLowering::Function &function;
  const Frame &frame;
  const mlir::DenseMap<const Tensor *, mlir::Value> &values;
  const Comprehension &statement;
  const Shape &variables;
  SizeContext &sizes;
  mlir::DenseSet<llvm::PointerIntPair<const LetClause *, 1, bool>> seen;
  mlir::SmallVector<Part> parts;
};

} // namespace tessera::tc

#endif
