/// The Weld programs as C++ that a user would write by hand: loops over arrays, with results in
/// memory that is there already. Variant `branches`: filters with an `if` in place of arithmetic.
#include "Serve.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <utility>
#ifdef __clang__
#include <hwy/contrib/sort/vqsort.h>
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

using namespace tessera::bench;

namespace {

int64_t countOf(const Request &r) {
  return r.kernel.sizes[0];
}

/// The sum of what the parts give.
template <typename Part> double total(const Request &r, Part part) {
  double sums[2] = {};
  inParallel(r.threads, [&](int thread) {
    sums[thread] = part(countOf(r) * thread / r.threads, countOf(r) * (thread + 1) / r.threads);
  });
  return sums[0] + sums[1];
}

Answer reduction(Request &r, double (*part)(const Operands &, int64_t, int64_t)) {
  return {.work = [&r, part] {
    *r.operands.out<double>() =
        total(r, [&](int64_t begin, int64_t end) { return part(r.operands, begin, end); });
  }};
}

Answer map(Request &r, void (*part)(const Operands &, int64_t, int64_t)) {
  return {.work = [&r, part] {
    inRanges(countOf(r), r.threads,
             [&](int64_t begin, int64_t end) { part(r.operands, begin, end); });
  }};
}

//===-- Streams -----------------------------------------------------------===//

double sum(const Operands &o, int64_t begin, int64_t end) {
  const double *v = o.in<double>(0);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i)
    sum += v[i];
  return sum;
}

double dot(const Operands &o, int64_t begin, int64_t end) {
  const double *v = o.in<double>(0), *w = o.in<double>(1);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i)
    sum += v[i] * w[i];
  return sum;
}

void axpy(const Operands &o, int64_t begin, int64_t end) {
  const double *x = o.in<double>(0), *y = o.in<double>(1);
  double *__restrict to = o.out<double>();
  for (int64_t i = begin; i < end; ++i)
    to[i] = 2.5 * x[i] + y[i];
}

void chain(const Operands &o, int64_t begin, int64_t end) {
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

Aggregates aggregate(const double *v, int64_t begin, int64_t end) {
  Aggregates a;
  for (int64_t i = begin; i < end; ++i) {
    a.sum += v[i];
    a.squares += v[i] * v[i];
    a.least = v[i] < a.least ? v[i] : a.least;
    a.largest = v[i] > a.largest ? v[i] : a.largest;
  }
  return a;
}

Answer aggregates(Request &r) {
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

//===-- Filters -----------------------------------------------------------===//

double filterSum(const Operands &o, int64_t begin, int64_t end) {
  const int32_t *key = o.in<int32_t>(0), below = *o.in<int32_t>(3);
  const double *x = o.in<double>(1), *y = o.in<double>(2);
  double sum = 0;
  for (int64_t i = begin; i < end; ++i)
    sum += key[i] < below ? x[i] * y[i] : 0;
  return sum;
}

/// Kept from becoming arithmetic.
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

/// Appends to `to`; returns how many.
int64_t filterAppendIf(const Operands &o, int64_t begin, int64_t end, double *to) {
  const int32_t *key = o.in<int32_t>(0), below = *o.in<int32_t>(2);
  const double *x = o.in<double>(1);
  int64_t count = 0;
  for (int64_t i = begin; i < end; ++i)
    if (key[i] < below)
      to[count++] = x[i];
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

/// Threads write where their parts begin, and then the second part is moved to the first.
Answer appending(Request &r, int64_t (*part)(const Operands &, int64_t, int64_t, double *)) {
  static int64_t count;
  static double *room = static_cast<double *>(allocate(8 * (countOf(r) + 8)));
  return {.work =
              [&r, part] {
                int64_t n = countOf(r), counts[2] = {};
                inParallel(r.threads, [&](int thread) {
                  int64_t begin = n * thread / r.threads, end = n * (thread + 1) / r.threads;
                  counts[thread] = part(r.operands, begin, end, room + begin);
                });
                memmove(room + counts[0], room + n / 2, counts[1] * sizeof(double));
                count = counts[0] + counts[1];
              },
          .result = [] { return std::vector<float>(room, room + count); }};
}

//===-- Groups ------------------------------------------------------------===//

struct Line {
  double quantity = 0, price = 0, off = 0, charge = 0, discount = 0;
  int64_t count = 0;
};

void addItems(const Operands &o, int64_t begin, int64_t end, Line (&lines)[6]) {
  const int32_t *date = o.in<int32_t>(0);
  const int8_t *flag = o.in<int8_t>(1), *status = o.in<int8_t>(2);
  const double *quantity = o.in<double>(3), *price = o.in<double>(4), *discount = o.in<double>(5),
               *tax = o.in<double>(6);
  for (int64_t i = begin; i < end; ++i) {
    if (date[i] > 2430)
      continue;
    Line &line = lines[flag[i] * 2 + status[i]];
    double off = price[i] * (1.0 - discount[i]);
    line.quantity += quantity[i];
    line.price += price[i];
    line.off += off;
    line.charge += off * (1.0 + tax[i]);
    line.discount += discount[i];
    ++line.count;
  }
}

/// In the order in which keys come.
std::vector<float> linesInOrder(const Request &r, const Line (&lines)[6]) {
  std::vector<float> result;
  bool isSeen[6] = {};
  for (int64_t i = 0; i < countOf(r); ++i) {
    int8_t flag = r.operands.in<int8_t>(1)[i], status = r.operands.in<int8_t>(2)[i];
    if (r.operands.in<int32_t>(0)[i] > 2430 || std::exchange(isSeen[flag * 2 + status], true))
      continue;
    const Line &line = lines[flag * 2 + status];
    for (double number : {double(flag), double(status), line.quantity, line.price, line.off,
                          line.charge, line.discount, double(line.count)})
      result.push_back(float(number));
  }
  return result;
}

Answer q1(Request &r) {
  static Line lines[6];
  return {.work =
              [&r] {
                Line parts[2][6] = {};
                int64_t n = countOf(r);
                inParallel(r.threads, [&](int thread) {
                  addItems(r.operands, n * thread / r.threads, n * (thread + 1) / r.threads,
                           parts[thread]);
                });
                for (int i = 0; i < 6; ++i)
                  lines[i] = {parts[0][i].quantity + parts[1][i].quantity,
                              parts[0][i].price + parts[1][i].price,
                              parts[0][i].off + parts[1][i].off,
                              parts[0][i].charge + parts[1][i].charge,
                              parts[0][i].discount + parts[1][i].discount,
                              parts[0][i].count + parts[1][i].count};
              },
          .result = [&r] { return linesInOrder(r, lines); }};
}

/// Keys are 0, 1, ...: an array of sums a thread.
Answer groupDense(Request &r) {
  int64_t keys = r.kernel.sizes[1];
  static double *sums[2] = {static_cast<double *>(allocate(8 * keys)),
                            static_cast<double *>(allocate(8 * keys))};
  auto work = [&r, keys] {
    const int64_t *key = r.operands.in<int64_t>(0);
    const double *x = r.operands.in<double>(1);
    int64_t n = countOf(r);
    inParallel(r.threads, [&](int thread) {
      double *to = sums[thread];
      memset(to, 0, 8 * keys);
      for (int64_t i = n * thread / r.threads, end = n * (thread + 1) / r.threads; i < end; ++i)
        to[key[i]] += x[i];
    });
    for (int64_t i = 0; r.threads == 2 && i < keys; ++i)
      sums[0][i] += sums[1][i];
  };
  if (r.kernel.family == Family::weld_histogram)
    return {.work = work, .result = [keys] { return std::vector<float>(sums[0], sums[0] + keys); }};
  return {.work = work, .result = [&r, keys] {
            std::vector<float> result;
            std::vector<bool> isSeen(keys);
            for (int64_t i = 0; i < countOf(r); ++i)
              if (int64_t key = r.operands.in<int64_t>(0)[i]; !isSeen[key]) {
                isSeen[key] = true;
                result.push_back(float(key));
                result.push_back(float(sums[0][key]));
              }
            return result;
          }};
}

/// Open addressing in a table that has the right size from the start.
class HashedSums {
public:
  explicit HashedSums(int64_t keys) {
    while (size < 2 * keys)
      size *= 2;
    slots = static_cast<Slot *>(allocate(size * sizeof(Slot)));
  }
  void clear() { memset(static_cast<void *>(slots), 0, size * sizeof(Slot)); }
  void add(int64_t key, double x) { find(key).sum += x; }
  double sumOf(int64_t key) { return find(key).sum; }
  void addAll(const HashedSums &other) {
    for (int64_t i = 0; i < other.size; ++i)
      if (other.slots[i].key != 0)
        add(other.slots[i].key - 1, other.slots[i].sum);
  }

private:
  struct Slot {
    int64_t key; ///< Plus 1.
    double sum;
  };
  Slot &find(int64_t key) {
    uint64_t at = uint64_t(key) * 0xd6e8feb86659fd93;
    for (at ^= at >> 32;; ++at) {
      Slot &slot = slots[at & (size - 1)];
      if (slot.key == key + 1)
        return slot;
      if (slot.key == 0) {
        slot.key = key + 1;
        return slot;
      }
    }
  }

  int64_t size = 16;
  Slot *slots;
};

Answer groupHashed(Request &r) {
  static auto *tables = new HashedSums[2]{HashedSums(r.kernel.sizes[1]),
                                          HashedSums(r.threads == 2 ? r.kernel.sizes[1] : 1)};
  return {.work =
              [&r] {
                int64_t n = countOf(r);
                inParallel(r.threads, [&](int thread) {
                  tables[thread].clear();
                  for (int64_t i = n * thread / r.threads, end = n * (thread + 1) / r.threads;
                       i < end; ++i)
                    tables[thread].add(r.operands.in<int64_t>(0)[i], r.operands.in<double>(1)[i]);
                });
                if (r.threads == 2)
                  tables[0].addAll(tables[1]);
              },
          .result =
              [&r] {
                std::vector<float> result;
                HashedSums seen(r.kernel.sizes[1]);
                seen.clear();
                for (int64_t i = 0; i < countOf(r); ++i)
                  if (int64_t key = r.operands.in<int64_t>(0)[i]; seen.sumOf(key) == 0) {
                    seen.add(key, 1);
                    result.push_back(float(key));
                    result.push_back(float(tables[0].sumOf(key)));
                  }
                return result;
              }};
}

//===-- Sorting, graphs, clusters -----------------------------------------===//

/// With a copy, since the input stays as it is. On one thread.
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
  case Family::weld_filter_sum:
    return reduction(r, filterSum);
  case Family::weld_filter_append:
    return appending(r, filterAppend);
  case Family::weld_q6:
    return reduction(r, q6);
  case Family::weld_q1:
    return q1(r);
  case Family::weld_group_dense:
  case Family::weld_histogram:
    return groupDense(r);
  case Family::weld_group_hashed:
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
