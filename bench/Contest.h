/// Compares a kernel with its peers: each side is a separate process, and one is busy at a time.
#ifndef TESSERA_BENCH_CONTEST_H
#define TESSERA_BENCH_CONTEST_H

#include "Kernel.h"
#include "Row.h"

namespace tessera::bench {

struct ContestOptions {
  int threads = 1;
  double tuningBudget = 0; ///< Seconds of `tessera tune` first; 0: only the model's schedule.
};

/// One row with the model's schedule and, with a budget and something to tune, one with a tuned
/// schedule.
std::vector<Row> runContest(const Kernel &kernel, const ContestOptions &options);

/// Whether memory rather than arithmetic is the limit, and its data exceed the caches.
bool isOutOfCache(const Kernel &kernel);

/// The gain of two threads over one, compared with that of the probe; only for data that exceed the
/// caches.
std::vector<Row> speedUpOf(const Kernel &kernel, const Row &one, const Row &two);
/// The compile time of the query or kernel that has a goal for it.
std::vector<Row> compileTimeOf(const Kernel &kernel, const Row &row);

/// What 1 and 2 threads reach in a second.
struct Machine {
  struct Rates {
    double flops, bytesCopied, bytesRead;
  };
  Rates rates[2];
  double load; ///< Average of the last minute before this process.
};
Machine probeMachine();

} // namespace tessera::bench

#endif
