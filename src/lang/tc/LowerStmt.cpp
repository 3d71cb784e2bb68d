#include "lang/tc/Lower.h"
#include "lang/tc/Operands.h"
#include "lang/tc/Promote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

void FrameLowering::lowerBody() {
  if (function.options.checked)
    checkBounds();
  checkPreconditions();
  for (const Stmt *stmt : frame.def->body)
    std::visit([&](const auto &node) { lower(node, *stmt); }, stmt->node);
}

Location FrameLowering::locationOf(SourceRange range) {
  return tc::locationOf(function.program, range, *function.builder.getContext());
}

Size FrameLowering::extentOf(const tc::Range &range) {
  SizeContext &sizes = function.inferred.sizes;
  return sizes.max(sizes.sub(range.upper, range.lower), sizes.constant(0));
}

//===- Comprehensions -------------------------------------------------------------------------===//

void FrameLowering::lower(const Comprehension &statement, const Stmt &self) {
  Location loc = locationOf(self.range);
  const Shape &variables = frame.variables.find(&statement)->second;
  if (function.options.checked)
    checkPoints(statement, /*isOfSizes=*/false, loc);
  if (variables.empty())
    return lowerScalar(statement, loc);
  if (!statement.isFirst && coversNothing(statement, variables))
    return;
  Value initial = initialValue(statement, variables, loc);
  Value computed = isEmpty(variables) ? initial : loopOver(statement, variables, initial, loc);
  store(statement, variables, computed, loc);
}

/// Whether there is no point at all, for any data.
bool FrameLowering::isEmpty(const Shape &variables) {
  return llvm::any_of(variables,
                      [&](const tc::Range &range) { return extentOf(range).constant() == 0; });
}

/// The values of one element may be combined in any order [tc.reduce.6]; a single value comes after
/// what other statements have stored. A sum may add products that are not rounded.
static arith::FastMathFlags freedomOf(const Comprehension &statement) {
  bool isReduced = statement.variables.size() > statement.indices.size();
  if (!isReduced)
    return arith::FastMathFlags::none;
  return statement.reduction == Reduction::Add
             ? arith::FastMathFlags::reassoc | arith::FastMathFlags::contract
             : arith::FastMathFlags::reassoc;
}

/// Lets a sum add a product that is not rounded [tc.own.14], also one in an arm of a condition.
/// Products outside of `body` are values of other statements, which are rounded.
static void leaveUnrounded(Value value, Block *body) {
  Operation *op = value.getDefiningOp();
  if (!op || !body->findAncestorOpInBlock(*op))
    return;
  if (auto product = dyn_cast<arith::MulFOp>(op))
    product.setFastmath(arith::FastMathFlags::contract);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    for (Value arm : {select.getTrueValue(), select.getFalseValue()})
      leaveUnrounded(arm, body);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    for (Block *arm : {branch.thenBlock(), branch.elseBlock()})
      leaveUnrounded(arm->getTerminator()->getOperand(0), body);
}

static Value combine(OpBuilder &b, Location loc, const Comprehension &statement, Scalar type,
                     Value old, Value value) {
  Reduction reduction = statement.reduction;
  switch (reduction) {
  case Reduction::None:
    return value;
  case Reduction::Add:
  case Reduction::Mul: {
    bool isAdd = reduction == Reduction::Add;
    if (!isFloat(type))
      return isAdd ? Value(arith::AddIOp::create(b, loc, old, value))
                   : Value(arith::MulIOp::create(b, loc, old, value));
    arith::FastMathFlags flags = freedomOf(statement);
    return isAdd ? Value(arith::AddFOp::create(b, loc, old, value, flags))
                 : Value(arith::MulFOp::create(b, loc, old, value, flags));
  }
  case Reduction::Min:
  case Reduction::Max:
    return lowerMinMax(b, loc, reduction == Reduction::Max, type, old, value);
  }
  return value;
}

/// A value that is not combined with others is rounded to the tensor's type directly.
static Value lowerValue(BodyLowering &body, const Comprehension &statement) {
  bool isStored = statement.reduction == Reduction::None;
  return isStored ? body.lowerStored(*statement.value) : body.lower(*statement.value);
}

/// A statement without loops: its value is a scalar.
void FrameLowering::lowerScalar(const Comprehension &statement, Location loc) {
  static const Shape none;
  OpBuilder &b = function.builder;
  BodyLowering body(*this, none, b);
  Scalar type = statement.tensor->element;
  Value value = lowerValue(body, statement);
  bool combines = statement.reduction != Reduction::None && !statement.initializes;
  if (combines) {
    Value old = fromStorage(b, loc, values.lookup(statement.tensor), type);
    value = combine(b, loc, statement, type, old, value);
  }
  values[statement.tensor] = toStorage(b, loc, value, type);
}

/// Sums of halves are collected in float32.
Scalar FrameLowering::accumulatorType(const Comprehension &statement) {
  Scalar element = statement.tensor->element;
  bool isHalf = isFloat(element) && bitsOf(element) == 16;
  return isHalf && statement.reduction != Reduction::None ? Scalar::F32 : element;
}

SmallVector<OpFoldResult> FrameLowering::leftExtents(const Comprehension &statement,
                                                     const Shape &variables) {
  SmallVector<OpFoldResult> extents;
  for (const tc::Range &range : ArrayRef(variables).take_front(statement.indices.size()))
    extents.push_back(function.sizes.fold(extentOf(range)));
  return extents;
}

SmallVector<OpFoldResult> FrameLowering::leftOffsets(const Comprehension &statement,
                                                     const Shape &variables) {
  SizeContext &sizes = function.inferred.sizes;
  const Shape &whole = frame.tensors.find(statement.tensor)->second;
  SmallVector<OpFoldResult> offsets;
  for (auto [range, stored] : llvm::zip(variables, whole))
    offsets.push_back(function.sizes.fold(sizes.sub(range.lower, stored.lower)));
  return offsets;
}

bool FrameLowering::coversAll(const Comprehension &statement, const Shape &variables) {
  const Shape &whole = frame.tensors.find(statement.tensor)->second;
  auto isSame = [&](auto pair) {
    auto &[range, stored] = pair;
    return range.lower == stored.lower && range.upper == stored.upper;
  };
  return llvm::all_of(llvm::zip(variables, whole), isSame);
}

/// An empty part may begin where the tensor ends, where no slice can begin.
bool FrameLowering::coversNothing(const Comprehension &statement, const Shape &variables) {
  const Shape &whole = frame.tensors.find(statement.tensor)->second;
  SizeContext &sizes = function.inferred.sizes;
  return llvm::any_of(llvm::zip(variables, whole), [&](auto pair) {
    auto &[range, stored] = pair;
    return extentOf(range).constant() == 0 ||
           sizes.isAtMost(stored.upper, range.lower).value_or(false);
  });
}

/// What the statement's part of the tensor held before.
Value FrameLowering::oldPart(const Comprehension &statement, const Shape &variables, Location loc) {
  Value old = values.lookup(statement.tensor);
  if (statement.indices.empty())
    return tensor::FromElementsOp::create(
        function.builder, loc, RankedTensorType::get({}, old.getType()), ValueRange(old));
  if (coversAll(statement, variables))
    return old;
  SmallVector<OpFoldResult> strides(statement.indices.size(), function.builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(function.builder, loc, old,
                                        leftOffsets(statement, variables),
                                        leftExtents(statement, variables), strides);
}

Value FrameLowering::initialValue(const Comprehension &statement, const Shape &variables,
                                  Location loc) {
  OpBuilder &b = function.builder;
  Scalar element = statement.tensor->element, accumulator = accumulatorType(statement);
  SmallVector<OpFoldResult> extents = leftExtents(statement, variables);
  Type storage = storageType(accumulator, *b.getContext());
  if (statement.reduction == Reduction::None)
    return core::empty(b, loc, extents, storage);
  if (statement.initializes) {
    Value identity = arith::ConstantOp::create(
        b, loc, identityOf(statement.reduction, accumulator, *b.getContext()));
    return core::filled(b, loc, extents, identity);
  }
  Value old = oldPart(statement, variables, loc);
  if (element == accumulator)
    return old;
  return core::elementwise(b, loc, old, extents, storage,
                           [&](OpBuilder &inner, Location at, ValueRange values) {
                             return fromStorage(inner, at, values[0], element);
                           });
}

Value FrameLowering::loopOver(const Comprehension &statement, const Shape &variables, Value initial,
                              Location loc) {
  OpBuilder &b = function.builder;
  OperandFinder finder(function, frame, values, statement, variables);
  finder.visit(*statement.value, /*isGuarded=*/false);
  if (std::optional<Operand> lengths = finder.lengthsOfOthers(loc))
    finder.operands.push_back(*lengths);
  unsigned numLeft = statement.indices.size(), numLoops = variables.size();
  auto inputs = llvm::map_to_vector(finder.operands, [](const Operand &o) { return o.part; });
  auto maps = llvm::map_to_vector(finder.operands, [](const Operand &o) { return o.map; });
  SmallVector<AffineExpr> left(numLeft);
  bindDimsList(b.getContext(), MutableArrayRef(left));
  maps.push_back(AffineMap::get(numLoops, 0, left, b.getContext()));
  SmallVector<utils::IteratorType> iterators(numLeft, utils::IteratorType::parallel);
  iterators.resize(numLoops, utils::IteratorType::reduction);

  Scalar accumulator = accumulatorType(statement);
  bool isSummed = bitEnumContainsAny(freedomOf(statement), arith::FastMathFlags::contract);
  auto buildBody = [&](OpBuilder &inner, Location at, ValueRange arguments) {
    BodyLowering body(*this, variables, inner);
    for (auto [operand, argument] : llvm::zip(finder.operands, arguments))
      for (const Apply *read : operand.reads)
        body.elements[read] = argument;
    Value value = lowerValue(body, statement);
    if (isSummed)
      leaveUnrounded(value, inner.getInsertionBlock());
    Value old = fromStorage(body.builder, at, arguments.back(), accumulator);
    value = combine(body.builder, at, statement, accumulator, old, value);
    linalg::YieldOp::create(body.builder, at, toStorage(body.builder, at, value, accumulator));
  };
  auto op = linalg::GenericOp::create(b, loc, initial.getType(), inputs, initial, maps, iterators,
                                      buildBody);
  return op.getResult(0);
}

/// The computed part becomes the tensor's value, or a part of it.
void FrameLowering::store(const Comprehension &statement, const Shape &variables, Value computed,
                          Location loc) {
  OpBuilder &b = function.builder;
  Scalar element = statement.tensor->element;
  if (accumulatorType(statement) != element)
    computed = core::elementwise(b, loc, computed, leftExtents(statement, variables),
                                 storageType(element, *b.getContext()),
                                 [&](OpBuilder &inner, Location at, ValueRange values) {
                                   return toStorage(inner, at, values[0], element);
                                 });
  if (statement.indices.empty())
    computed = tensor::ExtractOp::create(b, loc, computed, ValueRange());
  else if (!statement.isFirst && !coversAll(statement, variables)) {
    SmallVector<OpFoldResult> strides(statement.indices.size(), b.getIndexAttr(1));
    computed = tensor::InsertSliceOp::create(b, loc, computed, values.lookup(statement.tensor),
                                             leftOffsets(statement, variables),
                                             leftExtents(statement, variables), strides);
  }
  values[statement.tensor] = computed;
}

//===- Calls ----------------------------------------------------------------------------------===//

void FrameLowering::lower(const CallStmt &call, const Stmt &) {
  const Frame &inner = *frame.calls.find(&call)->second;
  FrameLowering callee(function, inner);
  for (auto [parameter, argument] : llvm::zip(call.def->parameters, call.argumentTensors))
    callee.values[parameter.tensor] = values.lookup(argument);
  for (auto [result, tensor] : llvm::zip(call.def->returns, call.resultTensors))
    if (result.tensor->isInOut)
      callee.values[result.tensor] = values.lookup(tensor);
  callee.lowerBody();
  for (auto [result, tensor] : llvm::zip(call.def->returns, call.resultTensors))
    values[tensor] = callee.values.lookup(result.tensor);
}
