#include "cli/Interrupt.h"
#include "cli/Terminal.h"
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace tessera::cli;

namespace {

enum SlotState { Free, Filling, Used };

/// Fixed memory: a signal handler can neither allocate nor wait for a lock.
struct Slot {
  std::atomic<int> state = Free;
  char path[PATH_MAX] = {};
};
constinit Slot slots[16];

extern "C" void removeAndExit(int) {
  for (Slot &slot : slots)
    if (slot.state.load(std::memory_order_acquire) == Used)
      unlink(slot.path);
  _exit(Interrupted);
}

} // namespace

void tessera::cli::handleInterrupts() {
  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction action = {}, before = {};
    action.sa_handler = removeAndExit;
    sigaction(signal, &action, &before);
    if (before.sa_handler == SIG_IGN)
      sigaction(signal, &before, nullptr);
  }
}

InterruptGuard::InterruptGuard(llvm::StringRef path) : slot(-1) {
  for (int i = 0; i < static_cast<int>(std::size(slots)) && path.size() < PATH_MAX; ++i) {
    int expected = Free;
    if (!slots[i].state.compare_exchange_strong(expected, Filling))
      continue;
    memcpy(slots[i].path, path.data(), path.size());
    slots[i].path[path.size()] = 0;
    slots[i].state.store(Used, std::memory_order_release);
    slot = i;
    return;
  }
}

void InterruptGuard::release() {
  if (slot >= 0)
    slots[slot].state.store(Free, std::memory_order_release);
  slot = -1;
}
