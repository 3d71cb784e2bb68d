/// Which operations are contractions: sums of products over loops that each have one of four roles.
#ifndef TESSERA_CORE_CONTRACTION_H
#define TESSERA_CORE_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::core {

/// By the operands that a loop runs through: lhs, rhs and result; lhs and result; rhs and result;
/// lhs and rhs.
enum class LoopRole { Batch, Row, Column, Depth };

/// How an element of an operand becomes one of the sum's type.
enum class Widening { None, Float, Signed, Unsigned };

/// How a product is added to the sum.
enum class Accumulation {
  Fused,    ///< Floats, rounded once: fma.
  Separate, ///< Floats, the product and the sum rounded each.
  Integer,  ///< Wraps.
};

struct Contraction {
  mlir::SmallVector<LoopRole> roles; ///< One a loop.
  Widening widenings[2] = {};        ///< Of lhs and rhs.
  Accumulation accumulation = Accumulation::Fused;
  /// The language does not fix the order of the sum.
  bool isReorderable = false;
  /// Several loops run through one dimension of an operand, as in a convolution.
  bool hasWindows = false;
};

/// The operands of a contraction, by position.
enum Operand { Lhs, Rhs, Result, numOperands };

/// Whether each place is a sum of loops times constants.
bool isLinear(mlir::AffineMap map);
/// What each loop moves such a place by, and at last the place where all loops are at 0.
mlir::SmallVector<int64_t> coefficientsOf(mlir::AffineExpr expr, unsigned numLoops);

/// Nothing where the operation is something else. Named operations count as fused: [core.7] says
/// so.
std::optional<Contraction> matchContraction(mlir::linalg::LinalgOp op);

} // namespace tessera::core

#endif
