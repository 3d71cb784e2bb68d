/// Reports a stack overflow as a sentence. The handler needs its own stack in each thread.
#include "runtime/ThreadState.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tessera::runtime;

namespace {

constexpr size_t signalStackBytes = 64 << 10;
/// The kernel keeps 1 MiB below the main stack free; a large frame may reach past a guard page.
constexpr uintptr_t reach = 1 << 20;

std::atomic<bool> installed{false};
struct sigaction previousAction;
/// A handler can only write existing text.
std::atomic<const char *> overflowText{"error: stack overflow (recursion too deep)\n"};

bool isStackOverflow(uintptr_t address) {
  uintptr_t stackEnd = currentThread ? currentThread->stackEnd : 0;
  return stackEnd > reach && address >= stackEnd - reach && address < stackEnd + (64 << 10);
}

void onFault(int signal, siginfo_t *info, void *context) {
  if (isStackOverflow(reinterpret_cast<uintptr_t>(info->si_addr))) {
    const char *text = overflowText.load();
    [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, strlen(text));
    _exit(TESSERA_RUNTIME_ERROR);
  }
  // Another fault: the instruction faults again on return and reaches the previous handler.
  sigaction(signal, &previousAction, nullptr);
}

} // namespace

uintptr_t tessera::runtime::findStackEnd() {
  pthread_attr_t attributes;
  void *lowest = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes))
    return 1;
  bool isKnown = !pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return isKnown ? reinterpret_cast<uintptr_t>(lowest) : 1;
}

void tessera::runtime::guardThisThread() {
  ThreadState &thread = thisThread();
  if (!installed.load() || thread.signalStack)
    return;
  void *memory =
      mmap(nullptr, signalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = signalStackBytes;
  if (sigaltstack(&stack, nullptr)) {
    munmap(memory, signalStackBytes);
    return;
  }
  thread.signalStack = memory;
  stackEndOf(thread); // The handler only looks it up.
}

void tessera::runtime::releaseGuard(ThreadState &thread) {
  if (!thread.signalStack)
    return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(thread.signalStack, signalStackBytes);
}

void tessera::runtime::setStackOverflowText(const char *text) {
  overflowText.store(text);
}

void tessera_rt_install_stack_guard() {
  if (!installed.exchange(true)) {
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &previousAction);
  }
  guardThisThread();
}
