/// libxsmm: functions that it generates for one small product, called in a loop.
#include "Serve.h"
#include <atomic>
#include <libxsmm.h>

using namespace tessera::bench;

namespace {

/// libxsmm is column-major, so it gets both operands exchanged, and rows as columns.
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

/// The weights of the last axis, transposed: libxsmm cannot transpose them on the fly.
const float *turned(const float *weights, int64_t rows, int64_t columns) {
  float *copy = allocateFloats(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      copy[j * rows + i] = weights[i * columns + j];
  return copy;
}

/// All three steps for one row of x at a time, so that the temporaries stay in cache.
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

//===-- Column-major, for the tinytc kernels ------------------------------===//

struct Gemm {
  int64_t m, n, k;
  bool isRhsTurned = false;
  int beta = 0;
};

template <typename T> auto dispatch(const Gemm &g) {
  T one = 1, beta = g.beta;
  int lda = g.m, ldb = g.isRhsTurned ? g.n : g.k, ldc = g.m;
  int flags = g.isRhsTurned ? LIBXSMM_GEMM_FLAG_TRANS_B : LIBXSMM_GEMM_FLAG_NONE;
  if constexpr (sizeof(T) == 4)
    return libxsmm_smmdispatch(g.m, g.n, g.k, &lda, &ldb, &ldc, &one, &beta, &flags, nullptr);
  else
    return libxsmm_dmmdispatch(g.m, g.n, g.k, &lda, &ldb, &ldc, &one, &beta, &flags, nullptr);
}

constexpr const char *noKernel = "libxsmm has no kernel of this size";

template <typename T> Answer products(Request &r, bool isRhsTurned) {
  const auto &s = r.kernel.sizes;
  int64_t m = s[0], n = s[1], k = s[2];
  auto kernel = dispatch<T>({m, n, k, isRhsTurned, int(s[4])});
  if (!kernel)
    return {.failure = noKernel};
  return {[=, &r] {
    const Operands &o = r.operands;
    inRanges(r.shape.groups, r.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        kernel(o.in<T>(0) + i * m * k, o.in<T>(1) + i * k * n, o.out<T>() + i * m * n);
    });
  }};
}

/// The steps of a group, which get the group's number and memory for its temporaries, shared by all
/// groups of a thread. `apart`: each group has separate temporaries, and each step runs for all
/// groups before the next.
template <int64_t size, typename... Steps> Answer steps(Request &r, Steps... all) {
  bool isApart = r.variant == "apart";
  float *memory = isApart ? allocateFloats(size * r.shape.groups) : nullptr;
  return {[=, &r] {
    inRanges(r.shape.groups, r.threads, [&](int64_t begin, int64_t end) {
      auto forEach = [&](auto &step) {
        for (int64_t i = begin; i < end; ++i)
          step(i, memory + i * size);
      };
      if (isApart)
        return (forEach(all), ...);
      alignas(64) float shared[size];
      for (int64_t i = begin; i < end; ++i)
        (all(i, shared), ...);
    });
  }};
}

Answer fused(Request &r) {
  auto first = dispatch<float>({16, 8, 8, true}), second = dispatch<float>({16, 16, 8, false, 1});
  if (!first || !second)
    return {.failure = noKernel};
  const Operands &o = r.operands;
  return steps<16 * 8>(
      r, [=, &o](int64_t i, float *t) { first(o.in(0) + i * 16 * 8, o.in(1), t); },
      [=, &o](int64_t i, float *t) { second(t, o.in(2), o.out() + i * 16 * 16); });
}

Answer chain(Request &r) {
  auto first = dispatch<float>({20, 9, 20}), second = dispatch<float>({20, 9, 9}),
       third = dispatch<float>({20, 9, 20, false, 1});
  if (!first || !second || !third)
    return {.failure = noKernel};
  constexpr int64_t size = 20 * 9;
  const Operands &o = r.operands;
  return steps<2 * size>(
      r, [=, &o](int64_t i, float *t) { first(o.in(0), o.in(1) + i * size, t); },
      [=, &o](int64_t i, float *t) { second(t, o.in(2), t + size); },
      [=, &o](int64_t i, float *t) { third(o.in(3), t + size, o.out() + i * size); });
}

using BlockKernel = libxsmm_dmmfunction;

/// Functions for all sizes of blocks, by m, n and k.
struct BlockKernels {
  BlockKernel all[taskSizes[2] + 1][taskSizes[2] + 1][taskSizes[2] + 1] = {};

  explicit BlockKernels(int beta) {
    for (int64_t m : taskSizes)
      for (int64_t n : taskSizes)
        for (int64_t k : taskSizes)
          all[m][n][k] = dispatch<double>({m, n, k, true, beta});
  }
};

void addAtomically(double *to, const double *from, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::atomic_ref(to[i]).fetch_add(from[i], std::memory_order_relaxed);
}

/// One thread adds to the result as it multiplies; two threads have separate blocks, which they
/// then add to the result.
Answer tasks(Request &r) {
  static const BlockKernels direct(1), apart(0);
  return {[&r] {
    const Operands &o = r.operands;
    inRanges(r.shape.groups, r.threads, [&](int64_t begin, int64_t end) {
      alignas(64) double block[taskBlock];
      for (int64_t i = begin; i < end; ++i) {
        const int32_t *t = o.in<int32_t>(0) + 6 * i;
        const double *a = o.in<double>(1) + t[3], *b = o.in<double>(2) + t[4];
        double *c = o.out<double>() + t[5];
        if (r.threads == 1) {
          direct.all[t[0]][t[1]][t[2]](a, b, c);
          continue;
        }
        apart.all[t[0]][t[1]][t[2]](a, b, block);
        addAtomically(c, block, t[0] * t[1]);
      }
    });
  }};
}

Answer prepare(Request &r) {
  switch (r.kernel.family) {
  case Family::kronecker3:
    return kronecker(r);
  case Family::tiny_nn_f32:
    return products<float>(r, false);
  case Family::tiny_nt_f32:
    return products<float>(r, true);
  case Family::tiny_nn_f64:
    return products<double>(r, false);
  case Family::tiny_nt_f64:
    return products<double>(r, true);
  case Family::tiny_fused:
    return fused(r);
  case Family::tiny_chain:
    return chain(r);
  case Family::tiny_tasks:
    return tasks(r);
  default:
    return batch(r);
  }
}

bool supports(Family family) {
  switch (family) {
  case Family::tbmm:
  case Family::kronecker3:
  case Family::tiny_nn_f32:
  case Family::tiny_nt_f32:
  case Family::tiny_nn_f64:
  case Family::tiny_nt_f64:
  case Family::tiny_fused:
  case Family::tiny_chain:
  case Family::tiny_tasks:
    return true;
  default:
    return false;
  }
}

/// Kernels with steps support `apart`.
bool has(Family family, const std::string &variant) {
  return variant.empty() || family == Family::tiny_fused || family == Family::tiny_chain;
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {supports, [](Request &r) {
                              return has(r.kernel.family, r.variant) ? prepare(r) : Answer();
                            }});
}
