/// Work in a separate process, whose crashes do no harm here.
#ifndef TESSERA_CLI_WORKER_H
#define TESSERA_CLI_WORKER_H

#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>
#include <sys/types.h>

namespace tessera::cli {

/// A child process that answers requests, one at a time. It is a copy of this process at the time
/// of the first request, or of the first one after a crash. Its output is discarded. This process
/// must have no other threads.
class Worker {
public:
  explicit Worker(std::function<std::string(llvm::StringRef request)> serve)
      : serve(std::move(serve)) {}
  ~Worker() { stop(); }
  Worker(const Worker &) = delete;

  struct Answer {
    enum class Kind { Given, Died, Late, Interrupted } kind = Kind::Given;
    std::string text; ///< The answer, or how the child ended: "Segmentation fault".
  };
  /// Waits for at most this many seconds; then the child is killed.
  Answer ask(llvm::StringRef request, double seconds);
  void stop();

private:
  bool start();
  [[noreturn]] void serveForever();
  Answer fail(Answer::Kind kind);

  std::function<std::string(llvm::StringRef)> serve;
  pid_t child = -1;
  int toChild = -1, fromChild = -1;
};

/// While it exists, SIGINT and SIGTERM only set a flag, which ends a worker's `ask`.
class InterruptFlag {
public:
  InterruptFlag();
  ~InterruptFlag();
  static bool isSet();
};

} // namespace tessera::cli

#endif
