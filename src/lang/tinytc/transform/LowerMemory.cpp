/// Loads and stores: scalars, vectors of neighbours, gathers and scatters.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

static unsigned bytesOfReal(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<LLVM::LLVMPointerType>(element) ? 8
                                             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// The type in memory: `index` is the same as in registers; a complex number is its parts.
static Type storedPartOf(Type element) {
  if (element.isIndex())
    return IntegerType::get(element.getContext(), 64);
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

//===-- Places ------------------------------------------------------------===//

Value CoreLowering::pointerAt(Type element, Value base, Value offset) {
  if (matchPattern(offset, m_Zero()) && !hasLanes(offset))
    return base;
  Type stored = element;
  if (auto complex = dyn_cast<ComplexType>(element))
    stored = LLVM::LLVMArrayType::get(complex.getElementType(), 2);
  else if (element.isIndex())
    stored = i64;
  Type result = hasLanes(base) ? base.getType() : like(offset, pointerType);
  return LLVM::GEPOp::create(b, loc, result, stored, base, ArrayRef<LLVM::GEPArg>{offset});
}

Value CoreLowering::partAt(Type part, Value address, unsigned number) {
  if (number == 0)
    return address;
  return LLVM::GEPOp::create(b, loc, address.getType(), part, address,
                             ArrayRef<LLVM::GEPArg>{int32_t(number)});
}

Index CoreLowering::index(Value value) {
  Index index{leaves(value)[0], {}};
  if (auto known = affines.find(value); known != affines.end())
    index.affine = known->second;
  else if (!hasLanes(index.value))
    index.affine = Affine{convertReal(index.value, value.getType(), i64), number(0)};
  return index;
}

Value CoreLowering::laneValue(const Index &index) {
  if (index.value)
    return index.value;
  return make<arith::AddIOp>(inLanes(index.affine->base),
                             make<arith::MulIOp>(laneNumbers(), index.affine->step));
}

Place CoreLowering::place(const Tensor &tensor, ArrayRef<Index> indices) {
  Type element = tensor.type.getElement();
  bool isLocal = tensor.type.isLocal();
  bool isAffine = !hasLanes(tensor.pointer) && llvm::none_of(tensor.strides, hasLanes) &&
                  llvm::all_of(indices, [](const Index &i) { return i.affine.has_value(); });
  if (!isAffine) {
    Value offset = number(0);
    for (auto [index, stride] : llvm::zip_equal(indices, tensor.strides))
      offset = make<arith::AddIOp>(offset, make<arith::MulIOp>(laneValue(index), stride));
    return {pointerAt(element, tensor.pointer, offset), {}, isLocal};
  }
  Value base = number(0), step = number(0);
  for (auto [index, stride] : llvm::zip_equal(indices, tensor.strides)) {
    base = folded<arith::AddIOp>(base, folded<arith::MulIOp>(index.affine->base, stride));
    step = folded<arith::AddIOp>(step, folded<arith::MulIOp>(index.affine->step, stride));
  }
  if (matchPattern(step, m_Zero()))
    step = {};
  return {pointerAt(element, tensor.pointer, base), step, isLocal};
}

/// One address per lane.
Value CoreLowering::addresses(Type element, const Place &place) {
  if (!place.step)
    return inLanes(place.address);
  return pointerAt(element, place.address, make<arith::MulIOp>(laneNumbers(), place.step));
}

bool Place::isDense() const {
  return step && matchPattern(step, m_One());
}

bool Place::isOne() const {
  return !step && !isa<VectorType>(address.getType());
}

//===-- Reals -------------------------------------------------------------===//

Value CoreLowering::loadScalar(Type type, Value address) {
  return LLVM::LoadOp::create(b, loc, type, address, bytesOfReal(type));
}

void CoreLowering::storeScalar(Value value, Value address) {
  LLVM::StoreOp::create(b, loc, value, address, bytesOfReal(value.getType()));
}

/// LLVM does not support all accesses of narrow floats, so they are accessed as integers.
static Type accessedType(Type type) {
  auto vector = cast<VectorType>(type);
  bool isNarrow = vector.getElementType().isBF16() || vector.getElementType().isF16();
  return isNarrow ? vector.clone(IntegerType::get(type.getContext(), 16)) : vector;
}

/// Reinterprets the bits.
Value CoreLowering::reinterpreted(Value value, Type type) {
  return value.getType() == type ? value : arith::BitcastOp::create(b, loc, type, value);
}

/// Loads neighbouring elements; inactive lanes read nothing and get zeros.
Value CoreLowering::loadDense(Type type, Value address, Value mask) {
  Type accessed = accessedType(type);
  unsigned alignment = bytesOfReal(type);
  if (!mask)
    return reinterpreted(LLVM::LoadOp::create(b, loc, accessed, address, alignment), type);
  Value zeros = LLVM::ZeroOp::create(b, loc, accessed);
  return reinterpreted(
      LLVM::MaskedLoadOp::create(b, loc, accessed, address, mask, zeros, alignment), type);
}

void CoreLowering::storeDense(Value value, Value address, Value mask) {
  unsigned alignment = bytesOfReal(value.getType());
  value = reinterpreted(value, accessedType(value.getType()));
  if (mask)
    LLVM::MaskedStoreOp::create(b, loc, value, address, mask, alignment);
  else
    LLVM::StoreOp::create(b, loc, value, address, alignment);
}

/// The value of the last active lane.
Value CoreLowering::lastActive(Value value) {
  if (!value || !hasLanes(value))
    return value;
  if (!mask)
    return vector::ExtractOp::create(b, loc, value, lanes - 1);
  Type bits = b.getIntegerType(lanes);
  Value word = LLVM::BitcastOp::create(b, loc, bits, mask);
  Value zeros = LLVM::CountLeadingZerosOp::create(b, loc, bits, word, /*is_zero_poison=*/false);
  Value wide = lanes < 64 ? Value(arith::ExtUIOp::create(b, loc, i64, zeros)) : zeros;
  Value last = make<arith::MaxSIOp>(make<arith::SubIOp>(number(lanes - 1), wide), number(0));
  return LLVM::ExtractElementOp::create(b, loc, value, last);
}

//===-- Elements ----------------------------------------------------------===//

Number CoreLowering::loadPairs(const Place &place, Type part) {
  Type pairs = VectorType::get(2 * lanes, part);
  Value both;
  if (mask)
    both = vector::InterleaveOp::create(b, loc, mask, mask);
  Value loaded = loadDense(pairs, place.address, both);
  auto split = vector::DeinterleaveOp::create(b, loc, loaded);
  return {split.getRes1(), split.getRes2()};
}

void CoreLowering::storePairs(const Place &place, Number value) {
  Value both;
  if (mask)
    both = vector::InterleaveOp::create(b, loc, mask, mask);
  Value pairs = vector::InterleaveOp::create(b, loc, inLanes(value.re), inLanes(value.im));
  storeDense(pairs, place.address, both);
}

Number CoreLowering::loadFrom(const Place &place, Type element) {
  Type part = storedPartOf(element);
  bool isComplex = ir::isComplex(element);
  if (place.isDense())
    return isComplex ? loadPairs(place, part)
                     : Number{loadDense(vectorOf(part), place.address, mask)};
  Value at = place.isOne() ? place.address : addresses(element, place);
  auto load = [&](unsigned number) -> Value {
    Value address = partAt(part, at, number);
    if (place.isOne())
      return loadScalar(part, address);
    Type accessed = accessedType(vectorOf(part));
    Value zeros = LLVM::ZeroOp::create(b, loc, accessed);
    Value loaded = LLVM::masked_gather::create(b, loc, accessed, address, activeLanes(), zeros,
                                               bytesOfReal(part));
    return reinterpreted(loaded, vectorOf(part));
  };
  return {load(0), isComplex ? load(1) : Value()};
}

void CoreLowering::storeTo(const Place &place, Type element, Number value) {
  Type part = storedPartOf(element);
  bool isComplex = ir::isComplex(element);
  if (isComplex && !value.im)
    value.im = fill(value.re.getType(), 0);
  if (place.isDense())
    return isComplex ? storePairs(place, value)
                     : storeDense(inLanes(value.re), place.address, mask);
  Value at = place.isOne() ? place.address : addresses(element, place);
  for (unsigned number = 0; number < (isComplex ? 2 : 1); ++number) {
    Value stored = number ? value.im : value.re, address = partAt(part, at, number);
    if (place.isOne()) {
      storeScalar(lastActive(stored), address);
      continue;
    }
    Value all = inLanes(stored);
    LLVM::masked_scatter::create(b, loc, reinterpreted(all, accessedType(all.getType())), address,
                                 activeLanes(), bytesOfReal(part));
  }
}

//===-- Operations --------------------------------------------------------===//

Leaves CoreLowering::lower(ir::AllocaOp op) {
  beginMemory(op);
  return {pointerAt(b.getI8Type(), local, number(*op.getOffset()))};
}

/// Pointer i, advanced by the offset; for each `?` of the member's type, the i-th number of its
/// array.
Leaves CoreLowering::loadMember(ir::LoadOp op) {
  if (isChecked)
    checkMember(op);
  auto group = cast<ir::GroupType>(op.getOperand().getType());
  ir::MemrefType member = group.getMember();
  Leaves all = leaves(op.getOperand()), result;
  Index at = index(op.getIndices()[0]);
  size_t count = leafTypes(member).size();
  for (size_t leaf = 0; leaf < count; ++leaf) {
    Type type = leaf == 0 ? pointerType : i64;
    Value address = pointerAt(type, all[leaf], at.value);
    result.push_back(hasLanes(address) ? LLVM::masked_gather::create(
                                             b, loc, vectorOf(type), address, activeLanes(),
                                             Value(LLVM::ZeroOp::create(b, loc, vectorOf(type))), 8)
                                             .getResult()
                                       : loadScalar(type, address));
  }
  Value offset = group.getOffset() == ir::dynamic ? all.back() : number(group.getOffset());
  result[0] = pointerAt(member.getElement(), result[0], offset);
  return result;
}

Leaves CoreLowering::lower(ir::LoadOp op) {
  if (isa<ir::GroupType>(op.getOperand().getType()))
    return loadMember(op);
  SmallVector<Index> indices;
  for (Value value : op.getIndices())
    indices.push_back(index(value));
  Tensor from = tensor(op.getOperand());
  Type element = from.type.getElement();
  if (isChecked)
    checkIndices(from, indices);
  Place where = place(from, indices);
  if (lanes)
    noteAccess(where, element, Access::Read, By::WorkItem);
  else if (accesses && where.isLocal)
    touchAt(where.address, Access::Read);
  return flat(loadFrom(where, element), element);
}

Leaves CoreLowering::lower(ir::StoreOp op) {
  SmallVector<Index> indices;
  for (Value value : op.getIndices())
    indices.push_back(index(value));
  Tensor to = tensor(op.getTarget());
  Type element = to.type.getElement();
  if (isChecked)
    checkIndices(to, indices);
  Place where = place(to, indices);
  Number value = numbers(op.getValue())[0];
  bool isAddition = op.getFlag() == ir::StoreFlag::AtomicAdd;
  bool isOneValue = where.isOne() && !hasLanes(value.re) && !isAddition;
  if (lanes)
    noteAccess(where, element, accessOf(op.getFlag()),
               !firstPoint && isOneValue ? By::Subgroup : By::WorkItem);
  else if (accesses && where.isLocal)
    touchAt(where.address, accessOf(op.getFlag()));
  if (isAddition && op.getBefore())
    return flat(addTo(where, element, value), element);
  if (isAddition)
    return addAt(where, element, value), Leaves();
  storeTo(where, element, value);
  return {};
}
