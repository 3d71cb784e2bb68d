/// Arithmetic on views.
#include "runtime/View.h"
#include <cstdio>
#include <cstring>

using namespace tessera::runtime;

TypeName tessera::runtime::nameOf(tessera_dtype dtype) {
  static constexpr const char *kinds[] = {"int", "uint", "float", "handle", "bfloat", "complex"};
  TypeName name;
  if (dtype.code == TESSERA_BOOL && dtype.bits == 8)
    snprintf(name.text, sizeof name.text, "bool");
  else if (dtype.code < 6)
    snprintf(name.text, sizeof name.text, "%s%d", kinds[dtype.code], dtype.bits);
  else
    snprintf(name.text, sizeof name.text, "type code %d, %d bits", dtype.code, dtype.bits);
  size_t length = strlen(name.text);
  if (dtype.lanes != 1)
    snprintf(name.text + length, sizeof name.text - length, "x%d", dtype.lanes);
  return name;
}

/// The sizes of an empty tensor may have a product beyond 64 bits. Its strides do not matter: they
/// wrap.
static int64_t times(int64_t stride, int64_t size) {
  return int64_t(uint64_t(stride) * uint64_t(size));
}

int64_t tessera::runtime::numElements(const tessera_view &view) {
  int64_t count = 1;
  for (int32_t dim = 0; dim < view.ndim; ++dim)
    count = times(count, view.shape[dim]);
  return count;
}

bool tessera::runtime::countBytes(int32_t ndim, const int64_t *shape, int64_t elementSize,
                                  int64_t &bytes) {
  bytes = elementSize;
  // An empty tensor has no bytes, however large its other sizes are.
  for (int32_t dim = 0; dim < ndim; ++dim)
    if (shape[dim] == 0)
      return bytes = 0, true;
  for (int32_t dim = 0; dim < ndim; ++dim)
    if (__builtin_mul_overflow(bytes, shape[dim], &bytes))
      return false;
  return true;
}

int64_t tessera::runtime::strideOf(const tessera_view &view, int32_t dim) {
  if (view.strides)
    return view.strides[dim];
  int64_t stride = 1;
  for (int32_t inner = view.ndim - 1; inner > dim; --inner)
    stride = times(stride, view.shape[inner]);
  return stride;
}

void tessera::runtime::fillRowMajorStrides(int32_t ndim, const int64_t *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t dim = ndim - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    stride = times(stride, shape[dim]);
  }
}

void tessera::runtime::fillColumnMajorStrides(int32_t ndim, const int64_t *shape,
                                              int64_t *strides) {
  int64_t stride = 1;
  for (int32_t dim = 0; dim < ndim; ++dim) {
    strides[dim] = stride;
    stride = times(stride, shape[dim]);
  }
}

bool tessera::runtime::isRowMajor(int32_t ndim, const int64_t *shape, const int64_t *strides) {
  int64_t stride = 1;
  bool ordered = true;
  for (int32_t dim = ndim - 1; dim >= 0; --dim) {
    if (shape[dim] == 0)
      return true;
    ordered &= shape[dim] == 1 || strides[dim] == stride;
    stride = times(stride, shape[dim]);
  }
  return ordered;
}

/// One line of elements; with a size known to the compiler, memcpy becomes a load and a store.
template <size_t size>
static void copyLine(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t count) {
  for (int64_t index = 0; index < count; ++index)
    memcpy(to + index * toStep, from + index * fromStep, size);
}

static void copyLine(Strided to, Strided from, int64_t count, int64_t size) {
  auto *target = static_cast<char *>(to.data), *source = static_cast<char *>(from.data);
  int64_t toStep = to.strides[0] * size, fromStep = from.strides[0] * size;
  if (toStep == size && fromStep == size)
    memcpy(target, source, count * size);
  else if (size == 1)
    copyLine<1>(target, toStep, source, fromStep, count);
  else if (size == 2)
    copyLine<2>(target, toStep, source, fromStep, count);
  else if (size == 4)
    copyLine<4>(target, toStep, source, fromStep, count);
  else if (size == 8)
    copyLine<8>(target, toStep, source, fromStep, count);
  else
    copyLine<16>(target, toStep, source, fromStep, count);
}

void tessera::runtime::copyElements(Strided to, Strided from, int32_t ndim, const int64_t *shape,
                                    int64_t elementSize) {
  if (ndim == 0) {
    memcpy(to.data, from.data, elementSize);
    return;
  }
  if (ndim == 1)
    return shape[0] ? copyLine(to, from, shape[0], elementSize) : void();
  for (int64_t index = 0; index < shape[0]; ++index) {
    auto *target = static_cast<char *>(to.data) + index * to.strides[0] * elementSize;
    auto *source = static_cast<char *>(from.data) + index * from.strides[0] * elementSize;
    copyElements({target, to.strides + 1}, {source, from.strides + 1}, ndim - 1, shape + 1,
                 elementSize);
  }
}
