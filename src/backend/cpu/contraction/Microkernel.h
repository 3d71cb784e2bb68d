/// What the loops of a kernel are built around: how operands are packed, and what computes a tile
/// of the result from them.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_MICROKERNEL_H
#define TESSERA_BACKEND_CPU_CONTRACTION_MICROKERNEL_H

#include "backend/cpu/contraction/RegisterTile.h"
#include <memory>

namespace tessera::cpu {

/// Packed rows of lhs are slivers as high as a tile, packed columns of rhs panels as wide as one.
class Microkernel {
public:
  virtual ~Microkernel() = default;

  /// Of packed operands.
  virtual mlir::Type element() const = 0;

  /// Elements of a buffer for so many rows.
  virtual Value lhsSize(Value rows) = 0;
  /// Rows behind the last one of the last sliver may hold anything.
  virtual void packLhs(Value buffer, const View &from, Value rows, Value depth) = 0;
  /// From a row on that a sliver begins with.
  virtual View sliver(Value buffer, Value row) = 0;

  /// Elements of a buffer for so many columns.
  virtual Value rhsSize(Value columns, Value depth) = 0;
  /// Panel number `panel` from what `from` shows; at most `columns` of it exist.
  virtual void packRhs(Value buffer, Value panel, const View &from, Value columns, Value depth) = 0;
  virtual View panel(Value buffer, Value number, Value depth) = 0;
  /// The same as `packRhs`, for the panel's first tile to do; nothing where that does not work.
  virtual std::optional<PanelPacking> packStepwise(Value buffer, Value panel, const View &from,
                                                   Value columns, Value depth) {
    return std::nullopt;
  }

  /// Memory of its own that a thread hands to its tiles; null where they need none.
  virtual Value makeScratch() { return {}; }
  /// `lhs` and `rhs` are seen from the tile's first row and column, and from the block's first
  /// depth.
  virtual void emitTile(const TilePlace &place, const View &lhs, const View &rhs, Value depth,
                        Value scratch) = 0;
};

/// With vector registers, for all elements.
std::unique_ptr<Microkernel> makeVectorKernel(KernelBuilder &b, const Product &product,
                                              const schedule::Contraction &schedule);
/// With AMX, for what `tileDepth` takes.
std::unique_ptr<Microkernel> makeTileKernel(KernelBuilder &b, const Product &product,
                                            const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
