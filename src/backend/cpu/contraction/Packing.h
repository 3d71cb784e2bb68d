/// Packing for vector registers: copies parts of the operands into the order in which register
/// tiles read them.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_PACKING_H
#define TESSERA_BACKEND_CPU_CONTRACTION_PACKING_H

#include "backend/cpu/contraction/RegisterTile.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// Loads a vector along an axis other than the columns.
Value loadAlong(KernelBuilder &b, Axis axis, View view, int64_t lanes, Value mask);
Value loadElement(KernelBuilder &b, const View &view);
/// A view of a buffer from an offset on, without strides yet; it has as many axes as `like`.
View bufferView(KernelBuilder &b, Value buffer, Value offset, const View &like);

/// Parts of the depth are rounded up to a multiple of this.
inline constexpr int64_t depthMultiple = 8;

/// Slivers have as many rows as a tile and follow each other. All strides are constants, so that a
/// tile needs one pointer. Elements are widened.
class LhsPacking {
public:
  LhsPacking(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

  /// The buffer elements for this many rows.
  Value bufferSize(Value rows);
  /// Rows after the last one of the last sliver repeat it.
  void emit(Value buffer, const View &from, Value rows, Value depth);
  /// The sliver that begins with a row.
  View sliver(Value buffer, Value row);

private:
  void emitRow(Value buffer, Value target, const View &row, Value depth);
  void emitAcross(Value buffer, Value row, const View &from, Value rows, Value depth);

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  bool isAcross; ///< Rows are adjacent for each k, instead of k for each row.
  int64_t rowStride, depthStride, sliverSize;
};

/// Panels have as many columns as a tile, stored k by k. Elements are widened. The excess columns
/// of the last panel hold zeros or copies of other columns.
class RhsPacking {
public:
  RhsPacking(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), product(product), schedule(schedule),
        vectorType(mlir::VectorType::get({schedule.lanes}, product.element())) {}

  /// The buffer elements for this many columns.
  Value bufferSize(Value columns, Value depth);
  Value panelSize(Value depth);
  /// Packs panel number `panel` from `from`; at most `columns` of it exist.
  void emit(Value buffer, Value panel, const View &from, Value columns, Value depth);
  /// The same, to the position of a part of the depth. May write zeros or other values after it, as
  /// many k as a vector has lanes.
  void emitAt(Value buffer, Value target, const View &from, Value columns, Value depth);
  /// The same, to be done by a tile, some steps at a time; nullopt if that is impossible.
  std::optional<PanelPacking> stepwise(Value buffer, Value number, const View &from, Value columns,
                                       Value depth);
  View panel(Value buffer, Value number, Value depth);

private:
  void emitDense(Value buffer, Value target, const View &from, Value columns, Value depth);
  void emitTransposed(Value buffer, Value target, const View &from, Value columns, Value depth);
  bool isNear(const View &from, Value columns, Value depth);
  void emitNear(Value buffer, Value target, const View &from, int64_t columns, int64_t depth);
  void turnSteps(Value buffer, Value target, const View &from, int64_t columns, Value k);
  void emitElements(Value buffer, Value target, const View &from, Value columns, Value depth);

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  mlir::VectorType vectorType;
};

} // namespace tessera::cpu

#endif
