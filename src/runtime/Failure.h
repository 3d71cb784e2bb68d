/// What a failed call reports, in parts and as text.
#ifndef TESSERA_RUNTIME_FAILURE_H
#define TESSERA_RUNTIME_FAILURE_H

#include "runtime/Generated.h"
#include <cstddef>

namespace tessera::runtime {

/// The number of calls shown at each end of a long stack.
constexpr int32_t shownCalls = 10;
constexpr size_t messageCapacity = 2048, failureTextCapacity = 8192;

/// Zero bytes are a valid initial value. Strings of sites live as long as the program.
struct Failure {
  int status;
  tessera_site place; ///< Its `file` is null if the failure has no position in a program.
  char message[messageCapacity];
  /// Innermost first; `numHiddenCalls` are omitted after the first `shownCalls`.
  const tessera_site *calls[2 * shownCalls];
  int32_t numCalls, numHiddenCalls;
  char text[failureTextCapacity];
};

/// The last failure on this thread.
const Failure &lastFailure();

/// What a stack overflow prints before the process ends. The text must not change afterwards.
void setStackOverflowText(const char *text);

} // namespace tessera::runtime

#endif
