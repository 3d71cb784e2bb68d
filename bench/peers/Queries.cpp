/// The Weld programs as C++ that a user would write by hand: loops over arrays, with results in
/// memory that is already allocated. Variant `branches`: filters with an `if` instead of
/// arithmetic.
#include "QueryGroups.h"
#include "QueryNumbers.h"
#include <algorithm>
#include <cstring>
#include <immintrin.h>
#ifdef __clang__
#include <hwy/contrib/sort/vqsort.h>
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

using namespace tessera::bench;

namespace {

//===-- Filters -----------------------------------------------------------===//

double filterSum(const Operands &o, int64_t begin, int64_t end) {
  const int32_t *key = o.in<int32_t>(0), below = *o.in<int32_t>(3);
  const double *x = o.in<double>(1), *y = o.in<double>(2);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i)
    sum += key[i] < below ? x[i] * y[i] : 0;
  return sum;
}

/// Not to be turned into arithmetic by the compiler.
double filterSumIf(const Operands &o, int64_t begin, int64_t end) {
  const int32_t *key = o.in<int32_t>(0), below = *o.in<int32_t>(3);
  const double *x = o.in<double>(1), *y = o.in<double>(2);
  double sum = 0;
#pragma GCC novector
#pragma clang loop vectorize(disable)
  for (int64_t i = begin; i < end; ++i)
    if (__builtin_expect_with_probability(key[i] < below, 1, 0.5)) {
      asm volatile("");
      sum += x[i] * y[i];
    }
  return sum;
}

double q6(const Operands &o, int64_t begin, int64_t end) {
  const int32_t *date = o.in<int32_t>(0);
  const double *quantity = o.in<double>(1), *discount = o.in<double>(2), *price = o.in<double>(3);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i) {
    bool isIn = (date[i] >= 730) & (date[i] < 1095) & (discount[i] >= 0.05) &
                (discount[i] <= 0.07) & (quantity[i] < 24.0);
    sum += isIn ? price[i] * discount[i] : 0;
  }
  return sum;
}

double q6If(const Operands &o, int64_t begin, int64_t end) {
  const int32_t *date = o.in<int32_t>(0);
  const double *quantity = o.in<double>(1), *discount = o.in<double>(2), *price = o.in<double>(3);
  double sum = 0;
#pragma GCC novector
#pragma clang loop vectorize(disable)
  for (int64_t i = begin; i < end; ++i)
    if (date[i] >= 730 && date[i] < 1095 && discount[i] >= 0.05 && discount[i] <= 0.07 &&
        quantity[i] < 24.0) {
      asm volatile("");
      sum += price[i] * discount[i];
    }
  return sum;
}

double crime(const Operands &o, int64_t begin, int64_t end) {
  const double *people = o.in<double>(0), *adults = o.in<double>(1), *robberies = o.in<double>(2);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i) {
    double index = (people[i] + 2 * adults[i] - 2000 * robberies[i]) / 100000;
    double limited = index > 10 ? 3.2 : index < 1 ? 0.5 : index;
    sum += people[i] > 500000 ? limited : 0;
  }
  return sum;
}

/// Appends to `to`; returns how many elements.
int64_t filterAppendIf(const Operands &o, int64_t begin, int64_t end, double *to) {
  const int32_t *key = o.in<int32_t>(0), below = *o.in<int32_t>(2);
  const double *x = o.in<double>(1);
  int64_t count = 0;
  for (int64_t i = begin; i < end; ++i)
    if (key[i] < below)
      to[count++] = x[i];
  return count;
}

int64_t appendCodes(const Operands &o, int64_t begin, int64_t end, int32_t *to) {
  int64_t count = 0;
  for (int64_t i = begin; i < end; ++i) {
    const int8_t *text = o.in<int8_t>(0) + 10 * i;
    int32_t code = 0, numDigits = 0;
    for (int j = 0; j < 5; ++j) {
      int digit = text[j] - '0';
      code = code * 10 + digit;
      numDigits += digit >= 0 && digit <= 9;
    }
    to[count] = code;
    count += numDigits == 5 && code != 0;
  }
  return count;
}

int64_t filterAppend(const Operands &o, int64_t begin, int64_t end, double *to) {
#ifdef __AVX512VL__
  const int32_t *key = o.in<int32_t>(0);
  const double *x = o.in<double>(1);
  __m256i below = _mm256_set1_epi32(*o.in<int32_t>(2));
  int64_t count = 0, i = begin;
  for (; i + 8 <= end; i += 8) {
    __mmask8 isIn = _mm256_cmplt_epi32_mask(
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(key + i)), below);
    _mm512_storeu_pd(to + count, _mm512_maskz_compress_pd(isIn, _mm512_loadu_pd(x + i)));
    count += __builtin_popcount(isIn);
  }
  return count + filterAppendIf(o, i, end, to + count);
#else
  return filterAppendIf(o, begin, end, to);
#endif
}

/// Each thread writes at the start of its part, and then the second part is moved to the first.
template <typename T>
Answer appending(Request &r, int64_t (*part)(const Operands &, int64_t, int64_t, T *)) {
  static int64_t count;
  static T *room = static_cast<T *>(allocate(sizeof(T) * (countOf(r) + 8)));
  return {.work =
              [&r, part] {
                int64_t n = countOf(r), counts[2] = {};
                inParallel(r.threads, [&](int thread) {
                  int64_t begin = n * thread / r.threads, end = n * (thread + 1) / r.threads;
                  counts[thread] = part(r.operands, begin, end, room + begin);
                });
                memmove(room + counts[0], room + n / 2, counts[1] * sizeof(T));
                count = counts[0] + counts[1];
              },
          .result = [] { return std::vector<float>(room, room + count); }};
}

//===-- Sorting, graphs, clusters -----------------------------------------===//

/// On a copy, since the input must not change. On one thread.
template <typename T> Answer sorting(Request &r, void (*sort)(T *, int64_t)) {
  return {.work = [&r, sort] {
    memcpy(r.operands.out<T>(), r.operands.in<T>(0), r.shape.inputs[0].bytes());
    sort(r.operands.out<T>(), countOf(r));
  }};
}

template <typename T> void quickly(T *v, int64_t count) {
#ifdef __clang__
  hwy::Sorter()(v, count, hwy::SortAscending());
#else
  std::sort(v, v + count);
#endif
}

struct Pair {
  int64_t key, value;
};

void sortPairs(int64_t *v, int64_t count) {
  auto *pairs = reinterpret_cast<Pair *>(v);
  std::stable_sort(pairs, pairs + count,
                   [](const Pair &a, const Pair &b) { return a.key < b.key; });
}

void pageRank(const Operands &o, int64_t begin, int64_t end) {
  const int64_t *starts = o.in<int64_t>(0);
  const int32_t *sources = o.in<int32_t>(1);
  const double *share = o.in<double>(2);
  for (int64_t v = begin; v < end; ++v) {
    double sum = 0;
    for (int64_t j = starts[v]; j < starts[v + 1]; ++j)
      sum += share[sources[j]];
    o.out<double>()[v] = 0.15 + 0.85 * sum;
  }
}

void nearest(const Operands &o, int64_t begin, int64_t end, int64_t centers) {
  const double *x = o.in<double>(0), *y = o.in<double>(1), *cx = o.in<double>(2),
               *cy = o.in<double>(3);
  int64_t *__restrict to = o.out<int64_t>();
  for (int64_t i = begin; i < end; ++i) {
    double least = 1e300;
    int64_t best = 0;
    for (int64_t k = 0; k < centers; ++k) {
      double dx = x[i] - cx[k], dy = y[i] - cy[k], distance = dx * dx + dy * dy;
      best = distance < least ? k : best;
      least = distance < least ? distance : least;
    }
    to[i] = best;
  }
}

Answer clusters(Request &r) {
  return {.work = [&r] {
    inRanges(countOf(r), r.threads, [&](int64_t begin, int64_t end) {
      nearest(r.operands, begin, end, r.kernel.sizes[1]);
    });
  }};
}

//===-- The table ---------------------------------------------------------===//

Answer withBranches(Request &r) {
  switch (r.kernel.family) {
  case Family::weld_filter_sum:
    return reduction(r, filterSumIf);
  case Family::weld_filter_append:
    return appending(r, filterAppendIf);
  case Family::weld_q6:
    return reduction(r, q6If);
  default:
    return {};
  }
}

Answer prepare(Request &r) {
  if (r.variant == "branches")
    return withBranches(r);
  switch (r.kernel.family) {
  case Family::weld_sum:
    return reduction(r, sum);
  case Family::weld_dot:
    return reduction(r, dot);
  case Family::weld_axpy:
    return map(r, axpy);
  case Family::weld_chain:
    return map(r, chain);
  case Family::weld_aggregates:
    return aggregates(r);
  case Family::weld_black_scholes_f64:
    return map(r, blackScholes<double>);
  case Family::weld_black_scholes_f32:
    return map(r, blackScholes<float>);
  case Family::weld_haversine_f64:
    return map(r, haversine<double>);
  case Family::weld_haversine_f32:
    return map(r, haversine<float>);
  case Family::weld_bodies_f64:
    return bodies<double>(r);
  case Family::weld_bodies_f32:
    return bodies<float>(r);
  case Family::weld_regression:
    return regression(r);
  case Family::weld_crime:
    return reduction(r, crime);
  case Family::weld_codes:
    return appending(r, appendCodes);
  case Family::weld_q3:
    return q3(r);
  case Family::weld_q12:
    return q12(r);
  case Family::weld_filter_sum:
    return reduction(r, filterSum);
  case Family::weld_filter_append:
    return appending(r, filterAppend);
  case Family::weld_q6:
    return reduction(r, q6);
  case Family::weld_q1:
    return q1(r);
  case Family::weld_group_dense:
  case Family::weld_many_dense:
  case Family::weld_zipf_dense:
  case Family::weld_histogram:
    return groupDense(r);
  case Family::weld_group_hashed:
  case Family::weld_many_hashed:
  case Family::weld_zipf_hashed:
    return groupHashed(r);
  case Family::weld_sort_i64:
    return sorting<int64_t>(r, quickly);
  case Family::weld_sort_f64:
    return sorting<double>(r, quickly);
  case Family::weld_sort_pairs:
    return sorting<int64_t>(r, sortPairs);
  case Family::weld_pagerank:
    return map(r, pageRank);
  case Family::weld_kmeans:
    return clusters(r);
  default:
    return {};
  }
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family family) { return factsOf(family).isQuery(); }, prepare});
}
