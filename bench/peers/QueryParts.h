/// Shared by the queries in C++: parts for threads.
#ifndef TESSERA_BENCH_PEERS_QUERYPARTS_H
#define TESSERA_BENCH_PEERS_QUERYPARTS_H

#include "Serve.h"

namespace tessera::bench {

inline int64_t countOf(const Request &r) {
  return r.kernel.sizes[0];
}

/// The sum of the results of the parts.
template <typename Part> double total(const Request &r, Part part) {
  double sums[2] = {};
  inParallel(r.threads, [&](int thread) {
    sums[thread] = part(countOf(r) * thread / r.threads, countOf(r) * (thread + 1) / r.threads);
  });
  return sums[0] + sums[1];
}

inline Answer reduction(Request &r, double (*part)(const Operands &, int64_t, int64_t)) {
  return {.work = [&r, part] {
    *r.operands.out<double>() =
        total(r, [&](int64_t begin, int64_t end) { return part(r.operands, begin, end); });
  }};
}

inline Answer map(Request &r, void (*part)(const Operands &, int64_t, int64_t)) {
  return {.work = [&r, part] {
    inRanges(countOf(r), r.threads,
             [&](int64_t begin, int64_t end) { part(r.operands, begin, end); });
  }};
}

} // namespace tessera::bench

#endif
