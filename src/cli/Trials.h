/// Calls with different schedules: compiled, verified and timed.
#ifndef TESSERA_CLI_TRIALS_H
#define TESSERA_CLI_TRIALS_H

#include "cli/Call.h"
#include "cli/Worker.h"
#include "schedule/Search.h"

namespace tessera::cli {

/// Runs in a child process; results must equal those of the first program that was measured.
class Trials {
public:
  /// `session` has the program at stage Scheduled.
  Trials(PlannedCall &plan, Session &session, const Invocation &invocation);
  ~Trials();

  /// At `deadline`, a time of `now`, the child is killed.
  schedule::Measurement measure(const schedule::Program &program, double limit, double deadline);
  /// The seconds of each program, measured in turns. Empty on failure.
  std::vector<double> race(llvm::ArrayRef<schedule::Program> programs, double seconds);
  /// The status of the last call that failed: TESSERA_RUNTIME_ERROR or similar.
  int failure() const { return lastFailure; }

private:
  struct Child;
  std::unique_ptr<Child> state; ///< Only filled in the child.
  schedule::Program reference;  ///< The program whose results all others must have.
  int lastFailure = TESSERA_RUNTIME_ERROR;
  Worker worker;
};

} // namespace tessera::cli

#endif
