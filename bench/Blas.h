/// OpenBLAS, as a peer.
#ifndef TESSERA_BENCH_BLAS_H
#define TESSERA_BENCH_BLAS_H

#include <cstdint>

namespace tessera::bench {

/// Row-major matrices without gaps: result = lhs x rhs, of m x k and k x n, or n x k where `rhs` is
/// transposed.
template <typename T> struct Gemm {
  int64_t m, n, k;
  const T *lhs, *rhs;
  T *result;
  bool isRhsTransposed = false;
};

/// False where there is no OpenBLAS here.
bool hasBlas();
void setBlasThreads(int threads);
void run(const Gemm<float> &product);
void run(const Gemm<double> &product);

} // namespace tessera::bench

#endif
