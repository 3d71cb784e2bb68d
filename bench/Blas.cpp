#include "Blas.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace tessera::bench;

namespace {

/// cblas_sgemm and cblas_dgemm, with CBLAS's numbers for row-major and for transposition.
template <typename T>
using Function = void (*)(int, int, int, int, int, int, T, const T *, int, const T *, int, T, T *,
                          int);
constexpr int rowMajor = 101, asItIs = 111, transposed = 112;

/// Loaded late: OpenBLAS chooses its kernels when it is loaded, and takes the slowest for a CPU
/// whose model it does not know, unless it is told.
void *library() {
  static void *found = [] {
    setenv("OPENBLAS_CORETYPE", "Cooperlake", /*overwrite=*/0);
    return dlopen("libopenblas.so.0", RTLD_NOW);
  }();
  return found;
}

template <typename F> F function(const char *name) {
  return reinterpret_cast<F>(dlsym(library(), name));
}

template <typename T> void call(Function<T> gemm, const Gemm<T> &p) {
  gemm(rowMajor, asItIs, p.isRhsTransposed ? transposed : asItIs, p.m, p.n, p.k, 1, p.lhs, p.k,
       p.rhs, p.isRhsTransposed ? p.k : p.n, 0, p.result, p.n);
}

} // namespace

bool tessera::bench::hasBlas() {
  return library();
}

void tessera::bench::setBlasThreads(int threads) {
  static auto set = function<void (*)(int)>("openblas_set_num_threads");
  set(threads);
}

void tessera::bench::run(const Gemm<float> &product) {
  static auto gemm = function<Function<float>>("cblas_sgemm");
  call(gemm, product);
}

void tessera::bench::run(const Gemm<double> &product) {
  static auto gemm = function<Function<double>>("cblas_dgemm");
  call(gemm, product);
}
