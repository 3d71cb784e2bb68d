/// Atomic additions, lane by lane. On local memory, which only this thread sees, they are plain. On
/// global memory they are plain if no other launch runs, which the runtime knows: that this launch
/// has one thread is not enough, since others may launch, too.
#include "core/Kernel.h"
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

//===-- Whether others may add as well ------------------------------------===//

/// The launch says so; this is read before all work-groups.
Value CoreLowering::isAlone() {
  if (alone)
    return alone;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&target.front());
  LLVM::LLVMStructType launch = core::launchType(b.getContext());
  auto field = LLVM::GEPOp::create(b, loc, pointerType, launch, target.getArgument(1),
                                   ArrayRef<LLVM::GEPArg>{0, core::launchAloneField});
  Value number = loadScalar(b.getI32Type(), field);
  return alone = compareInts(arith::CmpIPredicate::ne, number, fill(b.getI32Type(), 0));
}

/// Emits the body twice, for both answers; `knownAlone` is the answer that holds in each.
void CoreLowering::forBothAlone(llvm::function_ref<void()> body) {
  if (knownAlone)
    return body();
  OpBuilder::InsertionGuard guard(b);
  auto choice = scf::IfOp::create(b, loc, isAlone(), /*withElseRegion=*/true);
  for (bool answer : {true, false}) {
    b.setInsertionPointToStart(answer ? choice.thenBlock() : choice.elseBlock());
    knownAlone = answer;
    body();
  }
  knownAlone.reset();
}

static bool addsToGlobal(ir::BlasOp op) {
  return op.getAtomic() && !ir::isConstant(op.getBeta(), 0) && !op.getOutput().getType().isLocal();
}

/// Whether others may write to the output at the same time; if so, each element is added to once.
bool CoreLowering::isShared(ir::BlasOp op) {
  return addsToGlobal(op) && !knownAlone.value_or(false);
}

/// Whether a sum is complete, rounded to the output's type, before it is added. Launches give the
/// same numbers whether they are alone or not.
bool CoreLowering::addsApart(ir::BlasOp op) {
  Type element = op.getOutput().getType().getElement();
  return isShared(op) || (addsToGlobal(op) && ir::accumulationType(element) != element);
}

//===-- Additions ---------------------------------------------------------===//

/// Retries until no other thread has interfered; the sum is rounded as everywhere.
Value CoreLowering::addToNarrow(Value address, Value value) {
  Type bits = b.getI16Type();
  auto asBits = [&](Value number) -> Value {
    return arith::BitcastOp::create(b, loc, bits, number);
  };
  Value first = loadScalar(bits, address);
  auto loop = scf::WhileOp::create(b, loc, bits, first);
  Block *before = b.createBlock(&loop.getBefore(), {}, bits, loc);
  Value seen = before->getArgument(0);
  Value old = arith::BitcastOp::create(b, loc, value.getType(), seen);
  Number sum = arithmetic(ir::Binary::Add, value.getType(), {old}, {value});
  auto exchange = LLVM::AtomicCmpXchgOp::create(b, loc, address, seen, asBits(sum.re),
                                                LLVM::AtomicOrdering::monotonic,
                                                LLVM::AtomicOrdering::monotonic);
  Value found = LLVM::ExtractValueOp::create(b, loc, exchange, 0);
  Value isDone = LLVM::ExtractValueOp::create(b, loc, exchange, 1);
  Value isLost = make<arith::XOrIOp>(isDone, fill(i1, 1));
  scf::ConditionOp::create(b, loc, isLost, found);
  Block *after = b.createBlock(&loop.getAfter(), {}, bits, loc);
  scf::YieldOp::create(b, loc, after->getArgument(0));
  b.setInsertionPointAfter(loop);
  return arith::BitcastOp::create(b, loc, value.getType(), loop.getResult(0));
}

/// Returns the old value.
Value CoreLowering::addToReal(Value address, Value value, bool isLocal) {
  Type type = value.getType();
  if (isLocal) {
    Value before = loadScalar(type, address);
    storeScalar(arithmetic(ir::Binary::Add, type, {before}, {value}).re, address);
    return before;
  }
  if (type.isBF16() || type.isF16())
    return addToNarrow(address, value);
  auto function = isa<FloatType>(type) ? LLVM::AtomicBinOp::fadd : LLVM::AtomicBinOp::add;
  return LLVM::AtomicRMWOp::create(b, loc, function, address, value,
                                   LLVM::AtomicOrdering::monotonic);
}

/// Adds to the parts of a complex number in turn.
Number CoreLowering::addToOne(Value address, Type element, Number value, bool isLocal) {
  Number before{addToReal(address, value.re, isLocal)};
  if (ir::isComplex(element) && value.im)
    before.im = addToReal(partAt(value.im.getType(), address, 1), value.im, isLocal);
  return before;
}

Number CoreLowering::eachLane(Type element, const Place &place, Number value,
                              llvm::function_ref<Number(Value, Number)> body) {
  Value at = addresses(element, place);
  Number all = inLanes(value);
  if (ir::isComplex(element) && !all.im)
    all.im = fill(all.re.getType(), 0);
  // LLVM does not take all vectors of bfloats apart.
  Type part = getElementTypeOrSelf(all.re.getType()), wide = part.isBF16() ? b.getF32Type() : part;
  all.re = convertReal(all.re, part, wide);
  Leaves state{fill(all.re.getType(), 0)};
  if (all.im)
    state.push_back(fill(all.re.getType(), 0));
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::ForOp::create(b, loc, number(0), number(lanes), number(1), state);
  b.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  auto extract = [&](Value from) -> Value {
    return from ? LLVM::ExtractElementOp::create(b, loc, from, lane) : Value();
  };
  auto choice = scf::IfOp::create(b, loc, ValueRange(state).getTypes(), extract(activeLanes()),
                                  /*withElseRegion=*/true);
  scf::YieldOp::create(b, loc, choice.getResults());
  b.setInsertionPointToStart(choice.thenBlock());
  Number before = body(extract(at), {convertReal(extract(all.re), wide, part), extract(all.im)});
  Leaves grown, parts{convertReal(before.re, part, wide), before.im};
  for (auto [sum, argument] : llvm::zip(parts, loop.getRegionIterArgs()))
    grown.push_back(LLVM::InsertElementOp::create(b, loc, argument, sum, lane));
  scf::YieldOp::create(b, loc, grown);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, loop.getRegionIterArgs());
  b.setInsertionPointAfter(loop);
  return {convertReal(loop.getResult(0), wide, part), all.im ? Value(loop.getResult(1)) : Value()};
}

Number CoreLowering::addTo(const Place &place, Type element, Number value) {
  auto add = [&](Value address, Number one) {
    return addToOne(address, element, one, place.isLocal);
  };
  return lanes ? eachLane(element, place, value, add) : add(place.address, value);
}

/// Adds to neighbouring elements, or to one, without atomics.
void CoreLowering::addPlainly(const Place &place, Type element, Number value) {
  storeTo(place, element, arithmetic(ir::Binary::Add, element, loadFrom(place, element), value));
}

/// If all lanes add to one element, their values are added up first.
void CoreLowering::addAt(const Place &place, Type element, Number value) {
  int64_t outerLanes = lanes;
  if (lanes && place.isOne()) {
    value = withBothParts(inLanes(value), element);
    if (mask)
      value = select(mask, value, inLanes(neutral(ir::Reduction::Add, element)));
    value = reduced(ir::Reduction::Add, element, value);
    lanes = 0;
  }
  bool canBePlain = !lanes || place.isDense();
  auto add = [&] {
    bool isPlain = canBePlain && (place.isLocal || *knownAlone);
    isPlain ? addPlainly(place, element, value) : void(addTo(place, element, value));
  };
  canBePlain && !place.isLocal ? forBothAlone(add) : add();
  lanes = outerLanes;
}
