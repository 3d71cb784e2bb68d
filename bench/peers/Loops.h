/// The kernels as plain loops over arrays of known sizes: what a user would write, row by row where
/// rows can be finished while they are in cache. Each function of a family computes part `part` of
/// `parts` of its outermost loop.
#ifndef TESSERA_BENCH_PEERS_LOOPS_H
#define TESSERA_BENCH_PEERS_LOOPS_H

#include "Serve.h"
#include <bit>
#include <cmath>
#include <cstring>

namespace tessera::bench::loops {

template <typename T, int columns> using Rows = T (*__restrict)[columns];
template <int columns, typename T> Rows<T, columns> rows(T *data) {
  return reinterpret_cast<T(*)[columns]>(data);
}
template <int columns> Rows<const float, columns> inRows(const Operands &o, int i) {
  return rows<columns, const float>(o.in(i));
}
template <int columns> Rows<float, columns> outRows(const Operands &o, int i = 0) {
  return rows<columns>(o.out(i));
}

inline void addBias(float *result, const float *bias, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      float sum = result[i * columns + j] + bias[j];
      result[i * columns + j] = sum > 0 ? sum : 0;
    }
}

inline void softmaxRow(const float *x, float *o, int64_t columns, float scale = 1) {
  float top = x[0], sum = 0;
  for (int64_t n = 0; n < columns; ++n)
    top = x[n] > top ? x[n] : top;
#pragma omp simd reduction(+ : sum)
  for (int64_t n = 0; n < columns; ++n)
    sum += o[n] = std::exp((x[n] - top) * scale);
  float factor = 1 / sum;
  for (int64_t n = 0; n < columns; ++n)
    o[n] *= factor;
}

inline void scaledSoftmax(float *x, int64_t rows, int64_t columns, float scale) {
  for (int64_t i = 0; i < rows; ++i)
    softmaxRow(x + i * columns, x + i * columns, columns, scale);
}

template <typename T, int begin, int end, int N, int K>
void product(Rows<const T, K> a, Rows<const T, N> b, Rows<T, N> c) {
  for (int m = begin; m < end; ++m)
    for (int n = 0; n < N; ++n)
      c[m][n] = 0;
  for (int m = begin; m < end; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        c[m][n] += a[m][k] * b[k][n];
}

/// rhs is transposed.
template <int begin, int end, int N, int K>
void turnedProduct(Rows<const float, K> a, Rows<const float, K> b, Rows<float, N> c) {
  for (int m = begin; m < end; ++m)
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += a[m][k] * b[n][k];
      c[m][n] = sum;
    }
}

#define BENCH_RANGE(size)                                                                          \
  constexpr int begin = int64_t(size) * part / parts, end = int64_t(size) * (part + 1) / parts

inline float widened(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

template <int part, int parts, int M, int N, int K> void bfloat_matmul(const Operands &o) {
  BENCH_RANGE(M);
  auto a = rows<K, const uint16_t>(o.in<uint16_t>(0)),
       b = rows<N, const uint16_t>(o.in<uint16_t>(1));
  auto c = outRows<N>(o);
  memset(c + begin, 0, sizeof(float) * (end - begin) * N);
  for (int m = begin; m < end; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        c[m][n] += widened(a[m][k]) * widened(b[k][n]);
}

/// Tiles of 16 rows or columns and a depth of 32, in pairs in rhs.
template <int part, int parts, int M, int N, int K> void prepacked(const Operands &o) {
  constexpr int side = 16, depth = 32;
  BENCH_RANGE(M / side);
  auto a = rows<depth, const uint16_t>(o.in<uint16_t>(0)),
       b = rows<depth, const uint16_t>(o.in<uint16_t>(1));
  auto c = outRows<side>(o);
  for (int m = begin; m < end; ++m)
    for (int n = 0; n < N / side; ++n)
      for (int i = 0; i < side; ++i) {
        float sums[side] = {};
        for (int k = 0; k < K; ++k) {
          float factor = widened(a[(m * (K / depth) + k / depth) * side + i][k % depth]);
          auto line = b[(n * (K / depth) + k / depth) * side + k % depth / 2];
          for (int j = 0; j < side; ++j)
            sums[j] += factor * widened(line[2 * j + k % 2]);
        }
        memcpy(c[(m * (N / side) + n) * side + i], sums, sizeof sums);
      }
}

template <int part, int parts, int M, int N, int K> void matmul(const Operands &o) {
  BENCH_RANGE(M);
  product<float, begin, end, N, K>(inRows<K>(o, 0), inRows<N>(o, 1), outRows<N>(o));
}
template <int part, int parts, int M, int N, int K> void ttl_matmul(const Operands &o) {
  matmul<part, parts, M, N, K>(o);
}
template <int part, int parts, int M, int N, int K> void skinny(const Operands &o) {
  matmul<part, parts, M, N, K>(o);
}
template <int part, int parts, int M, int N, int K> void f64_matmul(const Operands &o) {
  BENCH_RANGE(M);
  product<double, begin, end, N, K>(rows<K, const double>(o.in<double>(0)),
                                    rows<N, const double>(o.in<double>(1)),
                                    rows<N>(o.out<double>()));
}
template <int part, int parts, int M, int N, int K> void tmm(const Operands &o) {
  BENCH_RANGE(M);
  turnedProduct<begin, end, N, K>(inRows<K>(o, 0), inRows<K>(o, 1), outRows<N>(o));
}
template <int part, int parts, int M, int N, int K> void c3(const Operands &o) {
  tmm<part, parts, M, N, K>(o);
}
template <int part, int parts, int M, int N, int K> void amm(const Operands &o) {
  BENCH_RANGE(M);
  auto a = inRows<M>(o, 0);
  auto b = inRows<N>(o, 1);
  auto c = outRows<N>(o);
  for (int m = begin; m < end; ++m)
    for (int n = 0; n < N; ++n)
      c[m][n] = 0;
  for (int m = begin; m < end; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        c[m][n] += a[k][m] * b[k][n];
}

template <int part, int parts, int M, int N, int K, int batch> void tbmm(const Operands &o) {
  BENCH_RANGE(batch);
  for (int i = begin; i < end; ++i)
    product<float, 0, M, N, K>(inRows<K>(o, 0) + i * M, inRows<N>(o, 1) + i * K,
                               outRows<N>(o) + i * M);
}

/// Divided by images and groups, or by channels for a single image.
template <int part, int parts, int B, int G, int C, int F, int S, int K, int step>
void convolution(const Operands &o, const float *bias) {
  constexpr int H = (S - 1) * step + K, planes = B * G > 1 ? B * G : 1;
  BENCH_RANGE(planes > 1 ? planes : F);
  auto input = reinterpret_cast<const float (*__restrict)[C][H][H]>(o.in(0));
  auto weights = reinterpret_cast<const float (*__restrict)[F][C][K][K]>(o.in(1));
  auto result = reinterpret_cast<float (*__restrict)[F][S][S]>(o.out());
  for (int p = planes > 1 ? begin : 0; p < (planes > 1 ? end : 1); ++p)
    for (int f = planes > 1 ? 0 : begin; f < (planes > 1 ? F : end); ++f) {
      for (int h = 0; h < S; ++h)
        for (int w = 0; w < S; ++w)
          result[p][f][h][w] = 0;
      for (int c = 0; c < C; ++c)
        for (int kh = 0; kh < K; ++kh)
          for (int kw = 0; kw < K; ++kw)
            for (int h = 0; h < S; ++h)
              for (int w = 0; w < S; ++w)
                result[p][f][h][w] +=
                    input[p][c][h * step + kh][w * step + kw] * weights[p % G][f][c][kh][kw];
      if (bias)
        for (int h = 0; h < S; ++h)
          for (int w = 0; w < S; ++w)
            result[p][f][h][w] = std::fmax(result[p][f][h][w] + bias[f], 0.0f);
    }
}

#define BENCH_CONVOLUTION(family, bias)                                                            \
  template <int part, int parts, int... sizes> void family(const Operands &o) {                    \
    convolution<part, parts, sizes...>(o, bias);                                                   \
  }
BENCH_CONVOLUTION(grouped, nullptr)
BENCH_CONVOLUTION(depthwise, nullptr)
BENCH_CONVOLUTION(conv, nullptr)
BENCH_CONVOLUTION(strided, nullptr)
BENCH_CONVOLUTION(conv_relu, o.in(2))
#undef BENCH_CONVOLUTION

template <int part, int parts, int B, int M, int N> void mlp1(const Operands &o) {
  BENCH_RANGE(B);
  turnedProduct<begin, end, N, M>(inRows<M>(o, 0), inRows<M>(o, 1), outRows<N>(o));
  addBias(o.out() + begin * N, o.in(2), end - begin, N);
}

template <int part, int parts, int B, int N, int O, int P, int Q> void mlp3(const Operands &o) {
  BENCH_RANGE(B);
  static float first[B][O], second[B][P];
  turnedProduct<begin, end, O, N>(inRows<N>(o, 0), inRows<N>(o, 1), first);
  addBias(first[begin], o.in(2), end - begin, O);
  turnedProduct<begin, end, P, O>(first, inRows<O>(o, 3), second);
  addBias(second[begin], o.in(4), end - begin, P);
  turnedProduct<begin, end, Q, P>(second, inRows<P>(o, 5), outRows<Q>(o));
  addBias(o.out() + begin * Q, o.in(6), end - begin, Q);
}

template <int part, int parts, int M, int D, int N> void kronecker3(const Operands &o) {
  BENCH_RANGE(M);
  auto x = reinterpret_cast<const float (*__restrict)[N * N][N]>(o.in(3));
  static float last[parts][N * N][D], middle[parts][N][D * D];
  auto xw2 = last[part];
  auto xw1 = middle[part];
  for (int m = begin; m < end; ++m) {
    turnedProduct<0, N * N, D, N>(x[m], inRows<N>(o, 2), xw2);
    for (int n = 0; n < N; ++n)
      product<float, 0, D, D, N>(inRows<N>(o, 1), xw2 + n * N, rows<D>(xw1[n]));
    product<float, 0, D, D * D, N>(inRows<N>(o, 0), xw1, outRows<D * D>(o) + m * D);
  }
}

template <int part, int parts, int M, int N> void softmax(const Operands &o) {
  BENCH_RANGE(M);
  for (int m = begin; m < end; ++m)
    softmaxRow(inRows<N>(o, 0)[m], outRows<N>(o)[m], N);
}

template <int part, int parts, int M, int N> void layer_norm(const Operands &operands) {
  BENCH_RANGE(M);
  const float *__restrict scale = operands.in(1), *__restrict shift = operands.in(2);
  for (int m = begin; m < end; ++m) {
    const float *x = inRows<N>(operands, 0)[m];
    float *o = outRows<N>(operands)[m], sum = 0, var = 0;
    for (int n = 0; n < N; ++n)
      sum += x[n];
    float mean = sum / N;
    for (int n = 0; n < N; ++n)
      var += (x[n] - mean) * (x[n] - mean);
    float factor = 1 / std::sqrt(var / N + 0.00001f);
#pragma omp simd
    for (int n = 0; n < N; ++n)
      o[n] = (x[n] - mean) * factor * scale[n] + shift[n];
  }
}

/// Both sums in one pass.
template <int count> void sumsOf(const float *x, float &sum, float &square) {
  float s = 0, q = 0;
#pragma omp simd reduction(+ : s, q)
  for (int i = 0; i < count; ++i) {
    s += x[i];
    q += x[i] * x[i];
  }
  sum = s, square = q;
}

template <int part, int parts, int B, int G, int C, int S> void group_norm(const Operands &o) {
  BENCH_RANGE(B * G);
  constexpr int count = C * S;
  for (int i = begin; i < end; ++i) {
    float sum, square;
    sumsOf<count>(inRows<count>(o, 0)[i], sum, square);
    float mean = sum / count, factor = 1 / std::sqrt(square / count - mean * mean + 0.00001f);
    for (int c = 0; c < C; ++c) {
      const float *x = inRows<S>(o, 0)[i * C + c];
      float *result = outRows<S>(o)[i * C + c];
      float a = factor * o.in(1)[i % G * C + c], b = o.in(2)[i % G * C + c] - mean * a;
#pragma omp simd
      for (int j = 0; j < S; ++j)
        result[j] = x[j] * a + b;
    }
  }
}

template <int part, int parts, int M, int N> void moments(const Operands &o) {
  BENCH_RANGE(M);
  for (int m = begin; m < end; ++m) {
    float sum, square;
    sumsOf<N>(inRows<N>(o, 0)[m], sum, square);
    o.out(0)[m] = sum / N;
    o.out(1)[m] = square / N - o.out(0)[m] * o.out(0)[m];
  }
}

template <int part, int parts, int M, int N, int D> void attention(const Operands &o) {
  BENCH_RANGE(M);
  static float scores[parts][1][N];
  for (int m = begin; m < end; ++m) {
    turnedProduct<0, 1, N, D>(inRows<D>(o, 0) + m, inRows<D>(o, 1), scores[part]);
    scaledSoftmax(scores[part][0], 1, N, 1 / std::sqrt(float(D)));
    product<float, 0, 1, D, N>(scores[part], inRows<D>(o, 2), outRows<D>(o) + m);
  }
}

/// Sums of rows of a table; the rows of the next sums are prefetched.
template <int begin, int end, int B, int D, int L>
void lookup(const float *table, const int32_t *chosen, float *o) {
  constexpr int ahead = 16;
  for (int b = begin; b < end; ++b) {
    float sums[D] = {};
    for (int l = 0; l < L; ++l) {
      int at = b * L + l;
      if (at + ahead < B * L)
        for (int d = 0; d < D; d += 16)
          __builtin_prefetch(table + int64_t(chosen[at + ahead]) * D + d);
      const float *row = table + int64_t(chosen[at]) * D;
#pragma omp simd
      for (int d = 0; d < D; ++d)
        sums[d] += row[d];
    }
    memcpy(o + b * D, sums, sizeof sums);
  }
}
template <int part, int parts, int B, int D, int L, int> void lut1(const Operands &o) {
  BENCH_RANGE(B);
  lookup<begin, end, B, D, L>(o.in(0), o.in<int32_t>(1), o.out());
}
template <int part, int parts, int B, int D, int L, int> void lut2(const Operands &o) {
  BENCH_RANGE(B);
  lookup<begin, end, B, D, L>(o.in(0), o.in<int32_t>(1), o.out(0));
  lookup<begin, end, B, D, L>(o.in(2), o.in<int32_t>(3), o.out(1));
}

template <int part, int parts, int M, int N> void transpose(const Operands &o) {
  BENCH_RANGE(N);
  constexpr int block = 16;
  auto x = inRows<N>(o, 0);
  auto result = outRows<M>(o);
  for (int n = begin; n < end; n += block)
    for (int m = 0; m < M; m += block)
      for (int j = n; j < n + block && j < end; ++j)
        for (int i = m; i < m + block && i < M; ++i)
          result[j][i] = x[i][j];
}

template <int part, int parts, int A, int B, int C> void permute(const Operands &o) {
  BENCH_RANGE(C);
  constexpr int block = 16;
  const float *__restrict x = o.in(0);
  float *__restrict result = o.out();
  for (int k = begin; k < end; k += block)
    for (int j = 0; j < B; ++j)
      for (int i = 0; i < A; i += block)
        for (int p = k; p < k + block && p < end; ++p)
          for (int q = i; q < i + block && q < A; ++q)
            result[(p * B + j) * A + q] = x[(q * B + j) * C + p];
}

template <int D> float distanceOf(const float *x, const float *center) {
  float distance = 0;
  for (int d = 0; d < D; ++d)
    distance += (x[d] - center[d]) * (x[d] - center[d]);
  return distance;
}

/// One step: labels, counts and means. Shared sums prevent a second thread.
template <int part, int parts, int N, int K, int D> void kmeans(const Operands &o) {
  if (part > 0)
    return;
  auto x = inRows<D>(o, 0);
  auto centers = inRows<D>(o, 1);
  auto means = outRows<D>(o);
  int counts[K] = {};
  memset(o.out(), 0, sizeof(float) * K * D);
  for (int n = 0; n < N; ++n) {
    float nearest = 1e30f;
    int label = 0;
    for (int k = 0; k < K; ++k)
      if (float distance = distanceOf<D>(x[n], centers[k]); distance < nearest) {
        nearest = distance;
        label = k;
      }
    ++counts[label];
    for (int d = 0; d < D; ++d)
      means[label][d] += x[n][d];
  }
  for (int k = 0; k < K; ++k)
    for (int d = 0; d < D; ++d)
      means[k][d] = counts[k] ? means[k][d] / counts[k] : centers[k][d];
}

#define BENCH_FUNCTION(name, low, high)                                                            \
  template <int part, int parts, int N> void name##_f32(const Operands &o) {                       \
    BENCH_RANGE(N);                                                                                \
    const float *__restrict x = o.in(0);                                                           \
    float *__restrict y = o.out();                                                                 \
    _Pragma("omp simd") for (int i = begin; i < end; ++i) y[i] = std::name(x[i]);                  \
  }                                                                                                \
  template <int part, int parts, int N> void name##_f64(const Operands &o) {                       \
    BENCH_RANGE(N);                                                                                \
    const double *__restrict x = o.in<double>(0);                                                  \
    double *__restrict y = o.out<double>();                                                        \
    _Pragma("omp simd") for (int i = begin; i < end; ++i) y[i] = std::name(x[i]);                  \
  }
#include "../Functions.def"

#undef BENCH_RANGE

} // namespace tessera::bench::loops

#endif
