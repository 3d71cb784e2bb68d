/// For vector registers: copies of parts of the operands, in the order in which register tiles read
/// them.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_PACKING_H
#define TESSERA_BACKEND_CPU_CONTRACTION_PACKING_H

#include "backend/cpu/contraction/RegisterTile.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// A vector along another axis than the columns.
Value loadAlong(KernelBuilder &b, Axis axis, View view, int64_t lanes, Value mask);
Value loadElement(KernelBuilder &b, const View &view);
/// Of a buffer, from an offset on, still without strides; with as many axes as `like`.
View bufferView(KernelBuilder &b, Value buffer, Value offset, const View &like);

/// Parts of the depth are rounded up to it.
inline constexpr int64_t depthMultiple = 8;

/// Slivers: as many rows as a tile has, one sliver behind the other. All distances are constants,
/// so that a tile needs one pointer. Elements are widened.
class LhsPacking {
public:
  LhsPacking(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

  /// Elements of a buffer for so many rows.
  Value bufferSize(Value rows);
  /// Rows behind the last one of the last sliver are that one once more.
  void emit(Value buffer, const View &from, Value rows, Value depth);
  /// From a row on that a sliver begins with.
  View sliver(Value buffer, Value row);

private:
  void emitRow(Value buffer, Value target, const View &row, Value depth);
  void emitAcross(Value buffer, Value row, const View &from, Value rows, Value depth);

  KernelBuilder &b;
  const Product &product;
  const schedule::Contraction &schedule;
  bool isAcross; ///< Rows side by side for each k, not k side by side for each row.
  int64_t rowStride, depthStride, sliverSize;
};

/// Panels: as many columns as a tile has, k by k. Elements are widened. The columns that the last
/// panel has too many hold zeros or those of another column.
class RhsPacking {
public:
  RhsPacking(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule)
      : b(b), product(product), schedule(schedule),
        vectorType(mlir::VectorType::get({schedule.lanes}, product.element())) {}

  /// Elements of a buffer for so many columns.
  Value bufferSize(Value columns, Value depth);
  Value panelSize(Value depth);
  /// Panel number `panel` from what `from` shows; at most `columns` of it exist.
  void emit(Value buffer, Value panel, const View &from, Value columns, Value depth);
  /// The same, to where a part of the depth goes. May write zeros or others behind it, as many k as
  /// a vector has lanes.
  void emitAt(Value buffer, Value target, const View &from, Value columns, Value depth);
  /// The same for a tile to do, some steps at a time; nothing where that does not work.
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
