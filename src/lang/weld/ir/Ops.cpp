/// Verifiers and builders; folders are in Fold.cpp, effects in Effects.cpp, loops in For.cpp.
#include "lang/weld/ir/Format.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tessera::weld::ir;

void WeldDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "lang/weld/ir/Ops.cpp.inc"
      >();
}

//===-- Values ------------------------------------------------------------===//

LogicalResult StringOp::verify() {
  auto element = dyn_cast<IntegerType>(getType().getElement());
  if (!element || !element.isSignedInteger(8))
    return emitOpError("has type ") << getType() << ", not !weld.vec<si8>";
  return success();
}

LogicalResult MakeVecOp::verify() {
  for (Type type : getElements().getTypes())
    if (type != getType().getElement())
      return emitOpError("has an element of type ") << type << " in " << getType();
  return success();
}

void MakeStructOp::build(OpBuilder &builder, OperationState &state, ValueRange fields) {
  build(builder, state, StructType::get(builder.getContext(), llvm::to_vector(fields.getTypes())),
        fields);
}

LogicalResult FieldOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                        FieldOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto fields = dyn_cast<StructType>(adaptor.getOperand().getType());
  uint64_t index = adaptor.getIndexAttr() ? adaptor.getIndexAttr().getInt() : 0;
  if (!fields || index >= fields.getFields().size())
    return emitOptionalError(loc, "'weld.field' op has no such field: ", index);
  types.push_back(fields.getFields()[index]);
  return success();
}

static bool isComparison(Binary function) {
  return function >= Binary::Equal && function <= Binary::GreaterEqual;
}

LogicalResult BinaryOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                                         BinaryOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type operand = adaptor.getLhs().getType();
  bool compares = isComparison(adaptor.getFunction());
  types.push_back(compares ? withLanes(operand, IntegerType::get(context, 1)) : operand);
  return success();
}

/// Comparisons accept what has an order, bitwise operators integers and bools, others numbers.
static bool accepts(Binary function, Type operand) {
  Type lane = laneType(operand);
  if (isComparison(function))
    return lane || isKey(operand);
  if (!lane)
    return false;
  if (function <= Binary::BitAnd)
    return isa<IntegerType>(lane);
  return !lane.isInteger(1) || function == Binary::Min || function == Binary::Max;
}

LogicalResult BinaryOp::verify() {
  if (!accepts(getFunction(), getLhs().getType()))
    return emitOpError() << stringifyBinary(getFunction()) << " does not apply to "
                         << getLhs().getType();
  return success();
}

LogicalResult UnaryOp::verify() {
  Type lane = laneType(getType());
  bool isBool = lane && lane.isInteger(1), isFloat = lane && isa<FloatType>(lane);
  Unary function = getFunction();
  bool fits = function == Unary::Not ? isBool : function == Unary::Neg ? lane && !isBool : isFloat;
  if (!fits)
    return emitOpError() << stringifyUnary(function) << " does not apply to " << getType();
  return success();
}

LogicalResult CastOp::verify() {
  Type from = getOperand().getType();
  if (!laneType(from) || !laneType(getType()) || isa<SimdType>(from) != isa<SimdType>(getType()))
    return emitOpError("converts scalars, or lanes, not ") << from << " to " << getType();
  return success();
}

LogicalResult SelectOp::verify() {
  Type condition = getCondition().getType(), lane = laneType(condition);
  if (!lane || !lane.isInteger(1) || (isa<SimdType>(condition) && !isa<SimdType>(getType())))
    return emitOpError("has a condition of type ") << condition;
  if (isBuilderLike(getType()))
    return emitOpError("cannot select between builders");
  return success();
}

//===-- Control -----------------------------------------------------------===//

static YieldOp yieldOf(Region &region) {
  return cast<YieldOp>(region.front().getTerminator());
}
YieldOp IfOp::thenYield() {
  return yieldOf(getThenRegion());
}
YieldOp IfOp::elseYield() {
  return yieldOf(getElseRegion());
}
YieldOp IterateOp::yield() {
  return yieldOf(getBody());
}
YieldOp ForOp::yield() {
  return yieldOf(getBody());
}
YieldOp SortOp::yield() {
  return yieldOf(getComparator());
}

static LogicalResult verifyYield(Operation *op, Block &block, TypeRange wanted) {
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().getTypes() != wanted)
    return op->emitOpError("has a region that does not yield ") << wanted;
  return success();
}

static LogicalResult verifyArguments(Operation *op, Block &block, TypeRange wanted) {
  if (TypeRange(block.getArgumentTypes()) != wanted)
    return op->emitOpError("has a region whose arguments are not ") << wanted;
  return success();
}

void IfOp::build(OpBuilder &builder, OperationState &state, TypeRange results, Value condition) {
  state.addOperands(condition);
  state.addTypes(results);
  state.addRegion()->emplaceBlock();
  state.addRegion()->emplaceBlock();
}

LogicalResult IfOp::verify() {
  for (Region *region : getRegions())
    if (failed(verifyYield(*this, region->front(), getResultTypes())))
      return failure();
  return success();
}

void IterateOp::build(OpBuilder &builder, OperationState &state, Value initial) {
  state.addOperands(initial);
  state.addTypes(initial.getType());
  state.addRegion()->emplaceBlock().addArgument(initial.getType(), initial.getLoc());
}

LogicalResult IterateOp::verify() {
  Block &block = getBody().front();
  if (failed(verifyArguments(*this, block, getType())))
    return failure();
  return verifyYield(*this, block, {getType(), IntegerType::get(getContext(), 1)});
}

void SortOp::build(OpBuilder &builder, OperationState &state, Value vec) {
  state.addOperands(vec);
  state.addTypes(vec.getType());
  Type element = cast<VecType>(vec.getType()).getElement();
  state.addRegion()->emplaceBlock().addArguments({element, element},
                                                 {state.location, state.location});
}

LogicalResult SortOp::verify() {
  Block &block = getComparator().front();
  Type element = getType().getElement();
  if (getOrder() && *getOrder() != "ascending" && *getOrder() != "descending")
    return emitOpError("has the order ") << *getOrder();
  if (failed(verifyArguments(*this, block, {element, element})))
    return failure();
  return verifyYield(*this, block, IntegerType::get(getContext(), 32, IntegerType::Signed));
}

//===-- Builders ----------------------------------------------------------===//

/// Null if no argument is possible.
static Type argumentType(Type builder) {
  if (auto vecMerger = dyn_cast<VecMergerType>(builder))
    return vecMerger.getResultType();
  if (auto merger = dyn_cast<MergerType>(builder))
    return merger.getValue();
  if (isa<AppenderType, DictMergerType, GroupBuilderType>(builder))
    return IntegerType::get(builder.getContext(), 64, IntegerType::Signed);
  return Type();
}

LogicalResult NewBuilderOp::verify() {
  Value argument = getArgument();
  if (!argument && isa<VecMergerType>(getType()))
    return emitOpError("has no initial vector");
  if (argument && argument.getType() != argumentType(getType()))
    return emitOpError("has an argument of type ") << argument.getType();
  return success();
}

LogicalResult MergeOp::verify() {
  if (!acceptsMerge(cast<BuilderType>(getType()), getValue().getType()))
    return emitOpError("merges ") << getValue().getType() << " into " << getType();
  return success();
}

#include "lang/weld/ir/OpInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "lang/weld/ir/Ops.cpp.inc"
