#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Kernel.h"
#include "backend/cpu/contraction/Packing.h"
#include "backend/cpu/contraction/RegisterTile.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

/// Chunks that an axis is divided into where there is enough to do, and iterations of one that is
/// worth to be divided.
constexpr int64_t wantedChunks = 16, minParallel = 8;

/// Part of an axis: `size` indices from `begin` on.
struct Part {
  Value begin, size;
};

/// A convolution, or what else reads windows. One operand has none: it stays in a cache, part by
/// part, while the axes that it does not have run:
///
///   for each axis that it has {
///     pack it, where it is read along the columns and not dense there;
///     in parallel for each chunk of an axis {
///       for each part of it { for each axis that it does not have {
///         for each panel { for each sliver of rows { a tile with all of the depth } } } } } }
class DirectKernel {
public:
  DirectKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), schedule(schedule), packing(b, product, schedule), rows(product.sizes[Row]),
        columns(product.sizes[Column]), depth(index(b, 1)) {
    bool isRhsKept = hasFewerAxes(product, product.rhs, product.lhs);
    const View &kept = isRhsKept ? product.rhs : product.lhs;
    for (unsigned axis = Outer; axis < Outer + product.numOuter; ++axis)
      (kept.strides[axis] ? outer : inner).push_back(axis);
    packs = isRhsKept && !product.lhs.stride(Column) && product.rhs.stride(Column) &&
            (schedule.packRhs || !product.rhs.isDense(Column));
    for (unsigned axis : product.depthAxes())
      depth = multiply(b, depth, product.sizes[axis]);
    parallelAxis = chooseParallel(product);
  }

  void emit(const Product &product) {
    if (!llvm::is_contained(outer, parallelAxis))
      return emitOuter(product, outer);
    inChunks(product, [&](const Product &part) { emitOuter(part, outer); });
  }

private:
  /// Whether `view` does without more of the axes around the kernel than `other`.
  static bool hasFewerAxes(const Product &product, const View &view, const View &other) {
    int balance = 0;
    for (unsigned axis = Outer; axis < Outer + product.numOuter; ++axis)
      balance += bool(other.strides[axis]) - bool(view.strides[axis]);
    return balance > 0 || (balance == 0 && view.stride(Column) && !view.isDense(Column));
  }

  /// The outermost axis with enough iterations, or else the one with most.
  unsigned chooseParallel(const Product &product) {
    SmallVector<unsigned> candidates(outer);
    llvm::append_range(candidates, inner);
    candidates.push_back(Row);
    auto sizeOf = [&](unsigned axis) {
      return std::min(constantOf(product.sizes[axis]).value_or(minParallel), minParallel);
    };
    return *std::max_element(candidates.begin(), candidates.end(),
                             [&](unsigned x, unsigned y) { return sizeOf(x) < sizeOf(y); });
  }

  using PartBody = llvm::function_ref<void(const Product &)>;

  void inChunks(const Product &product, PartBody body) {
    Value size = product.sizes[parallelAxis], one = index(b, 1), work = one;
    for (auto [axis, other] : llvm::enumerate(product.sizes))
      work = axis == parallelAxis ? work : multiply(b, work, other);
    Value enough = ceilDivide(b, index(b, minChunkWork), larger(b, work, one));
    Value chunk = larger(b, enough, larger(b, ceilDivide(b, size, index(b, wantedChunks)), one));
    if (parallelAxis == Row)
      chunk = roundUp(b, chunk, schedule.rows);
    chunk = smaller(b, chunk, larger(b, size, one));
    inParallel(b, ceilDivide(b, size, chunk), 1, [&](Value number) {
      Part part = partOf(size, multiply(b, number, chunk), chunk);
      body(product.part(b, parallelAxis, part.begin, part.size));
    });
  }

  /// All parts have one size where it is known to divide the whole.
  Part partOf(Value size, Value begin, Value most) {
    std::optional<int64_t> whole = constantOf(size), each = constantOf(most);
    if (whole && each && *whole % *each == 0)
      return {begin, most};
    return {begin, smaller(b, most, subtract(b, size, begin))};
  }

  void emitOuter(const Product &product, ArrayRef<unsigned> axes) {
    if (axes.empty())
      return emitPacked(product);
    forEach(b, index(b, 0), product.sizes[axes.front()], index(b, 1),
            [&](Value i) { emitOuter(product.from(b, axes.front(), i), axes.drop_front()); });
  }

  void emitPacked(const Product &product) {
    if (packs)
      emitPacking(product);
    if (llvm::is_contained(outer, parallelAxis))
      emitParts(product);
    else
      inChunks(product, [&](const Product &part) { emitParts(part); });
    if (packs)
      memref::DeallocOp::create(b, buffer);
  }

  //===- Packing ------------------------------------------------------------------------------===//

  /// Behind the last k there is room for what packing writes too far.
  Value packedDepth() { return add(b, depth, schedule.lanes); }

  void emitPacking(const Product &product) {
    auto type = MemRefType::get({ShapedType::kDynamic}, product.element());
    buffer =
        memref::AllocOp::create(b, type, ValueRange{packing.bufferSize(columns, packedDepth())});
    Value panels = ceilDivide(b, columns, index(b, schedule.columns()));
    auto packPanel = [&](Value panel) {
      Value column = multiply(b, panel, schedule.columns());
      Panel to{packing.panel(buffer, panel, packedDepth()).offset, subtract(b, columns, column)};
      packDepth(product, product.depthAxes(), product.rhs.from(b, Column, column), to);
    };
    if (llvm::is_contained(outer, parallelAxis))
      forEach(b, index(b, 0), panels, index(b, 1), packPanel);
    else
      inParallel(b, panels, 1, packPanel);
  }

  /// Where a panel's next k goes, and how many columns it has at most.
  struct Panel {
    Value offset, columns;
  };

  void packDepth(const Product &product, ArrayRef<unsigned> axes, const View &from, Panel to) {
    if (product.rhs.isDepthFlat || axes.size() == 1)
      return packing.emitAt(buffer, to.offset, from, to.columns,
                            product.rhs.isDepthFlat ? depth : product.sizes[Depth]);
    Value step = stepOf(product, axes.drop_front());
    forEach(b, index(b, 0), product.sizes[axes.front()], index(b, 1), [&](Value i) {
      packDepth(product, axes.drop_front(), from.from(b, axes.front(), i),
                {add(b, to.offset, multiply(b, i, step)), to.columns});
    });
  }

  /// Packed elements of one iteration around these axes of depth.
  Value stepOf(const Product &product, ArrayRef<unsigned> axes) {
    Value step = index(b, schedule.columns());
    for (unsigned axis : axes)
      step = multiply(b, step, product.sizes[axis]);
    return step;
  }

  View panelOf(const Product &product, Value column) {
    if (!packs)
      return product.rhs.from(b, Column, column);
    Value number = divide(b, column, index(b, schedule.columns()));
    View panel = packing.panel(buffer, number, packedDepth());
    SmallVector<unsigned> axes = product.depthAxes();
    for (size_t i = 0; i < axes.size(); ++i)
      panel.strides[axes[i]] = stepOf(product, ArrayRef(axes).drop_front(i + 1));
    return panel;
  }

  //===- Tiles --------------------------------------------------------------------------------===//

  /// A whole number of tiles, or everything.
  void forEachPart(Value size, int64_t most, int64_t tile, llvm::function_ref<void(Part)> body) {
    Value step = most ? index(b, llvm::alignTo(most, tile)) : larger(b, size, index(b, 1));
    forEach(b, index(b, 0), size, step, [&](Value begin) { body(partOf(size, begin, step)); });
  }

  void emitParts(const Product &product) {
    forEachPart(product.sizes[Column], schedule.width, schedule.columns(), [&](Part width) {
      forEachPart(product.sizes[Row], schedule.height, schedule.rows,
                  [&](Part height) { emitInner(product, inner, width, height); });
    });
  }

  void emitInner(const Product &product, ArrayRef<unsigned> axes, Part width, Part height) {
    if (axes.empty())
      return emitPanels(product, width, height);
    forEach(b, index(b, 0), product.sizes[axes.front()], index(b, 1), [&](Value i) {
      emitInner(product.from(b, axes.front(), i), axes.drop_front(), width, height);
    });
  }

  void emitPanels(const Product &product, Part width, Part height) {
    Value end = add(b, width.begin, width.size);
    forEach(b, width.begin, end, index(b, schedule.columns()), [&](Value column) {
      View rhs = panelOf(product, column);
      forEachTile(b, schedule, rows, height.size, [&](Value row, int64_t count, bool isWhole) {
        TilePlace place = placeOf(column);
        place.rows = count;
        place.row = add(b, height.begin, row);
        if (!isWhole)
          place.lastRow = subtract(b, subtract(b, height.size, row), index(b, 1));
        View lhs = product.lhs.from(b, Row, place.row).from(b, Column, column);
        RegisterTile(b, product, schedule).emitDirect(place, lhs, rhs);
      });
    });
  }

  TilePlace placeOf(Value column) {
    Value always = arith::ConstantIntOp::create(b, 1, 1);
    Value left = subtract(b, columns, column), wide = index(b, schedule.columns());
    std::optional<int64_t> known = constantOf(columns);
    bool isWide = known && *known % schedule.columns() == 0;
    TilePlace place{.rows = 0, .row = {}, .column = column, .isFirst = always, .isLast = always};
    place.isWide = isWide ? always : isAtLeast(b, left, wide);
    place.masks = isWide ? SmallVector<Value>(schedule.vectors) : masksFor(b, schedule, left);
    place.columnsLeft = left;
    if (!packs)
      place.maskedSteps = std::nullopt;
    return place;
  }

  KernelBuilder &b;
  const schedule::Contraction &schedule;
  RhsPacking packing;
  Value rows, columns, depth; ///< Of all loops of depth.
  SmallVector<unsigned> outer, inner;
  unsigned parallelAxis;
  bool packs;
  Value buffer;
};

} // namespace

void cpu::emitDirectKernel(KernelBuilder &b, const Product &product,
                           const schedule::Contraction &schedule) {
  DirectKernel(b, product, schedule).emit(product);
}
