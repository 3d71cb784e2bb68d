/// Whether a strided array lies inside a vector.
#include "runtime/ThreadState.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

int64_t numberAt(const void *numbers, int64_t index) {
  int64_t number;
  memcpy(&number, static_cast<const char *>(numbers) + index * 8, 8);
  return number;
}

/// The lowest and the highest index; false if a number is too large.
struct Extent {
  int64_t lowest, highest;

  bool widen(int64_t size, int64_t stride) {
    int64_t distance;
    if (__builtin_mul_overflow(size - 1, stride, &distance))
      return false;
    int64_t &end = distance < 0 ? lowest : highest;
    return !__builtin_add_overflow(end, distance, &end);
  }
};

} // namespace

int64_t tessera_rt_count_strided(const void *shape, int64_t num_sizes, const void *strides,
                                 int64_t num_strides, int64_t start, int64_t count,
                                 const tessera_site *site) {
  if (num_sizes != num_strides)
    trapAt(site, "%lld sizes, but %lld strides", (long long)num_sizes, (long long)num_strides);
  int64_t total = 1;
  Extent extent{start, start};
  bool fits = true, isEmpty = false;
  for (int64_t dim = 0; dim < num_sizes; ++dim) {
    int64_t size = numberAt(shape, dim);
    if (size < 0)
      trapAt(site, "a size of %lld", (long long)size);
    isEmpty = isEmpty || size == 0;
    fits = fits && extent.widen(size, numberAt(strides, dim)) &&
           !__builtin_mul_overflow(total, size, &total);
  }
  if (isEmpty)
    return 0;
  if (!fits)
    trapAt(site, "too many elements, or too far apart");
  if (extent.lowest < 0 || extent.highest >= count)
    trapAt(site, "elements from %lld to %lld of a vector of %lld", (long long)extent.lowest,
           (long long)extent.highest, (long long)count);
  return total;
}
