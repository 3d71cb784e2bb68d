/// What happens on Ctrl-C: temporary files go, nothing half written stays, status 130.
#ifndef TESSERA_CLI_INTERRUPT_H
#define TESSERA_CLI_INTERRUPT_H

#include "llvm/ADT/StringRef.h"

namespace tessera::cli {

/// From here on SIGINT and SIGTERM remove the registered files and end the process. A signal that
/// the parent ignores (nohup, background jobs) stays ignored.
void handleInterrupts();

/// What a fault of this process leaves behind: what it says and, where `copy` is not null, a file
/// of that name with `contents`.
struct LastWords {
  const char *text;
  int status;
  const char *copy = nullptr;
  llvm::StringRef contents = {};
};

/// What a fault of this process means, while it lives: in the compiler our bug (status 70), in a
/// program memory outside its tensors (status 3). The words must live as long.
class FaultGuard {
public:
  explicit FaultGuard(const LastWords &words);
  ~FaultGuard();
};

/// A file to be removed on interruption, while this lives. When too many are registered at once,
/// the rest would merely stay behind.
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
