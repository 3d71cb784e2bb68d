/// libxsmm: kernels that it makes for one small product, called in a loop.
#include "Serve.h"
#include <libxsmm.h>

using namespace tessera::bench;

namespace {

/// libxsmm is told of the rows as columns, and of both operands in the other order.
libxsmm_smmfunction kernelFor(int64_t m, int64_t n, int64_t k) {
  float one = 1, zero = 0;
  return libxsmm_smmdispatch(n, m, k, nullptr, nullptr, nullptr, &one, &zero, nullptr, nullptr);
}

Answer batch(Request &r) {
  int64_t m = r.kernel.sizes[0], n = r.kernel.sizes[1], k = r.kernel.sizes[2];
  auto kernel = kernelFor(m, n, k);
  if (!kernel)
    return {.failure = "libxsmm has no kernel of this size"};
  return {[=, &r] {
    const Operands &o = r.operands;
    inRanges(r.kernel.sizes.size() > 3 ? r.kernel.sizes[3] : 1, r.threads,
             [&](int64_t begin, int64_t end) {
               for (int64_t i = begin; i < end; ++i)
                 kernel(o.in(1) + i * k * n, o.in(0) + i * m * k, o.out() + i * m * n);
             });
  }};
}

/// The weights of the last axis, turned: libxsmm cannot do that on the way.
const float *turned(const float *weights, int64_t rows, int64_t columns) {
  float *copy = allocateFloats(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      copy[j * rows + i] = weights[i * columns + j];
  return copy;
}

/// All three steps for one row of x after the other, so that what is between them stays in cache.
Answer kronecker(Request &r) {
  int64_t m = r.kernel.sizes[0], d = r.kernel.sizes[1], n = r.kernel.sizes[2];
  auto last = kernelFor(n, d, n), middle = kernelFor(d, d, n), first = kernelFor(d, d * d, n);
  if (!last || !middle || !first)
    return {.failure = "libxsmm has no kernel of these sizes"};
  const float *w2 = turned(r.operands.in(2), d, n);
  float *xw2 = allocateFloats(m * n * n * d), *xw1 = allocateFloats(m * n * d * d);
  return {[=, &r] {
    const Operands &o = r.operands;
    inRanges(m, r.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        for (int64_t j = i * n; j < (i + 1) * n; ++j) {
          last(w2, o.in(3) + j * n * n, xw2 + j * n * d);
          middle(xw2 + j * n * d, o.in(1), xw1 + j * d * d);
        }
        first(xw1 + i * n * d * d, o.in(0), o.out() + i * d * d * d);
      }
    });
  }};
}

Answer prepare(Request &r) {
  return r.kernel.family == Family::kronecker3 ? kronecker(r) : batch(r);
}

bool supports(Family family) {
  return family == Family::tbmm || family == Family::kronecker3;
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {supports, prepare});
}
