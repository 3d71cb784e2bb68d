/// The rows of the table, and the benchmarks that produce them.
#ifndef TESSERA_BENCH_ROW_H
#define TESSERA_BENCH_ROW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tessera::bench {

/// A peer with which we are compared. Times are medians in seconds.
struct Rival {
  std::string name;
  double goal = 0; ///< For our speed relative to theirs; 0: no goal, only shown.
  double seconds = 0;
  double difference = 0;    ///< Between the results, relative to the largest element.
  bool isLimit = false;     ///< The machine's limit: reaching this goal is enough.
  std::string failure = {}; ///< Why there is no time.

  bool isMeasured() const { return failure.empty() && isRight(); }
  /// Peers may compute sums in another order, and contract products and sums.
  bool isRight() const { return difference <= 1e-4; }
};

/// One kernel or program in one size. An absolute goal takes the place of a peer.
struct Row {
  std::string name, size = {};
  int threads = 1;
  std::string schedule = {}; ///< "model", "tuned"; "" if there is no choice.
  double ours = 0;
  std::vector<Rival> rivals = {};
  double cpuTime = 0; ///< For a process: its wall-clock time on an idle machine.
  double compile = 0, genericCompile = 0; ///< CPU time, in a fresh process; 0: not measured.
  std::string failure = {};               ///< Why there is no time.

  double ratio(const Rival &rival) const {
    return failure.empty() && rival.isMeasured() && ours > 0 ? rival.seconds / ours : 0;
  }
  /// The fastest peer with a goal; null if no peer has one.
  const Rival *best() const;
  bool hasGoal() const;
  bool meetsGoal() const;
};

struct Benchmark {
  llvm::StringRef name;
  std::vector<Row> (*run)(llvm::StringRef name);
};

extern const llvm::ArrayRef<Benchmark> startUpBenchmarks, loopBenchmarks, elementwiseBenchmarks,
    productBenchmarks;

} // namespace tessera::bench

#endif
