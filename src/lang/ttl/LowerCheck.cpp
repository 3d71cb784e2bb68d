/// --checked: what the language leaves undefined becomes a run-time error with values and position.
/// What types prove is not checked; LLVM removes checks that it can prove.
#include "lang/ttl/Lower.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ttl;

using Predicate = arith::CmpIPredicate;

void Lowering::trapIf(OpBuilder &b, Value condition, Location loc, StringRef message,
                      StringRef rule, ValueRange values) {
  core::trapIf(b, sites, condition, {loc, message, rule}, values);
}

static bool isKnownBelow(Value index, Value matrix, unsigned dim) {
  auto type = cast<RankedTensorType>(matrix.getType());
  APInt value;
  return matchPattern(index, m_ConstantInt(&value)) && !type.isDynamicDim(dim) &&
         value.isNonNegative() && value.slt(type.getDimSize(dim));
}

void Lowering::checkIndex(Location loc, Value index, Value matrix, unsigned dim) {
  if (!options.checked || isKnownBelow(index, matrix, dim))
    return;
  Value size = tensor::DimOp::create(builder, loc, matrix, dim);
  // Unsigned, so that one comparison also catches negative indices.
  Value outside = arith::CmpIOp::create(builder, loc, Predicate::uge, index, size);
  trapIf(builder, outside, loc, "index {0} is outside dimension {1}, which has size {2}",
         "ttl.checked.1", {index, core::constantIndex(builder, loc, dim), size});
}

void Lowering::checkRange(Location loc, Bounds bounds, Value matrix, unsigned dim) {
  if (!options.checked)
    return;
  auto begin = getConstantIntValue(bounds.begin), end = getConstantIntValue(bounds.end);
  auto type = cast<RankedTensorType>(matrix.getType());
  if (begin && end && !type.isDynamicDim(dim) && 0 <= *begin && *begin <= *end &&
      *end <= type.getDimSize(dim))
    return;
  Value size = tensor::DimOp::create(builder, loc, matrix, dim);
  checkNotReversed(loc, bounds);
  Value below = arith::CmpIOp::create(builder, loc, Predicate::slt, bounds.begin,
                                      core::constantIndex(builder, loc, 0));
  Value above = arith::CmpIOp::create(builder, loc, Predicate::sgt, bounds.end, size);
  trapIf(builder, arith::OrIOp::create(builder, loc, below, above), loc,
         "slice {0}...{1} reaches outside dimension {2}, which has size {3}", "ttl.checked.2",
         {bounds.begin, bounds.end, core::constantIndex(builder, loc, dim), size});
}

void Lowering::checkNotReversed(Location loc, Bounds bounds) {
  if (!options.checked)
    return;
  Value reversed = arith::CmpIOp::create(builder, loc, Predicate::sgt, bounds.begin, bounds.end);
  trapIf(builder, reversed, loc, "slice {0}...{1} is reversed", "ttl.checked.3",
         {bounds.begin, bounds.end});
}

void Lowering::checkCount(Location loc, Bounds bounds, int64_t expected) {
  if (!options.checked)
    return;
  Value length = arith::SubIOp::create(builder, loc, bounds.end, bounds.begin);
  Value count = core::constantIndex(builder, loc, expected);
  Value differs = arith::CmpIOp::create(builder, loc, Predicate::ne, length, count);
  trapIf(builder, differs, loc, "the range {0}...{1} has {2} elements, but the matrix has {3}",
         "ttl.checked.4", {bounds.begin, bounds.end, length, count});
}

void Lowering::checkSameSize(Location loc, Value lhs, Value rhs, unsigned lhsDim, unsigned rhsDim,
                             StringRef message, StringRef rule) {
  auto left = cast<RankedTensorType>(lhs.getType()), right = cast<RankedTensorType>(rhs.getType());
  bool isKnown = !left.isDynamicDim(lhsDim) && left.getDimSize(lhsDim) == right.getDimSize(rhsDim);
  if (!options.checked || isKnown)
    return;
  Value leftSize = tensor::DimOp::create(builder, loc, lhs, lhsDim);
  Value rightSize = tensor::DimOp::create(builder, loc, rhs, rhsDim);
  Value differs = arith::CmpIOp::create(builder, loc, Predicate::ne, leftSize, rightSize);
  trapIf(builder, differs, loc, message, rule,
         {leftSize, rightSize, core::constantIndex(builder, loc, lhsDim)});
}

void Lowering::checkShapes(Location loc, Value lhs, Value rhs) {
  for (unsigned dim = 0, rank = cast<RankedTensorType>(lhs.getType()).getRank(); dim < rank; ++dim)
    checkSameSize(loc, lhs, rhs, dim, dim, "sizes of dimension {2} differ: {0} and {1}",
                  "ttl.checked.6");
}

void Lowering::checkStaticSizes(Location loc, Value value, RankedTensorType type) {
  auto actual = cast<RankedTensorType>(value.getType());
  for (unsigned dim = 0; options.checked && dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim) || actual.getDimSize(dim) == type.getDimSize(dim))
      continue;
    Value size = tensor::DimOp::create(builder, loc, value, dim);
    Value expected = core::constantIndex(builder, loc, type.getDimSize(dim));
    Value differs = arith::CmpIOp::create(builder, loc, Predicate::ne, size, expected);
    trapIf(builder, differs, loc, "dimension {0} has size {1}, but its type says {2}",
           "ttl.checked.7", {core::constantIndex(builder, loc, dim), size, expected});
  }
}

void Lowering::checkDimension(Location loc, Value dim, int64_t rank) {
  if (!options.checked)
    return;
  Value count = core::constantIndex(builder, loc, rank);
  Value outside = arith::CmpIOp::create(builder, loc, Predicate::uge, dim, count);
  trapIf(builder, outside, loc,
         rank == 1 ? "a matrix with {1} dimension has no dimension {0}"
                   : "a matrix with {1} dimensions has no dimension {0}",
         "ttl.checked.8", {dim, count});
}

void Lowering::checkStep(Location loc, Value step) {
  APInt constant;
  if (!options.checked || matchPattern(step, m_ConstantInt(&constant)))
    return;
  Value wrong = arith::CmpIOp::create(builder, loc, Predicate::sle, step,
                                      core::constantIndex(builder, loc, 0));
  trapIf(builder, wrong, loc, "the step is {0}; it must be positive", "ttl.checked.11", step);
}

Value Lowering::flagsOf(Location loc, Binding matrix, mlir::Type type) {
  if (matrix.written)
    return castTo(loc, matrix.written, type);
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 8);
  Value all = core::filled(builder, loc, core::sizesOf(builder, loc, matrix.value), one);
  return castTo(loc, all, type);
}

/// Reduces all flags to one value: `combine` is given the next flag and the value so far.
static Value reduceFlags(OpBuilder &b, Location loc, Value written, TypedAttr start,
                         core::Elements combine) {
  unsigned rank = cast<RankedTensorType>(written.getType()).getRank();
  auto type = RankedTensorType::get({}, start.getType());
  Value initial = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, start));
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(rank),
                              AffineMap::get(rank, 0, b.getContext())};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::reduction);
  auto all =
      linalg::GenericOp::create(b, loc, type, written, initial, maps, loops,
                                [&](OpBuilder &nested, Location at, ValueRange values) {
                                  linalg::YieldOp::create(nested, at, combine(nested, at, values));
                                });
  return tensor::ExtractOp::create(b, loc, all.getResult(0), ValueRange{});
}

static Value isUnset(OpBuilder &b, Location loc, Value flag) {
  return arith::CmpIOp::create(b, loc, Predicate::eq, flag,
                               arith::ConstantIntOp::create(b, loc, 0, 8));
}

/// The position of the first flag that is not set, counted in row-major order.
static Value firstUnset(OpBuilder &b, Location loc, Value written, ArrayRef<Value> sizes) {
  auto combine = [&](OpBuilder &nested, Location at, ValueRange values) -> Value {
    Value place = core::constantIndex(nested, at, 0);
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      place = arith::MulIOp::create(nested, at, place, size);
      place = arith::AddIOp::create(nested, at, place, linalg::IndexOp::create(nested, at, dim));
    }
    place = arith::IndexCastOp::create(nested, at, nested.getI64Type(), place);
    Value least = arith::MinSIOp::create(nested, at, place, values[1]);
    return arith::SelectOp::create(nested, at, isUnset(nested, at, values[0]), least, values[1]);
  };
  Value place = reduceFlags(b, loc, written, b.getI64IntegerAttr(INT64_MAX), combine);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
}

/// The indices of the element at position `place`, the last one first.
static SmallVector<Value> indicesOf(OpBuilder &b, Location loc, Value place,
                                    ArrayRef<Value> sizes) {
  SmallVector<Value> indices;
  for (Value size : llvm::reverse(sizes)) {
    indices.insert(indices.begin(), arith::RemUIOp::create(b, loc, place, size));
    place = arith::DivUIOp::create(b, loc, place, size);
  }
  return indices;
}

/// A message has at most four values; for a larger rank it contains the element's number.
static StringRef unwrittenMessage(size_t rank) {
  static constexpr StringLiteral messages[] = {
      "element {0} was never written", "element {0}, {1} was never written",
      "element {0}, {1}, {2} was never written", "element {0}, {1}, {2}, {3} was never written"};
  return rank <= std::size(messages)
             ? messages[rank - 1]
             : StringLiteral("element number {0} in row-major order was never written");
}

static SmallVector<Value> sizeValues(OpBuilder &b, Location loc, Value tensor) {
  return getValueOrCreateConstantIndexOp(b, loc, core::sizesOf(b, loc, tensor));
}

/// Checks that all flags of a matrix are set, because all of it is read. The first unset one is
/// searched for only if there is one.
void Lowering::checkWritten(Location loc, Binding matrix) {
  if (!matrix.written)
    return;
  Value all = reduceFlags(builder, loc, matrix.written, builder.getI8IntegerAttr(1),
                          [](OpBuilder &b, Location at, ValueRange flags) -> Value {
                            return arith::AndIOp::create(b, at, flags[0], flags[1]);
                          });
  size_t rank = cast<RankedTensorType>(matrix.written.getType()).getRank();
  core::trapIfWith(builder, sites, isUnset(builder, loc, all),
                   {loc, unwrittenMessage(rank), "ttl.checked.12"},
                   [&](OpBuilder &b) -> SmallVector<Value> {
                     SmallVector<Value> sizes = sizeValues(b, loc, matrix.written);
                     Value place = firstUnset(b, loc, matrix.written, sizes);
                     return rank > 4 ? SmallVector<Value>{place} : indicesOf(b, loc, place, sizes);
                   });
}

void Lowering::checkElementWritten(Location loc, Value written, ValueRange indices) {
  Value flag = tensor::ExtractOp::create(builder, loc, written, indices);
  core::trapIfWith(builder, sites, isUnset(builder, loc, flag),
                   {loc, unwrittenMessage(indices.size()), "ttl.checked.12"},
                   [&](OpBuilder &b) -> SmallVector<Value> {
                     if (indices.size() <= 4)
                       return indices;
                     Value place = core::constantIndex(b, loc, 0);
                     for (auto [index, size] : llvm::zip(indices, sizeValues(b, loc, written))) {
                       place = arith::MulIOp::create(b, loc, place, size);
                       place = arith::AddIOp::create(b, loc, place, index);
                     }
                     return {place};
                   });
}

void Lowering::checkNegatable(OpBuilder &b, Location loc, Value value, Value where,
                              StringRef message) {
  if (!options.checked)
    return;
  Value least = constantInt(b, loc, INT32_MIN);
  Value overflows = arith::CmpIOp::create(b, loc, Predicate::eq, value, least);
  if (where)
    overflows = arith::AndIOp::create(b, loc, overflows, where);
  trapIf(b, overflows, loc, message, "ttl.checked.9", value);
}

/// `#` of `int` matrices, with every product and sum checked.
Value Lowering::checkedMatMul(Location loc, Value lhs, Value rhs) {
  OpFoldResult rows = core::sizesOf(builder, loc, lhs)[0],
               columns = core::sizesOf(builder, loc, rhs)[1];
  Value start = core::filled(builder, loc, {rows, columns}, constantInt(loc, 0));
  AffineExpr m, n, k;
  bindDims(&context, m, n, k);
  auto maps = AffineMap::inferFromExprList(ArrayRef<ArrayRef<AffineExpr>>{{m, k}, {k, n}, {m, n}},
                                           &context);
  using utils::IteratorType;
  SmallVector<IteratorType> loops{IteratorType::parallel, IteratorType::parallel,
                                  IteratorType::reduction};
  auto body = [&](OpBuilder &b, Location at, ValueRange v) {
    Value product = checkedInt(b, at, BinaryOp::Mul, v[0], v[1]);
    linalg::YieldOp::create(b, at, checkedInt(b, at, BinaryOp::Add, v[2], product));
  };
  return linalg::GenericOp::create(builder, loc, start.getType(), ValueRange{lhs, rhs}, start, maps,
                                   loops, body)
      .getResult(0);
}

/// Computes the exact result, which needs at most 64 bits, and checks that it fits 32.
Value Lowering::checkedInt(OpBuilder &b, Location loc, BinaryOp op, Value lhs, Value rhs) {
  mlir::Type wide = b.getI64Type();
  Value left = arith::ExtSIOp::create(b, loc, wide, lhs),
        right = arith::ExtSIOp::create(b, loc, wide, rhs);
  Value exact = op == BinaryOp::Add   ? Value(arith::AddIOp::create(b, loc, left, right))
                : op == BinaryOp::Sub ? Value(arith::SubIOp::create(b, loc, left, right))
                                      : Value(arith::MulIOp::create(b, loc, left, right));
  Value result = arith::TruncIOp::create(b, loc, b.getI32Type(), exact);
  Value back = arith::ExtSIOp::create(b, loc, wide, result);
  Value overflows = arith::CmpIOp::create(b, loc, Predicate::ne, back, exact);
  StringRef message = op == BinaryOp::Add   ? "{0} + {1} overflows `int`"
                      : op == BinaryOp::Sub ? "{0} - {1} overflows `int`"
                                            : "{0} * {1} overflows `int`";
  trapIf(b, overflows, loc, message, "ttl.checked.9", {left, right});
  return result;
}
