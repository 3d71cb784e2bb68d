/// Minima and maxima of floats that a loop merges.
#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

//===- Which builders -------------------------------------------------------------------------===//

/// Whether a builder is a minimum or maximum of floats that is merged into only in the loop's own
/// block.
static bool isExtreme(ir::ForOp op, unsigned builder) {
  auto merger = dyn_cast<ir::MergerType>(op.getBuilders()[builder].getType());
  bool isExtreme =
      merger && isa<FloatType>(merger.getValue()) &&
      (merger.getCombine() == ir::Combine::Min || merger.getCombine() == ir::Combine::Max);
  if (!isExtreme || !op.getMerges())
    return false;
  Value state = op.builderArguments()[builder];
  while (state.hasOneUse()) {
    auto merge = dyn_cast<ir::MergeOp>(*state.user_begin());
    if (!merge || merge.getTarget() != state || merge->getBlock() != &op.block())
      break;
    state = merge.getResult();
  }
  return state == op.yield().getValues()[builder] && state.hasOneUse();
}

/// The values that are merged into a builder, in order.
static SmallVector<Value> mergedValues(ir::ForOp op, unsigned builder) {
  SmallVector<Value> merged;
  for (ir::MergeOp merge : mergesInto(op, builder).value_or(SmallVector<ir::MergeOp>()))
    merged.push_back(merge.getValue());
  return merged;
}

static ir::Combine combineOf(ir::ForOp op, unsigned builder) {
  return cast<ir::MergerType>(op.getBuilders()[builder].getType()).getCombine();
}

/// Only for doubles, because processors before AVX-512 have no integer minimum for them, and
/// without conditions, which often leave an infinity: see Note [Quick extremes].
static bool isQuickExtreme(ir::ForOp op, unsigned builder) {
  SmallVector<Value> merged = mergedValues(op, builder);
  return isExtreme(op, builder) && !merged.empty() && llvm::all_of(merged, [](Value value) {
           return value.getType().isF64() && !value.getDefiningOp<ir::SelectOp>();
         });
}

/// Whether computing the loop again is cheap and has no effects, which is needed if the first
/// result is in doubt.
bool CoreLowering::hasQuickExtremes(ir::ForOp op) {
  constexpr unsigned maxBuilders = 8;
  auto builders = llvm::seq<unsigned>(0, op.getBuilders().size());
  return builders.size() <= maxBuilders &&
         llvm::all_of(op.getBuilders().getTypes(), llvm::IsaPred<ir::MergerType>) &&
         llvm::any_of(builders, [&](unsigned index) { return isQuickExtreme(op, index); }) &&
         transform::isHarmless(op.block()) && transform::isCheap(op.block());
}

/// The first builder that has extremes of the same numbers; perhaps itself. Lanes of simd values
/// are reduced before, separately for each builder.
static unsigned extremeLike(ir::ForOp op, unsigned builder) {
  SmallVector<Value> merged = mergedValues(op, builder);
  bool areNumbers = !merged.empty() && llvm::all_of(merged, [](Value value) {
    return isa<FloatType>(value.getType());
  });
  for (unsigned other = 0; areNumbers && other < builder; ++other)
    if (isExtreme(op, other) && mergedValues(op, other) == merged)
      return other;
  return builder;
}

//===- In integers ----------------------------------------------------------------------------===//

/// What a loop carries for a minimum or maximum of floats: see Note [Extremes].
enum { LeastSigned, LargestSigned, LargestUnsigned };
/// What a loop carries for a quick extreme: see Note [Quick extremes].
enum { Extreme, Witness, NumQuick };

/// The extremes of no numbers.
Leaves CoreLowering::noExtremes(FloatType format) {
  unsigned width = format.getWidth();
  auto constant = [&](APInt value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(width), value));
  };
  return {constant(APInt::getSignedMaxValue(width)), constant(APInt::getSignedMinValue(width)),
          constant(APInt::getZero(width))};
}

/// The state after one more value. A builder without a state shares that of another, which has
/// already received the value.
Leaves CoreLowering::withExtreme(ir::Combine combine, const Leaves &state, Value value) {
  if (state.empty())
    return {};
  if (state.size() == NumQuick)
    return withQuickExtreme(combine, state, value);
  Type integer = b.getIntegerType(value.getType().getIntOrFloatBitWidth());
  Value bits = arith::BitcastOp::create(b, loc, integer, value);
  return {make<arith::MinSIOp>(state[LeastSigned], bits),
          make<arith::MaxSIOp>(state[LargestSigned], bits),
          make<arith::MaxUIOp>(state[LargestUnsigned], bits)};
}

/// Whether there was a NaN among the numbers; the bits of NaNs are beyond those of infinities.
Value CoreLowering::hadNaN(FloatType format, const Leaves &state) {
  auto infinity = [&](bool isNegative) -> Value {
    APInt bits = APFloat::getInf(format.getFloatSemantics(), isNegative).bitcastToAPInt();
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(state[0].getType(), bits));
  };
  return make<arith::OrIOp>(compare(Predicate::sgt, state[LargestSigned], infinity(false)),
                            compare(Predicate::ugt, state[LargestUnsigned], infinity(true)));
}

/// What a builder holds after a loop that began with `initial`.
Value CoreLowering::extremeOf(ir::Combine combine, const Leaves &state, Value initial) {
  auto format = cast<FloatType>(initial.getType());
  bool isMin = combine == ir::Combine::Min;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(state[0].getType()));
  Value isOther = isMin ? compare(Predicate::slt, state[LeastSigned], zero)
                        : compare(Predicate::sge, state[LargestSigned], zero);
  Value bits = arith::SelectOp::create(
      b, loc, isOther, state[isMin ? LargestUnsigned : LargestSigned], state[LeastSigned]);
  Value value = arith::BitcastOp::create(b, loc, format, bits);
  Value extreme = arithmetic(isMin ? ir::Binary::Min : ir::Binary::Max, format, value, initial);
  Value isEmpty = compare(Predicate::sgt, state[LeastSigned], state[LargestSigned]);
  Value all = arith::SelectOp::create(b, loc, isEmpty, initial, extreme);
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, initial, initial);
  APFloat nan = APFloat::getQNaN(format.getFloatSemantics());
  Value oneNaN = arith::ConstantOp::create(b, loc, b.getFloatAttr(format, nan));
  return arith::SelectOp::create(b, loc, make<arith::OrIOp>(hadNaN(format, state), isNaN), oneNaN,
                                 all);
}

//===- In doubles -----------------------------------------------------------------------------===//

/// The zero by which numbers are multiplied for the witness.
static double witnessZero(ir::Combine combine) {
  return combine == ir::Combine::Min ? -0.0 : 0.0;
}

/// The quick extreme of no numbers.
Leaves CoreLowering::noQuickExtreme(ir::Combine combine) {
  return {identity(b.getF64Type(), combine)[0], constantDouble(-0.0)};
}

Value CoreLowering::constantDouble(double value) {
  return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
}

Leaves CoreLowering::withQuickExtreme(ir::Combine combine, const Leaves &state, Value value) {
  using enum arith::FastMathFlags;
  Value extreme =
      combine == ir::Combine::Min
          ? arith::MinNumFOp::create(b, loc, state[Extreme], value, nnan | nsz).getResult()
          : arith::MaxNumFOp::create(b, loc, state[Extreme], value, nnan | nsz).getResult();
  // Fused, because otherwise both witnesses would share a product and add it, which takes one
  // instruction more.
  Value witness = LLVM::FMulAddOp::create(b, loc, value, constantDouble(witnessZero(combine)),
                                          state[Witness], LLVM::FastmathFlags::reassoc);
  return {extreme, witness};
}

/// What a builder holds after a loop that began with `initial`, if there is no doubt.
Value CoreLowering::quickExtremeOf(ir::Combine combine, const Leaves &state, Value initial) {
  bool isMin = combine == ir::Combine::Min;
  Value isZero =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, state[Extreme], constantDouble(0.0));
  Value zero = isMin ? arith::NegFOp::create(b, loc, state[Witness]).getResult() : state[Witness];
  Value value = arith::SelectOp::create(b, loc, isZero, zero, state[Extreme]);
  return arithmetic(isMin ? ir::Binary::Min : ir::Binary::Max, b.getF64Type(), value, initial);
}

/// Whether there may be a NaN among the numbers, or in the builder before.
Value CoreLowering::isInDoubt(const Leaves &state, Value initial) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, state[Witness], initial);
}

Leaves CoreLowering::quickly(ir::ForOp op, ArrayRef<Walk> walks, Value lo, Value hi,
                             const Leaves &builders) {
  SmallVector<Leaves> states = carried(op, builders, /*isQuick=*/true);
  states = apart(rounds(op, walks, lo, hi, states), states);
  SmallVector<Leaves> given = split(op, builders);
  Value inDoubt = arith::ConstantIntOp::create(b, loc, 0, 1);
  for (auto [index, state] : llvm::enumerate(states))
    if (isQuickExtreme(op, index))
      inDoubt = make<arith::OrIOp>(inDoubt, isInDoubt(state, given[index][0]));
  Leaves found = released(op, builders, states, /*isQuick=*/true);
  auto again = [&] {
    // Sums keep their first results, because the second loop would add in another order.
    SmallVector<Leaves> exact = split(op, exactly(op, walks, lo, hi, builders, Value()));
    Leaves chosen;
    for (auto [index, own] : llvm::enumerate(split(op, found)))
      llvm::append_range(chosen, isQuickExtreme(op, index) ? exact[index] : own);
    return chosen;
  };
  return either(inDoubt, leafTypes(op.getBuilders().getTypes()), again, [&] { return found; });
}

//===- The loop's state -----------------------------------------------------------------------===//

/// What the loop carries for each builder: see Note [Extremes] and Note [Quick extremes].
SmallVector<Leaves> CoreLowering::carried(ir::ForOp op, const Leaves &builders, bool isQuick) {
  SmallVector<Leaves> states = split(op, builders);
  for (auto [index, state] : llvm::enumerate(states))
    if (isQuick && isQuickExtreme(op, index))
      state = noQuickExtreme(combineOf(op, index));
    else if (isExtreme(op, index))
      state = extremeLike(op, index) == index ? noExtremes(cast<FloatType>(state[0].getType()))
                                              : Leaves();
  return states;
}

/// The builders after a loop that carried these states.
Leaves CoreLowering::released(ir::ForOp op, const Leaves &builders, ArrayRef<Leaves> states,
                              bool isQuick) {
  Leaves result;
  for (auto [index, own] : llvm::enumerate(split(op, builders))) {
    if (isQuick && isQuickExtreme(op, index)) {
      result.push_back(quickExtremeOf(combineOf(op, index), states[index], own[0]));
    } else if (isExtreme(op, index)) {
      result.push_back(extremeOf(combineOf(op, index), states[extremeLike(op, index)], own[0]));
    } else {
      llvm::append_range(result, states[index]);
    }
  }
  return result;
}

// Note [Extremes]
//
// The minimum of some floats is NaN if one of them is, and -0.0 is less than 0.0, which takes
// several instructions, each of which waits for the one before. The bits of nonnegative floats
// compare like the floats; those of negative floats compare in reverse, and are less than all
// others as signed integers, but greater as unsigned ones. So the loop carries the signed minimum,
// the signed maximum and the unsigned maximum of all bits. If there is a negative float, the
// minimum of the floats is the unsigned maximum, otherwise the signed minimum; their maximum is the
// signed maximum or, if all are negative, the signed minimum. A NaN is beyond one of the
// infinities. One state serves builders of both kinds.

// Note [Quick extremes]
//
// For doubles, the processor's own minimum is one instruction, whereas the three states above take
// eight before AVX-512. It ignores NaN and the sign of zeros, so it is accompanied by a witness:
// the sum of -0.0 and of each number times -0.0. All of these are zeros, and their sum is -0.0 as
// long as no number has its sign bit set. If the minimum is a zero, all other numbers are positive,
// so the witness tells its sign. For the maximum, with each number times 0.0, the sum is -0.0 as
// long as all numbers have it set. A NaN or an infinity makes the witness NaN; everything is then
// computed again as above. The first result is poison in that case, but is never used.
