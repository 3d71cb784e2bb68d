/// A kernel against its peers: each side in a process of its own, and one of them busy at a time.
#ifndef TESSERA_BENCH_CONTEST_H
#define TESSERA_BENCH_CONTEST_H

#include "Kernel.h"
#include "Row.h"

namespace tessera::bench {

struct ContestOptions {
  int threads = 1;
  double tuningBudget = 0; ///< Seconds of `tessera tune` before; 0: the model's schedule only.
};

/// One row with the model's schedule, and one with a tuned one where that was asked for and there
/// is something to tune.
std::vector<Row> runContest(const Kernel &kernel, const ContestOptions &options);

/// Whether its memory, not its arithmetic, is the limit, and no cache holds that.
bool isOutOfCache(const Kernel &kernel);

/// How much faster two threads are than one, compared with how much faster the probe is: for what
/// is out of cache only.
std::vector<Row> speedUpOf(const Kernel &kernel, const Row &one, const Row &two);
/// Compiling the query or kernel that has a goal for that.
std::vector<Row> compileTimeOf(const Kernel &kernel, const Row &row);

/// What 1 and 2 threads reach, a second.
struct Machine {
  struct Rates {
    double flops, bytesCopied, bytesRead;
  };
  Rates rates[2];
  double load; ///< Average of the last minute, before this process adds to it.
};
Machine probeMachine();

} // namespace tessera::bench

#endif
