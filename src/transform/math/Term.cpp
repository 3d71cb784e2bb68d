#include "transform/math/Term.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
namespace arith = mlir::arith;

namespace tessera::transform::math {

namespace {

template <typename Op, typename... Operands> Term make(Term like, Operands... operands) {
  const Place &at = like.at();
  return Term(at, Op::create(at.b, at.loc, operands...));
}

template <typename FloatOp, typename IntegerOp> Term binary(Term a, Term b) {
  return a.isFloat() ? make<FloatOp>(a, a.get(), b.get()) : make<IntegerOp>(a, a.get(), b.get());
}

Term compare(arith::CmpFPredicate floats, arith::CmpIPredicate integers, Term a, Term b) {
  return a.isFloat() ? make<arith::CmpFOp>(a, floats, a.get(), b.get())
                     : make<arith::CmpIOp>(a, integers, a.get(), b.get());
}

Term constant(Term like, TypedAttr scalar) {
  auto shaped = dyn_cast<ShapedType>(like.get().getType());
  TypedAttr attr = shaped ? DenseElementsAttr::get(shaped, Attribute(scalar)) : scalar;
  return make<arith::ConstantOp>(like, attr);
}

/// Without fma: halves of the significand, whose products are exact.
Pair split(Term x) {
  Term factor = x.like(x.isSingle() ? 4097.0 : 134217729.0);
  Term scaled = x * factor;
  Term high = scaled - (scaled - x);
  return {high, x - high};
}

} // namespace

Type Term::typeWith(Type element) const {
  auto shaped = dyn_cast<ShapedType>(value.getType());
  return shaped ? Type(shaped.clone(element)) : element;
}

Term Term::floatLike(double number) const {
  return constant(*this, at().b.getFloatAttr(element(), number));
}

Term Term::integerLike(int64_t number) const {
  return constant(*this, at().b.getIntegerAttr(element(), number));
}

Term operator+(Term a, Term b) {
  return binary<arith::AddFOp, arith::AddIOp>(a, b);
}
Term operator-(Term a, Term b) {
  return binary<arith::SubFOp, arith::SubIOp>(a, b);
}
Term operator*(Term a, Term b) {
  return binary<arith::MulFOp, arith::MulIOp>(a, b);
}
Term operator/(Term a, Term b) {
  return make<arith::DivFOp>(a, a.get(), b.get());
}
Term operator-(Term a) {
  return make<arith::NegFOp>(a, a.get());
}
Term operator&(Term a, Term b) {
  return make<arith::AndIOp>(a, a.get(), b.get());
}
Term operator|(Term a, Term b) {
  return make<arith::OrIOp>(a, a.get(), b.get());
}
Term operator^(Term a, Term b) {
  return make<arith::XOrIOp>(a, a.get(), b.get());
}
Term operator<<(Term a, unsigned count) {
  return make<arith::ShLIOp>(a, a.get(), a.like(count).get());
}
Term operator>>(Term a, unsigned count) {
  return make<arith::ShRUIOp>(a, a.get(), a.like(count).get());
}

using Float = arith::CmpFPredicate;
using Integer = arith::CmpIPredicate;

Term operator<(Term a, Term b) {
  return compare(Float::OLT, Integer::slt, a, b);
}
Term operator>(Term a, Term b) {
  return compare(Float::OGT, Integer::sgt, a, b);
}
Term operator<=(Term a, Term b) {
  return compare(Float::OLE, Integer::sle, a, b);
}
Term operator>=(Term a, Term b) {
  return compare(Float::OGE, Integer::sge, a, b);
}
Term operator==(Term a, Term b) {
  return compare(Float::OEQ, Integer::eq, a, b);
}
Term operator!=(Term a, Term b) {
  return compare(Float::UNE, Integer::ne, a, b);
}
Term exceeds(Term a, Term b) {
  return compare(Float::UGT, Integer::sgt, a, b);
}
Term isNan(Term x) {
  return compare(Float::UNO, Integer::ne, x, x);
}
Term operator!(Term truth) {
  return truth ^ truth.like(1);
}

Term fma(Term a, Term b, Term c) {
  if (!a.at().hasFma)
    return a * b + c;
  return make<mlir::math::FmaOp>(a, a.get(), b.get(), c.get());
}

Term select(Term condition, Term yes, Term no) {
  return make<arith::SelectOp>(yes, condition.get(), yes.get(), no.get());
}

Term abs(Term x) {
  return make<mlir::math::AbsFOp>(x, x.get());
}
Term sqrt(Term x) {
  return make<mlir::math::SqrtOp>(x, x.get());
}
Term copysign(Term magnitude, Term sign) {
  return make<mlir::math::CopySignOp>(magnitude, magnitude.get(), sign.get());
}
Term trunc(Term x) {
  return make<mlir::math::TruncOp>(x, x.get());
}

Term notBelow(Term x, double bound) {
  return select(x < bound, bound, x);
}
Term notAbove(Term x, double bound) {
  return select(x > bound, bound, x);
}

Term asInteger(Term x) {
  Type type = x.typeWith(x.at().b.getIntegerType(x.bits()));
  return make<arith::BitcastOp>(x, type, x.get());
}
/// The float type of the same width.
static Type floatTypeOf(Term x) {
  OpBuilder &b = x.at().b;
  return x.typeWith(x.bits() == 32 ? Type(b.getF32Type()) : Type(b.getF64Type()));
}
Term asFloat(Term x) {
  return make<arith::BitcastOp>(x, floatTypeOf(x), x.get());
}
Term toFloat(Term integer) {
  return make<arith::SIToFPOp>(integer, floatTypeOf(integer), integer.get());
}
Term toDouble(Term x) {
  return make<arith::ExtFOp>(x, x.typeWith(x.at().b.getF64Type()), x.get());
}
Term toSingle(Term x) {
  return make<arith::TruncFOp>(x, x.typeWith(x.at().b.getF32Type()), x.get());
}
Term lowHalf(Term integer) {
  Type half = integer.typeWith(integer.at().b.getIntegerType(integer.bits() / 2));
  return make<arith::TruncIOp>(integer, half, integer.get());
}

Term polynomial(Term x, llvm::ArrayRef<double> coefficients) {
  Term sum = x.like(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, coefficient);
  return sum;
}

Pair exactSum(Term a, Term b) {
  Term sum = a + b;
  Term ofB = sum - a;
  return {sum, (a - (sum - ofB)) + (b - ofB)};
}

Pair exactSumOrdered(Term a, Term b) {
  Term sum = a + b;
  return {sum, b - (sum - a)};
}

Pair exactProduct(Term a, Term b) {
  Term product = a * b;
  if (a.at().hasFma)
    return {product, fma(a, b, -product)};
  Pair x = split(a), y = split(b);
  Term low = ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return {product, low};
}

} // namespace tessera::transform::math
