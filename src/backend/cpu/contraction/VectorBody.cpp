#include "backend/cpu/contraction/VectorBody.h"
#include "backend/cpu/Passes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

/// Loads a vector of elements at a stride.
static Value gather(KernelBuilder &b, const View &view, int64_t lanes, int64_t vector, Value mask) {
  auto type = VectorType::get({lanes}, view.element());
  auto indexType = VectorType::get({lanes}, b.getIndexType());
  SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq(vector * lanes, (vector + 1) * lanes));
  Value columns =
      arith::ConstantOp::create(b, DenseElementsAttr::get(indexType, ArrayRef(numbers)));
  Value stride = vector::BroadcastOp::create(b, indexType, view.stride(Column));
  if (!mask)
    mask = vector::ConstantMaskOp::create(b, VectorType::get({lanes}, b.getI1Type()),
                                          ArrayRef<int64_t>{lanes});
  return vector::GatherOp::create(b, type, view.memory, ValueRange{view.offset},
                                  arith::MulIOp::create(b, columns, stride), mask, zeroOf(b, type));
}

/// The largest stride at which contiguous vectors are loaded and shuffled instead of gathered.
constexpr int64_t maxDistance = 4;

static Value loadPiece(KernelBuilder &b, const View &view, VectorType type, Value at, Value mask) {
  if (!mask)
    return vector::LoadOp::create(b, type, view.memory, ValueRange{at});
  return vector::MaskedLoadOp::create(b, type, view.memory, ValueRange{at}, mask, zeroOf(b, type));
}

/// The mask for a piece: every `distance`-th element, if its lane exists.
static Value maskOfPiece(KernelBuilder &b, int64_t piece, int64_t distance, int64_t lanes,
                         Value mask) {
  if (!mask) {
    int64_t end = (lanes - 1) * distance + 1;
    int64_t count = std::clamp<int64_t>(end - piece * lanes, 0, lanes);
    return count == lanes ? Value() : maskOf(b, lanes, index(b, count));
  }
  auto type = VectorType::get({lanes}, b.getI1Type());
  SmallVector<int64_t> lanesOf;
  for (int64_t place = piece * lanes; place < (piece + 1) * lanes; ++place)
    lanesOf.push_back(place % distance ? lanes : place / distance);
  return vector::ShuffleOp::create(b, mask, zeroOf(b, type), lanesOf);
}

/// Loads a vector of elements at a small stride from contiguous vectors. Nothing after the last
/// element is read.
static Value loadApart(KernelBuilder &b, const View &view, int64_t distance, int64_t lanes,
                       int64_t vector, Value mask) {
  auto type = VectorType::get({lanes}, view.element());
  Value first = add(b, view.offset, vector * lanes * distance), all;
  for (int64_t piece = 0; piece < distance; ++piece) {
    Value next = loadPiece(b, view, type, add(b, first, piece * lanes),
                           maskOfPiece(b, piece, distance, lanes, mask));
    SmallVector<int64_t> from;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t place = lane * distance, of = place / lanes;
      bool isNew = of == piece && piece > 0;
      from.push_back(isNew ? lanes + place % lanes : piece == 1 ? place % lanes : lane);
    }
    all = piece ? vector::ShuffleOp::create(b, all, next, from).getResult() : next;
  }
  return all;
}

void cpu::transpose(KernelBuilder &b, SmallVectorImpl<Value> &rows) {
  int64_t count = rows.size();
  for (int64_t distance = count / 2; distance > 0; distance /= 2)
    for (int64_t i = 0; i < count; ++i) {
      if (i & distance)
        continue;
      SmallVector<int64_t> upper, lower;
      for (int64_t lane = 0; lane < count; ++lane) {
        upper.push_back(lane & distance ? count + lane - distance : lane);
        lower.push_back(lane & distance ? count + lane : lane + distance);
      }
      Value first = rows[i], second = rows[i + distance];
      rows[i] = vector::ShuffleOp::create(b, first, second, upper);
      rows[i + distance] = vector::ShuffleOp::create(b, first, second, lower);
    }
}

Value cpu::loadVector(KernelBuilder &b, const View &view, int64_t lanes, int64_t vector,
                      Value mask) {
  auto type = VectorType::get({lanes}, view.element());
  if (!view.stride(Column))
    return vector::BroadcastOp::create(
        b, type, memref::LoadOp::create(b, view.memory, ValueRange{view.offset}));
  std::optional<int64_t> distance = constantOf(view.stride(Column));
  if (distance && *distance > 1 && *distance <= maxDistance)
    return loadApart(b, view, *distance, lanes, vector, mask);
  if (distance != 1)
    return gather(b, view, lanes, vector, mask);
  Value at = add(b, view.offset, vector * lanes);
  if (!mask)
    return vector::LoadOp::create(b, type, view.memory, ValueRange{at});
  return vector::MaskedLoadOp::create(b, type, view.memory, ValueRange{at}, mask, zeroOf(b, type));
}

void cpu::storeVector(KernelBuilder &b, Value value, const View &view, int64_t vector, Value mask) {
  auto lanes = cast<VectorType>(value.getType()).getNumElements();
  Value at = add(b, view.offset, vector * lanes);
  if (mask)
    vector::MaskedStoreOp::create(b, view.memory, ValueRange{at}, mask, value);
  else
    vector::StoreOp::create(b, value, view.memory, ValueRange{at});
}

void cpu::streamVector(KernelBuilder &b, Value value, const View &view) {
  auto type = cast<VectorType>(value.getType());
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  vector::StoreOp::create(b, value, view.memory, ValueRange{view.offset}, /*nontemporal=*/true,
                          llvm::Align(bytes));
}

Value cpu::maskOf(KernelBuilder &b, int64_t lanes, Value count) {
  auto type = VectorType::get({lanes}, b.getI1Type());
  return vector::CreateMaskOp::create(b, type, ValueRange{smaller(b, count, index(b, lanes))});
}

bool cpu::isVectorizable(Operation &op) {
  return op.getNumRegions() == 0 && op.hasTrait<OpTrait::Vectorizable>() && op.getNumResults() == 1;
}

static Value spread(KernelBuilder &b, Value value, int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, VectorType::get({lanes}, value.getType()), value);
}

Value cpu::emitVectorBody(KernelBuilder &b, const ElementBody &body, ArrayRef<Value> inputs,
                          int64_t lanes) {
  IRMapping mapping;
  for (auto [argument, input] : llvm::zip(body.block->getArguments(), inputs))
    mapping.map(argument, input);
  for (auto [outside, here] : body.captured)
    mapping.map(outside, here);
  for (Operation &op : body.block->without_terminator()) {
    OperationState state(b.getLoc(), op.getName());
    for (Value operand : op.getOperands())
      state.addOperands(spread(b, mapping.lookup(operand), lanes));
    state.addTypes(VectorType::get({lanes}, op.getResult(0).getType()));
    state.addAttributes(op.getAttrs());
    mapping.map(op.getResult(0), b.create(state)->getResult(0));
  }
  return spread(b, mapping.lookup(body.block->getTerminator()->getOperand(0)), lanes);
}
