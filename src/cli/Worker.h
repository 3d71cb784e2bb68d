/// Work in a process of its own: what crashes there costs nothing here.
#ifndef TESSERA_CLI_WORKER_H
#define TESSERA_CLI_WORKER_H

#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>
#include <sys/types.h>

namespace tessera::cli {

/// A child that answers requests, one at a time. It is a copy of this process as it is when the
/// first request comes, or the first one after a death. What it prints goes nowhere. This process
/// must have no other threads.
class Worker {
public:
  explicit Worker(std::function<std::string(llvm::StringRef request)> serve)
      : serve(std::move(serve)) {}
  ~Worker() { stop(); }
  Worker(const Worker &) = delete;

  struct Answer {
    enum class Kind { Given, Died, Late, Interrupted } kind = Kind::Given;
    std::string text; ///< The answer, or how the child died: "Segmentation fault".
  };
  /// Waits for so many seconds at most; a child that is late is killed.
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

/// While it lives, SIGINT and SIGTERM only set a flag, which ends a worker's `ask`.
class InterruptFlag {
public:
  InterruptFlag();
  ~InterruptFlag();
  static bool isSet();
};

} // namespace tessera::cli

#endif
