/// Creates the state of a thread on first use and frees it when the thread ends.
#include "runtime/ThreadState.h"
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

using namespace tessera::runtime;

constinit thread_local ThreadState *tessera::runtime::currentThread = nullptr;

static pthread_key_t key;
static bool hasKey; ///< A process has about a thousand; without, states are never freed.
static pthread_once_t keyOnce = PTHREAD_ONCE_INIT;

static void destroy(void *memory) {
  auto *thread = static_cast<ThreadState *>(memory);
  releaseGuard(*thread);
  flush(thread->cache);
  free(thread->calls.sites);
  free(thread);
  currentThread = nullptr;
}

static void createKey() {
  hasKey = pthread_key_create(&key, destroy) == 0;
}

ThreadState &tessera::runtime::createThreadState() {
  // Zero bytes are a valid initial value.
  auto *thread = static_cast<ThreadState *>(calloc(1, sizeof(ThreadState)));
  if (!thread) {
    fputs("error: out of memory for the state of a thread\n", stderr);
    _exit(TESSERA_RUNTIME_ERROR);
  }
  pthread_once(&keyOnce, createKey);
  if (hasKey)
    pthread_setspecific(key, thread);
  currentThread = thread;
  return *thread;
}

const char *tessera_last_error() {
  return thisThread().failure.text;
}

const Failure &tessera::runtime::lastFailure() {
  return thisThread().failure;
}
