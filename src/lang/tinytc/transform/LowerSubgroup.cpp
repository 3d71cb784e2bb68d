/// Operations of a subgroup, which shuffle lanes. Inactive lanes have a number that changes
/// nothing.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

/// The number of the first lane of a mask; that of any lane if the mask has none.
Value CoreLowering::firstOf(Value mask) {
  Type bits = b.getIntegerType(lanes);
  Value word = LLVM::BitcastOp::create(b, loc, bits, mask);
  Value count = LLVM::CountTrailingZerosOp::create(b, loc, bits, word, /*is_zero_poison=*/false);
  Value first = lanes < 64 ? Value(arith::ExtUIOp::create(b, loc, i64, count)) : count;
  return make<arith::MinSIOp>(first, number(lanes - 1));
}

/// One value for all lanes: that of the first active lane if the value is a vector, whose lanes
/// should agree.
Value CoreLowering::uniform(Value value) {
  if (!hasLanes(value))
    return value;
  if (!mask)
    return vector::ExtractOp::create(b, loc, value, 0);
  return LLVM::ExtractElementOp::create(b, loc, value, firstOf(mask));
}

/// Lane numbers outside of the subgroup are undefined, but must not be read.
Leaves CoreLowering::lower(ir::BroadcastOp op) {
  Value lane = convertReal(uniform(leaves(op.getLane())[0]), b.getI32Type(), i64);
  lane = make<arith::AndIOp>(lane, number(lanes - 1));
  Leaves all;
  for (Value leaf : leaves(op.getValue()))
    all.push_back(hasLanes(leaf) ? LLVM::ExtractElementOp::create(b, loc, leaf, lane).getResult()
                                 : leaf);
  return all;
}

Number CoreLowering::identity(ir::Reduction function, Type type) {
  if (function == ir::Reduction::Add)
    return zeroPair(type);
  bool isMax = function == ir::Reduction::Max;
  if (auto floats = dyn_cast<FloatType>(type))
    return {arith::ConstantOp::create(
        b, loc, b.getFloatAttr(type, APFloat::getInf(floats.getFloatSemantics(), isMax)))};
  Type own = type.isIndex() ? i64 : type;
  unsigned width = own.getIntOrFloatBitWidth();
  return {fillInt(own, isMax ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width))};
}

/// A value that changes no number. The language's own identities do: the sum of 0 and -0 is 0, and
/// the larger one of -inf and NaN is -inf [tinytc.subgroup.2].
Number CoreLowering::neutral(ir::Reduction function, Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  auto floats = dyn_cast<FloatType>(complex ? complex.getElementType() : type);
  if (!floats)
    return identity(function, type);
  bool isSum = function == ir::Reduction::Add;
  const llvm::fltSemantics &semantics = floats.getFloatSemantics();
  APFloat number =
      isSum ? APFloat::getZero(semantics, /*Negative=*/true) : APFloat::getNaN(semantics);
  Value part = arith::ConstantOp::create(b, loc, b.getFloatAttr(floats, number));
  return {part, complex ? part : Value()};
}

static ir::Binary binaryOf(ir::Reduction function) {
  static constexpr ir::Binary all[] = {ir::Binary::Add, ir::Binary::Max, ir::Binary::Min};
  return all[unsigned(function)];
}

Number CoreLowering::shuffled(Number lhs, Number rhs, ArrayRef<int64_t> from) {
  auto part = [&](Value x, Value y) -> Value {
    return x ? vector::ShuffleOp::create(b, loc, x, y, from) : Value();
  };
  return {part(lhs.re, rhs.re), part(lhs.im, rhs.im)};
}

/// Combines halves repeatedly, down to one lane.
Number CoreLowering::reduced(ir::Reduction function, Type type, Number value) {
  int64_t count = cast<VectorType>(value.re.getType()).getNumElements();
  for (; count > 1; count /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(count / 2));
    auto high = llvm::to_vector(llvm::seq<int64_t>(count / 2, count));
    value = arithmetic(binaryOf(function), type, shuffled(value, value, low),
                       shuffled(value, value, high));
  }
  auto first = [&](Value part) -> Value {
    return part ? vector::ExtractOp::create(b, loc, part, 0) : Value();
  };
  return {first(value.re), first(value.im)};
}

/// The value of the lane before each; the first one gets `fill`.
Number CoreLowering::shiftedLanes(Number value, Number fill) {
  SmallVector<int64_t> from{lanes};
  llvm::append_range(from, llvm::seq<int64_t>(0, lanes - 1));
  return shuffled(value, fill, from);
}

/// The inclusive scan. Blocks of lanes double in size: the last value of a block's first half is
/// added to each lane of its second half, and `none` to the others. Most steps stay within 16
/// bytes, which costs less than moving all lanes.
Number CoreLowering::scanned(ir::Reduction function, Type type, Number value, Number none) {
  for (int64_t half = 1; half < lanes; half *= 2) {
    SmallVector<int64_t> from;
    for (int64_t lane = 0; lane < lanes; ++lane)
      from.push_back(lane & half ? llvm::alignDown(lane, half) - 1 : lanes);
    value = arithmetic(binaryOf(function), type, shuffled(value, none, from), value);
  }
  return value;
}

/// The exclusive scan; the identity if no lane before is active.
Number CoreLowering::scannedBefore(ir::Reduction function, Type type, Number scan) {
  Number none = inLanes(identity(function, type)), value = shiftedLanes(scan, none);
  if (!mask)
    return value;
  Value isAfterFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, laneNumbers(),
                                             inLanes(firstOf(mask)));
  return select(isAfterFirst, value, none);
}

Leaves CoreLowering::lower(ir::SubgroupOp op) {
  Type type = op.getOperand().getType();
  ir::Reduction function = op.getFunction();
  Number none = inLanes(neutral(function, type)), value = inLanes(numbers(op.getOperand())[0]);
  if (mask)
    value = select(mask, value, none);
  switch (op.getForm()) {
  case ir::ReductionForm::Reduce:
    return flat(reduced(function, type, value), type);
  case ir::ReductionForm::InclusiveScan:
    return flat(scanned(function, type, value, none), type);
  case ir::ReductionForm::ExclusiveScan:
    return flat(scannedBefore(function, type, scanned(function, type, value, none)), type);
  }
}
