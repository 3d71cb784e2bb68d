/// Arithmetic on values of the IR, written as arithmetic: `fma(x, y, 1) < 0.5` builds the
/// operations. Everything works on scalars and on vectors alike, and rounds exactly as written:
/// nothing is contracted or reassociated later, so a formula has the same bits wherever it is
/// expanded.
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

/// Where operations are built, and for which kind of machine.
struct Place {
  mlir::OpBuilder &b;
  mlir::Location loc;
  bool hasFma;           ///< Without it fma is a multiplication and an addition, rounded twice.
  mlir::ModuleOp module; ///< For declarations.
};

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

/// A value: floats, integers or truth values, one or a vector of them.
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
  /// This term's shape with another element.
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
/// Of integers and of truth values.
Term operator&(Term a, Term b);
Term operator|(Term a, Term b);
Term operator^(Term a, Term b);
Term operator<<(Term a, unsigned count);
/// Logical: zeros come in from the left.
Term operator>>(Term a, unsigned count);

/// False where one of them is not a number.
Term operator<(Term a, Term b);
Term operator>(Term a, Term b);
Term operator<=(Term a, Term b);
Term operator>=(Term a, Term b);
Term operator==(Term a, Term b);
/// True where one of them is not a number.
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

/// a * b + c, rounded once where the machine can.
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
/// At the bound where x is beyond it; not a number stays so.
Term notBelow(Term x, double bound);
Term notAbove(Term x, double bound);

/// The same bits, seen as an integer, or as a float of its width.
Term asInteger(Term x);
Term asFloat(Term x);
/// The same number, as the other float.
Term toDouble(Term x);
Term toSingle(Term x);
/// Of an integer, as the float of its width.
Term toFloat(Term integer);
/// The low half of the bits.
Term lowHalf(Term integer);

/// c[0] + c[1] x + c[2] x^2 + ..., one fma a coefficient. In a loop others fill the time that each
/// waits for the one before; to split the sum costs operations and accuracy.
Term polynomial(Term x, llvm::ArrayRef<double> coefficients);

/// Numbers that a formula is made for, both ends included.
struct Reach {
  double low, high;
};

/// y, but where x is out of reach or not a number, C's function of x: the runtime's function
/// `tessera_rt_far_` name. See Note [Far calls].
Term unlessFar(Term x, Term y, Reach reach, llvm::StringRef name);

/// An unevaluated sum of two floats, the second below the first one's last place.
struct Pair {
  Term high, low;
};

/// a + b and a * b, exactly.
Pair exactSum(Term a, Term b);
Pair exactProduct(Term a, Term b);
/// As exactSum, where |a| >= |b| or a is zero.
Pair exactSumOrdered(Term a, Term b);

} // namespace tessera::transform::math

#endif
