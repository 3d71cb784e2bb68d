#include "backend/cpu/ReductionLoops.h"
#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

Operation *cpu::combinerOf(linalg::GenericOp op, unsigned result) {
  Value old = op.getRegionOutputArgs()[result];
  Operation *combiner = op.getBody()->getTerminator()->getOperand(result).getDefiningOp();
  bool isPlain = combiner && combiner->getNumOperands() == 2 && old.hasOneUse() &&
                 *old.user_begin() == combiner;
  return isPlain ? combiner : nullptr;
}

ReductionLoops::ReductionLoops(linalg::GenericOp op) : LoopNest(op) {
  for (OpOperand &operand : op.getDpsInitsMutable())
    (isWalked(operand) ? walked : sums)
        .push_back({&operand, unsigned(walked.size() + sums.size())});
}

/// Whether each iteration computes a different element, so that this result is not reduced even if
/// others are.
bool ReductionLoops::isWalked(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
    if (isReduced(loop) && map.isFunctionOfDim(loop))
      return true;
  return false;
}

//===- One point ------------------------------------------------------------------------------===//

ReductionLoops::Place ReductionLoops::placeOf(const Result &result) {
  return {result.operand->get(), LoopNest::placeOf(*result.operand)};
}

SmallVector<ReductionLoops::Place> ReductionLoops::places() {
  return llvm::map_to_vector(sums, [&](const Result &sum) { return placeOf(sum); });
}

Value ReductionLoops::load(const Place &place) {
  return memref::LoadOp::create(b, place.memory, place.indices);
}

void ReductionLoops::store(Value value, const Place &place) {
  memref::StoreOp::create(b, value, place.memory, place.indices);
}

ReductionLoops::Values ReductionLoops::load(ArrayRef<Place> from) {
  return llvm::map_to_vector(from, [&](const Place &place) { return load(place); });
}

void ReductionLoops::store(ArrayRef<Value> values, ArrayRef<Place> to) {
  for (auto [value, place] : llvm::zip_equal(values, to))
    store(value, place);
}

/// Maps the operands that the body uses and that have no value yet.
void ReductionLoops::mapOperands(IRMapping &mapping) {
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    bool isMemory = isa<MemRefType>(operand.get().getType());
    if (!argument.use_empty() && !mapping.contains(argument))
      mapping.map(argument,
                  isMemory ? load({operand.get(), LoopNest::placeOf(operand)}) : operand.get());
  }
}

ReductionLoops::Values ReductionLoops::point(ArrayRef<Value> old) {
  IRMapping mapping;
  for (auto [sum, value] : llvm::zip(sums, old))
    mapping.map(op.getRegionOutputArgs()[sum.number], value);
  mapOperands(mapping);
  for (Operation &inner : op.getBody()->without_terminator())
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), counters[index.getDim()]);
    else if (isQuick && &inner == combinerOf(op, 0))
      return quickExtreme(inner, old, mapping);
    else
      b.clone(inner, mapping);
  auto computed = [&](const Result &result) {
    return mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(result.number));
  };
  for (const Result &result : walked)
    store(computed(result), placeOf(result));
  return llvm::map_to_vector(sums, computed);
}

//===- A reduction in registers ---------------------------------------------------------------===//

ReductionLoops::Values ReductionLoops::carry(ArrayRef<unsigned> loops, const Values &old) {
  if (loops.empty())
    return point(old);
  return carry(loops, zero, sizes[loops.front()], old);
}

ReductionLoops::Values ReductionLoops::carry(ArrayRef<unsigned> loops, Value from, Value to,
                                             const Values &old) {
  auto loop = scf::ForOp::create(b, from, to, one, old);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  counters[loops.front()] = loop.getInductionVar();
  Values next = carry(loops.drop_front(), Values(loop.getRegionIterArgs()));
  if (!next.empty()) // Without values, the loop already has a terminator.
    scf::YieldOp::create(b, next);
  return Values(loop.getResults());
}

bool ReductionLoops::isExtreme() {
  return sums.size() == 1 && walked.empty() &&
         isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(combinerOf(op, 0));
}

ReductionLoops::Values ReductionLoops::reduce(Value from, Value to, const Values &old) {
  if (!isExtreme())
    return carry(reduced, from, to, old);
  isQuick = true;
  Values quick = carry(reduced, from, to, {old[0], isNan(old[0])});
  isQuick = false;
  Type type = quick[0].getType();
  Value isZero = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, quick[0], zeroOf(b, type));
  Value isDoubtful =
      arith::SelectOp::create(b, quick[1], arith::ConstantIntOp::create(b, 1, 1), isZero);
  return choose(
      b, isDoubtful, type, [&] { return carry(reduced, from, to, old); },
      [&] { return Values{quick[0]}; });
}

Value ReductionLoops::isNan(Value value) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
}

/// See Note [Quick extremes].
ReductionLoops::Values ReductionLoops::quickExtreme(Operation &combiner, ArrayRef<Value> old,
                                                    IRMapping &mapping) {
  Value sum = op.getRegionOutputArgs()[0];
  Value value = mapping.lookupOrDefault(combiner.getOperand(combiner.getOperand(0) == sum ? 1 : 0));
  auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
  Value extreme = isa<arith::MaximumFOp>(combiner)
                      ? arith::MaxNumFOp::create(b, old[0], value, flags).getResult()
                      : arith::MinNumFOp::create(b, old[0], value, flags).getResult();
  return {extreme, arith::OrIOp::create(b, old[1], isNan(value))};
}

// Note [Quick extremes]
//
// A maximum is NaN if any of its operands is, and +0 is larger than -0. On vectors, these rules
// take six dependent instructions, while the processor's own maximum takes one. So the first
// attempt assumes that there is no NaN, checks this on the side, and treats zeros as equal. Only if
// there was a NaN, or if the result is zero, the loop runs again with all rules. With a NaN, the
// first result is poison, but it is not used.
