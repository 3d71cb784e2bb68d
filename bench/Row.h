/// The lines of the table, and the benchmarks that make them.
#ifndef TESSERA_BENCH_ROW_H
#define TESSERA_BENCH_ROW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tessera::bench {

/// Whom we are compared with. Times are medians in seconds.
struct Rival {
  std::string name;
  double goal = 0; ///< Our speed relative to theirs; 0: shown, and no goal.
  double seconds = 0;
  double difference = 0;    ///< Between the results, relative to the largest element.
  bool isLimit = false;     ///< What the machine can do: reaching this goal is enough.
  std::string failure = {}; ///< Why there is no time.

  bool isMeasured() const { return failure.empty() && isRight(); }
  /// Sums may be taken in another order, and peers may contract products and sums.
  bool isRight() const { return difference <= 1e-4; }
};

/// One kernel or program, in one size. A row with an absolute goal has that goal as its rival.
struct Row {
  std::string name, size = {};
  int threads = 1;
  std::string schedule = {}; ///< "model", "tuned"; "" where there is no such choice.
  double ours = 0;
  std::vector<Rival> rivals = {};
  double cpuTime = 0; ///< Of a process: what its wall-clock time would be on an idle machine.
  double compile = 0, genericCompile = 0; ///< CPU time, in a fresh process; 0: not measured.
  std::string failure = {};               ///< Why there is no time.

  double ratio(const Rival &rival) const {
    return failure.empty() && rival.isMeasured() && ours > 0 ? rival.seconds / ours : 0;
  }
  /// The fastest of those that a goal is about; null where none is.
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
