/// The lines of the table, and the benchmarks that make them.
#ifndef TESSERA_BENCH_ROW_H
#define TESSERA_BENCH_ROW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tessera::bench {

/// One comparison. Times are medians in seconds. A row with an absolute goal has that goal as its
/// peer.
struct Row {
  std::string name, size = {};
  int threads = 1;
  double ours = 0;
  std::string peer = {};
  double peers = 0;
  double goal = 1;
  double difference = 0; ///< Between the results, relative to the largest element.
  double bytes = 0;      ///< Memory that must move; 0 where memory is not the limit.
  double flops = 0;
  double cpuTime = 0;       ///< Of a process: what its wall-clock time would be on an idle machine.
  std::string failure = {}; ///< Why there is no time.

  double ratio() const { return failure.empty() && isRight() ? peers / ours : 0; }
  /// Sums may be taken in another order, and the peers may contract products and sums.
  bool isRight() const { return difference <= 1e-4; }
  bool meetsGoal() const { return ratio() >= goal; }
};

struct Benchmark {
  llvm::StringRef name;
  std::vector<Row> (*run)(llvm::StringRef name);
};

extern const llvm::ArrayRef<Benchmark> startUpBenchmarks, loopBenchmarks, elementwiseBenchmarks,
    mathBenchmarks, productBenchmarks, contractionBenchmarks, convolutionBenchmarks,
    fusedBenchmarks;

} // namespace tessera::bench

#endif
