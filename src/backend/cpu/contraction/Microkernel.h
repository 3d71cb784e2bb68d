/// The micro-kernel inside the tuned loops: how operands are packed, and how a tile of the result
/// is computed from them.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_MICROKERNEL_H
#define TESSERA_BACKEND_CPU_CONTRACTION_MICROKERNEL_H

#include "backend/cpu/contraction/RegisterTile.h"
#include <memory>

namespace tessera::cpu {

/// Packed rows of lhs are slivers as high as a tile, packed columns of rhs panels as wide as a
/// tile.
class Microkernel {
public:
  virtual ~Microkernel() = default;

  /// The element type of packed operands.
  virtual mlir::Type element() const = 0;

  /// The buffer elements for this many rows.
  virtual Value lhsSize(Value rows) = 0;
  /// Rows after the last one of the last sliver may hold anything.
  virtual void packLhs(Value buffer, const View &from, Value rows, Value depth) = 0;
  /// The sliver that begins with a row.
  virtual View sliver(Value buffer, Value row) = 0;

  /// The buffer elements for this many columns.
  virtual Value rhsSize(Value columns, Value depth) = 0;
  /// Packs panel number `panel` from `from`; at most `columns` of it exist.
  virtual void packRhs(Value buffer, Value panel, const View &from, Value columns, Value depth) = 0;
  virtual View panel(Value buffer, Value number, Value depth) = 0;
  /// The same as `packRhs`, to be done by the panel's first tile; nullopt if that is impossible.
  virtual std::optional<PanelPacking> packStepwise(Value buffer, Value panel, const View &from,
                                                   Value columns, Value depth) {
    return std::nullopt;
  }

  /// Memory that a thread passes to its tiles; null if they need none.
  virtual Value makeScratch() { return {}; }
  /// `lhs` and `rhs` begin at the tile's first row and column, and at the block's first depth.
  virtual void emitTile(const TilePlace &place, const View &lhs, const View &rhs, Value depth,
                        Value scratch) = 0;
};

/// With vector registers, for all element types.
std::unique_ptr<Microkernel> makeVectorKernel(KernelBuilder &b, const Product &product,
                                              const schedule::Contraction &schedule);
/// With AMX, for the types that `tileDepth` accepts.
std::unique_ptr<Microkernel> makeTileKernel(KernelBuilder &b, const Product &product,
                                            const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
