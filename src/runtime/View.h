/// Arithmetic on views: sizes, strides, copies.
#ifndef TESSERA_RUNTIME_VIEW_H
#define TESSERA_RUNTIME_VIEW_H

#include "tessera/runtime.h"
#include <cstddef>

namespace tessera::runtime {

/// NumPy's names, "float32", "bool"...; also "bfloat16".
struct TypeName {
  char text[32];
};
TypeName nameOf(tessera_dtype dtype);

inline bool operator==(tessera_dtype a, tessera_dtype b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline int64_t elementBytes(tessera_dtype dtype) {
  return (dtype.bits * dtype.lanes + 7) / 8;
}

/// The number of elements of checked sizes.
int64_t numElements(const tessera_view &view);

/// The bytes of a gapless tensor; false if they do not fit in 63 bits. Sizes must not be negative.
bool countBytes(int32_t ndim, const int64_t *shape, int64_t elementSize, int64_t &bytes);

/// A stride in elements, also if the view has none because it is row-major.
int64_t strideOf(const tessera_view &view, int32_t dim);

/// Elements follow each other along the last dimension, or along the first one.
void fillRowMajorStrides(int32_t ndim, const int64_t *shape, int64_t *strides);
void fillColumnMajorStrides(int32_t ndim, const int64_t *shape, int64_t *strides);

/// Whether elements follow each other in row-major order; sizes of 0 and 1 need no stride.
bool isRowMajor(int32_t ndim, const int64_t *shape, const int64_t *strides);

/// Memory with strides in elements.
struct Strided {
  void *data;
  const int64_t *strides;
};

/// Copies each element of a tensor; source and destination must not overlap.
void copyElements(Strided to, Strided from, int32_t ndim, const int64_t *shape,
                  int64_t elementSize);

} // namespace tessera::runtime

#endif
