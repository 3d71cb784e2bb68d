/// Scalars, and lanes of them.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

namespace {

/// A number in every lane.
Value fill(OpBuilder &b, Location loc, Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr number = isa<FloatType>(element) ? TypedAttr(b.getFloatAttr(element, double(value)))
                                             : TypedAttr(b.getIntegerAttr(element, value));
  if (auto lanes = dyn_cast<ShapedType>(type))
    number = DenseElementsAttr::get(lanes, Attribute(number));
  return arith::ConstantOp::create(b, loc, number);
}

Value fillFloat(OpBuilder &b, Location loc, Type type, const APFloat &value) {
  TypedAttr number = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto lanes = dyn_cast<ShapedType>(type))
    number = DenseElementsAttr::get(lanes, Attribute(number));
  return arith::ConstantOp::create(b, loc, number);
}

Value fillInteger(OpBuilder &b, Location loc, Type type, const APInt &value) {
  TypedAttr number = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto lanes = dyn_cast<ShapedType>(type))
    number = DenseElementsAttr::get(lanes, Attribute(number));
  return arith::ConstantOp::create(b, loc, number);
}

/// Bools count as unsigned: false is less than true.
bool isUnsigned(Type lane) {
  return lane.isInteger(1) || lane.isUnsignedInteger();
}

/// The type with another element type.
Type withElement(Type like, Type element) {
  auto lanes = dyn_cast<VectorType>(like);
  return lanes ? Type(lanes.clone(element)) : element;
}

arith::CmpFPredicate floatPredicate(ir::Binary function) {
  switch (function) {
  case ir::Binary::Equal:
    return arith::CmpFPredicate::OEQ;
  case ir::Binary::NotEqual:
    return arith::CmpFPredicate::UNE;
  case ir::Binary::Less:
    return arith::CmpFPredicate::OLT;
  case ir::Binary::LessEqual:
    return arith::CmpFPredicate::OLE;
  case ir::Binary::Greater:
    return arith::CmpFPredicate::OGT;
  default:
    return arith::CmpFPredicate::OGE;
  }
}

arith::CmpIPredicate integerPredicate(ir::Binary function, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (function) {
  case ir::Binary::Equal:
    return P::eq;
  case ir::Binary::NotEqual:
    return P::ne;
  case ir::Binary::Less:
    return isUnsigned ? P::ult : P::slt;
  case ir::Binary::LessEqual:
    return isUnsigned ? P::ule : P::sle;
  case ir::Binary::Greater:
    return isUnsigned ? P::ugt : P::sgt;
  default:
    return isUnsigned ? P::uge : P::sge;
  }
}

bool isComparison(ir::Binary function) {
  return function >= ir::Binary::Equal && function <= ir::Binary::GreaterEqual;
}

} // namespace

Leaves CoreLowering::lower(ir::ConstantOp op) {
  TypedAttr value = op.getValue();
  Type type = leafTypes(op.getType())[0];
  if (auto integer = dyn_cast<IntegerAttr>(value))
    value = b.getIntegerAttr(type, integer.getValue());
  return {arith::ConstantOp::create(b, loc, value)};
}

Leaves CoreLowering::lower(ir::BroadcastOp op) {
  Type type = leafTypes(op.getType())[0];
  return {vector::BroadcastOp::create(b, loc, type, leaf(op.getOperand()))};
}

Leaves CoreLowering::lower(ir::SelectOp op) {
  Leaves chosen;
  Value condition = leaf(op.getCondition());
  for (auto [onTrue, onFalse] : llvm::zip_equal(leaves(op.getOnTrue()), leaves(op.getOnFalse())))
    chosen.push_back(arith::SelectOp::create(b, loc, condition, onTrue, onFalse));
  return chosen;
}

Leaves CoreLowering::lower(ir::UnaryOp op) {
  Value x = leaf(op.getOperand());
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(x.getType()));
  switch (op.getFunction()) {
  case ir::Unary::Neg:
    if (isFloat)
      return {arith::NegFOp::create(b, loc, x)};
    return {make<arith::SubIOp>(fill(b, loc, x.getType(), 0), x)};
  case ir::Unary::Not:
    return {make<arith::XOrIOp>(x, fill(b, loc, x.getType(), -1))};
  case ir::Unary::Exp:
    return {math::ExpOp::create(b, loc, x)};
  case ir::Unary::Log:
    return {math::LogOp::create(b, loc, x)};
  case ir::Unary::Sqrt:
    return {math::SqrtOp::create(b, loc, x)};
  case ir::Unary::Sin:
    return {math::SinOp::create(b, loc, x)};
  case ir::Unary::Cos:
    return {math::CosOp::create(b, loc, x)};
  case ir::Unary::Tan:
    return {math::TanOp::create(b, loc, x)};
  case ir::Unary::Asin:
    return {math::AsinOp::create(b, loc, x)};
  case ir::Unary::Acos:
    return {math::AcosOp::create(b, loc, x)};
  case ir::Unary::Atan:
    return {math::AtanOp::create(b, loc, x)};
  case ir::Unary::Sinh:
    return {math::SinhOp::create(b, loc, x)};
  case ir::Unary::Cosh:
    return {math::CoshOp::create(b, loc, x)};
  case ir::Unary::Tanh:
    return {math::TanhOp::create(b, loc, x)};
  case ir::Unary::Erf:
    return {math::ErfOp::create(b, loc, x)};
  }
  return {};
}

Value CoreLowering::comparison(ir::Binary function, Type lane, Value lhs, Value rhs) {
  if (isa<FloatType>(lane))
    return arith::CmpFOp::create(b, loc, floatPredicate(function), lhs, rhs);
  return compare(integerPredicate(function, isUnsigned(lane)), lhs, rhs);
}

/// Operators that cannot fail.
Value CoreLowering::arithmetic(ir::Binary function, Type lane, Value lhs, Value rhs) {
  bool isFloat = isa<FloatType>(lane), isPositive = isUnsigned(lane);
  switch (function) {
  case ir::Binary::BitOr:
    return make<arith::OrIOp>(lhs, rhs);
  case ir::Binary::BitXor:
    return make<arith::XOrIOp>(lhs, rhs);
  case ir::Binary::BitAnd:
    return make<arith::AndIOp>(lhs, rhs);
  case ir::Binary::Add:
    return isFloat ? make<arith::AddFOp>(lhs, rhs) : make<arith::AddIOp>(lhs, rhs);
  case ir::Binary::Sub:
    return isFloat ? make<arith::SubFOp>(lhs, rhs) : make<arith::SubIOp>(lhs, rhs);
  case ir::Binary::Mul:
    return isFloat ? make<arith::MulFOp>(lhs, rhs) : make<arith::MulIOp>(lhs, rhs);
  case ir::Binary::Div:
    return make<arith::DivFOp>(lhs, rhs);
  case ir::Binary::Rem:
    return make<arith::RemFOp>(lhs, rhs);
  case ir::Binary::Min:
    return isFloat      ? make<arith::MinimumFOp>(lhs, rhs)
           : isPositive ? make<arith::MinUIOp>(lhs, rhs)
                        : make<arith::MinSIOp>(lhs, rhs);
  case ir::Binary::Max:
    return isFloat      ? make<arith::MaximumFOp>(lhs, rhs)
           : isPositive ? make<arith::MaxUIOp>(lhs, rhs)
                        : make<arith::MaxSIOp>(lhs, rhs);
  default:
    return make<math::PowFOp>(lhs, rhs);
  }
}

Leaves CoreLowering::lower(ir::BinaryOp op) {
  ir::Binary function = op.getFunction();
  Type lane = ir::laneType(op.getLhs().getType());
  if (!lane)
    return {compareWhole(op)};
  if (isComparison(function))
    return {comparison(function, lane, leaf(op.getLhs()), leaf(op.getRhs()))};
  bool isDivision = function == ir::Binary::Div || function == ir::Binary::Rem;
  if (isDivision && !isa<FloatType>(lane))
    return {divide(op, lane)};
  if (function == ir::Binary::Pow && !isa<FloatType>(lane))
    return {power(op, lane)};
  return {arithmetic(function, lane, leaf(op.getLhs()), leaf(op.getRhs()))};
}

/// The scalars of a struct, if it holds nothing else and not many of them.
static SmallVector<Type> fewScalars(Type type) {
  constexpr size_t few = 8;
  SmallVector<Type> open{type}, scalars;
  while (!open.empty() && scalars.size() < few) {
    Type next = open.pop_back_val();
    if (auto fields = dyn_cast<ir::StructType>(next))
      llvm::append_range(open, llvm::reverse(fields.getFields()));
    else if (ir::isScalar(next))
      scalars.push_back(next);
    else
      return {};
  }
  return open.empty() ? scalars : SmallVector<Type>();
}

/// Compares field by field, from the last to the first, because later fields matter if earlier ones
/// are equal. A NaN is neither equal to nor ordered with anything.
Value CoreLowering::compareFields(ir::Binary function, ArrayRef<Type> scalars, const Leaves &lhs,
                                  const Leaves &rhs) {
  bool isUnequal = function == ir::Binary::NotEqual;
  ir::Binary strict = function == ir::Binary::LessEqual      ? ir::Binary::Less
                      : function == ir::Binary::GreaterEqual ? ir::Binary::Greater
                                                             : function;
  Value result = comparison(function, scalars.back(), lhs.back(), rhs.back());
  for (size_t index = scalars.size() - 1; index-- > 0;) {
    auto compared = [&](ir::Binary by) {
      return comparison(by, scalars[index], lhs[index], rhs[index]);
    };
    if (isUnequal)
      result = make<arith::OrIOp>(compared(function), result);
    else
      result = make<arith::AndIOp>(compared(ir::Binary::Equal), result);
    if (!isUnequal && function != ir::Binary::Equal)
      result = make<arith::OrIOp>(compared(strict), result);
  }
  return result;
}

/// Vectors and structs: the runtime finds the first difference, and returns 2 if it is a NaN.
Value CoreLowering::compareWhole(ir::BinaryOp op) {
  Type type = op.getLhs().getType();
  if (SmallVector<Type> scalars = fewScalars(type); !scalars.empty())
    return compareFields(op.getFunction(), scalars, leaves(op.getLhs()), leaves(op.getRhs()));
  Value order = callFor("tessera_rt_compare", b.getI32Type(),
                        {typeTable(describe(type)), spill(type, leaves(op.getLhs())),
                         spill(type, leaves(op.getRhs()))});
  auto is = [&](int64_t wanted) {
    return compare(arith::CmpIPredicate::eq, order, fill(b, loc, b.getI32Type(), wanted));
  };
  switch (op.getFunction()) {
  case ir::Binary::Equal:
    return is(0);
  case ir::Binary::NotEqual:
    return make<arith::XOrIOp>(is(0), fill(b, loc, i1, -1));
  case ir::Binary::Less:
    return is(-1);
  case ir::Binary::LessEqual:
    return make<arith::OrIOp>(is(-1), is(0));
  case ir::Binary::Greater:
    return is(1);
  default:
    return make<arith::OrIOp>(is(1), is(0));
  }
}

/// Traps if the condition holds in any lane.
void CoreLowering::checkLanes(Value fails, StringRef message) {
  if (isa<VectorType>(fails.getType()))
    fails = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, fails);
  trapIf(fails, message, {});
}

/// Division by zero fails; the least integer divided by -1 wraps.
Value CoreLowering::divide(ir::BinaryOp op, Type lane) {
  Value lhs = leaf(op.getLhs()), rhs = leaf(op.getRhs());
  Type type = lhs.getType();
  bool isQuotient = op.getFunction() == ir::Binary::Div;
  if (op.canFail()) {
    Value isZero = compare(arith::CmpIPredicate::eq, rhs, fill(b, loc, type, 0));
    checkLanes(isZero, "DivisionByZero: an integer is divided by zero");
    // MLIR hoists remainders out of loops, above the check or even if no iteration divides.
    if (!isQuotient)
      rhs = arith::SelectOp::create(b, loc, isZero, fill(b, loc, type, 1), rhs);
  }
  if (isUnsigned(lane))
    return isQuotient ? make<arith::DivUIOp>(lhs, rhs) : make<arith::RemUIOp>(lhs, rhs);
  APInt known;
  if (matchPattern(rhs, m_ConstantInt(&known)) && !known.isAllOnes())
    return isQuotient ? make<arith::DivSIOp>(lhs, rhs) : make<arith::RemSIOp>(lhs, rhs);
  Value isMinusOne = compare(arith::CmpIPredicate::eq, rhs, fill(b, loc, type, -1));
  Value safe = arith::SelectOp::create(b, loc, isMinusOne, fill(b, loc, type, 1), rhs);
  if (!isQuotient)
    return make<arith::RemSIOp>(lhs, safe);
  Value negated = make<arith::SubIOp>(fill(b, loc, type, 0), lhs);
  return arith::SelectOp::create(b, loc, isMinusOne, negated, make<arith::DivSIOp>(lhs, safe));
}

Value CoreLowering::power(ir::BinaryOp op, Type lane) {
  Value base = leaf(op.getLhs()), exponent = leaf(op.getRhs());
  if (!isUnsigned(lane))
    checkLanes(compare(arith::CmpIPredicate::slt, exponent, fill(b, loc, exponent.getType(), 0)),
               "DivisionByZero: an integer is raised to a negative power");
  if (!isa<VectorType>(base.getType()))
    return integerPower(base, exponent);
  Value result = fill(b, loc, base.getType(), 1);
  for (int64_t index = 0; index < numLanes; ++index) {
    Value one = integerPower(vector::ExtractOp::create(b, loc, base, index),
                             vector::ExtractOp::create(b, loc, exponent, index));
    result = vector::InsertOp::create(b, loc, one, result, index);
  }
  return result;
}

/// Computed by squaring; wraps.
Value CoreLowering::integerPower(Value base, Value exponent) {
  Type type = base.getType();
  Value one = fill(b, loc, type, 1), zero = fill(b, loc, type, 0);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{type, type, type}, ValueRange{one, base, exponent},
      [&](OpBuilder &nested, Location at, ValueRange state) {
        Value goesOn = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::ne, state[2], zero);
        scf::ConditionOp::create(nested, at, goesOn, state);
      },
      [&](OpBuilder &nested, Location at, ValueRange state) {
        Value bit = arith::AndIOp::create(nested, at, state[2], one);
        Value isSet = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::ne, bit, zero);
        Value product = arith::MulIOp::create(nested, at, state[0], state[1]);
        Value next = arith::SelectOp::create(nested, at, isSet, product, state[0]);
        Value squared = arith::MulIOp::create(nested, at, state[1], state[1]);
        Value rest = arith::ShRUIOp::create(nested, at, state[2], one);
        scf::YieldOp::create(nested, at, ValueRange{next, squared, rest});
      });
  return loop.getResult(0);
}

Leaves CoreLowering::lower(ir::CastOp op) {
  Type from = ir::laneType(op.getOperand().getType()), to = ir::laneType(op.getType());
  return {convert(leaf(op.getOperand()), from, to)};
}

Value CoreLowering::convert(Value operand, Type from, Type to) {
  Type type = withElement(operand.getType(), leafTypes(to)[0]);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (from == to)
    return operand;
  if (to.isInteger(1))
    return comparison(ir::Binary::NotEqual, from, operand, fill(b, loc, operand.getType(), 0));
  unsigned width = from.getIntOrFloatBitWidth(), wanted = to.getIntOrFloatBitWidth();
  if (fromFloat && toFloat)
    return width < wanted ? Value(arith::ExtFOp::create(b, loc, type, operand))
                          : Value(arith::TruncFOp::create(b, loc, type, operand));
  if (fromFloat)
    return saturate(operand, to, type);
  if (toFloat)
    return isUnsigned(from) ? Value(arith::UIToFPOp::create(b, loc, type, operand))
                            : Value(arith::SIToFPOp::create(b, loc, type, operand));
  if (width == wanted)
    return operand;
  if (width > wanted)
    return arith::TruncIOp::create(b, loc, type, operand);
  return isUnsigned(from) ? Value(arith::ExtUIOp::create(b, loc, type, operand))
                          : Value(arith::ExtSIOp::create(b, loc, type, operand));
}

/// Converts to the nearest integer of the type; NaN gives 0. Results of the plain conversion beyond
/// the ends are not used.
Value CoreLowering::saturate(Value operand, Type to, Type type) {
  bool isPositive = isUnsigned(to);
  unsigned width = to.getIntOrFloatBitWidth();
  Type element = getElementTypeOrSelf(operand.getType());
  APInt least = isPositive ? APInt::getZero(width) : APInt::getSignedMinValue(width);
  APInt most = isPositive ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  // The first float beyond each end: powers of two, which are exact.
  const llvm::fltSemantics &format = cast<FloatType>(element).getFloatSemantics();
  APFloat above = llvm::scalbn(APFloat(format, 1), isPositive ? width : width - 1,
                               APFloat::rmNearestTiesToEven);
  APFloat below = isPositive ? APFloat::getZero(format) : llvm::neg(above);
  Value plain = isPositive ? Value(arith::FPToUIOp::create(b, loc, type, operand))
                           : Value(arith::FPToSIOp::create(b, loc, type, operand));
  auto choose = [&](ir::Binary function, const APFloat &bound, const APInt &end) {
    Value isBeyond =
        comparison(function, element, operand, fillFloat(b, loc, operand.getType(), bound));
    plain = arith::SelectOp::create(b, loc, isBeyond, fillInteger(b, loc, type, end), plain);
  };
  choose(ir::Binary::GreaterEqual, above, most);
  choose(ir::Binary::LessEqual, below, least);
  Value isNaN = comparison(ir::Binary::NotEqual, element, operand, operand);
  return arith::SelectOp::create(b, loc, isNaN, fill(b, loc, type, 0), plain);
}
