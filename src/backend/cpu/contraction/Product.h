/// A contraction on buffers, prepared for the emitters: memory as seen along the axes of the tuned
/// loops.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_PRODUCT_H
#define TESSERA_BACKEND_CPU_CONTRACTION_PRODUCT_H

#include "backend/cpu/Arithmetic.h"
#include "schedule/LoopGroups.h"

namespace tessera::cpu {

/// The three axes of the tuned loops, and the first of those around them.
enum Axis : unsigned { Row, Column, Depth, Outer };

/// The `size` indices of an axis from `begin` on.
struct Part {
  Value begin, size;
};

/// Element (i, j, k...) is at offset + the sum of index times stride.
struct View {
  Value memory; ///< A one-dimensional buffer, from the start of the block.
  Value offset;
  mlir::SmallVector<Value> strides; ///< One per axis; null if all indices access the same element.
  core::Widening widening = core::Widening::None;
  /// All depth loops form one axis here: each iteration of an outer depth loop continues where the
  /// inner loop ended.
  bool isDepthFlat = false;

  mlir::Type element() const;
  bool isDense(Axis axis) const;
  Value stride(Axis axis) const { return strides[axis]; }
  /// The view from index `i` of an axis on.
  View from(KernelBuilder &b, unsigned axis, Value i) const;
};

/// A computation of one value per element from views and scalars: the initial value of
/// accumulators, or a function of the sums. The last operation of `block` yields it.
struct ElementBody {
  mlir::Block *block = nullptr;
  /// One per argument of the block: a view or a scalar. For the sum itself, both are empty.
  struct Input {
    std::optional<View> view;
    Value scalar;
    bool isSum = false;
  };
  mlir::SmallVector<Input> inputs;
  /// Values from outside that the block uses, with their replacements here.
  mlir::SmallVector<std::pair<Value, Value>> captured;

  explicit operator bool() const { return block; }
};

struct Product {
  mlir::SmallVector<Value> sizes; ///< One per axis.
  unsigned numOuter = 0;          ///< Independent axes from Outer on; depth axes follow.
  View lhs, rhs, result;
  core::Accumulation accumulation = core::Accumulation::Fused;
  ElementBody start;  ///< Empty: the accumulators start with the contents of the result.
  ElementBody finish; ///< Empty: the sums are stored in the result.
  View output;        ///< Where `finish` is stored.
  /// Only `finish` reads the sums.
  bool dropsSums = false;
  /// Whether the result is written past the caches; null: never.
  Value streams = {};

  mlir::Type element() const { return result.element(); }
  /// Everything the code depends on besides the values passed to it.
  std::string structure() const;
  /// Calls `change` for each value that is passed to the code.
  void forEachValue(llvm::function_ref<void(Value &)> change);
  /// All views from index `i` of an axis on.
  Product from(KernelBuilder &b, unsigned axis, Value i) const;
  /// The same, restricted to `size` indices of that axis.
  Product part(KernelBuilder &b, unsigned axis, Value begin, Value size) const;
  /// The axes of depth, outermost first.
  mlir::SmallVector<unsigned> depthAxes() const;
};

/// The view of the buffer elements that the iterations of the loops use, one each.
View viewOf(KernelBuilder &b, Value buffer, mlir::AffineMap map,
            mlir::ArrayRef<schedule::Group> axes);

/// The groups of loops, axis by axis.
mlir::SmallVector<schedule::Group> axesOf(const schedule::LoopGroups &groups);

/// lhs, rhs, result and sizes of a contraction on buffers.
Product productOf(KernelBuilder &b, mlir::linalg::LinalgOp op, const core::Contraction &contraction,
                  const schedule::LoopGroups &groups);

/// Widens an element or vector to the element type `target`.
Value widen(KernelBuilder &b, Value value, core::Widening widening, mlir::Type target);

/// sum + x * y.
Value multiplyAdd(KernelBuilder &b, core::Accumulation accumulation, Value x, Value y, Value sum);

} // namespace tessera::cpu

#endif
