#include "lang/weld/Lower.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;
using llvm::SmallVector;
using Value = mlir::Value;

Value Lowering::lowerNode(const Call &call, const Expr &expr) {
  switch (call.builtin) {
  case Builtin::If:
    return lowerIf(call, expr);
  case Builtin::Iterate:
    return lowerIterate(call, expr);
  case Builtin::Sort:
    return lowerSort(call, expr);
  default:
    return lowerValues(call.builtin, lowerAll(call.arguments), expr);
  }
}

//===-- Those with functions or branches ----------------------------------===//

Value Lowering::makeIf(Value condition, mlir::Type type, mlir::Location loc,
                       llvm::function_ref<Value()> onTrue, llvm::function_ref<Value()> onFalse) {
  SmallVector<mlir::Type> results;
  flattenType(type, results);
  auto op = ir::IfOp::create(builder, loc, results, condition);
  for (auto [block, side] :
       {std::pair(&op.thenBlock(), onTrue), std::pair(&op.elseBlock(), onFalse)}) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    SmallVector<Value> leaves;
    flatten(side(), leaves);
    ir::YieldOp::create(builder, loc, leaves);
  }
  mlir::ValueRange leaves = op.getResults();
  return unflatten(type, leaves, loc);
}

Value Lowering::lowerIf(const Call &call, const Expr &expr) {
  Value condition = lower(*call.arguments[0]);
  return makeIf(
      condition, typeOf(*expr.type), locationOf(expr), [&] { return lower(*call.arguments[1]); },
      [&] { return lower(*call.arguments[2]); });
}

Value Lowering::lowerIterate(const Call &call, const Expr &expr) {
  mlir::Location loc = locationOf(expr);
  auto op = ir::IterateOp::create(builder, loc, lower(*call.arguments[0]));
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&op.getBody().front());
  Value next = lowerBody(*call.arguments[1], op.state());
  ir::YieldOp::create(builder, loc, mlir::ValueRange{field(next, 0, loc), field(next, 1, loc)});
  return op.getResult();
}

Value Lowering::lowerSort(const Call &call, const Expr &expr) {
  mlir::Location loc = locationOf(expr);
  auto op = ir::SortOp::create(builder, loc, lower(*call.arguments[0]));
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block &block = op.getComparator().front();
  builder.setInsertionPointToEnd(&block);
  Value order = lowerBody(*call.arguments[1], block.getArguments());
  ir::YieldOp::create(builder, loc, order);
  return op.getResult();
}

//===-- Those of values ---------------------------------------------------===//

Value Lowering::lowerValues(Builtin builtin, ArrayRef<Value> in, const Expr &expr) {
  mlir::Location loc = locationOf(expr);
  mlir::Type type = typeOf(*expr.type);
  switch (builtin) {
  case Builtin::Select:
    return ir::SelectOp::create(builder, loc, in[0], in[1], in[2]);
  case Builtin::Merge:
    return merge(in[0], in[1], loc);
  case Builtin::Result:
    return result(in[0], loc);
  case Builtin::Lookup:
    return ir::LookupOp::create(builder, loc, type, in[0], in[1]);
  case Builtin::OptLookup:
    return ir::OptLookupOp::create(builder, loc, type, in[0], in[1]);
  case Builtin::KeyExists:
    return ir::KeyExistsOp::create(builder, loc, type, in[0], in[1]);
  case Builtin::Len:
    return ir::LenOp::create(builder, loc, type, in[0]);
  case Builtin::Slice:
    return ir::SliceOp::create(builder, loc, in[0], in[1], in[2]);
  case Builtin::ToVec:
    return ir::ToVecOp::create(builder, loc, type, in[0]);
  case Builtin::Broadcast:
    return ir::BroadcastOp::create(builder, loc, type, in[0]);
  case Builtin::Serialize:
    return ir::SerializeOp::create(builder, loc, type, in[0]);
  case Builtin::Compare:
    return compare(in[0], in[1], loc);
  case Builtin::Assert:
    return ir::AssertOp::create(builder, loc, type, in[0]);
  default:
    return lowerMath(builtin, in, loc);
  }
}

static std::optional<ir::Binary> binaryFunction(Builtin builtin) {
  switch (builtin) {
  case Builtin::Min:
    return ir::Binary::Min;
  case Builtin::Max:
    return ir::Binary::Max;
  case Builtin::Pow:
    return ir::Binary::Pow;
  default:
    return std::nullopt;
  }
}

Value Lowering::lowerMath(Builtin builtin, ArrayRef<Value> in, mlir::Location loc) {
  if (std::optional<ir::Binary> function = binaryFunction(builtin))
    return ir::BinaryOp::create(builder, loc, *function, in[0], in[1]);
  // The others have one name in both tables.
  std::optional<ir::Unary> function = ir::symbolizeUnary(spelling(builtin));
  return ir::UnaryOp::create(builder, loc, in[0].getType(), *function, in[0]);
}

//===-- compare -----------------------------------------------------------===//

/// The number of scalars in a type without vectors; nothing if it has any.
static std::optional<unsigned> numScalars(mlir::Type type) {
  auto fields = llvm::dyn_cast<ir::StructType>(type);
  if (!fields)
    return ir::isScalar(type) ? std::optional(1u) : std::nullopt;
  unsigned count = 0;
  for (mlir::Type field : fields.getFields()) {
    std::optional<unsigned> inside = numScalars(field);
    if (!inside)
      return std::nullopt;
    count += *inside;
  }
  return count;
}

/// Scalars and small structs are compared in place, where other passes see how.
Value Lowering::compare(Value lhs, Value rhs, mlir::Location loc) {
  constexpr unsigned maxScalars = 8;
  if (ir::isScalar(lhs.getType()))
    return compareScalars(lhs, rhs, loc);
  if (std::optional<unsigned> count = numScalars(lhs.getType()); count && *count <= maxScalars)
    return compareFields(lhs, rhs, loc);
  return ir::CompareOp::create(builder, loc, scalarType(Scalar::I32), lhs, rhs);
}

/// `if(x > y, 1, if(x < y, -1, 0))`. Of floats that are neither greater, smaller nor equal, at
/// least one is a NaN, which differs from itself.
Value Lowering::compareScalars(Value lhs, Value rhs, mlir::Location loc) {
  mlir::Type type = scalarType(Scalar::I32);
  auto number = [&](int value) -> Value {
    return ir::ConstantOp::create(builder, loc, mlir::IntegerAttr::get(type, value));
  };
  auto choose = [&](ir::Binary function, Value left, Value right, int yes,
                    llvm::function_ref<Value()> no) {
    Value holds = ir::BinaryOp::create(builder, loc, function, left, right);
    return makeIf(holds, type, loc, [&] { return number(yes); }, no);
  };
  auto zero = [&] { return number(0); };
  auto withNaN = [&] {
    return choose(ir::Binary::Equal, lhs, lhs, -1,
                  [&] { return choose(ir::Binary::Equal, rhs, rhs, 1, zero); });
  };
  auto equal = [&] {
    bool isFloat = llvm::isa<mlir::FloatType>(lhs.getType());
    return isFloat ? choose(ir::Binary::Equal, lhs, rhs, 0, withNaN) : zero();
  };
  auto less = [&] { return choose(ir::Binary::Less, lhs, rhs, -1, equal); };
  return choose(ir::Binary::Greater, lhs, rhs, 1, less);
}

/// From the last field to the first: a field decides if all those before it are equal.
Value Lowering::compareFields(Value lhs, Value rhs, mlir::Location loc) {
  int64_t index = llvm::cast<ir::StructType>(lhs.getType()).getFields().size();
  auto next = [&] { return compare(field(lhs, index, loc), field(rhs, index, loc), loc); };
  --index;
  Value order = next();
  while (index-- > 0) {
    Value earlier = next();
    Value zero =
        ir::ConstantOp::create(builder, loc, mlir::IntegerAttr::get(scalarType(Scalar::I32), 0));
    Value isEqual = ir::BinaryOp::create(builder, loc, ir::Binary::Equal, earlier, zero);
    order = ir::SelectOp::create(builder, loc, isEqual, order, earlier);
  }
  return order;
}
