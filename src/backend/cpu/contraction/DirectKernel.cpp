#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Kernel.h"
#include "backend/cpu/contraction/Packing.h"
#include "backend/cpu/contraction/RegisterTile.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

namespace {

/// The chunks that an axis is divided into if there is enough work, and the iterations that make an
/// axis worth dividing.
constexpr int64_t wantedAxisChunks = 16, minParallel = 8;

/// The largest prefetch distance, in elements.
constexpr int64_t maxAhead = 1 << 15;

/// A convolution or another contraction with windows. One operand has no windows: it stays in a
/// cache while the loops over axes that it does not depend on run. If all of it fits a cache, these
/// loops are outermost; otherwise:
///
///   for each axis that it depends on {
///     pack it if it is read along the columns and not dense there;
///     in parallel for each chunk of an axis {
///       for each part of it { for each other axis {
///         for each panel { for each sliver of rows { a tile with all of the depth } } } } } }
///
/// If there are many parts, each is packed just before it is used, and the parts run in parallel.
class DirectKernel {
public:
  DirectKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), schedule(schedule), packing(b, product, schedule), rows(product.sizes[Row]),
        columns(product.sizes[Column]), depth(index(b, 1)) {
    isRhsKept = hasFewerAxes(product, product.rhs, product.lhs);
    const View &kept = isRhsKept ? product.rhs : product.lhs;
    packs = isRhsKept && !product.lhs.stride(Column) && product.rhs.stride(Column) &&
            (schedule.packRhs || !product.rhs.isDense(Column));
    for (unsigned axis : product.depthAxes())
      depth = multiply(b, depth, product.sizes[axis]);
    for (unsigned axis = Outer; axis < Outer + product.numOuter; ++axis)
      (kept.strides[axis] ? outer : inner).push_back(axis);
    if (fitsCache(product, isRhsKept ? schedule.width : schedule.height, isRhsKept ? Column : Row))
      putInside(product);
    parallelAxis = hasManyParts() ? unsigned(Column) : chooseParallel(product);
  }

  void emit(const Product &product) {
    if (!llvm::is_contained(outer, parallelAxis))
      return emitOuter(product, outer);
    inChunks(product, [&](const Product &part) { emitOuter(part, outer); });
  }

private:
  /// Whether `view` depends on fewer axes around the tuned loops than `other`.
  static bool hasFewerAxes(const Product &product, const View &view, const View &other) {
    int balance = 0;
    for (unsigned axis = Outer; axis < Outer + product.numOuter; ++axis)
      balance += bool(other.strides[axis]) - bool(view.strides[axis]);
    return balance > 0 || (balance == 0 && view.stride(Column) && !view.isDense(Column));
  }

  /// Whether all of the kept operand fits the cache that `most` of its rows or columns fit.
  bool fitsCache(const Product &product, int64_t most, unsigned axis) {
    int64_t total = constantOf(product.sizes[axis]).value_or(most + 1);
    for (unsigned other : outer)
      total *= constantOf(product.sizes[other]).value_or(most + 1);
    return total <= most;
  }

  /// Moves all axes inside, in the order of the result's memory, which is then written
  /// sequentially.
  void putInside(const Product &product) {
    packedAxes = outer;
    inner.insert(inner.begin(), outer.begin(), outer.end());
    outer.clear();
    auto strideOf = [&](unsigned axis) { return *constantOf(product.result.strides[axis]); };
    if (llvm::all_of(inner, [&](unsigned axis) {
          return constantOf(product.result.strides[axis]).has_value();
        }))
      llvm::stable_sort(inner, [&](unsigned x, unsigned y) { return strideOf(x) > strideOf(y); });
  }

  bool hasManyParts() {
    std::optional<int64_t> known = constantOf(columns);
    return packs && known && schedule.width && *known >= minParallel * schedule.width;
  }

  /// The outermost axis with enough iterations, or else the one with the most.
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
    Value least =
        larger(b, enough, larger(b, ceilDivide(b, size, index(b, wantedAxisChunks)), one));
    Value chunk = ceilDivide(b, size, larger(b, ceilDivide(b, size, least), one));
    if (parallelAxis == Row)
      chunk = roundUp(b, chunk, schedule.rows);
    chunk = larger(b, smaller(b, chunk, size), one);
    inParallel(b, ceilDivide(b, size, chunk), 1, [&](Value number) {
      Part part = partOf(size, multiply(b, number, chunk), chunk);
      body(product.part(b, parallelAxis, part.begin, part.size));
    });
  }

  /// All parts have one size if it is known to divide the whole.
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
    if (parallelAxis == Column)
      return emitPackedParts(product);
    Product ready = product;
    if (packs)
      ready.rhs = emitPacking(product);
    if (llvm::is_contained(outer, parallelAxis))
      emitParts(ready);
    else
      inChunks(ready, [&](const Product &part) { emitParts(part); });
    if (packs)
      memref::DeallocOp::create(b, ready.rhs.memory);
  }

  void emitPackedParts(const Product &product) {
    Value width = index(b, llvm::alignTo(schedule.width, schedule.columns()));
    inParallel(b, ceilDivide(b, columns, width), 1, [&](Value number) {
      Part part = partOf(columns, multiply(b, number, width), width);
      DirectKernel kernel(*this);
      kernel.columns = part.size;
      Product ready = product.part(b, Column, part.begin, part.size);
      ready.rhs = kernel.emitPacking(ready);
      kernel.emitParts(ready);
      memref::DeallocOp::create(b, ready.rhs.memory);
    });
  }

  //===- Packing ------------------------------------------------------------------------------===//

  /// The elements of a panel, plus room for packing to write beyond its last k.
  Value panelSize() { return packing.panelSize(add(b, depth, schedule.lanes)); }

  /// The packed rhs, panel by panel, seen from the first one.
  View packedView(const Product &product) {
    View view = product.rhs;
    view.widening = core::Widening::None;
    view.offset = index(b, 0);
    view.strides.assign(view.strides.size(), Value());
    SmallVector<unsigned> axes = product.depthAxes();
    for (size_t i = 0; i < axes.size(); ++i)
      view.strides[axes[i]] = stepOf(product, ArrayRef(axes).drop_front(i + 1));
    view.strides[Column] = index(b, 1);
    Value size = multiply(b, ceilDivide(b, columns, index(b, schedule.columns())), panelSize());
    for (unsigned axis : llvm::reverse(packedAxes)) {
      view.strides[axis] = size;
      size = multiply(b, size, product.sizes[axis]);
    }
    auto type = MemRefType::get({ShapedType::kDynamic}, product.element());
    view.memory = memref::AllocOp::create(b, type, ValueRange{size});
    return view;
  }

  View emitPacking(const Product &product) {
    View packed = packedView(product);
    packAxes(product, product.rhs, packed, packedAxes,
             /*isParallel=*/parallelAxis != Column && !llvm::is_contained(outer, parallelAxis));
    return packed;
  }

  /// Packs along the axes; the outermost loop is parallel.
  void packAxes(const Product &product, const View &from, const View &to, ArrayRef<unsigned> axes,
                bool isParallel) {
    auto inLoop = [&](Value count, Body body) {
      if (isParallel)
        return inParallel(b, count, 1, body);
      forEach(b, index(b, 0), count, index(b, 1), body);
    };
    if (!axes.empty())
      return inLoop(product.sizes[axes.front()], [&](Value i) {
        packAxes(product, from.from(b, axes.front(), i), to.from(b, axes.front(), i),
                 axes.drop_front(), /*isParallel=*/false);
      });
    inLoop(ceilDivide(b, columns, index(b, schedule.columns())), [&](Value panel) {
      Value column = multiply(b, panel, schedule.columns());
      View target = to;
      target.offset = add(b, to.offset, multiply(b, panel, panelSize()));
      packDepth(product, product.depthAxes(), from.from(b, Column, column), target,
                subtract(b, columns, column));
    });
  }

  void packDepth(const Product &product, ArrayRef<unsigned> axes, const View &from, const View &to,
                 Value columnsLeft) {
    if (from.isDepthFlat || axes.size() == 1)
      return packing.emitAt(to.memory, to.offset, from, columnsLeft,
                            from.isDepthFlat ? depth : product.sizes[Depth]);
    forEach(b, index(b, 0), product.sizes[axes.front()], index(b, 1), [&](Value i) {
      packDepth(product, axes.drop_front(), from.from(b, axes.front(), i),
                to.from(b, axes.front(), i), columnsLeft);
    });
  }

  /// The packed elements of one iteration around these axes of depth.
  Value stepOf(const Product &product, ArrayRef<unsigned> axes) {
    Value step = index(b, schedule.columns());
    for (unsigned axis : axes)
      step = multiply(b, step, product.sizes[axis]);
    return step;
  }

  View panelOf(const Product &product, Value column) {
    if (!packs)
      return product.rhs.from(b, Column, column);
    View panel = product.rhs;
    Value number = divide(b, column, index(b, schedule.columns()));
    panel.offset = add(b, panel.offset, multiply(b, number, panelSize()));
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
        lookAhead(product, place);
        View lhs = product.lhs.from(b, Row, place.row).from(b, Column, column);
        RegisterTile(b, product, schedule).emitDirect(place, lhs, rhs);
      });
    });
  }

  /// Sets prefetch distances. Tiles of the innermost loop share most of what they read; the loop
  /// around it moves to other memory.
  void lookAhead(const Product &product, TilePlace &place) {
    if (inner.size() < 2 || !isNear(product))
      return;
    unsigned axis = inner[inner.size() - 2];
    place.resultAhead = (product.finish ? product.output : product.result).strides[axis];
    (isRhsKept ? place.lhsAhead : place.rhsAhead) =
        (isRhsKept ? product.lhs : product.rhs).strides[axis];
  }

  /// Whether the data of the innermost loop stays in the cache until it is needed again.
  bool isNear(const Product &product) {
    auto sizeOf = [&](unsigned axis) {
      return constantOf(product.sizes[axis]).value_or(maxAhead + 1);
    };
    int64_t results = sizeOf(Row) * sizeOf(Column) * sizeOf(inner.back());
    int64_t windows = sizeOf(isRhsKept ? Row : Column) * sizeOf(product.depthAxes().front()) *
                      sizeOf(inner.back());
    return results <= maxAhead && windows <= maxAhead;
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
  Value rows, columns, depth; ///< The product of all depth loops.
  SmallVector<unsigned> outer, inner;
  SmallVector<unsigned> packedAxes; ///< The axes inside the packed rhs.
  unsigned parallelAxis;
  bool isRhsKept, packs;
};

} // namespace

void cpu::emitDirectKernel(KernelBuilder &b, const Product &product,
                           const schedule::Contraction &schedule) {
  DirectKernel(b, product, schedule).emit(product);
}
