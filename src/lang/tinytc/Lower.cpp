#include "lang/tinytc/Lower.h"
#include "core/Attributes.h"
#include "lang/tinytc/ir/Scalars.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;

mlir::OwningOpRef<mlir::ModuleOp>
tinytc::lowerToDialect(const Program &program, mlir::MLIRContext &context, llvm::StringRef entry) {
  context.loadDialect<mlir::func::FuncDialect, ir::TinytcDialect>();
  return Lowering(program, context).run(entry);
}

mlir::OwningOpRef<mlir::ModuleOp> Lowering::run(llvm::StringRef entry) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(
      mlir::FileLineColLoc::get(builder.getContext(), program.file->name(), 1, 1));
  for (const Function *function : program.functions) {
    builder.setInsertionPointToEnd(module->getBody());
    if (entry == "*" || entry == function->name.text.drop_front())
      lower(*function);
  }
  return module;
}

//===-- Functions ---------------------------------------------------------===//

void Lowering::setAttributes(mlir::Operation *op, const Function &function) {
  op->setAttr(core::entryAttr, builder.getStringAttr(function.name.text.drop_front()));
  op->setAttr(ir::subgroupSizeAttr, builder.getI64IntegerAttr(function.subgroupSize));
  op->setAttr(ir::workGroupSizeAttr, builder.getDenseI64ArrayAttr(function.workGroupSize));
  if (function.attributes)
    op->setAttr(ir::attributesAttr, attributeOf(*function.attributes));
}

void Lowering::lower(const Function &function) {
  SmallVector<mlir::Type> inputs;
  for (const Value *parameter : function.parameters)
    inputs.push_back(typeOf(*parameter->type));
  mlir::Location loc = locationOf(function.name.range);
  auto op = mlir::func::FuncOp::create(builder, loc, function.name.text.drop_front(),
                                       builder.getFunctionType(inputs, {}));
  setAttributes(op, function);
  op.addEntryBlock();
  for (auto [index, parameter] : llvm::enumerate(function.parameters)) {
    op.setArgAttr(index, core::nameAttr, builder.getStringAttr(parameter->name.text.drop_front()));
    if (parameter->attributes)
      op.setArgAttr(index, ir::attributesAttr, attributeOf(*parameter->attributes));
  }
  bind(function.parameters, op.getArguments());
  lowerBody(*function.body, op.getBody());
  mlir::func::ReturnOp::create(builder, loc);
}

//===-- Types and attributes ----------------------------------------------===//

static_assert(static_cast<int>(AddressSpace::Local) == static_cast<int>(ir::AddressSpace::Local));
static_assert(static_cast<int>(MatrixUse::Acc) == static_cast<int>(ir::MatrixUse::Acc));
static_assert(dynamic == ir::dynamic);

mlir::Type Lowering::typeOf(const Type &type) {
  mlir::Type scalar = ir::typeOf(type.scalar, builder.getContext());
  switch (type.kind) {
  case Type::Bool:
    return builder.getI1Type();
  case Type::Scalar:
    return scalar;
  case Type::Memref:
    return ir::MemrefType::get(type.shape, scalar, type.strides,
                               static_cast<ir::AddressSpace>(type.space));
  case Type::Group:
    return ir::GroupType::get(mlir::cast<ir::MemrefType>(typeOf(*type.member)), type.size,
                              type.offset);
  case Type::Coopmatrix:
    return ir::CoopMatrixType::get(type.rows(), type.columns(), scalar,
                                   static_cast<ir::MatrixUse>(type.use));
  case Type::Invalid:
  case Type::Void:
    break;
  }
  llvm_unreachable("not a type of values in a checked program");
}

mlir::Attribute Lowering::attributeOf(const Attr &attr) {
  SmallVector<mlir::Attribute> elements;
  mlir::NamedAttrList entries;
  switch (attr.kind) {
  case Attr::Bool:
    return builder.getBoolAttr(attr.integer);
  case Attr::Integer:
    return builder.getI64IntegerAttr(attr.integer);
  case Attr::String:
    return builder.getStringAttr(attr.text);
  case Attr::Array:
    for (const Attr &element : attr.elements)
      elements.push_back(attributeOf(element));
    return builder.getArrayAttr(elements);
  case Attr::Dictionary:
    for (const NamedAttr &entry : attr.entries)
      entries.set(entry.name.text, attributeOf(entry.value));
    return entries.getDictionary(builder.getContext());
  }
  llvm_unreachable("no such attribute");
}

//===-- Locations ------------------------------------------------------------===//

mlir::Location Lowering::locationOf(SourceRange range) {
  LineColumn begin = program.file->position(range.begin), end = program.file->position(range.end);
  return mlir::FileLineColRange::get(builder.getStringAttr(program.file->name()), begin.line,
                                     begin.column, end.line, end.column);
}

mlir::Location Lowering::locationOf(SourceRange range, ArrayRef<Value *> named) {
  mlir::Location loc = locationOf(range);
  if (named.empty())
    return loc;
  auto name = [](const Value *value) { return value->name.text.drop_front(); };
  return mlir::NameLoc::get(builder.getStringAttr(llvm::join(llvm::map_range(named, name), ",")),
                            loc);
}

//===-- Operands ----------------------------------------------------------===//

static mlir::FloatAttr floatOf(double value, mlir::Type type) {
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(mlir::cast<mlir::FloatType>(type).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return mlir::FloatAttr::get(type, rounded);
}

mlir::Attribute Lowering::constantOf(const Literal &literal, mlir::Type type) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type))
    return builder.getArrayAttr({floatOf(literal.real, complex.getElementType()),
                                 floatOf(literal.imag, complex.getElementType())});
  if (ir::isFloat(type))
    return floatOf(literal.real, type);
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return builder.getIntegerAttr(
      type, llvm::APInt(bits, literal.integer, /*isSigned=*/false, /*implicitTrunc=*/true));
}

mlir::Value Lowering::constant(const Literal &literal, const Type &type, mlir::Location loc) {
  mlir::Type result = typeOf(type), component = ir::componentType(result);
  return ir::ConstantOp::create(builder, loc, result,
                                constantOf(literal, component ? component : result));
}

mlir::Value Lowering::valueOf(const Operand &operand) {
  return operand.literal ? constant(*operand.literal, *operand.type, locationOf(operand.range))
                         : values.lookup(operand.value);
}

SmallVector<mlir::Value> Lowering::valuesOf(ArrayRef<Operand> operands) {
  return llvm::map_to_vector(operands, [&](const Operand &each) { return valueOf(each); });
}

mlir::OpFoldResult Lowering::mixedOf(const Operand &operand) {
  if (operand.literal)
    return builder.getIndexAttr(operand.literal->integer);
  return valueOf(operand);
}
