/// The elements of a view in row-major order, with any strides.
#ifndef TESSERA_CLI_ELEMENTS_H
#define TESSERA_CLI_ELEMENTS_H

#include "cli/Tensor.h"

namespace tessera::cli {

inline llvm::ArrayRef<int64_t> shapeOf(const tessera_view &view) {
  return {view.shape, static_cast<size_t>(view.ndim)};
}

/// Strides in elements; computed if the view has none.
inline llvm::SmallVector<int64_t, 4> stridesOf(const tessera_view &view) {
  if (view.strides)
    return {view.strides, view.strides + view.ndim};
  llvm::SmallVector<int64_t, 4> strides(view.ndim, 1);
  for (int i = view.ndim - 1; i > 0; --i)
    strides[i - 1] = strides[i] * view.shape[i];
  return strides;
}

/// A view in which complex numbers are two elements each, along a last dimension; any other as it
/// is.
class Parts {
public:
  explicit Parts(const tessera_view &view);
  tessera_view view() const {
    tessera_view view = whole;
    view.shape = const_cast<int64_t *>(shape.data());
    view.strides = const_cast<int64_t *>(strides.data());
    return view;
  }

private:
  tessera_view whole;
  llvm::SmallVector<int64_t, 4> shape, strides;
};

template <typename T> const T *firstElement(const tessera_view &view) {
  return reinterpret_cast<const T *>(static_cast<const char *>(view.data) + view.byte_offset);
}

/// Advances `index` in row-major order; false after the last element.
inline bool nextIndex(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape) {
  for (size_t i = index.size(); i-- > 0;) {
    if (++index[i] < shape[i])
      return true;
    index[i] = 0;
  }
  return false;
}

/// Calls visit(index, element) for each.
template <typename T, typename Visitor>
void forEachElement(const tessera_view &view, Visitor visit) {
  llvm::ArrayRef<int64_t> shape = shapeOf(view);
  if (*countElements(shape) == 0)
    return;
  llvm::SmallVector<int64_t, 4> strides = stridesOf(view), index(view.ndim, 0);
  do {
    int64_t offset = 0;
    for (int i = 0; i < view.ndim; ++i)
      offset += index[i] * strides[i];
    visit(llvm::ArrayRef<int64_t>(index), firstElement<T>(view)[offset]);
  } while (nextIndex(index, shape));
}

inline Parts::Parts(const tessera_view &view)
    : whole(view), shape(shapeOf(view)), strides(stridesOf(view)) {
  if (view.dtype.code != TESSERA_COMPLEX)
    return;
  for (int64_t &stride : strides)
    stride *= 2;
  shape.push_back(2);
  strides.push_back(1);
  whole.ndim += 1;
  whole.dtype = {TESSERA_FLOAT, uint8_t(view.dtype.bits / 2), 1};
}

} // namespace tessera::cli

#endif
