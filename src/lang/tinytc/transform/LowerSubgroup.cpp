/// What work-items of a subgroup do together: lanes are shuffled. Lanes that are not active have
/// the identity.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

/// The number of the first lane of a mask; that of any one where the mask has none.
Value CoreLowering::firstOf(Value mask) {
  Type bits = b.getIntegerType(lanes);
  Value word = LLVM::BitcastOp::create(b, loc, bits, mask);
  Value count = LLVM::CountTrailingZerosOp::create(b, loc, bits, word, /*is_zero_poison=*/false);
  Value first = lanes < 64 ? Value(arith::ExtUIOp::create(b, loc, i64, count)) : count;
  return make<arith::MinSIOp>(first, number(lanes - 1));
}

/// One for all lanes: the first active one's where they should agree and are a vector.
Value CoreLowering::uniform(Value value) {
  if (!hasLanes(value))
    return value;
  if (!mask)
    return vector::ExtractOp::create(b, loc, value, 0);
  return LLVM::ExtractElementOp::create(b, loc, value, firstOf(mask));
}

/// Lanes outside of the subgroup are undefined; they must not be read.
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

/// Halves upon halves, down to one.
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

/// The value of the lane `distance` before each; the first ones get `fill`.
Number CoreLowering::shiftedLanes(Number value, Number fill, int64_t distance) {
  SmallVector<int64_t> from;
  for (int64_t lane = 0; lane < lanes; ++lane)
    from.push_back(lane < distance ? lanes : lane - distance);
  return shuffled(value, fill, from);
}

Leaves CoreLowering::lower(ir::SubgroupOp op) {
  Type type = op.getOperand().getType();
  ir::Reduction function = op.getFunction();
  Number none = inLanes(identity(function, type)), value = inLanes(numbers(op.getOperand())[0]);
  if (mask)
    value = select(mask, value, none);
  if (op.getForm() == ir::ReductionForm::Reduce)
    return flat(reduced(function, type, value), type);
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    value = arithmetic(binaryOf(function), type, shiftedLanes(value, none, distance), value);
  if (op.getForm() == ir::ReductionForm::ExclusiveScan)
    value = shiftedLanes(value, none, 1);
  return flat(value, type);
}
