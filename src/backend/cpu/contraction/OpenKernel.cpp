/// Small products whose sizes are only known at run time: the remaining rows and columns get a tile
/// of the right size.
#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Kernel.h"
#include "backend/cpu/contraction/RegisterTile.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

/// The size of the largest tile. More rows would save little, and every number of rows needs its
/// own code.
constexpr int64_t mostVectors = 3, mostRows = 8;

/// Emits body(begin, size) for parts of at most `most`, in order; the last two are about equal.
void forParts(KernelBuilder &b, Value size, int64_t most,
              llvm::function_ref<void(Value, Value)> body) {
  Value zero = index(b, 0), whole = index(b, most), two = index(b, 2);
  auto loop = scf::WhileOp::create(b, TypeRange{b.getIndexType()}, ValueRange{zero});
  OpBuilder::InsertionGuard guard(b);
  Block *test = b.createBlock(&loop.getBefore(), {}, b.getIndexType(), b.getLoc());
  scf::ConditionOp::create(b, isLess(b, test->getArgument(0), size), test->getArguments());
  Block *each = b.createBlock(&loop.getAfter(), {}, b.getIndexType(), b.getLoc());
  Value begin = each->getArgument(0), left = subtract(b, size, begin);
  Value half = smaller(b, ceilDivide(b, left, two), whole);
  Value part = select(b, isLess(b, whole, left), half, left);
  body(begin, part);
  scf::YieldOp::create(b, add(b, begin, part));
}

/// Emits the body for each possible number from 1 to `most`.
void forNumber(KernelBuilder &b, Value value, int64_t most,
               llvm::function_ref<void(int64_t)> body) {
  if (std::optional<int64_t> known = constantOf(value))
    return body(*known);
  SmallVector<int64_t> others = llvm::to_vector(llvm::seq<int64_t>(1, most));
  auto choice = scf::IndexSwitchOp::create(b, TypeRange(), value, others, others.size());
  OpBuilder::InsertionGuard guard(b);
  auto fill = [&](Region &region, int64_t number) {
    b.createBlock(&region);
    body(number);
    scf::YieldOp::create(b);
  };
  for (auto [region, number] : llvm::zip(choice.getCaseRegions(), others))
    fill(region, number);
  fill(choice.getDefaultRegion(), most);
}

class OpenKernel {
public:
  OpenKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), product(product), schedule(schedule) {}

  void emit() {
    Value vectors = ceilDivide(b, product.sizes[Column], index(b, schedule.lanes));
    forParts(b, vectors, mostVectors, [&](Value begin, Value count) {
      forNumber(b, count, mostVectors,
                [&](int64_t number) { emitPanel(multiply(b, begin, schedule.lanes), number); });
    });
  }

private:
  /// All vectors of a panel but the last are whole. The last one is always masked: few panels need
  /// no mask, and each tile would need a second version.
  void emitPanel(Value column, int64_t vectors) {
    schedule::Contraction own = schedule;
    own.vectors = vectors;
    RegisterTile tile(b, product, own);
    Value left = subtract(b, product.sizes[Column], column), always = isTrue();
    TilePlace place{.rows = 0, .row = {}, .column = column, .isFirst = always, .isLast = always};
    place.masks = masksFor(b, own, left);
    for (Value &mask : MutableArrayRef(place.masks).drop_back())
      mask = {};
    place.isWide = arith::ConstantIntOp::create(b, false, 1);
    place.maskedSteps = std::nullopt;
    int64_t most = std::min(mostRows, schedule.rows * schedule.vectors / vectors);
    forParts(b, product.sizes[Row], most, [&](Value row, Value count) {
      forNumber(b, count, most, [&](int64_t height) {
        place.rows = height;
        place.row = row;
        tile.emit(place, product.lhs.from(b, Row, row), product.rhs.from(b, Column, column),
                  product.sizes[Depth]);
      });
    });
  }

  Value isTrue() { return arith::ConstantIntOp::create(b, true, 1); }

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
};

} // namespace

bool cpu::isOpen(const Product &product, const schedule::Contraction &schedule) {
  bool hasDepth = product.sizes.size() == Outer; // There are no other axes.
  return schedule.kernel == schedule::Contraction::Kernel::Blocked && hasDepth &&
         schedule.parallelOuter && !schedule.packLhs && !schedule.packRhs && !schedule.depth &&
         !schedule.width && !constantOf(product.sizes[Row]) && !constantOf(product.sizes[Column]) &&
         product.rhs.isDense(Column) && !product.lhs.stride(Column);
}

void cpu::emitOpenKernel(KernelBuilder &b, const Product &product,
                         const schedule::Contraction &schedule) {
  OpenKernel(b, product, schedule).emit();
}
