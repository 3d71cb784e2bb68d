#include "cli/Interrupt.h"
#include "cli/Terminal.h"
#include "runtime/Print.h"
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
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

void removeFiles() {
  for (Slot &slot : slots)
    if (slot.state.load(std::memory_order_acquire) == Used)
      unlink(slot.path);
}

void removeAndExit() {
  removeFiles();
  _exit(Interrupted);
}

extern "C" void endRun(int) {
  tessera::runtime::endAfterPrinted(removeAndExit);
}

std::atomic<const LastWords *> lastWords = nullptr;

/// Best effort: the caller is about to end and cannot report a failure.
void writeAll(int descriptor, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t written = write(descriptor, text.data(), text.size());
    if (written <= 0)
      return;
    text = text.drop_front(written);
  }
}

void leaveCopy(const LastWords &words) {
  int descriptor = open(words.copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return;
  writeAll(descriptor, words.contents);
  close(descriptor);
}

extern "C" void explainFault(int signal) {
  const LastWords *words = lastWords.load();
  if (!words) { // No handler: the next fault ends the process as usual.
    ::signal(signal, SIG_DFL);
    return;
  }
  removeFiles();
  if (words->copy)
    leaveCopy(*words);
  writeAll(STDERR_FILENO, words->text);
  _exit(words->status);
}

/// A separate stack, because a stack overflow may be the fault.
void handleFaults() {
#if !__has_feature(address_sanitizer)
  static char memory[64 << 10];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction action = {};
    action.sa_handler = explainFault;
    action.sa_flags = SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
#endif
}

} // namespace

FaultGuard::FaultGuard(const LastWords &words) {
  lastWords = &words;
}

FaultGuard::~FaultGuard() {
  lastWords = nullptr;
}

void tessera::cli::handleInterrupts() {
  handleFaults();
  ::signal(SIGXFSZ, SIG_IGN); // A limit on file sizes then becomes an ordinary write error.
  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction action = {}, before = {};
    action.sa_handler = endRun;
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
