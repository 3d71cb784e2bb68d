/// Exact folders and canonical forms only. Floats are folded if IEEE 754 defines the result, so
/// functions such as exp and pow are not.
#include "lang/weld/ir/Sizes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tessera::weld::ir;

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return getValue();
}

//===-- Numbers -----------------------------------------------------------===//

/// nullopt if the operation fails or folding is not worthwhile.
static std::optional<APInt> foldIntegers(Binary function, bool isUnsigned, const APInt &a,
                                         const APInt &b) {
  switch (function) {
  case Binary::BitOr:
    return a | b;
  case Binary::BitXor:
    return a ^ b;
  case Binary::BitAnd:
    return a & b;
  case Binary::Add:
    return a + b;
  case Binary::Sub:
    return a - b;
  case Binary::Mul:
    return a * b;
  case Binary::Div:
    if (b.isZero())
      return std::nullopt;
    return isUnsigned ? a.udiv(b) : a.sdiv(b);
  case Binary::Rem:
    if (b.isZero())
      return std::nullopt;
    return isUnsigned ? a.urem(b) : a.srem(b);
  case Binary::Min:
    return isUnsigned ? llvm::APIntOps::umin(a, b) : llvm::APIntOps::smin(a, b);
  case Binary::Max:
    return isUnsigned ? llvm::APIntOps::umax(a, b) : llvm::APIntOps::smax(a, b);
  default:
    return std::nullopt;
  }
}

static std::optional<APFloat> foldFloats(Binary function, const APFloat &a, const APFloat &b) {
  switch (function) {
  case Binary::Add:
    return a + b;
  case Binary::Sub:
    return a - b;
  case Binary::Mul:
    return a * b;
  case Binary::Div:
    return a / b;
  case Binary::Min:
    return llvm::minimum(a, b);
  case Binary::Max:
    return llvm::maximum(a, b);
  default:
    return std::nullopt;
  }
}

/// `order` is less, equal, greater, or nullopt if one is NaN.
static std::optional<bool> compare(Binary function, std::optional<int> order) {
  switch (function) {
  case Binary::Equal:
    return order == 0;
  case Binary::NotEqual:
    return order != 0;
  case Binary::Less:
    return order && *order < 0;
  case Binary::LessEqual:
    return order && *order <= 0;
  case Binary::Greater:
    return order && *order > 0;
  case Binary::GreaterEqual:
    return order && *order >= 0;
  default:
    return std::nullopt;
  }
}

static std::optional<int> orderOf(const APFloat &a, const APFloat &b) {
  switch (a.compare(b)) {
  case APFloat::cmpLessThan:
    return -1;
  case APFloat::cmpEqual:
    return 0;
  case APFloat::cmpGreaterThan:
    return 1;
  case APFloat::cmpUnordered:
    return std::nullopt;
  }
  llvm_unreachable("no such order");
}

static bool countsUp(IntegerType type) {
  return type.isUnsigned() || type.getWidth() == 1;
}

static OpFoldResult foldInts(Binary function, IntegerAttr lhs, IntegerAttr rhs) {
  auto type = cast<IntegerType>(lhs.getType());
  bool isUnsigned = countsUp(type);
  APInt a = lhs.getValue(), b = rhs.getValue();
  int order = a == b ? 0 : (isUnsigned ? a.ult(b) : a.slt(b)) ? -1 : 1;
  if (std::optional<bool> holds = compare(function, order))
    return BoolAttr::get(type.getContext(), *holds);
  if (std::optional<APInt> value = foldIntegers(function, isUnsigned, a, b))
    return IntegerAttr::get(type, *value);
  return {};
}

OpFoldResult BinaryOp::fold(FoldAdaptor adaptor) {
  Attribute lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
  if (auto a = dyn_cast_or_null<IntegerAttr>(lhs))
    if (auto b = dyn_cast_or_null<IntegerAttr>(rhs))
      return foldInts(getFunction(), a, b);
  auto a = dyn_cast_or_null<FloatAttr>(lhs), b = dyn_cast_or_null<FloatAttr>(rhs);
  if (!a || !b)
    return {};
  if (std::optional<bool> holds = compare(getFunction(), orderOf(a.getValue(), b.getValue())))
    return BoolAttr::get(getContext(), *holds);
  if (std::optional<APFloat> value = foldFloats(getFunction(), a.getValue(), b.getValue()))
    return FloatAttr::get(a.getType(), *value);
  return {};
}

OpFoldResult UnaryOp::fold(FoldAdaptor adaptor) {
  Unary function = getFunction();
  bool undoes = function == Unary::Neg || function == Unary::Not;
  if (auto inner = getOperand().getDefiningOp<UnaryOp>())
    if (undoes && inner.getFunction() == function)
      return inner.getOperand();
  if (auto value = dyn_cast_or_null<IntegerAttr>(adaptor.getOperand()))
    return function == Unary::Not ? BoolAttr::get(getContext(), value.getValue().isZero())
                                  : IntegerAttr::get(value.getType(), -value.getValue());
  if (auto value = dyn_cast_or_null<FloatAttr>(adaptor.getOperand()))
    if (function == Unary::Neg)
      return FloatAttr::get(value.getType(), -value.getValue());
  return {};
}

//===-- Casts -------------------------------------------------------------===//

static Attribute castInteger(IntegerAttr value, Type to) {
  auto from = cast<IntegerType>(value.getType());
  bool isUnsigned = countsUp(from);
  APInt bits = value.getValue();
  if (auto type = dyn_cast<FloatType>(to)) {
    APFloat result(type.getFloatSemantics());
    result.convertFromAPInt(bits, !isUnsigned, APFloat::rmNearestTiesToEven);
    return FloatAttr::get(to, result);
  }
  if (to.isInteger(1))
    return BoolAttr::get(to.getContext(), !bits.isZero());
  unsigned width = to.getIntOrFloatBitWidth();
  return IntegerAttr::get(to, isUnsigned ? bits.zextOrTrunc(width) : bits.sextOrTrunc(width));
}

static Attribute castFloat(FloatAttr value, Type to) {
  APFloat number = value.getValue();
  bool losesInfo;
  if (auto type = dyn_cast<FloatType>(to)) {
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return FloatAttr::get(to, number);
  }
  auto type = cast<IntegerType>(to);
  if (type.isInteger(1))
    return BoolAttr::get(to.getContext(), !number.isZero());
  // Saturates, and NaN gives 0, as in Weld.
  APSInt result(type.getWidth(), type.isUnsigned());
  bool isExact;
  number.convertToInteger(result, APFloat::rmTowardZero, &isExact);
  return IntegerAttr::get(to, result);
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto value = dyn_cast_or_null<IntegerAttr>(adaptor.getOperand()))
    return castInteger(value, getType());
  if (auto value = dyn_cast_or_null<FloatAttr>(adaptor.getOperand()))
    return castFloat(value, getType());
  return {};
}

//===-- Others ------------------------------------------------------------===//

OpFoldResult FieldOp::fold(FoldAdaptor) {
  auto make = getOperand().getDefiningOp<MakeStructOp>();
  return make ? OpFoldResult(make.getFields()[getIndex()]) : OpFoldResult();
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  if (auto condition = dyn_cast_or_null<IntegerAttr>(adaptor.getCondition()))
    return condition.getValue().getBoolValue() ? getOnTrue() : getOnFalse();
  return {};
}

OpFoldResult LenOp::fold(FoldAdaptor) {
  if (!isa<VecType>(getCollection().getType()))
    return {};
  std::optional<int64_t> number = countOf(getCollection()).number;
  return number ? OpFoldResult(IntegerAttr::get(getType(), *number)) : OpFoldResult();
}

/// A struct made of all fields of another, in order, is that struct.
static LogicalResult foldWholeStruct(MakeStructOp op, PatternRewriter &rewriter) {
  Value whole;
  for (auto [index, value] : llvm::enumerate(op.getFields())) {
    auto field = value.getDefiningOp<FieldOp>();
    if (!field || field.getIndex() != index || (whole && field.getOperand() != whole))
      return failure();
    whole = field.getOperand();
  }
  if (!whole || whole.getType() != op.getType())
    return failure();
  rewriter.replaceOp(op, whole);
  return success();
}

void MakeStructOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(foldWholeStruct);
}

/// The result of a new appender with only merges is a vector literal.
static LogicalResult foldKnownAppends(ResultOp op, PatternRewriter &rewriter) {
  auto type = dyn_cast<AppenderType>(op.getTarget().getType());
  SmallVector<Value> elements;
  Value builder = op.getTarget();
  while (auto merge = type ? builder.getDefiningOp<MergeOp>() : MergeOp()) {
    if (merge.getValue().getType() != type.getElement())
      return failure();
    elements.push_back(merge.getValue());
    builder = merge.getTarget();
  }
  if (!type || !builder.getDefiningOp<NewBuilderOp>())
    return failure();
  std::reverse(elements.begin(), elements.end());
  rewriter.replaceOpWithNewOp<MakeVecOp>(op, op.getType(), elements);
  return success();
}

void ResultOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(foldKnownAppends);
}

static LogicalResult foldKnownCondition(IfOp op, PatternRewriter &rewriter) {
  std::optional<int64_t> condition = constantInt(op.getCondition());
  if (!condition)
    return failure();
  Block &block = *condition ? op.thenBlock() : op.elseBlock();
  auto yield = cast<YieldOp>(block.getTerminator());
  SmallVector<Value> values(yield.getValues());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&block, op);
  rewriter.replaceOp(op, values);
  return success();
}

/// A result that is the same on both branches, and known outside.
static LogicalResult foldEqualSides(IfOp op, PatternRewriter &rewriter) {
  bool changes = false;
  for (OpResult result : op.getResults()) {
    Value value = op.thenYield().getValues()[result.getResultNumber()];
    bool isOutside = !op->isAncestor(value.getParentBlock()->getParentOp());
    if (result.use_empty() || !isOutside || isBuilderLike(value.getType()) ||
        value != op.elseYield().getValues()[result.getResultNumber()])
      continue;
    rewriter.replaceAllUsesWith(result, value);
    changes = true;
  }
  return success(changes);
}

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(foldKnownCondition);
  patterns.add(foldEqualSides);
}
