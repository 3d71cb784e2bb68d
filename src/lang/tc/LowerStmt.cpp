#include "lang/tc/Lower.h"
#include "lang/tc/Promote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

void FrameLowering::lowerBody() {
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

//===- Operands -------------------------------------------------------------------------------===//

namespace {

/// A part of a tensor that the loops walk through, and the reads it serves.
struct Operand {
  Value part;
  AffineMap map;
  SmallVector<const Apply *, 2> reads;
};

/// Finds the reads that can be operands of the loops: those of which every index is a sum of
/// variables with positive coefficients, and which may happen at every point.
class OperandFinder {
public:
  OperandFinder(FrameLowering::Function &function, const Frame &frame,
                const DenseMap<const Tensor *, Value> &values, const Comprehension &statement,
                const Shape &variables)
      : function(function), frame(frame), values(values), statement(statement),
        variables(variables), sizes(function.inferred.sizes) {}

  void visit(const Expr &expr, bool isGuarded) {
    std::visit([&](const auto &node) { visitNode(node, isGuarded); }, expr.node);
  }
  SmallVector<Operand> operands;

private:
  template <typename T> void visitNode(const T &, bool) {}
  void visitNode(const Paren &paren, bool isGuarded) { visit(*paren.inner, isGuarded); }
  void visitNode(const Cast &cast, bool isGuarded) { visit(*cast.operand, isGuarded); }
  void visitNode(const Unary &unary, bool isGuarded) { visit(*unary.operand, isGuarded); }
  void visitNode(const Reference &reference, bool isGuarded) {
    if (reference.let && seen.insert({reference.let, isGuarded}).second)
      visit(*reference.let->value, isGuarded);
  }
  void visitNode(const Binary &binary, bool isGuarded) {
    visit(*binary.lhs, isGuarded);
    visit(*binary.rhs, isGuarded || classOf(binary.op) == OpClass::Logic);
  }
  void visitNode(const Conditional &conditional, bool isGuarded) {
    visit(*conditional.condition, isGuarded);
    visit(*conditional.ifTrue, true);
    visit(*conditional.ifFalse, true);
  }
  void visitNode(const Apply &apply, bool isGuarded) {
    for (const Expr *argument : apply.arguments)
      visit(*argument, isGuarded);
    if (apply.tensor && apply.tensor->rank)
      addRead(apply, isGuarded);
  }

  /// Where the loops find the tensor's elements in one dimension.
  struct Walk {
    AffineExpr index;
    Size offset, size;
  };

  void addRead(const Apply &read, bool isGuarded) {
    SmallVector<Walk> walks;
    for (auto [dimension, argument] : llvm::enumerate(read.arguments)) {
      std::optional<Walk> walk = walkOf(read, dimension, *argument);
      if (!walk || isBehind(read, dimension, *walk) ||
          (isGuarded && !staysInside(read, dimension, *walk)))
        return;
      walks.push_back(*walk);
    }
    keep(read, walks);
  }

  std::optional<Walk> walkOf(const Apply &read, unsigned dimension, const Expr &index) {
    std::optional<Affine> affine = affineOf(index, statement, frame, function.inferred);
    if (!affine)
      return std::nullopt;
    MLIRContext *context = function.builder.getContext();
    Walk walk{getAffineConstantExpr(0, context), affine->offset, sizes.constant(1)};
    for (auto [number, coefficient] : llvm::enumerate(affine->coefficients)) {
      if (coefficient < 0)
        return std::nullopt;
      Size factor = sizes.constant(coefficient);
      const tc::Range &range = variables[number];
      walk.index = walk.index + getAffineDimExpr(number, context) * coefficient;
      walk.offset = sizes.add(walk.offset, sizes.mul(factor, range.lower));
      Size last = sizes.sub(sizes.sub(range.upper, range.lower), sizes.constant(1));
      walk.size = sizes.add(walk.size, sizes.mul(factor, last));
    }
    const tc::Range &stored = frame.tensors.find(read.tensor)->second[dimension];
    walk.offset = sizes.sub(walk.offset, stored.lower);
    return walk;
  }

  /// It begins where the tensor ends, so nothing is read; but there is no slice to begin there.
  bool isBehind(const Apply &read, unsigned dimension, const Walk &walk) {
    const tc::Range &stored = frame.tensors.find(read.tensor)->second[dimension];
    Size extent = sizes.sub(stored.upper, stored.lower);
    return sizes.isAtMost(extent, walk.offset).value_or(false);
  }

  bool staysInside(const Apply &read, unsigned dimension, const Walk &walk) {
    const tc::Range &stored = frame.tensors.find(read.tensor)->second[dimension];
    Size end = sizes.add(walk.offset, walk.size), extent = sizes.sub(stored.upper, stored.lower);
    return sizes.isAtMost(sizes.constant(0), walk.offset).value_or(false) &&
           sizes.isAtMost(end, extent).value_or(false);
  }

  void keep(const Apply &read, ArrayRef<Walk> walks) {
    SmallVector<AffineExpr> indices;
    for (const Walk &walk : walks)
      indices.push_back(walk.index);
    auto map = AffineMap::get(variables.size(), 0, indices, function.builder.getContext());
    Value part = partOf(read, walks);
    for (Operand &operand : operands)
      if (operand.part == part && operand.map == map)
        return operand.reads.push_back(&read);
    operands.push_back({part, map, {&read}});
  }

  /// Exactly what is walked through, so that every index begins at 0.
  Value partOf(const Apply &read, ArrayRef<Walk> walks) {
    Value tensor = values.lookup(read.tensor);
    const Shape &stored = frame.tensors.find(read.tensor)->second;
    bool isAll = true;
    SmallVector<OpFoldResult> offsets, extents;
    for (auto [walk, range] : llvm::zip(walks, stored)) {
      Size extent = sizes.max(walk.size, sizes.constant(0));
      isAll &= walk.offset == sizes.constant(0) && extent == sizes.sub(range.upper, range.lower);
      offsets.push_back(function.sizes.fold(walk.offset));
      extents.push_back(function.sizes.fold(extent));
    }
    if (isAll)
      return tensor;
    for (auto &[known, part] : parts)
      if (std::get<0>(known) == tensor && std::get<1>(known) == offsets &&
          std::get<2>(known) == extents)
        return part;
    SmallVector<OpFoldResult> strides(walks.size(), function.builder.getIndexAttr(1));
    Value part = tensor::ExtractSliceOp::create(function.builder, tensor.getLoc(), tensor, offsets,
                                                extents, strides);
    parts.push_back({{tensor, offsets, extents}, part});
    return part;
  }

  FrameLowering::Function &function;
  const Frame &frame;
  const DenseMap<const Tensor *, Value> &values;
  const Comprehension &statement;
  const Shape &variables;
  SizeContext &sizes;
  DenseSet<llvm::PointerIntPair<const LetClause *, 1, bool>> seen;
  using Sizes = SmallVector<OpFoldResult>;
  SmallVector<std::pair<std::tuple<Value, Sizes, Sizes>, Value>> parts;
};

/// The loops that no operand's own size tells: linalg finds each loop's length at an operand that
/// has its counter alone as an index.
SmallVector<unsigned> lengthless(ArrayRef<Operand> operands, unsigned numLeft, unsigned numLoops) {
  SmallVector<unsigned> loops;
  for (unsigned loop = numLeft; loop < numLoops; ++loop) {
    auto tells = [&](const Operand &operand) {
      return llvm::any_of(operand.map.getResults(), [&](AffineExpr index) {
        auto dim = dyn_cast<AffineDimExpr>(index);
        return dim && dim.getPosition() == loop;
      });
    };
    if (llvm::none_of(operands, tells))
      loops.push_back(loop);
  }
  return loops;
}

} // namespace

//===- Comprehensions -------------------------------------------------------------------------===//

void FrameLowering::lower(const Comprehension &statement, const Stmt &self) {
  Location loc = locationOf(self.range);
  const Shape &variables = frame.variables.find(&statement)->second;
  if (function.options.checked)
    checkStatement(statement, variables, loc);
  if (variables.empty())
    return lowerScalar(statement, loc);
  if (!statement.isFirst && coversNothing(statement, variables))
    return;
  Value initial = initialValue(statement, variables, loc);
  Value computed = isEmpty(variables) ? initial : loopOver(statement, variables, initial, loc);
  store(statement, variables, computed, loc);
}

/// No point at all, whatever the data.
bool FrameLowering::isEmpty(const Shape &variables) {
  return llvm::any_of(variables,
                      [&](const tc::Range &range) { return extentOf(range).constant() == 0; });
}

static Value combine(OpBuilder &b, Location loc, Reduction reduction, Scalar type, Value old,
                     Value value) {
  switch (reduction) {
  case Reduction::None:
    return value;
  case Reduction::Add:
  case Reduction::Mul: {
    bool isAdd = reduction == Reduction::Add;
    if (!isFloat(type))
      return isAdd ? Value(arith::AddIOp::create(b, loc, old, value))
                   : Value(arith::MulIOp::create(b, loc, old, value));
    // Any order will do [tc.reduce.6].
    auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
    return isAdd ? Value(arith::AddFOp::create(b, loc, old, value, flags))
                 : Value(arith::MulFOp::create(b, loc, old, value, flags));
  }
  case Reduction::Min:
  case Reduction::Max:
    return lowerMinMax(b, loc, reduction == Reduction::Max, type, old, value);
  }
  return value;
}

/// No loops: a value of its own.
void FrameLowering::lowerScalar(const Comprehension &statement, Location loc) {
  static const Shape none;
  OpBuilder &b = function.builder;
  BodyLowering body(*this, none);
  Scalar type = statement.tensor->element;
  Value value = body.lower(*statement.value);
  bool combines = statement.reduction != Reduction::None && !statement.initializes;
  if (combines) {
    Value old = fromStorage(b, loc, values.lookup(statement.tensor), type);
    value = combine(b, loc, statement.reduction, type, old, value);
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

/// A part that is empty may begin where the tensor ends, which is no place of a slice.
bool FrameLowering::coversNothing(const Comprehension &statement, const Shape &variables) {
  const Shape &whole = frame.tensors.find(statement.tensor)->second;
  SizeContext &sizes = function.inferred.sizes;
  return llvm::any_of(llvm::zip(variables, whole), [&](auto pair) {
    auto &[range, stored] = pair;
    return extentOf(range).constant() == 0 ||
           sizes.isAtMost(stored.upper, range.lower).value_or(false);
  });
}

/// What the statement's part of the tensor holds before.
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
  MLIRContext *context = b.getContext();
  OperandFinder finder(function, frame, values, statement, variables);
  finder.visit(*statement.value, /*isGuarded=*/false);
  unsigned numLeft = statement.indices.size(), numLoops = variables.size();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Operand &operand : finder.operands) {
    inputs.push_back(operand.part);
    maps.push_back(operand.map);
  }
  SmallVector<unsigned> unknown = lengthless(finder.operands, numLeft, numLoops);
  if (!unknown.empty()) {
    SmallVector<OpFoldResult> lengths;
    SmallVector<AffineExpr> counters;
    for (unsigned loop : unknown) {
      lengths.push_back(function.sizes.fold(extentOf(variables[loop])));
      counters.push_back(getAffineDimExpr(loop, context));
    }
    inputs.push_back(core::empty(b, loc, lengths, b.getI8Type()));
    maps.push_back(AffineMap::get(numLoops, 0, counters, context));
  }
  SmallVector<AffineExpr> left;
  for (unsigned loop = 0; loop < numLeft; ++loop)
    left.push_back(getAffineDimExpr(loop, context));
  maps.push_back(AffineMap::get(numLoops, 0, left, context));
  SmallVector<utils::IteratorType> iterators(numLeft, utils::IteratorType::parallel);
  iterators.resize(numLoops, utils::IteratorType::reduction);

  Scalar accumulator = accumulatorType(statement);
  auto buildBody = [&](OpBuilder &inner, Location at, ValueRange arguments) {
    BodyLowering body(*this, variables);
    body.builder = inner;
    // A counter must stand in the body itself, not in a branch of it.
    for (unsigned loop = 0; loop < numLoops; ++loop)
      body.counters.push_back(linalg::IndexOp::create(body.builder, at, loop));
    for (auto [operand, argument] : llvm::zip(finder.operands, arguments))
      for (const Apply *read : operand.reads)
        body.elements[read] = argument;
    Value value = body.lower(*statement.value);
    Value old = fromStorage(body.builder, at, arguments.back(), accumulator);
    value = combine(body.builder, at, statement.reduction, accumulator, old, value);
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
