#include "lang/weld/Lower.h"
#include "support/Decimal.h"
#include "llvm/Support/Error.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;
using llvm::SmallVector;
using Value = mlir::Value;

Value Lowering::lower(const Expr &expr) {
  Value value = std::visit([&](const auto &node) { return lowerNode(node, expr); }, expr.node);
  annotate(value, locationOf(expr), expr.annotations);
  return value;
}

SmallVector<Value> Lowering::lowerAll(ArrayRef<Expr *> exprs) {
  SmallVector<Value> all;
  for (const Expr *expr : exprs)
    all.push_back(lower(*expr));
  return all;
}

Value Lowering::lowerBody(const Expr &function, mlir::ValueRange arguments) {
  auto &lambda = *function.bare().as<Lambda>();
  for (auto [parameter, argument] : llvm::zip_equal(lambda.parameters, arguments))
    values[parameter] = argument;
  return lower(*lambda.body);
}

//===-- Literals ----------------------------------------------------------===//

Value Lowering::lowerNode(const IntLiteral &literal, const Expr &expr) {
  auto type = llvm::cast<mlir::IntegerType>(scalarType(literal.type));
  // The most negative number does not fit before its minus.
  llvm::APInt bits(type.getWidth(), literal.value, /*isSigned=*/false, /*implicitTrunc=*/true);
  return ir::ConstantOp::create(builder, locationOf(expr), mlir::IntegerAttr::get(type, bits));
}

Value Lowering::lowerNode(const FloatLiteral &literal, const Expr &expr) {
  auto type = llvm::cast<mlir::FloatType>(scalarType(literal.type));
  llvm::APFloat value(type.getFloatSemantics());
  llvm::consumeError(
      value.convertFromString(roundableDecimal(literal.text), llvm::APFloat::rmNearestTiesToEven)
          .takeError());
  return ir::ConstantOp::create(builder, locationOf(expr), mlir::FloatAttr::get(type, value));
}

Value Lowering::constantBool(bool value, mlir::Location loc) {
  return ir::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

Value Lowering::lowerNode(const BoolLiteral &literal, const Expr &expr) {
  return constantBool(literal.value, locationOf(expr));
}

Value Lowering::lowerNode(const StringLiteral &literal, const Expr &expr) {
  return ir::StringOp::create(builder, locationOf(expr), typeOf(*expr.type), literal.bytes);
}

Value Lowering::lowerNode(const VectorLiteral &vector, const Expr &expr) {
  SmallVector<Value> elements = lowerAll(vector.elements);
  return ir::MakeVecOp::create(builder, locationOf(expr), typeOf(*expr.type), elements);
}

Value Lowering::lowerNode(const StructLiteral &literal, const Expr &expr) {
  SmallVector<Value> fields = lowerAll(literal.fields);
  return makeStruct(fields, locationOf(expr));
}

//===-- Names and functions -----------------------------------------------===//

Value Lowering::lowerNode(const Reference &reference, const Expr &) {
  return values.lookup(reference.variable);
}

Value Lowering::lowerNode(const Paren &paren, const Expr &) {
  return lower(*paren.inner);
}

Value Lowering::lowerNode(const Ascription &ascription, const Expr &) {
  return lower(*ascription.operand);
}

Value Lowering::lowerNode(const Let &let, const Expr &) {
  values[let.variable] = lower(*let.value);
  return lower(*let.body);
}

Value Lowering::lowerNode(const Lambda &, const Expr &) {
  llvm_unreachable("functions are not values");
}

Value Lowering::lowerNode(const Apply &apply, const Expr &) {
  SmallVector<Value> arguments = lowerAll(apply.arguments);
  return lowerBody(*apply.callee, arguments);
}

Value Lowering::lowerNode(const IteratorExpr &, const Expr &) {
  llvm_unreachable("iterators stand in loops");
}

//===-- Operators ---------------------------------------------------------===//

Value Lowering::lowerNode(const Unary &unary, const Expr &expr) {
  Value operand = lower(*unary.operand);
  auto function = unary.op == UnaryOp::Minus ? ir::Unary::Neg : ir::Unary::Not;
  return builder.createOrFold<ir::UnaryOp>(locationOf(expr), operand.getType(), function, operand);
}

/// `a && b` is `if(a, b, false)`, `a || b` is `if(a, true, b)`.
Value Lowering::shortCircuit(const Binary &binary, const Expr &expr) {
  mlir::Location loc = locationOf(expr);
  Value condition = lower(*binary.lhs);
  auto known = [&] { return constantBool(binary.op == BinaryOp::Or, loc); };
  auto rest = [&] { return lower(*binary.rhs); };
  if (binary.op == BinaryOp::And)
    return makeIf(condition, builder.getI1Type(), loc, rest, known);
  return makeIf(condition, builder.getI1Type(), loc, known, rest);
}

Value Lowering::lowerNode(const Binary &binary, const Expr &expr) {
  if (binary.op == BinaryOp::And || binary.op == BinaryOp::Or)
    return shortCircuit(binary, expr);
  Value lhs = lower(*binary.lhs), rhs = lower(*binary.rhs);
  auto function =
      static_cast<ir::Binary>(static_cast<int>(binary.op) - static_cast<int>(BinaryOp::BitOr));
  return ir::BinaryOp::create(builder, locationOf(expr), function, lhs, rhs);
}
static_assert(static_cast<int>(BinaryOp::Rem) - static_cast<int>(BinaryOp::BitOr) ==
              static_cast<int>(ir::Binary::Rem));

Value Lowering::lowerNode(const Field &each, const Expr &expr) {
  return field(lower(*each.operand), each.index, locationOf(expr));
}

Value Lowering::lowerNode(const Cast &cast, const Expr &expr) {
  Value operand = lower(*cast.operand);
  mlir::Type type = ir::withLanes(operand.getType(), scalarType(cast.type));
  if (type == operand.getType())
    return operand;
  return ir::CastOp::create(builder, locationOf(expr), type, operand);
}

Value Lowering::lowerNode(const Deserialize &deserialize, const Expr &expr) {
  Value bytes = lower(*deserialize.bytes);
  return ir::DeserializeOp::create(builder, locationOf(expr), typeOf(*expr.type), bytes);
}

Value Lowering::lowerNode(const Cudf &cudf, const Expr &expr) {
  SmallVector<Value> arguments = lowerAll(cudf.arguments);
  return ir::CudfOp::create(builder, locationOf(expr), typeOf(*expr.type), cudf.name.text,
                            arguments);
}
