/// Builds IR from arithmetic notation: `fma(x, y, 1) < 0.5` builds the operations. Everything works
/// on scalars and vectors alike and rounds exactly as written: nothing is contracted or
/// reassociated later, so a formula gives the same bits wherever it is expanded.
#ifndef TESSERA_TRANSFORM_MATH_TERM_H
#define TESSERA_TRANSFORM_MATH_TERM_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include <concepts>
#include <limits>

namespace tessera::transform::math {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Where operations are built, and for which machine.
struct Place {
  mlir::OpBuilder &b;
  mlir::Location loc;
  bool hasFma;           ///< Otherwise fma is a multiplication and an addition, rounded twice.
  mlir::ModuleOp module; ///< Receives declarations.
};

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

/// A value: a float, an integer or a boolean, or a vector of them.
class Term {
public:
  Term(const Place &place, mlir::Value value) : place(&place), value(value) {}

  mlir::Value get() const { return value; }
  const Place &at() const { return *place; }
  mlir::Type element() const { return mlir::getElementTypeOrSelf(value.getType()); }
  unsigned bits() const { return element().getIntOrFloatBitWidth(); }
  bool isSingle() const { return element().isF32(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(element()); }

  /// A constant of this term's type.
  Term like(Number auto number) const {
    return isFloat() ? floatLike(double(number)) : integerLike(int64_t(number));
  }
  /// This term's shape with another element type.
  mlir::Type typeWith(mlir::Type element) const;

private:
  Term floatLike(double number) const;
  Term integerLike(int64_t number) const;

  const Place *place;
  mlir::Value value;
};

Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term operator-(Term a);
/// For integers and booleans.
Term operator&(Term a, Term b);
Term operator|(Term a, Term b);
Term operator^(Term a, Term b);
Term operator<<(Term a, unsigned count);
/// A logical shift, which shifts in zeros.
Term operator>>(Term a, unsigned count);

/// False if either is NaN.
Term operator<(Term a, Term b);
Term operator>(Term a, Term b);
Term operator<=(Term a, Term b);
Term operator>=(Term a, Term b);
Term operator==(Term a, Term b);
/// True if either is NaN.
Term operator!=(Term a, Term b);
/// !(a <= b).
Term exceeds(Term a, Term b);
Term isNan(Term x);
Term operator!(Term truth);

#define TERM_AND_NUMBER(op)                                                                        \
  Term operator op(Term a, Number auto b) {                                                        \
    return a op a.like(b);                                                                         \
  }                                                                                                \
  Term operator op(Number auto a, Term b) {                                                        \
    return b.like(a) op b;                                                                         \
  }
TERM_AND_NUMBER(+)
TERM_AND_NUMBER(-)
TERM_AND_NUMBER(*)
TERM_AND_NUMBER(/)
TERM_AND_NUMBER(&)
TERM_AND_NUMBER(|)
TERM_AND_NUMBER(<)
TERM_AND_NUMBER(>)
TERM_AND_NUMBER(<=)
TERM_AND_NUMBER(>=)
TERM_AND_NUMBER(==)
TERM_AND_NUMBER(!=)
#undef TERM_AND_NUMBER

/// a * b + c, rounded once if the machine has fma.
Term fma(Term a, Term b, Term c);
Term fma(Term a, Term b, Number auto c) {
  return fma(a, b, a.like(c));
}
Term fma(Term a, Number auto b, Term c) {
  return fma(a, a.like(b), c);
}
Term fma(Term a, Number auto b, Number auto c) {
  return fma(a, a.like(b), a.like(c));
}

Term select(Term condition, Term yes, Term no);
Term select(Term condition, Term yes, Number auto no) {
  return select(condition, yes, yes.like(no));
}
Term select(Term condition, Number auto yes, Term no) {
  return select(condition, no.like(yes), no);
}

Term abs(Term x);
Term sqrt(Term x);
Term copysign(Term magnitude, Term sign);
Term trunc(Term x);
/// The bound if x is beyond it; NaN stays NaN.
Term notBelow(Term x, double bound);
Term notAbove(Term x, double bound);

/// Reinterprets the bits as an integer, or as a float, of the same width.
Term asInteger(Term x);
Term asFloat(Term x);
/// Converts to the other float type.
Term toDouble(Term x);
Term toSingle(Term x);
/// Converts an integer to the float of the same width.
Term toFloat(Term integer);
/// The low half of the bits.
Term lowHalf(Term integer);

/// c[0] + c[1] x + c[2] x^2 + ..., one fma per coefficient. Each waits for the one before; in a
/// loop, other iterations fill that time. Splitting the sum would cost operations and accuracy.
Term polynomial(Term x, llvm::ArrayRef<double> coefficients);

/// The range that a formula supports, inclusive.
struct Reach {
  double low, high;
};

/// y, except where x is out of reach or NaN: there the result of C's function, from the runtime
/// function `tessera_rt_far_` name. See Note [Far calls].
Term unlessFar(Term x, Term y, Reach reach, llvm::StringRef name);

/// An unevaluated sum of two floats; the second is below the last place of the first.
struct Pair {
  Term high, low;
};

/// a + b and a * b, exactly.
Pair exactSum(Term a, Term b);
Pair exactProduct(Term a, Term b);
/// Like exactSum, for `a` of at least the magnitude of `b`, or zero.
Pair exactSumOrdered(Term a, Term b);

} // namespace tessera::transform::math

#endif
