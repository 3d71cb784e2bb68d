/// How tuning spends its time. Who measures, and where, is the caller's business.
#ifndef TESSERA_SCHEDULE_SEARCH_H
#define TESSERA_SCHEDULE_SEARCH_H

#include "schedule/Kernel.h"
#include <functional>

namespace tessera::schedule {

/// One schedule a kernel of the program.
using Program = std::vector<Contraction>;

/// What became of a program that was tried.
struct Measurement {
  enum class Outcome {
    Good,
    Slow,     ///< Given up when that was clear.
    Rejected, ///< It crashed, or its results differ; `why` tells.
    Stopped,  ///< By the user, or because there is no time left.
  };
  Outcome outcome = Outcome::Good;
  double seconds = 0; ///< Of a call.
  std::string why = "";
};

struct SearchTask {
  std::vector<Kernel> kernels;
  std::vector<std::optional<Contraction>> remembered; ///< One a kernel: from earlier tuning.
  Machine machine;
  double budget = 3; ///< Seconds, from when the program has been measured as it is.
  uint64_t seed = 0;

  /// Calls whose time goes beyond the limit by far need not be measured well.
  std::function<Measurement(const Program &, double limit)> measure;
  /// Measures programs in turns; the seconds of each, comparable. Nothing where that failed.
  std::function<std::vector<double>(llvm::ArrayRef<Program>, double seconds)> race;
  std::function<double()> now;
};

/// How far a search is.
struct Findings {
  Program best;
  double seconds = 0, untuned = 0; ///< Of a call with the best, and with the model's choice.
  int64_t numTried = 0;
  /// What no kernel could be computed with.
  struct Rejected {
    std::string kernel;
    Contraction schedule;
    std::string why;
  };
  std::vector<Rejected> rejected;
  /// One a kernel: what earlier tuning found is its best, as long as no race has said otherwise.
  std::vector<bool> keepsRecord;
  bool isStopped = false;
  std::string failure = ""; ///< Why the program could not be measured as it is.

  double speedUp() const { return seconds > 0 ? untuned / seconds : 1; }
};

/// Tries candidates for one kernel after the other, all others as the model has them, and lets the
/// best of each run against the model's choice in the end. A gain that is no more than noise is
/// none, and what earlier tuning found gives way to nothing but a faster one in that race.
/// Without time for a candidate, nothing runs against anything.
/// `isBetter` tells `report` of a new best; it is called behind each candidate.
Findings search(const SearchTask &task,
                llvm::function_ref<void(const Findings &, bool isBetter)> report);

} // namespace tessera::schedule

#endif
