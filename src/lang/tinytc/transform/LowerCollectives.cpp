/// Collective operations. Their rows, or the elements that they sum over, are in lanes of vectors;
/// one thread runs the whole work-group, so nothing else could share the work.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

//===-- Loops -------------------------------------------------------------===//

/// As many lanes as a vector of the sums' type has, or fewer if there are fewer rows. A null size
/// means any number of rows.
static int64_t lanesFor(Type sums, Value size) {
  auto complex = dyn_cast<ComplexType>(sums);
  Type part = complex ? complex.getElementType() : sums;
  int64_t most = part.isIndex() || part.getIntOrFloatBitWidth() == 64 ? 8 : 16;
  APInt known;
  if (!size || !matchPattern(size, m_ConstantInt(&known)))
    return most;
  return llvm::PowerOf2Ceil(std::clamp<int64_t>(known.getSExtValue(), 1, most));
}

void CoreLowering::forLanes(Value size, llvm::function_ref<void(Index)> body) {
  auto rows = [&](Value first) { body(Index{{}, Affine{first, number(1)}}); };
  Value rest = folded<arith::RemSIOp>(size, number(lanes));
  Value end = folded<arith::SubIOp>(size, rest);
  mask = {};
  forEach(number(0), end, number(lanes), rows);
  if (matchPattern(rest, m_Zero()))
    return;
  when(compareInts(arith::CmpIPredicate::sgt, rest, number(0)), [&] {
    mask = lanesBelow(rest);
    rows(end);
    mask = {};
  });
}

/// The parts of the numbers, all real ones first.
static Leaves partsOf(ArrayRef<Number> numbers) {
  Leaves parts;
  for (const Number &number : numbers)
    parts.push_back(number.re);
  for (const Number &number : numbers)
    if (number.im)
      parts.push_back(number.im);
  return parts;
}

static SmallVector<Number> ofParts(ValueRange parts, size_t count) {
  SmallVector<Number> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back({parts[i], parts.size() > count ? parts[count + i] : Value()});
  return numbers;
}

SmallVector<Number>
CoreLowering::sumsOver(const Range &range, ArrayRef<Number> initials,
                       llvm::function_ref<void(Value, MutableArrayRef<Number>)> body) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::ForOp::create(b, loc, range.from, range.to, range.step, partsOf(initials));
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Number> sums = ofParts(loop.getRegionIterArgs(), initials.size());
  body(loop.getInductionVar(), sums);
  scf::YieldOp::create(b, loc, partsOf(sums));
  return ofParts(loop.getResults(), initials.size());
}

Number CoreLowering::sumOver(Value from, Value to, Value step, Number initial,
                             llvm::function_ref<Number(Value, Number)> body) {
  return sumsOver({from, to, step}, initial, [&](Value at, MutableArrayRef<Number> sums) {
    Number next = body(at, sums[0]);
    sums[0] = {next.re, initial.im ? next.im : Value()};
  })[0];
}

/// How many vectors of rows are summed at the same time, so that columns are read in long pieces,
/// and additions do not wait for each other.
constexpr int64_t rowVectors = 8, openRowVectors = 4;

static int64_t rowLanesFor(Type sums, Value size) {
  int64_t most = lanesFor(sums, {});
  APInt known;
  if (!matchPattern(size, m_ConstantInt(&known)))
    return most * openRowVectors;
  return llvm::PowerOf2Ceil(std::clamp<int64_t>(known.getSExtValue(), 1, most * rowVectors));
}

/// Zero, in all lanes if there are lanes.
Number CoreLowering::zeroSum(Type type) {
  Number sum = zero(type);
  if (ir::isComplex(type))
    sum.im = sum.re;
  return lanes ? inLanes(sum) : sum;
}

/// The sum over an index, in parts: each lane has its own sum.
Number CoreLowering::sumInLanes(Value size, Type type,
                                llvm::function_ref<Number(Index, Number)> body) {
  lanes = lanesFor(type, size);
  auto at = [&](Value first) { return Index{{}, Affine{first, number(1)}}; };
  Value rest = folded<arith::RemSIOp>(size, number(lanes));
  Value end = folded<arith::SubIOp>(size, rest);
  mask = {};
  Number sum = sumOver(number(0), end, number(lanes), zeroSum(type),
                       [&](Value first, Number sum) { return body(at(first), sum); });
  if (!matchPattern(rest, m_Zero())) {
    mask = lanesBelow(rest);
    sum = select(mask, body(at(end), sum), sum);
    mask = {};
  }
  Number whole = reduced(ir::Reduction::Add, type, sum);
  lanes = 0;
  return whole;
}

//===-- Elements ----------------------------------------------------------===//

/// An index that all lanes share.
static Index same(Value value, Value zero) {
  return {value, Affine{value, zero}};
}

Number CoreLowering::element(const Tensor &tensor, ArrayRef<Index> indices, Type as) {
  Type type = tensor.type.getElement();
  return convert(loadFrom(place(tensor, indices), type), type, as);
}

static Type sumTypeOf(ir::BlasOp op) {
  return ir::accumulationType(op.getOutput().getType().getElement());
}

/// alpha * sum + beta * before. If beta is 0, the old value is ignored.
Number CoreLowering::scaled(ir::BlasOp op, Number sum, llvm::function_ref<Number()> before) {
  Type type = sumTypeOf(op), element = op.getOutput().getType().getElement();
  auto scalar = [&](Value value) { return convert(numbers(value)[0], value.getType(), type); };
  if (!ir::isConstant(op.getAlpha(), 1))
    sum = multiply(type, scalar(op.getAlpha()), sum);
  if (ir::isConstant(op.getBeta(), 0))
    return sum;
  Number old = convert(before(), element, type);
  if (ir::isConstant(op.getBeta(), 1))
    return arithmetic(ir::Binary::Add, type, sum, old);
  Number beta = scalar(op.getBeta());
  Value isZero = compare(ir::Compare::Equal, type, withBothParts(beta, type), zeroPair(type));
  return select(isZero, sum, multiplyAdd(type, beta, old, sum));
}

/// output = alpha * sum + beta * output.
void CoreLowering::finish(ir::BlasOp op, ArrayRef<Index> indices, Number sum) {
  Type type = sumTypeOf(op);
  Tensor output = tensor(op.getOutput());
  Type element = output.type.getElement();
  Place where = place(output, indices);
  if (addsApart(op)) {
    if (!ir::isConstant(op.getAlpha(), 1))
      sum = multiply(type, convert(numbers(op.getAlpha())[0], op.getAlpha().getType(), type), sum);
    return addAt(where, element, convert(sum, type, element));
  }
  sum = scaled(op, sum, [&] { return loadFrom(where, element); });
  storeTo(where, element, convert(sum, type, element));
}

/// Adds an imaginary part of zero if the type is complex.
Number CoreLowering::withBothParts(Number value, Type type) {
  if (ir::isComplex(type) && !value.im)
    value.im = fill(value.re.getType(), 0);
  return value;
}

Number CoreLowering::zeroPair(Type type) {
  return withBothParts(zero(type), type);
}

/// Iterates over the output with rows in lanes, column by column.
void CoreLowering::forOutput(ir::BlasOp op,
                             llvm::function_ref<Number(ArrayRef<Index>, Type)> body) {
  Tensor output = tensor(op.getOutput());
  forOutput(op, output.sizes.empty() ? 0 : lanesFor(sumTypeOf(op), output.sizes[0]), body);
}

void CoreLowering::forOutput(ir::BlasOp op, int64_t numLanes,
                             llvm::function_ref<Number(ArrayRef<Index>, Type)> body) {
  Tensor output = tensor(op.getOutput());
  Type type = sumTypeOf(op);
  auto finishOne = [&](ArrayRef<Index> indices) { finish(op, indices, body(indices, type)); };
  if (output.sizes.empty())
    return finishOne({});
  lanes = numLanes;
  if (output.sizes.size() == 1) {
    forLanes(output.sizes[0], [&](Index row) { finishOne(row); });
  } else {
    forEach(number(0), output.sizes[1], number(1), [&](Value at) {
      Index column = same(at, number(0));
      forLanes(output.sizes[0], [&](Index row) { finishOne({row, column}); });
    });
  }
  lanes = 0;
}

/// Computes each element of an output of order 0 or 1 by itself, with its sum in lanes.
void CoreLowering::forSums(ir::BlasOp op, Value size,
                           llvm::function_ref<Number(Index, ArrayRef<Index>, Number)> body) {
  Tensor output = tensor(op.getOutput());
  Type type = sumTypeOf(op);
  auto one = [&](ArrayRef<Index> indices) {
    Number sum =
        sumInLanes(size, type, [&](Index at, Number sum) { return body(at, indices, sum); });
    finish(op, indices, sum);
  };
  if (output.sizes.empty())
    return one({});
  forEach(number(0), output.sizes[0], number(1), [&](Value at) { one(same(at, number(0))); });
}

//===-- Operations --------------------------------------------------------===//

Leaves CoreLowering::lower(ir::AxpbyOp op) {
  Tensor a = tensor(op.getA());
  forOutput(op, [&](ArrayRef<Index> at, Type type) {
    SmallVector<Index> from(at);
    if (op.getTransA())
      std::reverse(from.begin(), from.end());
    return element(a, from, type);
  });
  return {};
}

Leaves CoreLowering::lower(ir::HadamardOp op) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB());
  forOutput(op, [&](ArrayRef<Index> at, Type type) {
    return multiply(type, element(a, at, type), element(other, at, type));
  });
  return {};
}

Leaves CoreLowering::lower(ir::GerOp op) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB());
  forOutput(op, [&](ArrayRef<Index> at, Type type) {
    return multiply(type, element(a, at[0], type), element(other, at[1], type));
  });
  return {};
}

Leaves CoreLowering::lower(ir::SumOp op) {
  Tensor a = tensor(op.getA());
  Type type = sumTypeOf(op);
  auto add = [&](Number sum, Number term) {
    return withBothParts(arithmetic(ir::Binary::Add, type, sum, term), type);
  };
  bool isInRows = a.sizes.size() == 2 && !op.getTransA();
  if (!isInRows) {
    forSums(op, a.sizes[0], [&](Index row, ArrayRef<Index> at, Number sum) {
      SmallVector<Index> from{row};
      llvm::append_range(from, at);
      return add(sum, element(a, from, type));
    });
    return {};
  }
  forOutput(op, rowLanesFor(type, a.sizes[0]), [&](ArrayRef<Index> at, Type) {
    return sumOver(number(0), a.sizes[1], number(1), zeroSum(type), [&](Value k, Number sum) {
      return add(sum, element(a, {at[0], same(k, number(0))}, type));
    });
  });
  return {};
}

Leaves CoreLowering::lower(ir::GemvOp op) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB());
  Type type = sumTypeOf(op);
  if (op.getTransA()) {
    forSums(op, a.sizes[0], [&](Index row, ArrayRef<Index> at, Number sum) {
      return multiplyAdd(type, element(a, {row, at[0]}, type), element(other, row, type), sum);
    });
    return {};
  }
  forOutput(op, rowLanesFor(type, a.sizes[0]), [&](ArrayRef<Index> at, Type) {
    return sumOver(number(0), a.sizes[1], number(1), zeroSum(type), [&](Value k, Number sum) {
      Index column = same(k, number(0));
      return multiplyAdd(type, element(a, {at[0], column}, type), element(other, column, type),
                         sum);
    });
  });
  return {};
}

/// How many columns have their sums in registers at the same time; what is read of A serves all of
/// them.
constexpr int64_t productColumns = 4;

/// Rows are in lanes; some columns are computed at a time, the rest one by one.
void CoreLowering::multiplyInLanes(ir::GemmOp op) {
  Tensor output = tensor(op.getOutput());
  lanes = lanesFor(sumTypeOf(op), output.sizes[0]);
  Value rest = folded<arith::RemSIOp>(output.sizes[1], number(productColumns));
  Value end = folded<arith::SubIOp>(output.sizes[1], rest);
  forEach(number(0), end, number(productColumns),
          [&](Value column) { multiplyColumns(op, column, productColumns); });
  forEach(end, output.sizes[1], number(1), [&](Value column) { multiplyColumns(op, column, 1); });
  lanes = 0;
}

void CoreLowering::multiplyColumns(ir::GemmOp op, Value first, int64_t count) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB());
  Type type = sumTypeOf(op);
  auto elementOf = [&](const Tensor &from, Index row, Index column, bool isTransposed) {
    return isTransposed ? element(from, {column, row}, type) : element(from, {row, column}, type);
  };
  SmallVector<Index> columns;
  for (int64_t each = 0; each < count; ++each)
    columns.push_back(same(folded<arith::AddIOp>(first, number(each)), number(0)));
  Range depth{number(0), a.sizes[op.getTransA() ? 0 : 1], number(1)};
  forLanes(tensor(op.getOutput()).sizes[0], [&](Index row) {
    SmallVector<Number> zeros(count, zeroSum(type));
    auto sums = sumsOver(depth, zeros, [&](Value at, MutableArrayRef<Number> sums) {
      Index k = same(at, number(0));
      Number left = elementOf(a, row, k, op.getTransA());
      for (auto [column, sum] : llvm::zip_equal(columns, sums))
        sum = multiplyAdd(type, left, elementOf(other, k, column, op.getTransB()), sum);
    });
    for (auto [column, sum] : llvm::zip_equal(columns, sums))
      finish(op, {row, column}, sum);
  });
}

/// Scans the lanes of each vector in a few steps, then adds the total of the vectors before.
void CoreLowering::scanInLanes(ir::CumsumOp op, SmallVector<Index> indices) {
  Tensor a = tensor(op.getA());
  Type type = sumTypeOf(op);
  lanes = lanesFor(type, a.sizes[0]);
  Number none = inLanes(zeroPair(type)); // Sums begin with 0 anyway.
  SmallVector<int64_t> last(lanes, lanes - 1);
  auto plus = [&](Number x, Number y) {
    return withBothParts(arithmetic(ir::Binary::Add, type, x, y), type);
  };
  auto scanFrom = [&](Value first, Number before) {
    indices[0] = Index{{}, Affine{first, number(1)}};
    Number sums = withBothParts(element(a, indices, type), type);
    sums = scanned(ir::Reduction::Add, type, sums, none);
    finish(op, indices, plus(sums, before));
    return plus(before, shuffled(sums, sums, last));
  };
  Value rest = folded<arith::RemSIOp>(a.sizes[0], number(lanes));
  Value end = folded<arith::SubIOp>(a.sizes[0], rest);
  Number before = sumOver(number(0), end, number(lanes), zeroSum(type), scanFrom);
  if (!matchPattern(rest, m_Zero())) {
    mask = lanesBelow(rest);
    scanFrom(end, before);
    mask = {};
  }
  lanes = 0;
}

/// Runs along the mode sequentially; the first of the other modes, if it is dense, is in lanes.
Leaves CoreLowering::lower(ir::CumsumOp op) {
  int64_t order = op.getA().getType().order(), mode = op.getMode();
  SmallVector<Index> indices(order);
  lanes = mode == 0 ? 0 : lanesFor(sumTypeOf(op), tensor(op.getOutput()).sizes[0]);
  scan(op, indices, order - 1);
  lanes = 0;
  return {};
}

/// Emits the loops of `mode` and of those before it, then the scan.
void CoreLowering::scan(ir::CumsumOp op, SmallVector<Index> indices, int64_t mode) {
  Tensor a = tensor(op.getA());
  Type type = sumTypeOf(op);
  int64_t along = op.getMode();
  if (mode == along)
    return mode == 0 ? scan(op, indices, -1) : scan(op, indices, mode - 1);
  if (mode > 0) {
    forEach(number(0), a.sizes[mode], number(1), [&](Value at) {
      indices[mode] = same(at, number(0));
      scan(op, indices, mode - 1);
    });
    return;
  }
  if (mode == 0) {
    forLanes(a.sizes[0], [&](Index row) {
      indices[0] = row;
      scan(op, indices, -1);
    });
    return;
  }
  if (along == 0 && op.getA().getType().isDense() && op.getOutput().getType().isDense())
    return scanInLanes(op, indices);
  sumOver(number(0), a.sizes[along], number(1), zeroSum(type), [&](Value k, Number sum) {
    indices[along] = same(k, number(0));
    Number next =
        withBothParts(arithmetic(ir::Binary::Add, type, sum, element(a, indices, type)), type);
    finish(op, indices, next);
    return next;
  });
}
