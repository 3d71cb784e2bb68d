#include "backend/cpu/contraction/Turning.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Packing.h"
#include "backend/cpu/contraction/RegisterTile.h"
#include "backend/cpu/contraction/VectorBody.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

int64_t cpu::turnedSteps(Type element) {
  constexpr int64_t smallestRegister = 128;
  return smallestRegister / element.getIntOrFloatBitWidth();
}

/// Interleaves the lower or upper halves of each block of `steps` lanes of both vectors.
static Value interleave(KernelBuilder &b, Value first, Value second, int64_t steps, bool isUpper) {
  int64_t lanes = cast<VectorType>(first.getType()).getNumElements();
  SmallVector<int64_t> from;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    int64_t inBlock = lane % steps;
    from.push_back(lane - inBlock + inBlock / 2 + (isUpper ? steps / 2 : 0) +
                   (inBlock % 2 ? lanes : 0));
  }
  return vector::ShuffleOp::create(b, first, second, from);
}

/// Transposes blocks of as many lanes as there are vectors. Every step is an instruction that works
/// within 128 bits, the cheapest kind.
static void turnBlocks(KernelBuilder &b, SmallVector<Value> &vectors) {
  int64_t count = vectors.size();
  for (int64_t round = 1; round < count; round *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < count / 2; ++i)
      for (bool isUpper : {false, true})
        next.push_back(interleave(b, vectors[i], vectors[i + count / 2], count, isUpper));
    vectors = next;
  }
}

/// Inserts a short vector into a longer one at `lane`.
static Value insertAt(KernelBuilder &b, Value part, Value into, int64_t lane) {
  int64_t lanes = cast<VectorType>(into.getType()).getNumElements(),
          count = cast<VectorType>(part.getType()).getNumElements();
  SmallVector<int64_t> wide, from;
  for (int64_t i = 0; i < lanes; ++i) {
    bool isNew = i >= lane && i < lane + count;
    wide.push_back(isNew ? i - lane : vector::ShuffleOp::kPoisonIndex);
    from.push_back(isNew ? lanes + i : i);
  }
  Value widened = vector::ShuffleOp::create(b, part, part, wide);
  return vector::ShuffleOp::create(b, into, widened, from);
}

/// Vector number i first has columns i, i + steps and so on, each from its first step on.
SmallVector<Value> cpu::loadTurned(KernelBuilder &b, const View &view, int64_t lanes,
                                   int64_t columns, int64_t steps) {
  int64_t count = turnedSteps(view.element());
  auto type = VectorType::get({lanes}, view.element());
  Value mask = steps < count ? maskOf(b, count, index(b, steps)) : Value();
  SmallVector<Value> vectors;
  for (int64_t number = 0; number < count; ++number) {
    Value &vector = vectors.emplace_back(zeroOf(b, type));
    for (int64_t block = 0; block + number < std::min(columns, lanes); block += count) {
      View column = view.from(b, Column, index(b, block + number));
      vector = insertAt(b, loadAlong(b, Depth, column, count, mask), vector, block);
    }
  }
  turnBlocks(b, vectors);
  return vectors;
}

/// Whether one tile has all rows, and all sizes are known.
static bool isOneTile(const Product &product, const schedule::Contraction &schedule) {
  return product.sizes.size() == Outer + product.numOuter && constantOf(product.sizes[Column]) &&
         constantOf(product.sizes[Depth]) && constantOf(product.sizes[Row]) &&
         *constantOf(product.sizes[Row]) <= schedule.rows;
}

bool cpu::goesByVector(const Product &product, const schedule::Contraction &schedule) {
  const View &rhs = product.rhs;
  bool isReadable = rhs.isDense(Column) || (rhs.stride(Column) && rhs.isDense(Depth));
  return schedule.kernel == schedule::Contraction::Kernel::Unrolled && !schedule.packRhs &&
         schedule.vectors == 1 && isReadable && rhs.widening == core::Widening::None &&
         !product.lhs.stride(Column) && isOneTile(product, schedule) &&
         schedule.lanes >= turnedSteps(rhs.element());
}

/// One vector after another: each has its sums and transposed operands in registers. A last one has
/// no more lanes than necessary.
void cpu::emitByVector(KernelBuilder &b, const Product &product,
                       const schedule::Contraction &schedule) {
  int64_t columns = *constantOf(product.sizes[Column]), rows = *constantOf(product.sizes[Row]);
  Value zero = index(b, 0), always = arith::ConstantIntOp::create(b, true, 1);
  for (int64_t column = 0; column < columns && rows > 0; column += schedule.lanes) {
    int64_t count = std::min(columns - column, schedule.lanes);
    Product part = product.part(b, Column, index(b, column), index(b, count));
    schedule::Contraction own = schedule;
    own.vectors = 1;
    own.lanes = std::max<int64_t>(llvm::PowerOf2Ceil(count), turnedSteps(product.rhs.element()));
    TilePlace place{.rows = rows, .row = zero, .column = zero, .isFirst = always, .isLast = always};
    place.masks = masksFor(b, own, index(b, count));
    // Memory is best read sequentially instead of each row in parts.
    if (column == 0 && product.rhs.isDense(Column))
      place.columnsAhead = columns - count;
    place.isWide = arith::ConstantIntOp::create(b, count == own.lanes, 1);
    RegisterTile(b, part, own).emitColumn(place, part.lhs, part.rhs);
  }
}
