/// A call with one schedule after the other: compiled, verified and timed.
#ifndef TESSERA_CLI_TRIALS_H
#define TESSERA_CLI_TRIALS_H

#include "cli/Call.h"
#include "cli/Worker.h"
#include "schedule/Search.h"

namespace tessera::cli {

/// Done in a child of this process; the results must be those of the first program that was
/// measured.
class Trials {
public:
  /// `session` has the program at stage Scheduled.
  Trials(PlannedCall &plan, Session &session, const Invocation &invocation);
  ~Trials();

  /// `deadline` is a time of `now`, when the child is given up.
  schedule::Measurement measure(const schedule::Program &program, double limit, double deadline);
  /// Of each program its seconds, in turns with the others. Nothing where that failed.
  std::vector<double> race(llvm::ArrayRef<schedule::Program> programs, double seconds);
  /// How the last call failed that did: TESSERA_RUNTIME_ERROR and its kin.
  int failure() const { return lastFailure; }

private:
  struct Child;
  std::unique_ptr<Child> state; ///< Fills up in the child only.
  schedule::Program reference;  ///< What the others must agree with.
  int lastFailure = TESSERA_RUNTIME_ERROR;
  Worker worker;
};

} // namespace tessera::cli

#endif
