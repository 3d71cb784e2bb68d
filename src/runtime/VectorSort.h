/// Highway's vqsort, compiled for several processors. It is not stable: equal keys must be
/// identical.
#ifndef TESSERA_RUNTIME_VECTORSORT_H
#define TESSERA_RUNTIME_VECTORSORT_H

#include <cstdint>

namespace tessera::runtime {

/// A key in the upper half and a number in the lower half: the numbers make all keys different.
struct alignas(16) NumberedKey {
  uint64_t number, key;
};

/// Sorts in ascending order.
struct VectorSort {
  void (*i32)(int32_t *, int64_t);
  void (*i64)(int64_t *, int64_t);
  void (*numbered)(NumberedKey *, int64_t);
};

/// The version for this processor.
const VectorSort &vectorSort();

} // namespace tessera::runtime

#endif
