/// The least and the largest of floats that a loop merges.
#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

//===- Which builders -------------------------------------------------------------------------===//

/// The least or largest of floats, merged in the loop's own block only.
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

/// Only for doubles, for which processors before AVX-512 have no integer minimum, and without
/// conditions, which often leave an infinity: see Note [Quick extremes].
static bool isQuickExtreme(ir::ForOp op, unsigned builder) {
  SmallVector<Value> merged = mergedValues(op, builder);
  return isExtreme(op, builder) && !merged.empty() && llvm::all_of(merged, [](Value value) {
           return value.getType().isF64() && !value.getDefiningOp<ir::SelectOp>();
         });
}

/// Little is computed again where the first result is in doubt, and nothing is changed by it.
bool CoreLowering::hasQuickExtremes(ir::ForOp op) {
  constexpr unsigned maxBuilders = 8;
  auto builders = llvm::seq<unsigned>(0, op.getBuilders().size());
  return builders.size() <= maxBuilders &&
         llvm::all_of(op.getBuilders().getTypes(), llvm::IsaPred<ir::MergerType>) &&
         llvm::any_of(builders, [&](unsigned index) { return isQuickExtreme(op, index); }) &&
         transform::isHarmless(op.block()) && transform::isCheap(op.block());
}

/// The first builder that gathers extremes of the same numbers; perhaps itself. The lanes of a simd
/// are reduced before, for each builder in its way.
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

/// What a loop carries for the least or the largest of floats: see Note [Extremes].
enum { LeastSigned, LargestSigned, LargestUnsigned };
/// And what it carries quickly: see Note [Quick extremes].
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

/// A builder without a state shares that of another, which has got the value already.
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

/// Whether there was a NaN among the numbers, which is beyond the infinities.
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

/// A zero that keeps its sign as long as numbers are, for a minimum, positive, or negative for a
/// maximum.
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
  // Apart, both witnesses would share a product and add, which takes one instruction more.
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
    // Sums stay as they are: another loop would add in another order.
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

/// The builders again, of which each had a state in the loop.
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
// The least of some floats is NaN if one of them is, and -0.0 is less than 0.0: several
// instructions, each of which waits for the one before. The bits of floats that are not negative
// compare as these do; those of negative ones compare the other way, and are less as signed, larger
// as unsigned integers than all others. So the loop carries the least and the largest of all bits
// as signed, and the largest as unsigned integers. Where there is a negative float, the least one
// is the largest unsigned, otherwise the least signed; the largest one is the largest signed, or,
// where all are negative, the least signed. A NaN is beyond one of the infinities. One state serves
// builders of both kinds.

// Note [Quick extremes]
//
// Of doubles, the processor's own minimum is one instruction, and the three states above are eight
// before AVX-512. It takes no account of NaN and of the sign of zeros, so a witness goes with it:
// the sum of -0.0 and of each number times -0.0. All are zeros, and their sum is -0.0 as long as no
// number has a sign. Where the least number is a zero, all others are positive, so the witness
// tells its sign. For the largest, with each number times 0.0, the sum is -0.0 as long as all
// numbers have a sign. A NaN or an infinity makes the witness NaN: then all is computed again as
// above. The first result is poison in that case, which nobody looks at.
