/// A contraction on buffers, ready for the emitters: memory seen along the axes of a kernel.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_PRODUCT_H
#define TESSERA_BACKEND_CPU_CONTRACTION_PRODUCT_H

#include "backend/cpu/Arithmetic.h"
#include "schedule/LoopGroups.h"

namespace tessera::cpu {

/// The kernel's own three, and the first of those around it.
enum Axis : unsigned { Row, Column, Depth, Outer };

/// The `size` indices of an axis that follow `begin`.
struct Part {
  Value begin, size;
};

/// Element (i, j, k...) is at offset + the sum of index times stride.
struct View {
  Value memory; ///< A buffer of one dimension, from the block's start.
  Value offset;
  mlir::SmallVector<Value> strides; ///< One an axis; null where all indices see the same.
  core::Widening widening = core::Widening::None;
  /// All of depth is one axis here: the next iteration of an outer loop of it follows on the last
  /// one of the inner.
  bool isDepthFlat = false;

  mlir::Type element() const;
  bool isDense(Axis axis) const;
  Value stride(Axis axis) const { return strides[axis]; }
  /// The view from index `i` of an axis on.
  View from(KernelBuilder &b, unsigned axis, Value i) const;
};

/// One value an element, of views and scalars: what accumulators start with, or what becomes of
/// the sums. The last operation of `block` yields it.
struct ElementBody {
  mlir::Block *block = nullptr;
  /// One an argument of the block: a view, or a scalar. The sum itself has neither.
  struct Input {
    std::optional<View> view;
    Value scalar;
    bool isSum = false;
  };
  mlir::SmallVector<Input> inputs;
  /// What the block uses from outside, and what it stands for here.
  mlir::SmallVector<std::pair<Value, Value>> captured;

  explicit operator bool() const { return block; }
};

struct Product {
  mlir::SmallVector<Value> sizes; ///< One an axis.
  unsigned numOuter = 0;          ///< Axes from Outer on that are independent; behind them depth.
  View lhs, rhs, result;
  core::Accumulation accumulation = core::Accumulation::Fused;
  ElementBody start;  ///< None: the accumulators start with what the result holds.
  ElementBody finish; ///< None: the sums are stored in the result.
  View output;        ///< Where `finish` goes.
  /// Nobody reads the sums but `finish`.
  bool dropsSums = false;
  /// Whether the result is written past the caches; null: never.
  Value streams = {};

  mlir::Type element() const { return result.element(); }
  /// What the kernel's code depends on besides the values that it is given.
  std::string structure() const;
  /// Calls `change` with each value that the kernel is given.
  void forEachValue(llvm::function_ref<void(Value &)> change);
  /// All views from index `i` of an axis on.
  Product from(KernelBuilder &b, unsigned axis, Value i) const;
  /// The same, with `size` indices of that axis.
  Product part(KernelBuilder &b, unsigned axis, Value begin, Value size) const;
  /// The axes of depth, outermost first.
  mlir::SmallVector<unsigned> depthAxes() const;
};

/// The view of a buffer that each iteration of the loops uses one element of.
View viewOf(KernelBuilder &b, Value buffer, mlir::AffineMap map,
            mlir::ArrayRef<schedule::Group> axes);

/// The loops of a kernel, axis by axis.
mlir::SmallVector<schedule::Group> axesOf(const schedule::LoopGroups &groups);

/// lhs, rhs, result and sizes of a contraction on buffers.
Product productOf(KernelBuilder &b, mlir::linalg::LinalgOp op, const core::Contraction &contraction,
                  const schedule::LoopGroups &groups);

/// An element or a vector of a narrow type as one of `target`'s elements.
Value widen(KernelBuilder &b, Value value, core::Widening widening, mlir::Type target);

/// sum + x * y.
Value multiplyAdd(KernelBuilder &b, core::Accumulation accumulation, Value x, Value y, Value sum);

} // namespace tessera::cpu

#endif
