/// How tuning spends its time. The caller decides how to measure.
#ifndef TESSERA_SCHEDULE_SEARCH_H
#define TESSERA_SCHEDULE_SEARCH_H

#include "schedule/Kernel.h"
#include <functional>

namespace tessera::schedule {

/// One schedule per kernel of the program.
using Program = std::vector<Contraction>;

/// The outcome of trying a program.
struct Measurement {
  enum class Outcome {
    Good,
    Slow,     ///< Stopped early because it was clearly slower.
    Rejected, ///< It crashed or its results differ; `why` explains it.
    Stopped,  ///< By the user, or because time ran out.
  };
  Outcome outcome = Outcome::Good;
  double seconds = 0; ///< Time per call.
  std::string why = "";
};

struct SearchTask {
  std::vector<Kernel> kernels;
  std::vector<std::optional<Contraction>> remembered; ///< From earlier tuning, one per kernel.
  Machine machine;
  double budget = 3; ///< In seconds, counted from the end of the first measurement.
  uint64_t seed = 0;

  /// Measures a program. Calls that take much longer than `limit` need no precise measurement.
  std::function<Measurement(const Program &, double limit)> measure;
  /// Runs programs in turns and returns comparable times in seconds; empty if that failed.
  std::function<std::vector<double>(llvm::ArrayRef<Program>, double seconds)> race;
  std::function<double()> now;
};

/// The state of a search.
struct Findings {
  Program best;
  double seconds = 0, untuned = 0; ///< Time per call with the best schedules, and with the model's.
  int64_t numTried = 0;
  /// Schedules that failed for a kernel.
  struct Rejected {
    std::string kernel;
    Contraction schedule;
    std::string why;
  };
  std::vector<Rejected> rejected;
  /// One per kernel: whether the schedule from earlier tuning is still the best, not beaten in a
  /// race.
  std::vector<bool> keepsRecord;
  bool isStopped = false;
  std::string failure = ""; ///< Why the unmodified program could not be measured.

  double speedUp() const { return seconds > 0 ? untuned / seconds : 1; }
};

/// Tries candidates for one kernel after another, with the model's choice for all others, and
/// finally races the best against the model's choice. Gains within noise do not count, and
/// schedules from earlier tuning are replaced only by a schedule that wins such a race. If there is
/// no time for any candidate, there is no race. `report` is called after each candidate; `isBetter`
/// marks a new best.
Findings search(const SearchTask &task,
                llvm::function_ref<void(const Findings &, bool isBetter)> report);

} // namespace tessera::schedule

#endif
