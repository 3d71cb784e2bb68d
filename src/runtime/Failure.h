/// What a failed call says, in its parts and as a text.
#ifndef TESSERA_RUNTIME_FAILURE_H
#define TESSERA_RUNTIME_FAILURE_H

#include "runtime/Generated.h"
#include <cstddef>

namespace tessera::runtime {

/// Calls shown at each end of a long stack.
constexpr int32_t shownCalls = 10;
constexpr size_t messageCapacity = 2048, failureTextCapacity = 8192;

/// All members may start as zero bytes. Strings of sites live as long as the program.
struct Failure {
  int status;
  tessera_site place; ///< Its `file` is null where the failure has no place in a program.
  char message[messageCapacity];
  /// Innermost first; `numHiddenCalls` are missing behind the first `shownCalls`.
  const tessera_site *calls[2 * shownCalls];
  int32_t numCalls, numHiddenCalls;
  char text[failureTextCapacity];
};

/// The last failure on this thread.
const Failure &lastFailure();

/// What a stack overflow prints before the process ends. The text must stay as it is.
void setStackOverflowText(const char *text);

} // namespace tessera::runtime

#endif
