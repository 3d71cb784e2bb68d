#include "lang/weld/Lower.h"
#include "core/Attributes.h"
#include "lang/weld/Boundary.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;
using llvm::SmallVector;

mlir::OwningOpRef<mlir::ModuleOp> weld::lowerToDialect(const Program &program,
                                                       mlir::MLIRContext &context) {
  context.loadDialect<mlir::func::FuncDialect, ir::WeldDialect>();
  return Lowering(program, context).run();
}

/// Removes structs of builders that were taken apart again, because their builders have other uses.
static void dropUnusedStructs(mlir::ModuleOp module) {
  module.walk<mlir::WalkOrder::PostOrder, mlir::ReverseIterator>([](mlir::Operation *op) {
    if (op->use_empty() && llvm::isa<ir::MakeStructOp, ir::FieldOp>(op))
      op->erase();
  });
}

mlir::OwningOpRef<mlir::ModuleOp> Lowering::run() {
  mlir::Location loc = locationOf(*program.value);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(
      mlir::FileLineColLoc::get(builder.getContext(), program.file->name(), 1, 1));
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<mlir::Type> inputs;
  for (const Variable *parameter : program.parameters)
    inputs.push_back(typeOf(*parameter->type));
  auto function = mlir::func::FuncOp::create(
      builder, loc, "main", builder.getFunctionType(inputs, typeOf(*program.value->type)));
  function->setAttr(core::entryAttr, builder.getStringAttr(entryNameOf(program)));
  builder.setInsertionPointToStart(function.addEntryBlock());
  for (auto [index, parameter] : llvm::enumerate(program.parameters)) {
    function.setArgAttr(index, core::nameAttr, builder.getStringAttr(parameter->name.text));
    function.getArgument(index).setLoc(locationOf(parameter->name.range, nullptr));
    values[parameter] = function.getArgument(index);
  }
  mlir::func::ReturnOp::create(builder, loc, lower(*program.value));
  dropUnusedStructs(*module);
  return module;
}

//===-- Types -------------------------------------------------------------===//

mlir::Type Lowering::scalarType(Scalar scalar) {
  unsigned bits = bitsOf(scalar);
  switch (kindOf(scalar)) {
  case ScalarKind::Bool:
    return builder.getI1Type();
  case ScalarKind::Float:
    return bits == 32 ? mlir::Type(builder.getF32Type()) : builder.getF64Type();
  case ScalarKind::Signed:
    return builder.getIntegerType(bits, /*isSigned=*/true);
  case ScalarKind::Unsigned:
    return builder.getIntegerType(bits, /*isSigned=*/false);
  }
  llvm_unreachable("no such kind");
}

mlir::Type Lowering::typeOf(const Type &type) {
  mlir::Type &known = types[&type];
  if (!known) {
    mlir::Type made = makeType(type); // Grows the table.
    types[&type] = made;
    return made;
  }
  return known;
}

mlir::Type Lowering::makeType(const Type &type) {
  SmallVector<mlir::Type> parts;
  if (type.kind != Type::Function)
    for (const Type *part : type.parts)
      parts.push_back(typeOf(*part));
  auto combine = static_cast<ir::Combine>(type.combine);
  switch (type.kind) {
  case Type::Scalar:
    return scalarType(type.scalar);
  case Type::Simd:
    return ir::SimdType::get(parts[0]);
  case Type::Vec:
    return ir::VecType::get(parts[0]);
  case Type::Dict:
    return ir::DictType::get(parts[0], parts[1]);
  case Type::Struct:
    return ir::StructType::get(builder.getContext(), parts);
  case Type::Appender:
    return ir::AppenderType::get(parts[0]);
  case Type::Merger:
    return ir::MergerType::get(parts[0], combine);
  case Type::DictMerger:
    return ir::DictMergerType::get(parts[0], parts[1], combine);
  case Type::GroupBuilder:
    return ir::GroupBuilderType::get(parts[0], parts[1]);
  case Type::VecMerger:
    return ir::VecMergerType::get(parts[0], combine);
  case Type::Function:
  case Type::Unknown:
  case Type::Invalid:
    break;
  }
  llvm_unreachable("not a type of values in a checked program");
}

static_assert(static_cast<int>(Combine::Max) == static_cast<int>(ir::Combine::Max));

//===-- Locations ------------------------------------------------------------===//

mlir::Location Lowering::locationOf(SourceRange range, const Expansion *expansion) {
  for (; expansion; expansion = expansion->outer)
    range = expansion->call;
  LineColumn begin = program.file->position(range.begin), end = program.file->position(range.end);
  return mlir::FileLineColRange::get(builder.getStringAttr(program.file->name()), begin.line,
                                     begin.column, end.line, end.column);
}

/// Sets annotations on the operation made for an expression; for a struct of builders, on the one
/// before it.
static mlir::Operation *madeFor(mlir::Value value, mlir::Location loc) {
  mlir::Operation *op = value.getDefiningOp();
  while (auto fields = llvm::dyn_cast_or_null<ir::MakeStructOp>(op)) {
    mlir::Operation *inner =
        fields.getFields().empty() ? nullptr : fields.getFields()[0].getDefiningOp();
    if (!inner || inner->getLoc() != loc || !ir::isBuilderLike(fields.getType()))
      break;
    op = inner;
  }
  return op && op->getLoc() == loc ? op : nullptr;
}

void Lowering::annotate(mlir::Value value, mlir::Location loc, ArrayRef<Annotation> annotations) {
  mlir::Operation *op = annotations.empty() ? nullptr : madeFor(value, loc);
  if (!op)
    return;
  mlir::NamedAttrList list(op->getAttrOfType<mlir::DictionaryAttr>(ir::annotationsAttr));
  for (const Annotation &each : annotations)
    list.set(each.name.text, builder.getStringAttr(each.value));
  op->setAttr(ir::annotationsAttr, list.getDictionary(builder.getContext()));
}
