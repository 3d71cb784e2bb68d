/// What happens on Ctrl-C: temporary files are removed, nothing is left half-written, status 130.
#ifndef TESSERA_CLI_INTERRUPT_H
#define TESSERA_CLI_INTERRUPT_H

#include "llvm/ADT/StringRef.h"

namespace tessera::cli {

/// From now on SIGINT and SIGTERM remove the registered files and end the process. A signal that
/// the parent ignores (nohup, background jobs) stays ignored.
void handleInterrupts();

/// What a fault of this process writes: a message and, if `copy` is not null, a file of that name
/// with `contents`.
struct LastWords {
  const char *text;
  int status;
  const char *copy = nullptr;
  llvm::StringRef contents = {};
};

/// What a fault of this process means while this object exists: in the compiler a bug in tessera
/// (status 70), in a program an access outside its tensors (status 3). The words must outlive it.
class FaultGuard {
public:
  explicit FaultGuard(const LastWords &words);
  ~FaultGuard();
};

/// A file to be removed on interruption, while this object exists. If too many are registered at
/// once, the rest are not removed.
class InterruptGuard {
public:
  explicit InterruptGuard(llvm::StringRef path);
  ~InterruptGuard() { release(); }
  InterruptGuard(InterruptGuard &&other) : slot(other.slot) { other.slot = -1; }
  InterruptGuard &operator=(InterruptGuard &&) = delete;
  void release();

private:
  int slot;
};

} // namespace tessera::cli

#endif
