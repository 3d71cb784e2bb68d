#include "lang/tinytc/ir/Dialect.h"
#include "lang/tinytc/ir/Divergence.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tessera::tinytc::ir;
namespace ir = tessera::tinytc::ir;

#include "lang/tinytc/ir/Dialect.cpp.inc"

void TinytcDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "lang/tinytc/ir/Ops.cpp.inc"
      >();
}

Operation *TinytcDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                              Location loc) {
  return isCarried(type) ? ConstantOp::create(builder, loc, type, value).getOperation() : nullptr;
}

//===-- Attributes of functions -------------------------------------------===//

LogicalResult TinytcDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == divergentAttr && isa<StringAttr>(attribute.getValue()))
    return success();
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("carries ") << attribute.getName() << ", which belongs on functions";
  Attribute value = attribute.getValue();
  auto sizes = dyn_cast<DenseI64ArrayAttr>(value);
  auto number = dyn_cast<IntegerAttr>(value);
  bool isRight = false;
  if (attribute.getName() == subgroupSizeAttr)
    isRight = number && number.getInt() > 0;
  else if (attribute.getName() == workGroupSizeAttr)
    isRight = sizes && sizes.size() == 2 && sizes[0] > 0 && sizes[1] > 0;
  else if (attribute.getName() == localBytesAttr)
    isRight = number && number.getInt() >= 0;
  else if (attribute.getName() == attributesAttr)
    isRight = isa<DictionaryAttr>(value);
  return isRight ? success() : op->emitOpError("has an invalid ") << attribute.getName();
}

LogicalResult TinytcDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                      NamedAttribute attribute) {
  if (attribute.getName() == attributesAttr && isa<DictionaryAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("has an invalid ") << attribute.getName() << " at argument " << argument;
}

int64_t ir::subgroupSizeOf(Operation *function) {
  return function->getAttrOfType<IntegerAttr>(subgroupSizeAttr).getInt();
}

ArrayRef<int64_t> ir::workGroupSizeOf(Operation *function) {
  return function->getAttrOfType<DenseI64ArrayAttr>(workGroupSizeAttr).asArrayRef();
}

int64_t ir::numSubgroupsOf(Operation *function) {
  ArrayRef<int64_t> size = workGroupSizeOf(function);
  return size[0] * size[1] / subgroupSizeOf(function);
}

//===-- Where operations may occur ----------------------------------------===//

bool ir::isInSpmdRegion(Operation *op) {
  for (Operation *outer = op->getParentOp(); outer; outer = outer->getParentOp())
    if (isa<ParallelOp, ForeachOp>(outer))
      return true;
  return false;
}

LogicalResult ir::verifyCollective(Operation *op) {
  if (isInSpmdRegion(op))
    return op->emitOpError("is collective, but is in an SPMD region");
  return success();
}

LogicalResult ir::verifySpmd(Operation *op) {
  if (!isInSpmdRegion(op))
    return op->emitOpError("is SPMD, but is in a collective region");
  return success();
}

//===-- Values ------------------------------------------------------------===//

std::optional<int64_t> ir::constantInt(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  auto number = dyn_cast<IntegerAttr>(attr);
  if (!number)
    return std::nullopt;
  return number.getType().isInteger(1) ? number.getValue().getZExtValue()
                                       : number.getValue().getSExtValue();
}

static bool isNumber(Attribute attr, int64_t wanted) {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValueAsDouble() == wanted;
  if (auto parts = dyn_cast<ArrayAttr>(attr))
    return isNumber(parts[0], wanted) && isNumber(parts[1], 0);
  return cast<IntegerAttr>(attr).getValue().getSExtValue() == wanted;
}

bool ir::isConstant(Value value, int64_t wanted) {
  Attribute attr;
  return matchPattern(value, m_Constant(&attr)) && isNumber(attr, wanted);
}

Value ir::rootOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}
