#include "lang/ttl/Lower.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ttl;

void Lowering::lower(ArrayRef<Stmt *> body) {
  for (const Stmt *stmt : body)
    lower(*stmt);
}

void Lowering::lower(const Stmt &stmt) {
  std::visit([&](const auto &node) { lower(node, stmt); }, stmt.node);
}

void Lowering::lower(const Compound &compound, const Stmt &) {
  lower(compound.body);
}

void Lowering::lower(const VarDef &def, const Stmt &) {
  bindings[def.variable] = initialValue(def);
}

Lowering::Binding Lowering::defaultValue(const ttl::Type &type, const Variable *variable,
                                         Location loc) {
  if (!type.isMatrix())
    return {core::zero(builder, loc, typeOf(type)), {}};
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : type.sizes)
    sizes.push_back(builder.getIndexAttr(size == ttl::Type::dynamic ? 0 : size));
  Binding binding;
  binding.value =
      core::filled(builder, loc, sizes, core::zero(builder, loc, elementType(type.element)));
  binding.value = castTo(loc, binding.value, typeOf(type));
  if (isPartial(variable))
    binding.written = castTo(
        loc, core::filled(builder, loc, sizes, core::zero(builder, loc, builder.getI8Type())),
        maskType(type));
  return binding;
}

Lowering::Binding Lowering::initialValue(const VarDef &def) {
  Location loc = locationOf(def.name.range);
  if (!def.init)
    return defaultValue(def.type, def.variable, loc);
  Binding binding;
  if (def.init->type.kind == ttl::Type::Range)
    binding.value = rangeMatrix(def);
  else
    binding = lowerBinding(*def.init);
  Location initLoc = locationOf(def.init->range);
  if (def.type.isMatrix() && def.init->type.isScalar()) {
    auto type = cast<RankedTensorType>(typeOf(def.type));
    binding.value = core::filled(builder, initLoc,
                                 getAsIndexOpFoldResult(&context, type.getShape()), binding.value);
  } else if (def.type.isMatrix() && def.init->type.isMatrix() &&
             def.init->type.rank() != def.type.rank()) {
    binding.value = reshaped(def, binding.value);
    if (binding.written)
      binding.written = reshaped(def, binding.written);
  }
  if (!def.type.isMatrix())
    return binding;
  checkStaticSizes(initLoc, binding.value, cast<RankedTensorType>(typeOf(def.type)));
  binding.value = castTo(initLoc, binding.value, typeOf(def.type));
  if (isPartial(def.variable))
    binding.written = flagsOf(initLoc, binding, maskType(def.type));
  return binding;
}

/// start, start + 1, ... in row-major order [ttl.var.13].
Value Lowering::rangeMatrix(const VarDef &def) {
  Location loc = locationOf(def.init->range);
  Bounds bounds = lowerRange(*def.init);
  SmallVector<OpFoldResult> sizes;
  if (def.type.isStatic()) {
    checkCount(loc, bounds, def.type.numElements());
    sizes = getAsIndexOpFoldResult(&context, def.type.sizes);
  } else { // --std=reference: a vector of as many elements as the range has.
    checkNotReversed(loc, bounds);
    Value length = arith::SubIOp::create(builder, loc, bounds.end, bounds.begin);
    sizes.push_back(
        arith::MaxSIOp::create(builder, loc, length, core::constantIndex(builder, loc, 0))
            .getResult());
  }
  Value begin = toInt(loc, bounds.begin);
  return core::elementwise(
      builder, loc, {}, sizes, builder.getI32Type(), [&](OpBuilder &b, Location at, ValueRange) {
        Value position = linalg::IndexOp::create(b, at, 0);
        for (int64_t dim = 1; dim < def.type.rank(); ++dim) {
          Value extent = core::constantIndex(b, at, def.type.sizes[dim]);
          position = arith::MulIOp::create(b, at, position, extent);
          position = arith::AddIOp::create(b, at, position, linalg::IndexOp::create(b, at, dim));
        }
        Value offset = arith::IndexCastOp::create(b, at, b.getI32Type(), position);
        return arith::AddIOp::create(b, at, begin, offset);
      });
}

/// A vector as a matrix of several dimensions, row by row.
Value Lowering::reshaped(const VarDef &def, Value list) {
  Location loc = locationOf(def.init->range);
  auto element = cast<RankedTensorType>(list.getType()).getElementType();
  list = castTo(loc, list, RankedTensorType::get({def.type.numElements()}, element));
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq<int64_t>(0, def.type.rank()));
  return tensor::ExpandShapeOp::create(builder, loc, RankedTensorType::get(def.type.sizes, element),
                                       list, ArrayRef{all});
}

void Lowering::lower(const Assign &assign, const Stmt &) {
  const ttl::Type &type = assign.variable->type;
  Location loc = locationOf(assign.value->range);
  Binding binding = lowerBinding(*assign.value);
  if (type.isMatrix()) {
    checkStaticSizes(loc, binding.value, cast<RankedTensorType>(typeOf(type)));
    binding.value = castTo(loc, binding.value, typeOf(type));
  }
  binding.written = isPartial(assign.variable) ? flagsOf(loc, binding, maskType(type)) : Value();
  bindings[assign.variable] = binding;
}

void Lowering::lower(const ElementAssign &assign, const Stmt &self) {
  SmallVector<Value> indices;
  for (const Expr *index : assign.indices)
    indices.push_back(lowerIndex(*index));
  Value value = lower(*assign.value);
  Binding &target = bindings[assign.variable];
  for (auto [dim, index] : llvm::enumerate(indices))
    checkIndex(locationOf(assign.indices[dim]->range), index, target.value, dim);
  Location loc = locationOf(self.range);
  target.value = tensor::InsertOp::create(builder, loc, value, target.value, indices);
  if (target.written)
    target.written = tensor::InsertOp::create(
        builder, loc, arith::ConstantIntOp::create(builder, loc, 1, 8), target.written, indices);
}

void Lowering::lower(const CallStmt &stmt, const Stmt &self) {
  auto *call = stmt.call->as<Call>();
  if (call->function)
    lowerCall(*call, locationOf(self.range));
  else
    lowerPrint(*call->arguments.front(), locationOf(self.range));
}

void Lowering::lowerPrint(const Expr &argument, Location loc) {
  Value value = lowerRead(argument);
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor) {
    core::callRuntime(builder, *module, loc,
                      value.getType().isF32() ? "tessera_rt_print_float" : "tessera_rt_print_int",
                      value);
    return;
  }
  // One runtime function serves every rank: it takes the matrix unranked, through a pointer.
  StringRef name =
      tensor.getElementType().isF32() ? "tessera_rt_print_floats" : "tessera_rt_print_ints";
  auto unranked = UnrankedTensorType::get(tensor.getElementType());
  core::declareRuntime(*module, name, builder.getFunctionType({unranked}, {}));
  auto callee = module->lookupSymbol<func::FuncOp>(name);
  callee->setAttr("llvm.emit_c_interface", builder.getUnitAttr());
  callee.setArgAttr(0, "bufferization.access", builder.getStringAttr("read"));
  Value erased = tensor::CastOp::create(builder, loc, unranked, value);
  func::CallOp::create(builder, loc, name, TypeRange{}, erased);
}

void Lowering::lower(const Return &stmt, const Stmt &self) {
  Location loc = locationOf(stmt.value->range);
  Binding binding = lowerBinding(*stmt.value);
  auto function = cast<func::FuncOp>(builder.getInsertionBlock()->getParentOp());
  mlir::Type type = function.getResultTypes().front();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    checkStaticSizes(loc, binding.value, tensor);
  SmallVector<Value> results{castTo(loc, binding.value, type)};
  if (function.getNumResults() == 2)
    results.push_back(flagsOf(loc, binding, function.getResultTypes()[1]));
  func::ReturnOp::create(builder, locationOf(self.range), results);
}
