/// What the runtime keeps for each thread, and the frames that traps unwind to.
#ifndef TESSERA_RUNTIME_THREADSTATE_H
#define TESSERA_RUNTIME_THREADSTATE_H

#include "runtime/Failure.h"
#include "runtime/Memory.h"
#include <atomic>
#include <csetjmp>

namespace tessera::runtime {

/// Where a trap goes, and what it frees. Only the thread that runs in a frame changes `live`;
/// others leave the blocks they free in `freedElsewhere`.
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
  const tessera_site *entry; ///< Where the function stands that was called from outside.
};

struct ThreadState {
  Frame *frame;
  BlockCache cache;
  CallStack calls;
  /// On a worker: the calls that led to the parallel loop, on the thread that started it.
  CallStack outerCalls;
  uintptr_t stackEnd; ///< See stackEndOf.
  void *signalStack;
  Failure failure; ///< The last one.
  /// What the call from outside has set for itself; null and 0: it goes by the process.
  Budget *budget;
  uint32_t numThreads;
  bool isMetered;              ///< Loops of this call have meters: Note [Bounded runs] in Run.cpp.
  Meter *meter;                ///< That of the chunk which this thread runs.
  tessera_output failedOutput; ///< Of the last call of a program that failed.
};

extern constinit thread_local ThreadState *currentThread;
ThreadState &createThreadState();

inline ThreadState &thisThread() {
  return __builtin_expect(currentThread != nullptr, 1) ? *currentThread : createThreadState();
}

/// Of loops that this thread starts.
inline uint32_t threadsOf(const ThreadState &thread) {
  return thread.numThreads ? thread.numThreads : tessera_num_threads();
}

/// Runs `body` in `frame` and leaves it; blocks that are still live stay in the frame.
int runInFrame(Frame &frame, void (*body)(void *), void *context);

/// Ends the innermost frame; the thread has its failure already.
[[noreturn]] void unwind(ThreadState &thread);

/// Traps at `site` or, where that is null, at the function that was called from outside.
[[noreturn, gnu::format(printf, 2, 3)]] void trapAt(const tessera_site *site, const char *format,
                                                    ...);

/// The lowest address of this thread's stack, found on first use; 1 where it cannot be known.
uintptr_t findStackEnd();
inline uintptr_t stackEndOf(ThreadState &thread) {
  return thread.stackEnd ? thread.stackEnd : thread.stackEnd = findStackEnd();
}

/// Gives this thread a stack for signals if the program asked for the stack guard.
void guardThisThread();
void releaseGuard(ThreadState &thread);

} // namespace tessera::runtime

#endif
