/// Recognizes contractions: sums of products over loops, each of which has one of four roles.
#ifndef TESSERA_CORE_CONTRACTION_H
#define TESSERA_CORE_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tessera::core {

/// A loop's role follows from the operands it indexes: lhs, rhs and result; lhs and result; rhs and
/// result; lhs and rhs.
enum class LoopRole { Batch, Row, Column, Depth };

/// How an operand's elements are converted to the type of the sum.
enum class Widening { None, Float, Signed, Unsigned };

/// How a product is added to the sum.
enum class Accumulation {
  Fused,    ///< Floats, one rounding: fma.
  Separate, ///< Floats, the product and the sum rounded separately.
  Integer,  ///< Wraps.
};

struct Contraction {
  mlir::SmallVector<LoopRole> roles; ///< One per loop.
  Widening widenings[2] = {};        ///< For lhs and rhs.
  Accumulation accumulation = Accumulation::Fused;
  /// The language leaves the order of the sum open.
  bool isReorderable = false;
  /// Several loops index the same dimension of an operand, as in a convolution.
  bool hasWindows = false;
};

/// The operands of a contraction, by position.
enum Operand { Lhs, Rhs, Result, numOperands };

/// Whether each index is a linear combination of the loops with constant coefficients.
bool isLinear(mlir::AffineMap map);
/// The coefficient of each loop in such an index, followed by the constant term.
mlir::SmallVector<int64_t> coefficientsOf(mlir::AffineExpr expr, unsigned numLoops);

/// Returns nullopt for other operations. Named operations count as fused [core.7].
std::optional<Contraction> matchContraction(mlir::linalg::LinalgOp op);

} // namespace tessera::core

#endif
