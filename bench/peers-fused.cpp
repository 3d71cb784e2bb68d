#include "peers-fused.h"
#include <cmath>
#include <cstring>

void peer_softmax(const float *x, float *o, int64_t rows, int64_t columns) {
  for (int64_t m = 0; m < rows; ++m, x += columns, o += columns) {
    float top = -INFINITY, sum = 0;
    for (int64_t n = 0; n < columns; ++n)
      top = x[n] > top ? x[n] : top;
#pragma omp simd reduction(+ : sum)
    for (int64_t n = 0; n < columns; ++n)
      sum += o[n] = std::exp(x[n] - top);
    float factor = 1 / sum;
    for (int64_t n = 0; n < columns; ++n)
      o[n] *= factor;
  }
}

void peer_layer_norm(const float *x, const float *scale, const float *shift, float *o, int64_t rows,
                     int64_t columns) {
  for (int64_t m = 0; m < rows; ++m, x += columns, o += columns) {
    float sum = 0, var = 0;
    for (int64_t n = 0; n < columns; ++n)
      sum += x[n];
    float mean = sum / columns;
    for (int64_t n = 0; n < columns; ++n)
      var += (x[n] - mean) * (x[n] - mean);
    float factor = 1 / std::sqrt(var / columns + 0.00001f);
#pragma omp simd
    for (int64_t n = 0; n < columns; ++n)
      o[n] = (x[n] - mean) * factor * scale[n] + shift[n];
  }
}

/// Both sums in one pass.
static void sumsOf(const float *x, int64_t count, float &sum, float &square) {
  float s = 0, q = 0;
#pragma omp simd reduction(+ : s, q)
  for (int64_t i = 0; i < count; ++i) {
    s += x[i];
    q += x[i] * x[i];
  }
  sum = s, square = q;
}

void peer_group_norm(const float *x, const float *scale, const float *shift, float *o,
                     peer_group_shape shape) {
  int64_t count = shape.channels * shape.size;
  for (int64_t n = 0; n < shape.images; ++n)
    for (int64_t g = 0; g < shape.groups; ++g) {
      float sum, square;
      sumsOf(x, count, sum, square);
      float mean = sum / count, factor = 1 / std::sqrt(square / count - mean * mean + 0.00001f);
      for (int64_t c = 0; c < shape.channels; ++c, x += shape.size, o += shape.size) {
        float a = factor * scale[g * shape.channels + c];
        float b = shift[g * shape.channels + c] - mean * a;
#pragma omp simd
        for (int64_t i = 0; i < shape.size; ++i)
          o[i] = x[i] * a + b;
      }
    }
}

void peer_moments(const float *x, float *mean, float *var, int64_t rows, int64_t columns) {
  for (int64_t n = 0; n < rows; ++n) {
    float sum, square;
    sumsOf(x + n * columns, columns, sum, square);
    mean[n] = sum / columns;
    var[n] = square / columns - mean[n] * mean[n];
  }
}

void peer_lookup(const float *table, const int32_t *rows, float *o, int64_t sums, int64_t length,
                 int64_t columns) {
  constexpr int64_t ahead = 16;
  int64_t count = sums * length;
  for (int64_t b = 0; b < sums; ++b, o += columns) {
    memset(o, 0, columns * sizeof(float));
    for (int64_t l = 0; l < length; ++l) {
      int64_t at = b * length + l;
      if (at + ahead < count)
        for (int64_t d = 0; d < columns; d += 16)
          __builtin_prefetch(table + rows[at + ahead] * columns + d);
      const float *row = table + rows[at] * columns;
#pragma omp simd
      for (int64_t d = 0; d < columns; ++d)
        o[d] += row[d];
    }
  }
}

void peer_transpose(const float *x, float *o, int64_t rows, int64_t columns) {
  constexpr int64_t block = 16;
  for (int64_t n = 0; n < columns; n += block)
    for (int64_t m = 0; m < rows; m += block)
      for (int64_t j = n; j < n + block && j < columns; ++j)
        for (int64_t i = m; i < m + block && i < rows; ++i)
          o[j * rows + i] = x[i * columns + j];
}

void peer_reverse(const float *x, float *o, int64_t a, int64_t b, int64_t c) {
  constexpr int64_t block = 16;
  for (int64_t k = 0; k < c; k += block)
    for (int64_t j = 0; j < b; ++j)
      for (int64_t i = 0; i < a; i += block)
        for (int64_t p = k; p < k + block && p < c; ++p)
          for (int64_t q = i; q < i + block && q < a; ++q)
            o[(p * b + j) * a + q] = x[(q * b + j) * c + p];
}

float peer_kmeans(const float *x, const float *centers, float *means, int32_t *labels,
                  int32_t *counts, peer_cluster_shape shape) {
  auto [points, numCenters, dims] = shape;
  float cost = 0;
  memset(means, 0, numCenters * dims * sizeof(float));
  memset(counts, 0, numCenters * sizeof(int32_t));
  for (int64_t n = 0; n < points; ++n, x += dims) {
    float nearest = INFINITY;
    for (int64_t k = 0; k < numCenters; ++k) {
      float distance = 0;
      for (int64_t d = 0; d < dims; ++d)
        distance += (x[d] - centers[k * dims + d]) * (x[d] - centers[k * dims + d]);
      if (distance < nearest) {
        nearest = distance;
        labels[n] = k;
      }
    }
    cost += nearest;
    ++counts[labels[n]];
    for (int64_t d = 0; d < dims; ++d)
      means[labels[n] * dims + d] += x[d];
  }
  for (int64_t k = 0; k < numCenters; ++k)
    for (int64_t d = 0; d < dims; ++d)
      means[k * dims + d] = counts[k] ? means[k * dims + d] / counts[k] : centers[k * dims + d];
  return cost;
}
