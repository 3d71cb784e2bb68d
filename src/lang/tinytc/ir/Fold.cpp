/// Folds what is known at compile time. Values for which the language has no literal (NaN, infinity
/// and -2^63) are not folded, nor are those that devices may round differently.
#include "lang/tinytc/Constants.h"
#include "lang/tinytc/ir/Compare.h"
#include "lang/tinytc/ir/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace tessera::tinytc::ir;

static Attribute known(const APInt &value, Type type) {
  bool isWritable = value.getBitWidth() < 64 || !value.isMinSignedValue();
  return isWritable ? IntegerAttr::get(type, value) : Attribute();
}

static Attribute known(const APFloat &value, Type type) {
  return value.isFinite() ? FloatAttr::get(type, value) : Attribute();
}

//===-- Integers ----------------------------------------------------------===//

/// x + 0, x * 1 and the like. Floats keep the signs of zeros.
static Value sameAs(BinaryOp op) {
  if (!isInteger(op.getType()))
    return Value();
  bool isSum = llvm::is_contained({Binary::Add, Binary::Sub, Binary::Shl, Binary::Shr, Binary::Or},
                                  op.getFunction());
  bool isProduct = op.getFunction() == Binary::Mul || op.getFunction() == Binary::Div;
  if ((isSum && isConstant(op.getRhs(), 0)) || (isProduct && isConstant(op.getRhs(), 1)))
    return op.getLhs();
  bool commutes = llvm::is_contained({Binary::Add, Binary::Or}, op.getFunction());
  if ((commutes && isConstant(op.getLhs(), 0)) ||
      (op.getFunction() == Binary::Mul && isConstant(op.getLhs(), 1)))
    return op.getRhs();
  return Value();
}

OpFoldResult BinaryOp::fold(FoldAdaptor adaptor) {
  if (mlir::Value same = sameAs(*this))
    return same;
  if (isa<CoopMatrixType>(getType()))
    return {};
  auto op = static_cast<tinytc::BinaryOp>(getFunction());
  if (auto left = dyn_cast_or_null<IntegerAttr>(adaptor.getLhs()))
    if (auto right = dyn_cast_or_null<IntegerAttr>(adaptor.getRhs())) {
      std::optional<APInt> value = compute(op, left.getValue(), right.getValue());
      return value ? known(*value, getType()) : Attribute();
    }
  if (auto left = dyn_cast_or_null<FloatAttr>(adaptor.getLhs()))
    if (auto right = dyn_cast_or_null<FloatAttr>(adaptor.getRhs())) {
      std::optional<APFloat> value = compute(op, left.getValue(), right.getValue());
      return value ? known(*value, getType()) : Attribute();
    }
  return {};
}

OpFoldResult UnaryOp::fold(FoldAdaptor adaptor) {
  if (isa<CoopMatrixType>(getType()))
    return {};
  if (auto number = dyn_cast_or_null<IntegerAttr>(adaptor.getOperand())) {
    APInt value = number.getValue();
    switch (getFunction()) {
    case Unary::Abs:
      return known(value.abs(), getType());
    case Unary::Neg:
      return known(-value, getType());
    case Unary::Not:
      return known(~value, getType());
    default:
      return {};
    }
  }
  auto number = dyn_cast_or_null<FloatAttr>(adaptor.getOperand());
  if (number && getFunction() == Unary::Neg)
    return known(-number.getValue(), getType());
  if (number && getFunction() == Unary::Abs)
    return known(llvm::abs(number.getValue()), getType());
  if (auto parts = dyn_cast_or_null<ArrayAttr>(adaptor.getOperand()))
    if (getFunction() == Unary::Re || getFunction() == Unary::Im)
      return parts[getFunction() == Unary::Im];
  return {};
}

//===-- Comparisons and conversions ---------------------------------------===//

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  Builder builder(getContext());
  if (auto left = dyn_cast_or_null<IntegerAttr>(adaptor.getLhs()))
    if (auto right = dyn_cast_or_null<IntegerAttr>(adaptor.getRhs()))
      return builder.getBoolAttr(compareAs(getFunction(), left.getValue().getSExtValue(),
                                           right.getValue().getSExtValue()));
  if (auto left = dyn_cast_or_null<FloatAttr>(adaptor.getLhs()))
    if (auto right = dyn_cast_or_null<FloatAttr>(adaptor.getRhs()))
      return builder.getBoolAttr(
          compareAs(getFunction(), left.getValueAsDouble(), right.getValueAsDouble()));
  if (getLhs() == getRhs() && isInteger(getLhs().getType()))
    return builder.getBoolAttr(compareAs(getFunction(), 0, 0));
  return {};
}

/// Devices may convert to narrow floats through f32, so the result is known only if f32 is exact or
/// the goal.
static Attribute roundTo(APFloat value, Type type) {
  bool losesInfo = false;
  const llvm::fltSemantics &goal = cast<FloatType>(type).getFloatSemantics();
  if (type.isF16() || type.isBF16())
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (losesInfo)
    return Attribute();
  value.convert(goal, APFloat::rmNearestTiesToEven, &losesInfo);
  return known(value, type);
}

static Attribute castInteger(const APInt &value, Type type) {
  if (isInteger(type))
    return known(value.sextOrTrunc(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()), type);
  if (!isFloat(type))
    return Attribute();
  // Exact in f64 below 2^53; larger ones are rounded directly.
  APFloat number(type.isF32() ? APFloat::IEEEsingle() : APFloat::IEEEdouble());
  auto status = number.convertFromAPInt(value, /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  if (type.isF32() || type.isF64())
    return known(number, type);
  return status == APFloat::opOK ? roundTo(number, type) : Attribute();
}

static Attribute castFloat(const APFloat &value, Type type) {
  if (isFloat(type))
    return roundTo(value, type);
  if (!isInteger(type))
    return Attribute();
  llvm::APSInt number(type.isIndex() ? 64 : type.getIntOrFloatBitWidth(), /*isUnsigned=*/false);
  bool isExact;
  auto status = value.convertToInteger(number, APFloat::rmTowardZero, &isExact);
  return status == APFloat::opInvalidOp ? Attribute() : known(number, type);
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto number = dyn_cast_or_null<IntegerAttr>(adaptor.getOperand()))
    return isScalar(getType()) ? castInteger(number.getValue(), getType()) : Attribute();
  if (auto number = dyn_cast_or_null<FloatAttr>(adaptor.getOperand()))
    return isScalar(getType()) ? castFloat(number.getValue(), getType()) : Attribute();
  return {};
}

//===-- Sizes -------------------------------------------------------------===//

OpFoldResult SizeOp::fold(FoldAdaptor) {
  auto memref = dyn_cast<MemrefType>(getOperand().getType());
  int64_t size =
      memref ? memref.size(getMode()) : cast<GroupType>(getOperand().getType()).getSize();
  Builder builder(getContext());
  return size == dynamic ? OpFoldResult() : builder.getIndexAttr(size);
}

/// Folds sizes of work-groups that the function's attributes determine.
OpFoldResult BuiltinOp::fold(FoldAdaptor) {
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function || !function->hasAttr(subgroupSizeAttr) || !function->hasAttr(workGroupSizeAttr))
    return {};
  Builder builder(getContext());
  if (getKind() == Builtin::SubgroupSize)
    return builder.getI32IntegerAttr(subgroupSizeOf(function));
  if (getKind() == Builtin::SubgroupId && numSubgroupsOf(function) == 1)
    return builder.getI32IntegerAttr(0);
  if (getKind() != Builtin::NumSubgroups)
    return {};
  ArrayRef<int64_t> size = workGroupSizeOf(function);
  int64_t numX = size[0] / subgroupSizeOf(function);
  switch (getAxis()) {
  case Axis::X:
    return builder.getI32IntegerAttr(numX);
  case Axis::Y:
    return builder.getI32IntegerAttr(size[1]);
  case Axis::Z:
    return builder.getI32IntegerAttr(1);
  case Axis::Linear:
    return builder.getI32IntegerAttr(numX * size[1]);
  }
  llvm_unreachable("no such axis");
}
