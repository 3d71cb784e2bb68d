/// Queries in C++: hash tables, for groups and for joins.
#ifndef TESSERA_BENCH_PEERS_QUERYGROUPS_H
#define TESSERA_BENCH_PEERS_QUERYGROUPS_H

#include "QueryParts.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera::bench {

struct Line {
  double quantity = 0, price = 0, off = 0, charge = 0, discount = 0;
  int64_t count = 0;
};

inline void addItems(const Operands &o, int64_t begin, int64_t end, Line (&lines)[6]) {
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

/// In the order of first occurrence.
inline std::vector<float> linesInOrder(const Request &r, const Line (&lines)[6]) {
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

inline Answer q1(Request &r) {
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

/// Keys are 0, 1, ...: one array of sums for each thread.
inline Answer groupDense(Request &r) {
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

/// Open addressing, in a table of the right size from the start.
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

inline Answer groupHashed(Request &r) {
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

//===-- Joins -------------------------------------------------------------===//

/// Open addressing, in a table of the right size from the start. Keys are not negative.
template <typename T> class Found {
public:
  explicit Found(int64_t keys) {
    while (size < 2 * keys)
      size *= 2;
    slots.resize(size);
  }
  void clear() { std::fill(slots.begin(), slots.end(), Slot{}); }
  /// Null if the key is missing.
  T *find(int64_t key) {
    for (uint64_t at = hash(key);; ++at) {
      Slot &slot = slots[at & (size - 1)];
      if (slot.key == key)
        return &slot.value;
      if (slot.key < 0)
        return nullptr;
    }
  }
  T &operator[](int64_t key) {
    for (uint64_t at = hash(key);; ++at) {
      Slot &slot = slots[at & (size - 1)];
      if (slot.key == key)
        return slot.value;
      if (slot.key < 0) {
        slot.key = key;
        return slot.value;
      }
    }
  }
  template <typename Use> void each(Use use) {
    for (Slot &slot : slots)
      if (slot.key >= 0)
        use(slot.key, slot.value);
  }

private:
  struct Slot {
    int64_t key = -1;
    T value = {};
  };
  static uint64_t hash(int64_t key) {
    uint64_t product = uint64_t(key) * 0xd6e8feb86659fd93;
    return product ^ product >> 32;
  }

  int64_t size = 16;
  std::vector<Slot> slots;
};

struct Worth {
  int64_t order;
  double worth;
  int32_t date;
};

/// Fills the tables of a query before those that need them. On one thread.
inline Answer q3(Request &r) {
  static std::vector<Worth> rows;
  static Found<char> buyers(countOf(r) / 50);
  static Found<int32_t> early(countOf(r) / 10);
  static Found<double> worth(countOf(r) / 100);
  auto work = [&r] {
    const Operands &o = r.operands;
    int64_t orders = countOf(r);
    buyers.clear(), early.clear(), worth.clear(), rows.clear();
    for (int64_t i = 0; i < orders / 10; ++i)
      if (o.in<int8_t>(1)[i] == 1)
        buyers[o.in<int64_t>(0)[i]] = 1;
    for (int64_t i = 0; i < orders; ++i)
      if (int32_t date = o.in<int32_t>(4)[i]; date < 1169 && buyers.find(o.in<int64_t>(3)[i]))
        early[o.in<int64_t>(2)[i]] = date;
    for (int64_t i = 0; i < 4 * orders; ++i)
      if (o.in<int32_t>(6)[i] > 1169 && early.find(o.in<int64_t>(5)[i]))
        worth[o.in<int64_t>(5)[i]] += o.in<double>(7)[i] * (1 - o.in<double>(8)[i]);
    worth.each([](int64_t order, double sum) { rows.push_back({order, sum, *early.find(order)}); });
    size_t count = std::min<size_t>(10, rows.size());
    std::partial_sort(rows.begin(), rows.begin() + count, rows.end(),
                      [](const Worth &a, const Worth &b) { return a.worth > b.worth; });
    rows.resize(count);
  };
  return {.work = work, .result = [] {
            std::vector<float> result;
            for (const Worth &row : rows)
              result.insert(result.end(), {float(row.order), float(row.worth), float(row.date)});
            return result;
          }};
}

struct Modes {
  int64_t first = 0, second = 0;
};

/// On one thread.
inline Answer q12(Request &r) {
  static Found<Modes> late(countOf(r) / 20);
  return {.work = [&r] {
    const Operands &o = r.operands;
    late.clear();
    for (int64_t i = 0; i < 4 * countOf(r); ++i) {
      int8_t mode = o.in<int8_t>(3)[i];
      int32_t promised = o.in<int32_t>(4)[i], shipped = o.in<int32_t>(5)[i],
              received = o.in<int32_t>(6)[i];
      if ((mode == 2 || mode == 5) && promised < received && shipped < promised &&
          received >= 730 && received < 1095) {
        Modes &modes = late[o.in<int64_t>(2)[i]];
        ++(mode == 2 ? modes.first : modes.second);
      }
    }
    int64_t sums[4] = {};
    for (int64_t i = 0; i < countOf(r); ++i)
      if (const Modes *modes = late.find(o.in<int64_t>(0)[i])) {
        bool isUrgent = o.in<int8_t>(1)[i] < 2;
        sums[isUrgent ? 0 : 1] += modes->first;
        sums[isUrgent ? 2 : 3] += modes->second;
      }
    std::copy(sums, sums + 4, o.out<double>());
  }};
}

} // namespace tessera::bench

#endif
