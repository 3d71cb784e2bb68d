/// Queries in C++: arithmetic on columns.
#ifndef TESSERA_BENCH_PEERS_QUERYNUMBERS_H
#define TESSERA_BENCH_PEERS_QUERYNUMBERS_H

#include "QueryParts.h"
#include <algorithm>
#include <cmath>

namespace tessera::bench {

inline double sum(const Operands &o, int64_t begin, int64_t end) {
  const double *v = o.in<double>(0);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i)
    sum += v[i];
  return sum;
}

inline double dot(const Operands &o, int64_t begin, int64_t end) {
  const double *v = o.in<double>(0), *w = o.in<double>(1);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i)
    sum += v[i] * w[i];
  return sum;
}

inline void axpy(const Operands &o, int64_t begin, int64_t end) {
  const double *x = o.in<double>(0), *y = o.in<double>(1);
  double *__restrict to = o.out<double>();
  for (int64_t i = begin; i < end; ++i)
    to[i] = 2.5 * x[i] + y[i];
}

inline void chain(const Operands &o, int64_t begin, int64_t end) {
  const double *x = o.in<double>(0), *y = o.in<double>(1);
  double *__restrict to = o.out<double>();
  for (int64_t i = begin; i < end; ++i) {
    double c = (x[i] + y[i]) * 3.0 - y[i];
    double value = ((c * c + 1.0) * x[i] - 0.5) * 0.25 + y[i];
    to[i] = value > 0 ? value : 0;
  }
}

struct Aggregates {
  double sum = 0, squares = 0, least = INFINITY, largest = -INFINITY;
};

inline Aggregates aggregate(const double *v, int64_t begin, int64_t end) {
  Aggregates a;
  for (int64_t i = begin; i < end; ++i) {
    a.sum += v[i];
    a.squares += v[i] * v[i];
    a.least = v[i] < a.least ? v[i] : a.least;
    a.largest = v[i] > a.largest ? v[i] : a.largest;
  }
  return a;
}

inline Answer aggregates(Request &r) {
  return {.work = [&r] {
    Aggregates parts[2];
    int64_t n = countOf(r);
    inParallel(r.threads, [&](int thread) {
      parts[thread] =
          aggregate(r.operands.in<double>(0), n * thread / r.threads, n * (thread + 1) / r.threads);
    });
    double *to = r.operands.out<double>();
    to[0] = double(n);
    to[1] = parts[0].sum + parts[1].sum;
    to[2] = parts[0].squares + parts[1].squares;
    to[3] = std::min(parts[0].least, parts[1].least);
    to[4] = std::max(parts[0].largest, parts[1].largest);
  }};
}

template <typename T> void blackScholes(const Operands &o, int64_t begin, int64_t end) {
  const T *price = o.in<T>(0), *strike = o.in<T>(1), *years = o.in<T>(2);
  T *__restrict to = o.out<T>();
  for (int64_t i = begin; i < end; ++i) {
    T spread = T(0.3) * std::sqrt(years[i]);
    T d1 = (std::log(price[i] / strike[i]) + T(0.075) * years[i]) / spread, d2 = d1 - spread;
    T n1 = T(0.5) + T(0.5) * std::erf(d1 * T(M_SQRT1_2));
    T n2 = T(0.5) + T(0.5) * std::erf(d2 * T(M_SQRT1_2));
    to[i] = price[i] * n1 - strike[i] * std::exp(T(-0.03) * years[i]) * n2;
  }
}

template <typename T> void haversine(const Operands &o, int64_t begin, int64_t end) {
  const T *lat = o.in<T>(0), *lon = o.in<T>(1);
  T *__restrict to = o.out<T>();
  for (int64_t i = begin; i < end; ++i) {
    T a = std::sin((lat[i] - T(0.7)) * T(0.5)), b = std::sin((lon[i] + T(1.3)) * T(0.5));
    T h = a * a + T(0.7648421872844885) * std::cos(lat[i]) * b * b;
    to[i] = T(12742.0) * std::asin(std::sqrt(h < 1 ? h : 1));
  }
}

/// A step of bodies that attract each other: positions, velocities, masses.
template <typename T> void bodies(const Operands &o, int64_t begin, int64_t end, int64_t count) {
  const T *x = o.in<T>(0), *y = o.in<T>(1), *z = o.in<T>(2), *mass = o.in<T>(6);
  for (int64_t i = begin; i < end; ++i) {
    T pull[3] = {}, step = T(0.01);
    for (int64_t j = 0; j < count; ++j) {
      T dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      T square = dx * dx + dy * dy + dz * dz + T(0.01),
        force = mass[j] / (square * std::sqrt(square));
      pull[0] += dx * force;
      pull[1] += dy * force;
      pull[2] += dz * force;
    }
    T *to = o.out<T>() + 6 * i;
    for (int axis = 0; axis < 3; ++axis) {
      to[3 + axis] = o.in<T>(3 + axis)[i] + step * pull[axis];
      to[axis] = o.in<T>(axis)[i] + step * to[3 + axis];
    }
  }
}

template <typename T> Answer bodies(Request &r) {
  return {.work = [&r] {
    inRanges(countOf(r), r.threads,
             [&](int64_t begin, int64_t end) { bodies<T>(r.operands, begin, end, countOf(r)); });
  }};
}

/// The contribution of these rows to the gradient.
inline void addErrors(const Operands &o, int64_t begin, int64_t end, int64_t size,
                      double *gradient) {
  const double *x = o.in<double>(0), *weights = o.in<double>(2);
  const int8_t *isTrue = o.in<int8_t>(1);
  for (int64_t i = begin; i < end; ++i) {
    const double *row = x + i * size;
    double score = 0;
    for (int64_t j = 0; j < size; ++j)
      score += row[j] * weights[j];
    double error = 1 / (1 + std::exp(-score)) - isTrue[i];
    for (int64_t j = 0; j < size; ++j)
      gradient[j] += error * row[j];
  }
}

inline Answer regression(Request &r) {
  return {.work = [&r] {
    int64_t count = countOf(r), size = r.kernel.sizes[1];
    std::vector<double> parts[2] = {std::vector<double>(size), std::vector<double>(size)};
    inParallel(r.threads, [&](int thread) {
      addErrors(r.operands, count * thread / r.threads, count * (thread + 1) / r.threads, size,
                parts[thread].data());
    });
    for (int64_t j = 0; j < size; ++j)
      r.operands.out<double>()[j] =
          r.operands.in<double>(2)[j] - 0.1 / double(count) * (parts[0][j] + parts[1][j]);
  }};
}

} // namespace tessera::bench

#endif
