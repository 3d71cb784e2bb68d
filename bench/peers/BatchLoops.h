/// The tinytc kernels as a user would write them in C++: plain loops over arrays of known sizes,
/// and products of small matrices by Eigen. Matrices are column-major.
#ifndef TESSERA_BENCH_PEERS_BATCHLOOPS_H
#define TESSERA_BENCH_PEERS_BATCHLOOPS_H

#include "Serve.h"
#include <Eigen/Dense>

namespace tessera::bench::batches {

/// The groups of a thread, in order.
template <typename Group> Answer eachGroup(Request &r, Group group) {
  return {[=, &r] {
    inRanges(r.shape.groups, r.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        group(r.operands, i);
    });
  }};
}

template <typename T, bool turnsA, bool turnsB, int M, int N, int K, int beta>
void gemm(const T *__restrict a, const T *__restrict b, T *__restrict c) {
  for (int j = 0; j < N; ++j) {
    T column[M];
    for (int i = 0; i < M; ++i)
      column[i] = beta ? c[j * M + i] : 0;
    for (int k = 0; k < K; ++k) {
      T factor = turnsB ? b[k * N + j] : b[j * K + k];
#pragma omp simd
      for (int i = 0; i < M; ++i)
        column[i] += (turnsA ? a[i * K + k] : a[k * M + i]) * factor;
    }
    for (int i = 0; i < M; ++i)
      c[j * M + i] = column[i];
  }
}

/// Eigen's code for matrices of static sizes; for larger ones it has loops for any size.
constexpr int largestForEigen = 16;

template <typename T, bool turnsA, bool turnsB, int M, int N, int K, int beta>
void eigenGemm(const T *a, const T *b, T *c) {
  Eigen::Map<const Eigen::Matrix<T, turnsA ? K : M, turnsA ? M : K>> first(a);
  Eigen::Map<const Eigen::Matrix<T, turnsB ? N : K, turnsB ? K : N>> second(b);
  Eigen::Map<Eigen::Matrix<T, M, N>> result(c);
  auto multiply = [&](const auto &x, const auto &y) {
    if constexpr (beta)
      result.noalias() += x * y;
    else
      result.noalias() = x * y;
  };
  if constexpr (turnsA && turnsB)
    multiply(first.transpose(), second.transpose());
  else if constexpr (turnsA)
    multiply(first.transpose(), second);
  else if constexpr (turnsB)
    multiply(first, second.transpose());
  else
    multiply(first, second);
}

template <typename T, bool turnsA, bool turnsB, int M, int N, int K, int beta>
Answer products(Request &r) {
  constexpr bool hasEigen = M <= largestForEigen && N <= largestForEigen && K <= largestForEigen;
  if (r.variant != "eigen")
    return eachGroup(r, [](const Operands &o, int64_t i) {
      gemm<T, turnsA, turnsB, M, N, K, beta>(o.in<T>(0) + i * M * K, o.in<T>(1) + i * K * N,
                                             o.out<T>() + i * M * N);
    });
  if constexpr (hasEigen)
    return eachGroup(r, [](const Operands &o, int64_t i) {
      eigenGemm<T, turnsA, turnsB, M, N, K, beta>(o.in<T>(0) + i * M * K, o.in<T>(1) + i * K * N,
                                                  o.out<T>() + i * M * N);
    });
  return {};
}

#define BENCH_PRODUCTS(form, turnsA, turnsB)                                                       \
  template <int M, int N, int K, int, int beta> Answer tiny_##form##_f32(Request &r) {             \
    return products<float, turnsA, turnsB, M, N, K, beta>(r);                                      \
  }                                                                                                \
  template <int M, int N, int K, int, int beta> Answer tiny_##form##_f64(Request &r) {             \
    return products<double, turnsA, turnsB, M, N, K, beta>(r);                                     \
  }
BENCH_PRODUCTS(nn, false, false)
BENCH_PRODUCTS(nt, false, true)
BENCH_PRODUCTS(tn, true, false)
BENCH_PRODUCTS(tt, true, true)
#undef BENCH_PRODUCTS

template <int> Answer tiny_fused(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    float t[16 * 8];
    gemm<float, false, true, 16, 8, 8, 0>(o.in(0) + i * 16 * 8, o.in(1), t);
    gemm<float, false, false, 16, 16, 8, 1>(t, o.in(2), o.out() + i * 16 * 16);
  });
}

template <int> Answer tiny_chain(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    float t[20 * 9], u[20 * 9];
    gemm<float, false, false, 20, 9, 20, 0>(o.in(0), o.in(1) + i * 20 * 9, t);
    gemm<float, false, false, 20, 9, 9, 0>(t, o.in(2), u);
    gemm<float, false, false, 20, 9, 20, 1>(o.in(3), u, o.out() + i * 20 * 9);
  });
}

template <int M, int N, int> Answer tiny_gemv(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    gemm<float, false, false, M, 1, N, 0>(o.in(0) + i * M * N, o.in(1) + i * N, o.out() + i * M);
  });
}

template <int M, int N, int> Answer tiny_ger(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    gemm<float, false, true, M, N, 1, 1>(o.in(0) + i * M, o.in(1) + i * N, o.out() + i * M * N);
  });
}

template <int M, int N, int> Answer tiny_axpby(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    const float *__restrict a = o.in(0) + i * M * N;
    float *__restrict b = o.out() + i * M * N;
#pragma omp simd
    for (int e = 0; e < M * N; ++e)
      b[e] += 0.5f * a[e];
  });
}

template <int M, int N, int> Answer tiny_hadamard(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    const float *__restrict a = o.in(0) + i * M * N, *__restrict b = o.in(1) + i * M * N;
    float *__restrict c = o.out() + i * M * N;
#pragma omp simd
    for (int e = 0; e < M * N; ++e)
      c[e] += a[e] * b[e];
  });
}

template <int M, int N, int> Answer tiny_sum(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    const float *__restrict a = o.in(0) + i * M * N;
    float sums[M] = {};
    for (int j = 0; j < N; ++j)
#pragma omp simd
      for (int row = 0; row < M; ++row)
        sums[row] += a[j * M + row];
    memcpy(o.out() + i * M, sums, sizeof sums);
  });
}

template <int M, int N, int> Answer tiny_cumsum(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    const float *__restrict a = o.in(0) + i * M * N;
    float *__restrict b = o.out() + i * M * N;
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int row = 0; row < M; ++row)
        b[j * M + row] += sum += a[j * M + row];
    }
  });
}

template <int N, int> Answer tiny_branches(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    const float *__restrict x = o.in(0) + i * N;
    float *__restrict y = o.out() + i * N;
#pragma omp simd
    for (int e = 0; e < N; ++e) {
      float v = x[e];
      if (v > 0) {
        float u = v * 2 + v;
        y[e] = u * u;
      } else {
        y[e] = v / (3 - v);
      }
    }
  });
}

template <int N, int> Answer tiny_steps(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    const int32_t *__restrict x = o.in<int32_t>(0) + i * N;
    int32_t *__restrict y = o.out<int32_t>() + i * N;
#pragma omp simd
    for (int e = 0; e < N; ++e) {
      int32_t sum = 0;
      for (int32_t k = 0; k < x[e]; ++k)
        sum = (sum ^ k * k) + k;
      y[e] = sum;
    }
  });
}

template <int N, int> Answer tiny_reduce(Request &r) {
  return eachGroup(r, [](const Operands &o, int64_t i) {
    const float *__restrict x = o.in(0) + i * N;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
    for (int e = 0; e < N; ++e) {
      sum += x[e];
      squares += x[e] * x[e];
    }
    o.out()[2 * i] = sum;
    o.out()[2 * i + 1] = squares;
  });
}

} // namespace tessera::bench::batches

#endif
