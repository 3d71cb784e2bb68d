/// OpenBLAS, with the loops that its users write around it.
#include "Loops.h"
#include "Serve.h"
#include <algorithm>
#include <bit>
#include <dlfcn.h>

using namespace tessera::bench;

namespace {

/// cblas_sgemm and cblas_dgemm, with CBLAS's constants for row-major order and for transposition.
template <typename T>
using Function = void (*)(int, int, int, int, int, int, T, const T *, int, const T *, int, T, T *,
                          int);
constexpr int rowMajor = 101, columnMajor = 102, asItIs = 111, transposed = 112;

/// Row-major matrices without gaps: result = lhs x rhs, of m x k and k x n, or transposed.
template <typename T> struct Gemm {
  int64_t m, n, k;
  const T *lhs, *rhs;
  T *result;
  bool isRhsTurned = false, isLhsTurned = false;
};

void *library() {
  static void *found = dlopen("libopenblas.so.0", RTLD_NOW);
  return found;
}

template <typename F> F function(const char *name) {
  return reinterpret_cast<F>(dlsym(library(), name));
}

template <typename T> void run(const Gemm<T> &p) {
  static auto gemm = function<Function<T>>(sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm");
  gemm(rowMajor, p.isLhsTurned ? transposed : asItIs, p.isRhsTurned ? transposed : asItIs, p.m, p.n,
       p.k, 1, p.lhs, p.isLhsTurned ? p.m : p.k, p.rhs, p.isRhsTurned ? p.k : p.n, 0, p.result,
       p.n);
}

void setThreads(int threads) {
  function<void (*)(int)>("openblas_set_num_threads")(threads);
}

template <typename T> Answer product(Request &r) {
  setThreads(r.threads);
  bool isRhsTurned = r.kernel.family == Family::tmm || r.kernel.family == Family::c3;
  bool isLhsTurned = r.kernel.family == Family::amm;
  const auto &s = r.kernel.sizes;
  Gemm<T> gemm{
      s[0],        s[1],       s[2], r.operands.in<T>(0), r.operands.in<T>(1), r.operands.out<T>(),
      isRhsTurned, isLhsTurned};
  return {[gemm] { run(gemm); }};
}

float widened(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

/// The same numbers as floats: OpenBLAS has no product of bfloat16 here.
Answer bfloatProduct(Request &r) {
  setThreads(r.threads);
  int64_t m = r.kernel.sizes[0], n = r.kernel.sizes[1], k = r.kernel.sizes[2];
  float *lhs = allocateFloats(m * k), *rhs = allocateFloats(k * n);
  std::transform(r.operands.in<uint16_t>(0), r.operands.in<uint16_t>(0) + m * k, lhs, widened);
  std::transform(r.operands.in<uint16_t>(1), r.operands.in<uint16_t>(1) + k * n, rhs, widened);
  return {[gemm = Gemm<float>{m, n, k, lhs, rhs, r.operands.out()}] { run(gemm); }};
}

/// Products are distributed over the threads; each thread computes whole products.
Answer batch(Request &r) {
  setThreads(1);
  return {[&r] {
    int64_t m = r.kernel.sizes[0], n = r.kernel.sizes[1], k = r.kernel.sizes[2];
    inRanges(r.kernel.sizes[3], r.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        run(Gemm<float>{m, n, k, r.operands.in(0) + i * m * k, r.operands.in(1) + i * k * n,
                        r.operands.out() + i * m * n});
    });
  }};
}

/// Column-major, one product at a time.
template <typename T> Answer products(Request &r) {
  setThreads(1);
  static auto gemm = function<Function<T>>(sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm");
  std::string_view form = factsOf(r.kernel.family).function;
  bool turnsA = form[0] == 't', turnsB = form[1] == 't';
  return {[=, &r] {
    int64_t m = r.kernel.sizes[0], n = r.kernel.sizes[1], k = r.kernel.sizes[2];
    T beta = r.kernel.sizes[4];
    inRanges(r.shape.groups, r.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        gemm(columnMajor, turnsA ? transposed : asItIs, turnsB ? transposed : asItIs, m, n, k, 1,
             r.operands.in<T>(0) + i * m * k, turnsA ? k : m, r.operands.in<T>(1) + i * k * n,
             turnsB ? n : k, beta, r.operands.out<T>() + i * m * n, m);
    });
  }};
}

Answer tallProduct(Request &r) {
  setThreads(r.threads);
  static auto gemm = function<Function<float>>("cblas_sgemm");
  return {[&r] {
    int64_t m = r.kernel.sizes[0], n = r.kernel.sizes[1], k = r.kernel.sizes[2];
    gemm(columnMajor, asItIs, asItIs, m, n, k, 1, r.operands.in(0), m, r.operands.in(1), k, 0,
         r.operands.out(), m);
  }};
}

/// One product for the last axis; for the others, one for each index of the axes before them.
Answer kronecker(Request &r) {
  setThreads(1);
  int64_t m = r.kernel.sizes[0], d = r.kernel.sizes[1], n = r.kernel.sizes[2];
  float *xw2 = allocateFloats(m * n * n * d), *xw1 = allocateFloats(m * n * d * d);
  return {[=, &r] {
    const Operands &o = r.operands;
    inRanges(m, r.threads, [&](int64_t begin, int64_t end) {
      run(Gemm<float>{(end - begin) * n * n, d, n, o.in(3) + begin * n * n * n, o.in(2),
                      xw2 + begin * n * n * d, true});
      for (int64_t i = begin * n; i < end * n; ++i)
        run(Gemm<float>{d, d, n, o.in(1), xw2 + i * n * d, xw1 + i * d * d});
      for (int64_t i = begin; i < end; ++i)
        run(Gemm<float>{d, d * d, n, o.in(0), xw1 + i * n * d * d, o.out() + i * d * d * d});
    });
  }};
}

struct Layer {
  int64_t in, out;
  const float *weights, *bias;
  float *result;
};

/// Products, each followed by one pass over its result; each thread has its own rows.
Answer layers(Request &r) {
  setThreads(1);
  const auto &s = r.kernel.sizes;
  std::vector<Layer> all;
  for (size_t i = 1; i + 1 < s.size(); ++i)
    all.push_back({s[i], s[i + 1], r.operands.in(2 * i - 1), r.operands.in(2 * i),
                   i + 2 == s.size() ? r.operands.out() : allocateFloats(s[0] * s[i + 1])});
  return {[all, &r] {
    inRanges(r.kernel.sizes[0], r.threads, [&](int64_t begin, int64_t end) {
      const float *input = r.operands.in(0) + begin * all[0].in;
      for (const Layer &layer : all) {
        float *result = layer.result + begin * layer.out;
        run(Gemm<float>{end - begin, layer.out, layer.in, input, layer.weights, result, true});
        loops::addBias(result, layer.bias, end - begin, layer.out);
        input = result;
      }
    });
  }};
}

/// Blocks of queries, whose products stay in cache.
Answer attention(Request &r) {
  setThreads(1);
  int64_t m = r.kernel.sizes[0], n = r.kernel.sizes[1], d = r.kernel.sizes[2];
  constexpr int64_t block = 32;
  float *scores = allocateFloats(r.threads * block * n);
  return {[=, &r] {
    const Operands &o = r.operands;
    inParallel(r.threads, [&](int part) {
      float *s = scores + part * block * n;
      for (int64_t i = part * block; i < m; i += block * r.threads) {
        run(Gemm<float>{block, n, d, o.in(0) + i * d, o.in(1), s, true});
        loops::scaledSoftmax(s, block, n, 1 / std::sqrt(float(d)));
        run(Gemm<float>{block, d, n, s, o.in(2), o.out() + i * d});
      }
    });
  }};
}

Answer prepare(Request &r) {
  if (!library())
    return {.failure = "libopenblas.so.0 cannot be loaded"};
  switch (r.kernel.family) {
  case Family::f64_matmul:
    return product<double>(r);
  case Family::bfloat_matmul:
    return bfloatProduct(r);
  case Family::tbmm:
    return batch(r);
  case Family::kronecker3:
    return kronecker(r);
  case Family::mlp1:
  case Family::mlp3:
    return layers(r);
  case Family::attention:
    return attention(r);
  case Family::tiny_nn_f32:
  case Family::tiny_nt_f32:
  case Family::tiny_tn_f32:
  case Family::tiny_tt_f32:
    return products<float>(r);
  case Family::tiny_nn_f64:
  case Family::tiny_nt_f64:
  case Family::tiny_tn_f64:
  case Family::tiny_tt_f64:
    return products<double>(r);
  case Family::tiny_skinny:
    return tallProduct(r);
  default:
    return product<float>(r);
  }
}

bool supports(Family family) {
  switch (family) {
  case Family::matmul:
  case Family::ttl_matmul:
  case Family::skinny:
  case Family::tmm:
  case Family::c3:
  case Family::amm:
  case Family::f64_matmul:
  case Family::bfloat_matmul:
  case Family::tbmm:
  case Family::kronecker3:
  case Family::mlp1:
  case Family::mlp3:
  case Family::attention:
  case Family::tiny_nn_f32:
  case Family::tiny_nt_f32:
  case Family::tiny_tn_f32:
  case Family::tiny_tt_f32:
  case Family::tiny_nn_f64:
  case Family::tiny_nt_f64:
  case Family::tiny_tn_f64:
  case Family::tiny_tt_f64:
  case Family::tiny_skinny:
    return true;
  default:
    return false;
  }
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {supports, prepare});
}
