/// Verifiers, builders and the text of control and of scalars; tensors are in Blas.cpp, views in
/// Views.cpp, folders in Fold.cpp, effects in Effects.cpp.
#include "lang/tinytc/ir/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tessera::tinytc::ir;

//===-- Memory of the group -----------------------------------------------===//

LogicalResult AllocaOp::verify() {
  if (!getType().isLocal())
    return emitOpError("allocates memory that is not local");
  if (!getType().extent())
    return emitOpError("has an unknown size: ") << getType();
  if (std::optional<int64_t> alignment = getAlignment(); alignment && *alignment <= 0)
    return emitOpError("has an alignment of ") << *alignment;
  return success();
}

LogicalResult LifetimeStopOp::verify() {
  return getOperand().getDefiningOp<AllocaOp>()
             ? success()
             : emitOpError("does not refer to the result of an `alloca`");
}

//===-- Regions -----------------------------------------------------------===//

static YieldOp yieldOf(Region &region) {
  return cast<YieldOp>(region.front().getTerminator());
}
YieldOp ForOp::yield() {
  return yieldOf(getBody());
}
YieldOp IfOp::thenYield() {
  return yieldOf(getThenRegion());
}
YieldOp IfOp::elseYield() {
  return yieldOf(getElseRegion());
}

static LogicalResult verifyYield(Operation *op, Region &region, TypeRange wanted) {
  if (yieldOf(region).getValues().getTypes() != wanted)
    return op->emitOpError("has a region that does not yield ") << wanted;
  return success();
}

static LogicalResult verifyArguments(Operation *op, Region &region, TypeRange wanted) {
  if (TypeRange(region.getArgumentTypes()) != wanted)
    return op->emitOpError("has a region whose arguments are not ") << wanted;
  return success();
}

void YieldOp::build(OpBuilder &, OperationState &) {}

void ParallelOp::build(OpBuilder &builder, OperationState &state) {
  ensureTerminator(*state.addRegion(), builder, state.location);
}

//===-- foreach -----------------------------------------------------------===//

void ForeachOp::build(OpBuilder &builder, OperationState &state, ValueRange from, ValueRange to) {
  state.addOperands(from);
  state.addOperands(to);
  Region *body = state.addRegion();
  SmallVector<Location> locations(from.size(), state.location);
  body->emplaceBlock().addArguments(from.getTypes(), locations);
  ensureTerminator(*body, builder, state.location);
}

LogicalResult ForeachOp::verify() {
  if (getFrom().empty())
    return emitOpError("has no variable");
  for (Type type : getOperandTypes())
    if (type != getFrom().front().getType())
      return emitOpError("has bounds of different types");
  return success();
}

LogicalResult ForeachOp::verifyRegions() {
  return verifyArguments(*this, getBody(), getFrom().getTypes());
}

void ForeachOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getVariables(), printer, [&](Value value) { printer << value; });
  printer << ") = (" << getFrom() << ") to (" << getTo() << ") : " << getFrom().front().getType()
          << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

ParseResult ForeachOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> variables;
  SmallVector<OpAsmParser::UnresolvedOperand> from, to;
  Type type;
  if (parser.parseArgumentList(variables, OpAsmParser::Delimiter::Paren) || parser.parseEqual() ||
      parser.parseOperandList(from, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("to") ||
      parser.parseOperandList(to, OpAsmParser::Delimiter::Paren) || parser.parseColonType(type) ||
      parser.resolveOperands(from, type, state.operands) ||
      parser.resolveOperands(to, type, state.operands))
    return failure();
  for (OpAsmParser::Argument &variable : variables)
    variable.type = type;
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, variables))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  return parser.parseOptionalAttrDict(state.attributes);
}

//===-- for ---------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, Value from, Value to, Value step,
                  ValueRange initials) {
  state.addOperands({from, to});
  if (step)
    state.addOperands(step);
  state.addOperands(initials);
  state.addTypes(initials.getTypes());
  state.getOrAddProperties<Properties>().setOperandSegmentSizes(
      {1, 1, step ? 1 : 0, static_cast<int32_t>(initials.size())});
  Region *body = state.addRegion();
  Block &block = body->emplaceBlock();
  block.addArgument(from.getType(), state.location);
  for (Value initial : initials)
    block.addArgument(initial.getType(), initial.getLoc());
  if (initials.empty())
    ensureTerminator(*body, builder, state.location);
}

LogicalResult ForOp::verify() {
  if (getStep() && getStep().getType() != getFrom().getType())
    return emitOpError("has a step of type ") << getStep().getType();
  if (getInitials().getTypes() != getResultTypes())
    return emitOpError("has results whose types differ from those of its initial values");
  if (std::optional<int64_t> unroll = getUnroll(); unroll && *unroll < -1)
    return emitOpError("is unrolled ") << *unroll << " times";
  return success();
}

LogicalResult ForOp::verifyRegions() {
  SmallVector<Type> arguments{getFrom().getType()};
  llvm::append_range(arguments, getResultTypes());
  if (failed(verifyArguments(*this, getBody(), arguments)))
    return failure();
  return verifyYield(*this, getBody(), getResultTypes());
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getVariable() << " : " << getVariable().getType() << " = " << getFrom() << ", "
          << getTo();
  if (getStep())
    printer << " step " << getStep();
  if (!getInitials().empty()) {
    printer << " init(";
    llvm::interleaveComma(llvm::zip_equal(getCarried(), getInitials()), printer, [&](auto pair) {
      auto [inside, init] = pair;
      printer << inside << " = " << init << " : " << init.getType();
    });
    printer << ")";
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInitials().empty());
  printer.printOptionalAttrDict((*this)->getAttrs(), getOperandSegmentSizesAttrName().getValue());
}

/// `init(%a = %x : f32, %b = %y : i32)`
static ParseResult parseInitials(OpAsmParser &parser, OperationState &state,
                                 SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument &inside = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand init;
    if (parser.parseArgument(inside) || parser.parseEqual() || parser.parseOperand(init) ||
        parser.parseColonType(inside.type) ||
        parser.resolveOperand(init, inside.type, state.operands))
      return failure();
    state.addTypes(inside.type);
    return success();
  });
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  SmallVector<OpAsmParser::UnresolvedOperand, 3> bounds(2);
  if (parser.parseArgument(arguments[0]) || parser.parseColonType(arguments[0].type) ||
      parser.parseEqual() || parser.parseOperand(bounds[0]) || parser.parseComma() ||
      parser.parseOperand(bounds[1]))
    return failure();
  bool hasStep = succeeded(parser.parseOptionalKeyword("step"));
  if ((hasStep && parser.parseOperand(bounds.emplace_back())) ||
      parser.resolveOperands(bounds, arguments[0].type, state.operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("init")) && parseInitials(parser, state, arguments))
    return failure();
  state.getOrAddProperties<Properties>().setOperandSegmentSizes(
      {1, 1, hasStep, static_cast<int32_t>(arguments.size() - 1)});
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  return parser.parseOptionalAttrDict(state.attributes);
}

SmallVector<Region *> ForOp::getLoopRegions() {
  return {&getBody()};
}
MutableArrayRef<OpOperand> ForOp::getInitsMutable() {
  return getInitialsMutable();
}
Block::BlockArgListType ForOp::getRegionIterArgs() {
  return getCarried();
}
std::optional<MutableArrayRef<OpOperand>> ForOp::getYieldedValuesMutable() {
  return yield()->getOpOperands();
}
std::optional<ResultRange> ForOp::getLoopResults() {
  return getResults();
}
std::optional<SmallVector<Value>> ForOp::getLoopInductionVars() {
  return SmallVector<Value>{getVariable()};
}

std::optional<int64_t> ForOp::numIterations() {
  std::optional<int64_t> from = constantInt(getFrom()), to = constantInt(getTo()),
                         step = getStep() ? constantInt(getStep()) : 1;
  int64_t distance;
  if (!from || !to || !step || *step <= 0 || llvm::SubOverflow(*to, *from, distance))
    return std::nullopt;
  return distance <= 0 ? 0 : (distance - 1) / *step + 1;
}

//===-- if ----------------------------------------------------------------===//

void IfOp::build(OpBuilder &builder, OperationState &state, TypeRange results, Value condition,
                 bool hasElse) {
  state.addOperands(condition);
  state.addTypes(results);
  Region *regions[] = {state.addRegion(), state.addRegion()};
  for (Region *region : ArrayRef(regions).take_front(hasElse ? 2 : 1)) {
    region->emplaceBlock();
    if (results.empty())
      ensureTerminator(*region, builder, state.location);
  }
}

LogicalResult IfOp::verifyRegions() {
  if (!hasElse() && getNumResults())
    return emitOpError("has results, but no second region");
  for (Region *region : getRegions())
    if (!region->empty() && failed(verifyYield(*this, *region, getResultTypes())))
      return failure();
  return success();
}

//===-- Constants ---------------------------------------------------------===//

static bool isConstantOf(Attribute value, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    auto parts = dyn_cast<ArrayAttr>(value);
    return parts && parts.size() == 2 && llvm::all_of(parts, [&](Attribute part) {
             auto number = dyn_cast<FloatAttr>(part);
             return number && number.getType() == complex.getElementType();
           });
  }
  auto typed = dyn_cast<TypedAttr>(value);
  return typed && isa<IntegerAttr, FloatAttr>(value) && typed.getType() == type;
}

static Type typeOfAttribute(Type result) {
  Type component = componentType(result);
  return component ? component : result;
}

LogicalResult ConstantOp::verify() {
  if (isConstantOf(getValue(), typeOfAttribute(getType())))
    return success();
  return emitOpError("has the value ") << getValue() << ", which is not a " << getType();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return getValue();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getType() << ' ';
  printer.printAttributeWithoutType(getValue());
  printer.printOptionalAttrDict((*this)->getAttrs(), getValueAttrName().getValue());
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  Type type;
  if (parser.parseType(type))
    return failure();
  Type scalar = typeOfAttribute(type);
  Attribute value;
  if (parser.parseAttribute(value, isComplex(scalar) ? Type() : scalar) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  state.getOrAddProperties<Properties>().setValue(value);
  state.addTypes(type);
  return success();
}

//===-- Arithmetic --------------------------------------------------------===//

namespace {

/// The columns of Operators.def.
enum TypeClass : uint8_t { Bool = 1, Integer = 2, Float = 4, Complex = 8, Coop = 16 };

constexpr uint8_t binaryTypes[] = {
#define TINYTC_BINARY(name, text, types) types,
#include "lang/tinytc/Operators.def"
};
constexpr uint8_t unaryTypes[] = {
#define TINYTC_UNARY(name, seed, later, types) types,
#include "lang/tinytc/Operators.def"
};
constexpr uint8_t compareTypes[] = {
#define TINYTC_COMPARE(name, seed, later, types) types,
#include "lang/tinytc/Operators.def"
};

namespace rows {
enum class Binary {
#define TINYTC_BINARY(name, text, types) name,
#include "lang/tinytc/Operators.def"
};
enum class Unary {
#define TINYTC_UNARY(name, seed, later, types) name,
#include "lang/tinytc/Operators.def"
};
enum class Compare {
#define TINYTC_COMPARE(name, seed, later, types) name,
#include "lang/tinytc/Operators.def"
};
} // namespace rows
#define SAME(list, name)                                                                           \
  static_assert(int(rows::list::name) == int(tessera::tinytc::ir::list::name))
#define TINYTC_BINARY(name, text, types) SAME(Binary, name);
#define TINYTC_UNARY(name, seed, later, types) SAME(Unary, name);
#define TINYTC_COMPARE(name, seed, later, types) SAME(Compare, name);
#include "lang/tinytc/Operators.def"
#undef SAME

uint8_t classOf(Type type) {
  if (type.isInteger(1))
    return Bool;
  return isInteger(type) ? Integer : isFloat(type) ? Float : isComplex(type) ? Complex : 0;
}

/// Matrices accept what their components do.
bool accepts(uint8_t types, Type operand) {
  return types & classOf(typeOfAttribute(operand));
}

Type withComponent(Type like, Type component) {
  auto matrix = dyn_cast<CoopMatrixType>(like);
  return matrix ? CoopMatrixType::get(matrix.getRows(), matrix.getColumns(), component,
                                      matrix.getUse())
                : component;
}

} // namespace

LogicalResult BinaryOp::verify() {
  if (accepts(binaryTypes[int(getFunction())], getType()))
    return success();
  return emitOpError() << stringifyBinary(getFunction()) << " does not apply to " << getType();
}

/// abs, im and re of a complex number have the type of its parts.
static Type resultOf(Unary function, Type operand) {
  auto complex = dyn_cast_or_null<ComplexType>(componentType(operand));
  bool isPart = function == Unary::Abs || function == Unary::Im || function == Unary::Re;
  return complex && isPart ? withComponent(operand, complex.getElementType()) : operand;
}

LogicalResult UnaryOp::verify() {
  Type operand = getOperand().getType();
  if (!accepts(unaryTypes[int(getFunction())], operand))
    return emitOpError() << stringifyUnary(getFunction()) << " does not apply to " << operand;
  if (getType() != resultOf(getFunction(), operand))
    return emitOpError() << stringifyUnary(getFunction()) << " of " << operand << " is not of type "
                         << getType();
  return success();
}

LogicalResult CompareOp::verify() {
  Type operand = getLhs().getType();
  if (accepts(compareTypes[int(getFunction())], operand))
    return success();
  return emitOpError() << stringifyCompare(getFunction()) << " does not apply to " << operand;
}

LogicalResult CastOp::verify() {
  Type from = getOperand().getType(), to = getType();
  auto source = dyn_cast<CoopMatrixType>(from), target = dyn_cast<CoopMatrixType>(to);
  bool sameForm = bool(source) == bool(target);
  if (source && target)
    sameForm = source.getRows() == target.getRows() && source.getColumns() == target.getColumns() &&
               (source.getUse() == target.getUse() || source.getUse() == MatrixUse::Acc);
  if (sameForm && canCast(componentType(from), componentType(to)))
    return success();
  return emitOpError("converts ") << from << " to " << to;
}

void BuiltinOp::build(OpBuilder &builder, OperationState &state, Builtin kind, Axis axis) {
  bool isOfGroups = kind == Builtin::GroupId || kind == Builtin::NumGroups;
  build(builder, state, isOfGroups ? Type(builder.getIndexType()) : builder.getI32Type(), kind,
        axis);
}

LogicalResult BuiltinOp::verify() {
  bool isOfGroups = getKind() == Builtin::GroupId || getKind() == Builtin::NumGroups;
  if (getType().isIndex() != isOfGroups)
    return emitOpError() << stringifyBuiltin(getKind()) << " is not of type " << getType();
  bool isSpmd = getKind() == Builtin::SubgroupId || getKind() == Builtin::SubgroupLocalId;
  return isSpmd ? verifySpmd(*this) : success();
}

LogicalResult SubgroupOp::verify() {
  if (isComplex(getType()) && getFunction() != Reduction::Add)
    return emitOpError() << stringifyReduction(getFunction()) << " does not apply to " << getType();
  return success();
}

#include "lang/tinytc/ir/OpInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "lang/tinytc/ir/Ops.cpp.inc"
