#include "lang/weld/Lower.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;
using llvm::SmallVector;
using Value = mlir::Value;

//===-- Structs of builders -----------------------------------------------===//

Value Lowering::field(Value value, int64_t index, mlir::Location loc) {
  return builder.createOrFold<ir::FieldOp>(loc, value, builder.getI64IntegerAttr(index));
}

Value Lowering::makeStruct(mlir::ValueRange fields, mlir::Location loc) {
  return ir::MakeStructOp::create(builder, loc, fields);
}

static ir::StructType builderStruct(mlir::Type type) {
  return ir::isBuilderLike(type) ? llvm::dyn_cast<ir::StructType>(type) : ir::StructType();
}

void Lowering::flatten(Value value, llvm::SmallVectorImpl<Value> &leaves) {
  auto type = builderStruct(value.getType());
  if (!type) {
    leaves.push_back(value);
    return;
  }
  for (unsigned index = 0; index < type.getFields().size(); ++index)
    flatten(field(value, index, value.getLoc()), leaves);
}

void Lowering::flattenType(mlir::Type type, llvm::SmallVectorImpl<mlir::Type> &leaves) {
  if (auto fields = builderStruct(type))
    for (mlir::Type each : fields.getFields())
      flattenType(each, leaves);
  else
    leaves.push_back(type);
}

Value Lowering::unflatten(mlir::Type type, mlir::ValueRange &leaves, mlir::Location loc) {
  auto fields = builderStruct(type);
  if (!fields) {
    Value first = leaves.front();
    leaves = leaves.drop_front();
    return first;
  }
  SmallVector<Value> parts;
  for (mlir::Type each : fields.getFields())
    parts.push_back(unflatten(each, leaves, loc));
  return makeStruct(parts, loc);
}

//===-- Builders ----------------------------------------------------------===//

Value Lowering::lowerNode(const NewBuilder &fresh, const Expr &expr) {
  Value argument = fresh.argument ? lower(*fresh.argument) : Value();
  mlir::Location loc = locationOf(expr);
  Value made = ir::NewBuilderOp::create(builder, loc, typeOf(*expr.type), argument);
  annotate(made, loc, fresh.written->annotations);
  return made;
}

Value Lowering::merge(Value target, Value value, mlir::Location loc) {
  auto type = builderStruct(target.getType());
  if (!type)
    return ir::MergeOp::create(builder, loc, target, value);
  SmallVector<Value> parts;
  for (unsigned index = 0; index < type.getFields().size(); ++index)
    parts.push_back(merge(field(target, index, loc), field(value, index, loc), loc));
  return makeStruct(parts, loc);
}

Value Lowering::result(Value target, mlir::Location loc) {
  auto type = builderStruct(target.getType());
  if (!type) {
    mlir::Type built = llvm::cast<ir::BuilderType>(target.getType()).getResultType();
    return ir::ResultOp::create(builder, loc, built, target);
  }
  SmallVector<Value> parts;
  for (unsigned index = 0; index < type.getFields().size(); ++index)
    parts.push_back(result(field(target, index, loc), loc));
  return makeStruct(parts, loc);
}

//===-- Loops -------------------------------------------------------------===//

/// A macro may loop over an iterator from the text of its caller.
mlir::Location Lowering::iteratorLocation(const Iterator &iterator, const Expr &owner) {
  if (iterator.kind == Iterator::Plain)
    return locationOf(*iterator.arguments[0]);
  const Expansion *common = iterator.arguments[0]->expansion;
  for (const Expr *argument : iterator.arguments)
    if (argument->expansion != common)
      return locationOf(owner);
  return locationOf(iterator.range, common);
}

static ir::IteratorKind dialectKind(Iterator::Kind kind) {
  switch (kind) {
  case Iterator::Plain:
    return ir::IteratorKind::Plain;
  case Iterator::Strided:
    return ir::IteratorKind::Strided;
  case Iterator::Simd:
    return ir::IteratorKind::Simd;
  case Iterator::Fringe:
    return ir::IteratorKind::Fringe;
  case Iterator::Range:
    return ir::IteratorKind::Range;
  case Iterator::Nd:
    return ir::IteratorKind::Nd;
  case Iterator::Zip:
    break;
  }
  llvm_unreachable("a zip is its parts");
}

void Lowering::lowerIterator(const Iterator &iterator, const Expr &owner,
                             llvm::SmallVectorImpl<ir::IteratorOperands> &list) {
  for (const Iterator *part : iterator.parts)
    lowerIterator(*part, owner, list);
  if (iterator.kind == Iterator::Zip)
    return;
  SmallVector<Value> operands = lowerAll(iterator.arguments);
  list.push_back({dialectKind(iterator.kind), llvm::to_vector<4>(operands),
                  iteratorLocation(iterator, owner)});
}

Value Lowering::makeElement(const Iterator &iterator, ArrayRef<mlir::BlockArgument> &elements,
                            mlir::Location loc) {
  if (iterator.kind != Iterator::Zip) {
    Value element = elements.front();
    elements = elements.drop_front();
    return element;
  }
  SmallVector<Value> fields;
  for (const Iterator *part : iterator.parts)
    fields.push_back(makeElement(*part, elements, loc));
  return makeStruct(fields, loc);
}

Value Lowering::lowerNode(const For &loop, const Expr &expr) {
  mlir::Location loc = locationOf(expr);
  SmallVector<ir::IteratorOperands> iterators;
  lowerIterator(*loop.iterator, expr, iterators);
  Value target = lower(*loop.builder);
  SmallVector<Value> targets;
  flatten(target, targets);
  auto op = ir::ForOp::create(builder, loc, iterators, targets);
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&op.block());
    SmallVector<Value> arguments(op.builderArguments());
    mlir::ValueRange leaves = arguments;
    Value builders = unflatten(target.getType(), leaves, loc);
    ArrayRef<mlir::BlockArgument> elements = op.elements();
    Value element = makeElement(*loop.iterator, elements, loc);
    SmallVector<Value> merged;
    flatten(lowerBody(*loop.update, {builders, op.index(), element}), merged);
    ir::YieldOp::create(builder, loc, merged);
  }
  mlir::ValueRange leaves = op.getResults();
  return unflatten(target.getType(), leaves, loc);
}
