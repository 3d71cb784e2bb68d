/// Highway's vqsort, compiled for several processors. Not stable: what is equal must look the same.
#ifndef TESSERA_RUNTIME_VECTORSORT_H
#define TESSERA_RUNTIME_VECTORSORT_H

#include <cstdint>

namespace tessera::runtime {

/// A key above and a number below: the numbers make all different.
struct alignas(16) NumberedKey {
  uint64_t number, key;
};

/// Ascending.
struct VectorSort {
  void (*i32)(int32_t *, int64_t);
  void (*i64)(int64_t *, int64_t);
  void (*numbered)(NumberedKey *, int64_t);
};

/// The one for this processor.
const VectorSort &vectorSort();

} // namespace tessera::runtime

#endif
