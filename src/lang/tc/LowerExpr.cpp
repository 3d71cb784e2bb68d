#include "lang/tc/Lower.h"
#include "lang/tc/Promote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "support/Decimal.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

/// Whether there is nothing to compute, so that 64 bits would only be a detour.
static bool isLeaf(const Expr &expr) {
  auto *reference = expr.as<Reference>();
  auto *apply = expr.as<Apply>();
  return expr.as<IntLiteral>() || expr.as<Extent>() || (reference && !reference->let) ||
         (apply && apply->tensor);
}

Value BodyLowering::lower(const Expr &expr) {
  if (expr.isWide() && !isLeaf(expr.bare()))
    return arith::IndexCastOp::create(builder, locationOf(expr.range), builder.getI32Type(),
                                      lowerIndex(expr));
  return std::visit([&](const auto &node) { return lower(node, expr); }, expr.node);
}

Value BodyLowering::lower(const Paren &paren, const Expr &) {
  return lower(*paren.inner);
}

Value BodyLowering::lower(const IntLiteral &literal, const Expr &self) {
  Type type = computeType(*self.type, *builder.getContext());
  return arith::ConstantOp::create(builder, locationOf(self.range),
                                   builder.getIntegerAttr(type, int64_t(literal.value)));
}

/// The decimal is rounded once, to the type it is used in [tc.type.21].
Value BodyLowering::lower(const FloatLiteral &literal, const Expr &self) {
  auto type = cast<FloatType>(storageType(*self.type, *builder.getContext()));
  llvm::APFloat value(type.getFloatSemantics(), roundableDecimal(literal.text));
  bool losesInfo;
  auto computed = cast<FloatType>(computeType(*self.type, *builder.getContext()));
  value.convert(computed.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return arith::ConstantOp::create(builder, locationOf(self.range),
                                   builder.getFloatAttr(computed, value));
}

//===- Names ----------------------------------------------------------------------------------===//

/// The loop's counter, from 0. It must be made in the body itself, not in a branch of it.
Value BodyLowering::counterOf(unsigned loop, Location loc) {
  Value &counter = counters[loop];
  if (!counter) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body);
    counter = linalg::IndexOp::create(builder, loc, loop);
  }
  return counter;
}

/// The logical value of an index variable.
Value BodyLowering::variableValue(const Variable &variable, Location loc) {
  Size lower = ranges[variable.index].lower;
  Value count = counterOf(variable.index, loc);
  if (lower.constant() == 0)
    return count;
  return arith::AddIOp::create(builder, loc, count, parent.function.sizes.value(lower));
}

/// A value made of sizes is computed in 64 bits, before any loop [tc.size.8].
Value BodyLowering::sizeValue(const Expr &expr, Type type) {
  Size size = sizeOf(expr, parent.frame, parent.function.inferred);
  if (!size || !parent.function.sizes.isKnown(size))
    return {};
  Location loc = locationOf(expr.range);
  if (std::optional<int64_t> constant = size.constant())
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, *constant));
  return arith::IndexCastOp::create(builder, loc, type, parent.function.sizes.value(size));
}

Value BodyLowering::lower(const Reference &reference, const Expr &self) {
  Location loc = locationOf(self.range);
  if (reference.let)
    return valueOf(*reference.let);
  if (reference.variable)
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                      variableValue(*reference.variable, loc));
  if (reference.tensor)
    return fromStorage(builder, loc, parent.values.lookup(reference.tensor), *self.type);
  return sizeValue(self, builder.getI32Type());
}

Value BodyLowering::valueOf(const LetClause &let) {
  if (Value known = lets.lookup(&let))
    return known;
  Value value = let.value->isWide() ? lowerIndex(*let.value) : lower(*let.value);
  lets.insert(&let, value);
  return value;
}

/// The lets that are used whenever the expression is evaluated.
static void collectLets(const Expr &expr, llvm::SetVector<const LetClause *> &lets) {
  auto *reference = expr.as<Reference>();
  if (reference && reference->let && lets.insert(reference->let))
    collectLets(*reference->let->value, lets);
  for (auto [number, child] : llvm::enumerate(childrenOf(expr)))
    if (!isGuarded(expr, number))
      collectLets(*child, lets);
}

SmallVector<const LetClause *> tc::sharedLets(const Expr &a, const Expr &b) {
  llvm::SetVector<const LetClause *> ofA, ofB;
  collectLets(a, ofA);
  collectLets(b, ofB);
  return llvm::filter_to_vector(ofA, [&](const LetClause *let) { return ofB.contains(let); });
}

Value BodyLowering::lower(const Extent &, const Expr &self) {
  return sizeValue(self, builder.getI32Type());
}

//===- Reads ----------------------------------------------------------------------------------===//

Value BodyLowering::lower(const Apply &apply, const Expr &self) {
  Location loc = locationOf(self.range);
  if (apply.tensor)
    return fromStorage(builder, loc, lowerRead(apply, loc), *self.type);
  SmallVector<Value> arguments;
  for (const Expr *argument : apply.arguments)
    arguments.push_back(lower(*argument));
  return lowerBuiltin(builder, loc, parent.function.module, *apply.builtin, *self.type, arguments);
}

Value BodyLowering::lowerRead(const Apply &read, Location loc) {
  if (Value element = elements.lookup(&read))
    return element;
  if (!read.tensor->rank)
    return parent.values.lookup(read.tensor);
  SizeContext &sizes = parent.function.inferred.sizes;
  Value isThere;
  // A tensor that may have no element at all cannot be read at a clamped index either.
  if (parent.frame.unproved.contains(&read))
    for (const tc::Range &range : parent.frame.tensors.find(read.tensor)->second) {
      Size extent = sizes.sub(range.upper, range.lower);
      if (sizes.isAtMost(sizes.constant(1), extent).value_or(false))
        continue;
      Value isPositive = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                               parent.function.sizes.value(extent),
                                               core::constantIndex(builder, loc, 0));
      isThere = isThere ? arith::AndIOp::create(builder, loc, isThere, isPositive) : isPositive;
    }
  if (!isThere)
    return readInside(read, loc);
  Type type = storageType(read.tensor->element, *builder.getContext());
  return choose(
      isThere, type, loc, [&] { return readInside(read, loc); },
      [&] { return core::zero(builder, loc, type); });
}

Value BodyLowering::readInside(const Apply &read, Location loc) {
  SmallVector<Value> indices;
  for (unsigned dimension = 0; dimension < read.arguments.size(); ++dimension)
    indices.push_back(position(read, dimension, loc));
  return tensor::ExtractOp::create(builder, loc, parent.values.lookup(read.tensor), indices);
}

//===- Operators ------------------------------------------------------------------------------===//

std::optional<BodyLowering::Bounds> BodyLowering::boundsOf(const Expr &expr) const {
  auto within = [](int64_t least, int64_t most) -> std::optional<Bounds> {
    bool fits = least >= INT32_MIN && most <= INT32_MAX;
    return fits ? std::optional(Bounds{least, most}) : std::nullopt;
  };
  if (auto *reference = expr.as<Reference>(); reference && reference->variable) {
    const tc::Range &range = ranges[reference->variable->index];
    std::optional<int64_t> lower = range.lower.constant(), upper = range.upper.constant();
    return lower && upper ? within(*lower, *upper) : std::nullopt;
  }
  if (auto *paren = expr.as<Paren>())
    return boundsOf(*paren->inner);
  if (auto *binary = expr.as<Binary>();
      binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub)) {
    std::optional<Bounds> lhs = boundsOf(*binary->lhs), rhs = boundsOf(*binary->rhs);
    if (!lhs || !rhs)
      return std::nullopt;
    return binary->op == BinaryOp::Add ? within(lhs->least + rhs->least, lhs->most + rhs->most)
                                       : within(lhs->least - rhs->most, lhs->most - rhs->least);
  }
  if (expr.type != Scalar::I32 || !expr.isWide())
    return std::nullopt;
  Size size = sizeOf(expr, parent.frame, parent.function.inferred);
  std::optional<int64_t> constant = size ? size.constant() : std::nullopt;
  return constant ? within(*constant, *constant) : std::nullopt;
}

/// A cast in the program rounds; an implicit one only gives the operand the type that it is
/// computed in.
Value BodyLowering::lower(const Cast &cast, const Expr &self) {
  return lowerCast(cast, self, /*rounds=*/!cast.isImplicit);
}

Value BodyLowering::lowerStored(const Expr &expr) {
  auto *cast = expr.as<Cast>();
  return cast ? lowerCast(*cast, expr, /*rounds=*/true) : lower(expr);
}

Value BodyLowering::lowerCast(const Cast &cast, const Expr &self, bool rounds) {
  Location loc = locationOf(self.range);
  Scalar from = *cast.operand->type;
  Value operand;
  if (computedIn(*cast.operand) != from && !boundsOf(*cast.operand)) {
    from = Scalar::I64;
    operand =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), lowerIndex(*cast.operand));
  } else
    operand = lower(*cast.operand);
  bool isHalf = isFloat(cast.type) && bitsOf(cast.type) == 16;
  if (!isHalf || !rounds)
    return convertScalar(builder, loc, operand, from, cast.type);
  Value rounded = roundToHalf(builder, loc, operand, from, cast.type);
  return fromStorage(builder, loc, rounded, cast.type);
}

Value BodyLowering::lower(const Unary &unary, const Expr &self) {
  Location loc = locationOf(self.range);
  Value operand = lower(*unary.operand);
  if (unary.op == UnaryOp::Not) {
    Value one = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return arith::XOrIOp::create(builder, loc, operand, one);
  }
  if (isFloat(*self.type))
    return arith::NegFOp::create(builder, loc, operand);
  Value zero = core::zero(builder, loc, operand.getType());
  return arith::SubIOp::create(builder, loc, zero, operand);
}

Value BodyLowering::lower(const Binary &binary, const Expr &self) {
  Location loc = locationOf(self.range);
  switch (classOf(binary.op)) {
  case OpClass::Logic:
    return lowerLogic(binary, self);
  case OpClass::Comparison:
    return lowerComparison(binary, loc);
  case OpClass::Arithmetic:
    break;
  }
  return lowerArithmetic(builder, loc, binary.op, *self.type, lower(*binary.lhs),
                         lower(*binary.rhs));
}

Value BodyLowering::lowerComparison(const Binary &op, Location loc) {
  bool isWide =
      widthOf(*op.lhs, *op.rhs) != Width::Narrow && !(boundsOf(*op.lhs) && boundsOf(*op.rhs));
  Value lhs = isWide ? lowerIndex(*op.lhs) : lower(*op.lhs);
  Value rhs = isWide ? lowerIndex(*op.rhs) : lower(*op.rhs);
  Scalar type = *op.lhs->type;
  struct Row {
    BinaryOp op;
    arith::CmpFPredicate onFloats;
    arith::CmpIPredicate onSigned, onUnsigned;
  };
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr Row rows[] = {
      {BinaryOp::Less, F::OLT, I::slt, I::ult},
      {BinaryOp::Greater, F::OGT, I::sgt, I::ugt},
      {BinaryOp::LessEqual, F::OLE, I::sle, I::ule},
      {BinaryOp::GreaterEqual, F::OGE, I::sge, I::uge},
      {BinaryOp::Equal, F::OEQ, I::eq, I::eq},
      {BinaryOp::NotEqual, F::UNE, I::ne, I::ne},
  };
  const Row &row = *llvm::find_if(rows, [&](const Row &r) { return r.op == op.op; });
  if (isFloat(type))
    return arith::CmpFOp::create(builder, loc, row.onFloats, lhs, rhs);
  bool isSigned = kindOf(type) == ScalarKind::Signed;
  return arith::CmpIOp::create(builder, loc, isSigned ? row.onSigned : row.onUnsigned, lhs, rhs);
}

/// Whether the expression reads memory that may not exist if its guard is false. Called for every
/// arm of a chain of `?:`, so the answers are cached.
bool BodyLowering::mayFault(const Expr &expr) {
  auto known = faulting.find(&expr);
  if (known != faulting.end())
    return known->second;
  auto *reference = expr.as<Reference>();
  auto *apply = expr.as<Apply>();
  bool result = (reference && reference->let && mayFault(*reference->let->value)) ||
                (apply && apply->tensor && apply->tensor->rank && !elements.contains(apply)) ||
                llvm::any_of(childrenOf(expr), [&](const Expr *child) { return mayFault(*child); });
  return faulting[&expr] = result;
}

Value BodyLowering::choose(Value condition, Type type, Location loc,
                           llvm::function_ref<Value()> ifTrue,
                           llvm::function_ref<Value()> ifFalse) {
  auto op = scf::IfOp::create(builder, loc, type, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  auto fill = [&](Block *block, llvm::function_ref<Value()> make) {
    builder.setInsertionPointToStart(block);
    LetScope scope(lets);
    Value value = make();
    scf::YieldOp::create(builder, loc, value);
  };
  fill(op.thenBlock(), ifTrue);
  fill(op.elseBlock(), ifFalse);
  return op.getResult(0);
}

Value BodyLowering::lowerLogic(const Binary &op, const Expr &self) {
  Location loc = locationOf(self.range);
  bool isAnd = op.op == BinaryOp::And;
  Value lhs = lower(*op.lhs);
  if (!mayFault(*op.rhs)) {
    Value rhs = lower(*op.rhs);
    return isAnd ? Value(arith::AndIOp::create(builder, loc, lhs, rhs))
                 : Value(arith::OrIOp::create(builder, loc, lhs, rhs));
  }
  auto right = [&] { return lower(*op.rhs); };
  auto left = [&]() -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(!isAnd));
  };
  if (isAnd)
    return choose(lhs, builder.getI1Type(), loc, right, left);
  return choose(lhs, builder.getI1Type(), loc, left, right);
}

Value BodyLowering::lower(const Conditional &conditional, const Expr &self) {
  return select(conditional, computeType(*self.type, *builder.getContext()), locationOf(self.range),
                [&](const Expr &arm) { return lower(arm); });
}

Value BodyLowering::select(const Conditional &conditional, Type type, Location loc,
                           llvm::function_ref<Value(const Expr &)> lowerArm) {
  if (!mayFault(*conditional.ifTrue) && !mayFault(*conditional.ifFalse)) {
    // The rest of a chain first, so that not all of its conditions are live at once.
    Value ifFalse = lowerArm(*conditional.ifFalse), ifTrue = lowerArm(*conditional.ifTrue);
    Value condition = lower(*conditional.condition);
    return arith::SelectOp::create(builder, loc, condition, ifTrue, ifFalse);
  }
  Value condition = lower(*conditional.condition);
  for (const LetClause *let : sharedLets(*conditional.ifTrue, *conditional.ifFalse))
    valueOf(*let);
  return choose(
      condition, type, loc, [&] { return lowerArm(*conditional.ifTrue); },
      [&] { return lowerArm(*conditional.ifFalse); });
}
