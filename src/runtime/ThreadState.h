/// The state of each thread, and the frames that traps unwind to.
#ifndef TESSERA_RUNTIME_THREADSTATE_H
#define TESSERA_RUNTIME_THREADSTATE_H

#include "runtime/Failure.h"
#include "runtime/Memory.h"
#include <atomic>
#include <csetjmp>

namespace tessera::runtime {

/// Where a trap continues, and what it frees. Only the thread that runs in a frame changes `live`;
/// others put the blocks they free into `freedElsewhere`.
struct Frame {
  jmp_buf resume;
  Frame *outer;
  Block *live;
  std::atomic<Block *> freedElsewhere;
  int32_t callDepth;
};

/// Calls that traps report, outermost first.
struct CallStack {
  const tessera_site **sites;
  int32_t depth, capacity;
  const tessera_site *entry; ///< The position of the function that was called from outside.
};

struct ThreadState {
  Frame *frame;
  BlockCache cache;
  CallStack calls;
  /// On a worker: the calls that led to the parallel loop, on the thread that started it.
  CallStack outerCalls;
  uintptr_t stackEnd; ///< See stackEndOf.
  void *signalStack;
  Failure failure; ///< The last failure.
  /// The limits of the call from outside; null and 0: those of the process.
  Budget *budget;
  uint32_t numThreads;
  bool isMetered;              ///< Loops of this call have meters: Note [Bounded runs] in Run.cpp.
  Meter *meter;                ///< The meter of the chunk that this thread runs.
  tessera_output failedOutput; ///< The output of the last call of a program that failed.
};

extern constinit thread_local ThreadState *currentThread;
ThreadState &createThreadState();

inline ThreadState &thisThread() {
  return __builtin_expect(currentThread != nullptr, 1) ? *currentThread : createThreadState();
}

/// The number of threads for loops that this thread starts.
inline uint32_t threadsOf(const ThreadState &thread) {
  return thread.numThreads ? thread.numThreads : tessera_num_threads();
}

/// Runs `body` in `frame` and leaves it; blocks that are still live remain in the frame.
int runInFrame(Frame &frame, void (*body)(void *), void *context);

/// Ends the innermost frame after the thread's failure has been recorded.
[[noreturn]] void unwind(ThreadState &thread);

/// Traps at `site` or, if it is null, at the function that was called from outside.
[[noreturn, gnu::format(printf, 2, 3)]] void trapAt(const tessera_site *site, const char *format,
                                                    ...);

/// The lowest address of this thread's stack, found on first use; 1 if it is unknown.
uintptr_t findStackEnd();
inline uintptr_t stackEndOf(ThreadState &thread) {
  return thread.stackEnd ? thread.stackEnd : thread.stackEnd = findStackEnd();
}

/// Gives this thread a signal stack if the program asked for the stack guard.
void guardThisThread();
void releaseGuard(ThreadState &thread);

} // namespace tessera::runtime

#endif
