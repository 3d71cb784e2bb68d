/// Arithmetic on numbers, which may be vectors and may be complex. Narrow floats are computed in
/// f32 and rounded after each operation.
#include "core/Narrow.h"
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static bool isNarrow(Type type) {
  return type.isBF16() || type.isF16();
}

static Type partOf(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex ? complex.getElementType() : type;
}

//===-- Narrow floats -----------------------------------------------------===//

Value CoreLowering::widened(Value value) {
  return arith::ExtFOp::create(b, loc, like(value, b.getF32Type()), value);
}

Value CoreLowering::rounded(Value value, Type to) {
  return arith::TruncFOp::create(b, loc, like(value, to), value);
}

//===-- Binary ------------------------------------------------------------===//

Number CoreLowering::zero(Type type) {
  Type part = partOf(type);
  return {fill(part.isIndex() ? i64 : part, 0)};
}

Number CoreLowering::select(Value condition, Number ifTrue, Number ifFalse) {
  auto choose = [&](Value x, Value y) -> Value {
    if (hasLanes(condition)) {
      x = inLanesOf(x, condition);
      y = inLanesOf(y, condition);
    }
    Value left = inLanesOf(x, y), right = inLanesOf(y, x);
    return arith::SelectOp::create(b, loc, condition, left, right);
  };
  Number result{choose(ifTrue.re, ifFalse.re)};
  if (!ifTrue.im && !ifFalse.im)
    return result;
  Value none = fill(getElementTypeOrSelf(ifTrue.re.getType()), 0);
  result.im = choose(ifTrue.im ? ifTrue.im : none, ifFalse.im ? ifFalse.im : none);
  return result;
}

/// Division by zero, which would trap, gives 0; the least number divided by -1 gives itself.
Value CoreLowering::divideIntegers(ir::Binary function, Value lhs, Value rhs) {
  lhs = inLanesOf(lhs, rhs), rhs = inLanesOf(rhs, lhs);
  Type type = lhs.getType();
  Value none = fill(type, 0), one = fill(type, 1);
  Value isZero = compareInts(CmpIPredicate::eq, rhs, none);
  Value isMinus = compareInts(CmpIPredicate::eq, rhs, fill(type, -1));
  Value isSpecial = make<arith::OrIOp>(isZero, isMinus);
  Value divisor = arith::SelectOp::create(b, loc, isSpecial, one, rhs);
  bool isRest = function == ir::Binary::Rem;
  Value plain = isRest ? make<arith::RemSIOp>(lhs, divisor) : make<arith::DivSIOp>(lhs, divisor);
  Value negated = isRest ? none : make<arith::SubIOp>(none, lhs);
  Value result = arith::SelectOp::create(b, loc, isMinus, negated, plain);
  return arith::SelectOp::create(b, loc, isZero, none, result);
}

/// Shifts by the low bits of the amount, because larger amounts are undefined.
Value CoreLowering::shift(ir::Binary function, Value lhs, Value rhs) {
  unsigned width = getElementTypeOrSelf(rhs.getType()).getIntOrFloatBitWidth();
  Value amount = make<arith::AndIOp>(rhs, fill(rhs.getType(), width - 1));
  return function == ir::Binary::Shl ? make<arith::ShLIOp>(lhs, amount)
                                     : make<arith::ShRSIOp>(lhs, amount);
}

Value CoreLowering::arithmeticReal(ir::Binary function, Type type, Value lhs, Value rhs) {
  bool isFloat = isa<FloatType>(type);
  switch (function) {
  case ir::Binary::Add:
    return isFloat ? make<arith::AddFOp>(lhs, rhs) : make<arith::AddIOp>(lhs, rhs);
  case ir::Binary::Sub:
    return isFloat ? make<arith::SubFOp>(lhs, rhs) : make<arith::SubIOp>(lhs, rhs);
  case ir::Binary::Mul:
    return isFloat ? make<arith::MulFOp>(lhs, rhs) : make<arith::MulIOp>(lhs, rhs);
  case ir::Binary::Div:
    return isFloat ? make<arith::DivFOp>(lhs, rhs) : divideIntegers(function, lhs, rhs);
  case ir::Binary::Rem:
    return isFloat ? make<arith::RemFOp>(lhs, rhs) : divideIntegers(function, lhs, rhs);
  case ir::Binary::Min:
    return isFloat ? make<arith::MinNumFOp>(lhs, rhs) : make<arith::MinSIOp>(lhs, rhs);
  case ir::Binary::Max:
    return isFloat ? make<arith::MaxNumFOp>(lhs, rhs) : make<arith::MaxSIOp>(lhs, rhs);
  case ir::Binary::Shl:
  case ir::Binary::Shr:
    return shift(function, lhs, rhs);
  case ir::Binary::And:
    return make<arith::AndIOp>(lhs, rhs);
  case ir::Binary::Or:
    return make<arith::OrIOp>(lhs, rhs);
  case ir::Binary::Xor:
    return make<arith::XOrIOp>(lhs, rhs);
  }
  llvm_unreachable("no such function");
}

Number CoreLowering::arithmetic(ir::Binary function, Type type, Number lhs, Number rhs) {
  if (isNarrow(type))
    return {
        rounded(arithmeticReal(function, b.getF32Type(), widened(lhs.re), widened(rhs.re)), type)};
  if (!ir::isComplex(type))
    return {arithmeticReal(function, type, lhs.re, rhs.re)};
  if (function == ir::Binary::Mul)
    return multiply(type, lhs, rhs);
  if (function == ir::Binary::Div)
    return divideComplex(type, lhs, rhs);
  Type part = partOf(type);
  Number result{arithmeticReal(function, part, lhs.re, rhs.re)};
  if (!lhs.im && !rhs.im)
    return result;
  Value none = fill(part, 0);
  result.im = arithmeticReal(function, part, lhs.im ? lhs.im : none, rhs.im ? rhs.im : none);
  return result;
}

/// Null parts are left out.
Number CoreLowering::multiply(Type type, Number lhs, Number rhs) {
  Type part = partOf(type);
  auto times = [&](Value x, Value y) { return arithmeticReal(ir::Binary::Mul, part, x, y); };
  Number result{times(lhs.re, rhs.re)};
  if (lhs.im && rhs.im) {
    result.re = make<arith::SubFOp>(result.re, times(lhs.im, rhs.im));
    result.im = make<arith::AddFOp>(times(lhs.re, rhs.im), times(lhs.im, rhs.re));
  } else if (lhs.im || rhs.im) {
    result.im = lhs.im ? times(lhs.im, rhs.re) : times(lhs.re, rhs.im);
  }
  return result;
}

Number CoreLowering::multiplyAdd(Type type, Number lhs, Number rhs, Number sum) {
  auto fused = [&](Value x, Value y, Value z) -> Value {
    if (!isa<FloatType>(partOf(type)))
      return make<arith::AddIOp>(make<arith::MulIOp>(x, y), z);
    Value all[] = {x, y, z};
    for (Value &value : all)
      for (Value other : {x, y, z})
        value = inLanesOf(value, other);
    return math::FmaOp::create(b, loc, all[0], all[1], all[2]);
  };
  Number result{fused(lhs.re, rhs.re, sum.re), sum.im};
  if (lhs.im && rhs.im)
    result.re = fused(arith::NegFOp::create(b, loc, lhs.im), rhs.im, result.re);
  if ((lhs.im || rhs.im) && !result.im)
    result.im = fill(result.re.getType(), 0);
  if (rhs.im)
    result.im = fused(lhs.re, rhs.im, result.im);
  if (lhs.im)
    result.im = fused(lhs.im, rhs.re, result.im);
  return result;
}

/// No intermediate result is out of range: the divisor is scaled by its larger part, and a dividend
/// near the end of the range by a fourth, since its parts are added.
Number CoreLowering::divideComplex(Type type, Number lhs, Number rhs) {
  auto times = [&](Value x, Value y) { return make<arith::MulFOp>(x, y); };
  auto over = [&](Value x, Value y) { return make<arith::DivFOp>(x, y); };
  Value none = fill(partOf(type), 0);
  Value re = lhs.re, im = lhs.im ? lhs.im : none, divisorIm = rhs.im ? rhs.im : none;
  Value larger = make<arith::MaximumFOp>(Value(math::AbsFOp::create(b, loc, re)),
                                         Value(math::AbsFOp::create(b, loc, im)));
  double large = std::ldexp(1.0, partOf(type).isF64() ? 1020 : 124);
  Value isLarge =
      arith::CmpFOp::create(b, loc, CmpFPredicate::OGT, larger, fill(larger.getType(), large));
  auto chosen = [&](double ifLarge) -> Value {
    return arith::SelectOp::create(b, loc, isLarge, fill(larger.getType(), ifLarge),
                                   fill(larger.getType(), 1));
  };
  Value down = chosen(0.25), up = chosen(4);
  re = times(re, down), im = times(im, down);
  Value scale = make<arith::MaximumFOp>(Value(math::AbsFOp::create(b, loc, rhs.re)),
                                        Value(math::AbsFOp::create(b, loc, divisorIm)));
  Value c = over(rhs.re, scale), d = over(divisorIm, scale);
  Value norm = make<arith::AddFOp>(times(c, c), times(d, d));
  Value first = make<arith::AddFOp>(times(re, c), times(im, d));
  Value second = make<arith::SubFOp>(times(im, c), times(re, d));
  return {times(over(over(first, norm), scale), up), times(over(over(second, norm), scale), up)};
}

//===-- Unary -------------------------------------------------------------===//

static Value isEqual(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::CmpFOp::create(b, loc, CmpFPredicate::OEQ, x, y);
}

/// Whether the value is neither infinite nor NaN.
Value CoreLowering::isFinite(Value value) {
  Value infinity = fill(value.getType(), std::numeric_limits<double>::infinity());
  Value size = math::AbsFOp::create(b, loc, value);
  return arith::CmpFOp::create(b, loc, CmpFPredicate::OLT, size, infinity);
}

/// Like C's hypot: no intermediate result is out of range, and the result is infinite if a part is,
/// whatever the other one is.
Value CoreLowering::modulus(Number operand) {
  Value re = math::AbsFOp::create(b, loc, operand.re);
  if (!operand.im)
    return re;
  Value im = math::AbsFOp::create(b, loc, operand.im);
  Value large = make<arith::MaximumFOp>(re, im), small = make<arith::MinimumFOp>(re, im);
  Type type = large.getType();
  Value none = fill(type, 0), infinity = fill(type, std::numeric_limits<double>::infinity());
  Value ratio = make<arith::DivFOp>(small, large);
  Value square = make<arith::AddFOp>(fill(type, 1), make<arith::MulFOp>(ratio, ratio));
  Value result = make<arith::MulFOp>(large, Value(math::SqrtOp::create(b, loc, square)));
  result = arith::SelectOp::create(b, loc, isEqual(b, loc, large, none), none, result);
  Value isInfinite =
      make<arith::OrIOp>(isEqual(b, loc, re, infinity), isEqual(b, loc, im, infinity));
  return arith::SelectOp::create(b, loc, isInfinite, infinity, result);
}

/// exp(re) cos(im) and exp(re) sin(im), like C's cexp: a scale that is too large by itself is
/// multiplied in two steps, and the angle does not turn infinite or zero scales into NaN.
Number CoreLowering::expComplex(Number operand) {
  Value re = operand.re, im = operand.im;
  Type type = re.getType();
  double most = getElementTypeOrSelf(type).isF64() ? 709 : 88; // exp(most) is finite.
  Value infinity = fill(type, std::numeric_limits<double>::infinity());
  Value none = fill(type, 0), large = fill(type, most);
  auto choose = [&](Value condition, Value x, Value y) -> Value {
    return arith::SelectOp::create(b, loc, condition, x, y);
  };
  Value hasNoAngle = make<arith::XOrIOp>(isFinite(im), fill(like(im, i1), 1));
  Value vanishes = isEqual(b, loc, re, fill(type, -std::numeric_limits<double>::infinity()));
  Value angle = choose(make<arith::AndIOp>(vanishes, hasNoAngle), none, im);
  Value isLarge = arith::CmpFOp::create(b, loc, CmpFPredicate::OGT, re, large);
  Value scale = math::ExpOp::create(b, loc, make<arith::SubFOp>(re, choose(isLarge, large, none)));
  Value rest = choose(isLarge, fill(type, std::exp(most)), fill(type, 1));
  auto scaled = [&](Value part) {
    return make<arith::MulFOp>(make<arith::MulFOp>(scale, part), rest);
  };
  Value first = scaled(Value(math::CosOp::create(b, loc, angle)));
  Value second = scaled(Value(math::SinOp::create(b, loc, angle)));
  Value explodes = make<arith::AndIOp>(isEqual(b, loc, re, infinity), hasNoAngle);
  return {choose(explodes, infinity, first), choose(isEqual(b, loc, angle, none), angle, second)};
}

Value CoreLowering::unaryReal(ir::Unary function, Type type, Value operand) {
  bool isFloat = isa<FloatType>(type);
  Type own = operand.getType();
  switch (function) {
  case ir::Unary::Abs:
    return isFloat ? Value(math::AbsFOp::create(b, loc, operand))
                   : make<arith::MaxSIOp>(operand, make<arith::SubIOp>(fill(own, 0), operand));
  case ir::Unary::Neg:
    return isFloat ? Value(arith::NegFOp::create(b, loc, operand))
                   : make<arith::SubIOp>(fill(own, 0), operand);
  case ir::Unary::Not:
    return make<arith::XOrIOp>(
        operand,
        fillInt(own, APInt::getAllOnes(type.isIndex() ? 64 : type.getIntOrFloatBitWidth())));
  case ir::Unary::Exp:
  case ir::Unary::NativeExp:
    return math::ExpOp::create(b, loc, operand);
  default:
    llvm_unreachable("a function of complex numbers");
  }
}

Number CoreLowering::unary(ir::Unary function, Type type, Number operand) {
  if (isNarrow(type))
    return {rounded(unaryReal(function, b.getF32Type(), widened(operand.re)), type)};
  if (!ir::isComplex(type))
    return {unaryReal(function, type, operand.re)};
  auto negative = [&](Value part) -> Value { return arith::NegFOp::create(b, loc, part); };
  switch (function) {
  case ir::Unary::Abs:
    return {modulus(operand)};
  case ir::Unary::Neg:
    return {negative(operand.re), negative(operand.im)};
  case ir::Unary::Conj:
    return {operand.re, negative(operand.im)};
  case ir::Unary::Im:
    return {operand.im};
  case ir::Unary::Re:
    return {operand.re};
  default:
    return expComplex(operand);
  }
}

//===-- Comparisons and conversions ---------------------------------------===//

Value CoreLowering::compare(ir::Compare function, Type type, Number lhs, Number rhs) {
  static constexpr CmpIPredicate integers[] = {CmpIPredicate::eq,  CmpIPredicate::ne,
                                               CmpIPredicate::sgt, CmpIPredicate::sge,
                                               CmpIPredicate::slt, CmpIPredicate::sle};
  static constexpr CmpFPredicate floats[] = {CmpFPredicate::OEQ, CmpFPredicate::UNE,
                                             CmpFPredicate::OGT, CmpFPredicate::OGE,
                                             CmpFPredicate::OLT, CmpFPredicate::OLE};
  if (!isa<FloatType>(partOf(type)))
    return compareInts(integers[unsigned(function)], lhs.re, rhs.re);
  auto parts = [&](Value x, Value y) -> Value {
    Value left = inLanesOf(x, y), right = inLanesOf(y, x);
    return arith::CmpFOp::create(b, loc, floats[unsigned(function)], left, right);
  };
  Value first = parts(lhs.re, rhs.re);
  if (!ir::isComplex(type))
    return first;
  Value second = parts(lhs.im, rhs.im);
  return function == ir::Compare::Equal ? make<arith::AndIOp>(first, second)
                                        : make<arith::OrIOp>(first, second);
}

/// Converts to the nearest integer of the type; NaN gives 0.
Value CoreLowering::saturated(Value operand, Type to) {
  return LLVM::CallIntrinsicOp::create(b, loc, like(operand, to),
                                       b.getStringAttr("llvm.fptosi.sat"), operand)
      .getResult(0);
}

Value CoreLowering::convertReal(Value operand, Type from, Type to) {
  Type source = from.isIndex() ? i64 : from, target = to.isIndex() ? i64 : to;
  if (source == target)
    return operand;
  Type type = like(operand, target);
  if (isNarrow(source))
    return convertReal(widened(operand), b.getF32Type(), target);
  if (isNarrow(target)) {
    if (isa<FloatType>(source) && target.isF16())
      return arith::TruncFOp::create(b, loc, type, operand);
    return rounded(core::roundedToOdd(b, loc, operand), target);
  }
  unsigned width = source.getIntOrFloatBitWidth(), wanted = target.getIntOrFloatBitWidth();
  if (isa<FloatType>(source) && isa<FloatType>(target))
    return width < wanted ? Value(arith::ExtFOp::create(b, loc, type, operand))
                          : Value(arith::TruncFOp::create(b, loc, type, operand));
  if (isa<FloatType>(source))
    return saturated(operand, target);
  if (isa<FloatType>(target))
    return arith::SIToFPOp::create(b, loc, type, operand);
  return width < wanted ? Value(arith::ExtSIOp::create(b, loc, type, operand))
                        : Value(arith::TruncIOp::create(b, loc, type, operand));
}

Number CoreLowering::convert(Number operand, Type from, Type to) {
  Number result{convertReal(operand.re, partOf(from), partOf(to))};
  if (operand.im)
    result.im = convertReal(operand.im, partOf(from), partOf(to));
  return result;
}
