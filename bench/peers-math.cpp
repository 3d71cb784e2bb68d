// What g++ makes of a loop over a function: calls of glibc's vector functions (libmvec).
#include <cmath>
#include <cstdint>

#define BENCH_FUNCTION(name, low, high)                                                            \
  extern "C" void peer_##name##_32(const float *x, float *y, int64_t count) {                      \
    _Pragma("omp simd") for (int64_t i = 0; i < count; ++i) y[i] = std::name(x[i]);                \
  }                                                                                                \
  extern "C" void peer_##name##_64(const double *x, double *y, int64_t count) {                    \
    _Pragma("omp simd") for (int64_t i = 0; i < count; ++i) y[i] = std::name(x[i]);                \
  }
#include "Functions.def"
