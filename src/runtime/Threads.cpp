/// The thread pool for parallel loops. See Note [Claims].
#include "runtime/Chunks.h"
#include "runtime/CpuCount.h"
#include "runtime/Placement.h"
#include "runtime/ThreadState.h"
#include "runtime/Wait.h"
#include <csignal>
#include <cstring>
#include <pthread.h>

using namespace tessera::runtime;

namespace {

using Body = void (*)(void *, int64_t, int64_t);

/// Enough chunks to balance many cores; few enough that claiming them costs nothing.
constexpr int64_t maxChunks = 1024;
constexpr uint32_t noChunk = ~0u;
/// How long a worker spins for the next loop, and the caller for the last chunk. Waking a sleeping
/// core takes up to a millisecond on a virtual machine.
constexpr int64_t workerSpinNanoseconds = 100'000, callerSpinNanoseconds = 50'000;

/// A parallel loop. Constant from its start until its last chunk is done.
struct Loop {
  Body body;
  void *context;
  int64_t count, step;
  CallStack calls;
  Budget *budget;
  bool isMetered;

  uint32_t numChunks() const { return (count + step - 1) / step; }
  void run(int64_t chunk) const {
    int64_t lo = chunk * step;
    body(context, lo, lo + step < count ? lo + step : count);
  }
};

/// The chunks assigned to one thread at first: {generation, end, next} in 32, 16 and 16 bits.
struct alignas(64) Share {
  std::atomic<uint64_t> word;
};

/// The state of a thread that works on a loop. Lives as long as the pool: another thread may free a
/// block of this frame at any time.
struct alignas(64) Participant {
  Frame frame;
  Meter meter;
  pthread_t thread; ///< The thread of a worker.
  uint32_t index, chunk, finished;
};

struct Pool {
  Share shares[maxThreads];
  Participant participants[maxThreads];
  alignas(64) Loop loop;
  uint32_t generation;
  uint32_t numWorkers;
  Placement placement;
  alignas(64) std::atomic<uint32_t> event;
  std::atomic<uint32_t> numSleeping;
  std::atomic<uint32_t> numActive;
  std::atomic<int64_t> workerSpin;
  alignas(64) std::atomic<uint32_t> done;
  std::atomic<uint32_t> callerSleeps;
  std::atomic<bool> blocksLeft;
  /// The bytes that all chunks have kept, and the most that one of them had in addition.
  std::atomic<int64_t> kept, mostBeside;
  alignas(64) std::atomic<bool> busy;
  std::atomic<uint32_t> failedChunk;
  Failure failure;
};

constinit Pool pool = {};
pthread_mutex_t failureMutex = PTHREAD_MUTEX_INITIALIZER;

bool claimFrom(Share &share, uint32_t &chunk) {
  uint64_t word = share.word.load(std::memory_order_acquire);
  for (;;) {
    uint32_t next = word & 0xffff, end = word >> 16 & 0xffff;
    if (next >= end)
      return false;
    if (share.word.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
      chunk = next;
      return true;
    }
  }
}

/// The thread's own share first, so that equal loops find their data in the same cache.
bool claim(Participant &self) {
  uint32_t threads = pool.numActive.load(std::memory_order_relaxed);
  for (uint32_t offset = 0; offset < threads; ++offset) {
    uint32_t share = self.index + offset;
    if (claimFrom(pool.shares[share < threads ? share : share - threads], self.chunk))
      return true;
  }
  return false;
}

void beginMeter(Participant &self) {
  self.meter = {};
  thisThread().meter = pool.loop.isMetered ? &self.meter : nullptr;
}

void endMeter(Participant &self) {
  if (!thisThread().meter)
    return;
  thisThread().meter = nullptr;
  pool.kept.fetch_add(self.meter.inUse, std::memory_order_relaxed);
  int64_t beside = self.meter.most - self.meter.inUse, most = pool.mostBeside.load();
  while (most < beside && !pool.mostBeside.compare_exchange_weak(most, beside))
    ;
}

/// A failing chunk stops only those after it, so the first one is found with any number of threads.
void noteFailure(Participant &self) {
  pthread_mutex_lock(&failureMutex);
  if (self.chunk < pool.failedChunk.load(std::memory_order_relaxed)) {
    pool.failedChunk.store(self.chunk, std::memory_order_relaxed);
    pool.failure = thisThread().failure;
  }
  pthread_mutex_unlock(&failureMutex);
  endMeter(self);
  ++self.finished;
}

void runClaimed(Participant &self) {
  if (self.chunk < pool.failedChunk.load(std::memory_order_relaxed)) {
    beginMeter(self);
    pool.loop.run(self.chunk);
    endMeter(self);
  }
  ++self.finished;
}

/// Tells the caller; afterwards the loop may no longer exist.
void reportFinished(Participant &self) {
  if (!self.finished)
    return;
  if (self.frame.live || self.frame.freedElsewhere.load(std::memory_order_relaxed))
    pool.blocksLeft.store(true, std::memory_order_relaxed);
  uint32_t finished = self.finished;
  self.finished = 0;
  pool.done.fetch_add(finished);
  if (pool.callerSleeps.load())
    wakeSleepers(pool.done, 1);
}

/// A worker acts for the thread that started the loop.
void workFor(const Loop &loop, ThreadState &worker) {
  worker.outerCalls = loop.calls;
  worker.budget = loop.budget;
}

/// Runs chunks until none is left to claim.
void work(Participant &self) {
  // A trap in a chunk continues here, and the thread goes on with the next chunk.
  if (_setjmp(self.frame.resume))
    noteFailure(self);
  while (claim(self)) {
    if (self.index)
      workFor(pool.loop, thisThread());
    runClaimed(self);
  }
  reportFinished(self);
}

void sleepUntilAfter(uint32_t event) {
  pool.numSleeping.fetch_add(1);
  if (pool.event.load() == event)
    sleepWhile(pool.event, event);
  pool.numSleeping.fetch_sub(1);
}

void *runWorker(void *memory) {
  auto &self = *static_cast<Participant *>(memory);
  thisThread().frame = &self.frame;
  guardThisThread();
  for (;;) {
    uint32_t event = pool.event.load(std::memory_order_acquire);
    bool wanted = self.index < pool.numActive.load(std::memory_order_relaxed);
    if (wanted)
      work(self);
    if (!spinWhile(pool.event, event, wanted ? pool.workerSpin.load() : 0))
      sleepUntilAfter(event);
  }
  return nullptr;
}

/// Workers block signals: handlers of the program run on threads of the program.
bool startWorker(uint32_t index) {
  Participant &worker = pool.participants[index];
  worker.index = index;
  sigset_t all, before;
  sigfillset(&all);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = !pthread_create(&worker.thread, nullptr, runWorker, &worker);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (started)
    pthread_detach(worker.thread);
  return started;
}

/// See Note [Placement]. With more threads than CPUs, no CPU can be kept free.
void makeRoom(uint32_t threads) {
  if (threads <= availableCpus())
    pool.placement.makeRoom(pool.participants + 1, pool.numWorkers);
}

/// Starts missing workers; returns the number of threads, including the caller.
uint32_t startWorkers(uint32_t threads) {
  if (pool.numWorkers + 1 >= threads)
    return threads;
  pool.placement.begin();
  while (pool.numWorkers + 1 < threads && startWorker(pool.numWorkers + 1))
    ++pool.numWorkers;
  makeRoom(threads);
  return pool.numWorkers + 1;
}

/// After the number of threads was lowered, the remaining workers sleep.
void wake(uint32_t threads, uint32_t wanted) {
  makeRoom(threads);
  bool all = pool.numWorkers + 1 > threads;
  wakeSleepers(pool.event, all ? maxThreads : wanted);
}

/// The last store to a share publishes the loop to those who claim from it.
void publish(const Loop &loop, uint32_t threads) {
  uint64_t chunks = loop.numChunks();
  pool.loop = loop;
  pool.done.store(0, std::memory_order_relaxed);
  pool.failedChunk.store(noChunk, std::memory_order_relaxed);
  pool.blocksLeft.store(false, std::memory_order_relaxed);
  pool.kept.store(0, std::memory_order_relaxed);
  pool.mostBeside.store(0, std::memory_order_relaxed);
  pool.numActive.store(threads, std::memory_order_relaxed);
  // With more threads than cores, a spinning worker would delay a working one.
  pool.workerSpin.store(threads > availableCpus() ? 0 : workerSpinNanoseconds);
  uint64_t generation = uint64_t(++pool.generation) << 32;
  uint64_t sharing = chunks < threads ? chunks : threads;
  for (uint64_t index = 0; index < threads; ++index) {
    uint64_t begin = chunks * index / sharing, end = chunks * (index + 1) / sharing;
    uint64_t range = index < sharing ? end << 16 | begin : 0;
    pool.shares[index].word.store(generation | range, std::memory_order_release);
  }
  pool.event.fetch_add(1);
  if (pool.numSleeping.load())
    wake(threads, sharing - 1);
}

/// Only for chunks that are being run: the caller itself claimed all others.
void waitUntilDone(uint32_t chunks) {
  for (uint32_t done; (done = pool.done.load(std::memory_order_acquire)) != chunks;) {
    if (spinWhile(pool.done, done, callerSpinNanoseconds))
      continue;
    pool.callerSleeps.store(1);
    if (pool.done.load() == done)
      sleepWhile(pool.done, done);
    pool.callerSleeps.store(0);
  }
}

void workAsCaller(ThreadState &thread) {
  Participant &self = pool.participants[0];
  self.frame.outer = thread.frame;
  self.frame.callDepth = thread.calls.depth;
  thread.frame = &self.frame;
  work(self);
  thread.frame = self.frame.outer;
}

/// What chunks allocated and did not free belongs to the frame around the loop.
void collectBlocks(ThreadState &thread) {
  if (pool.blocksLeft.load(std::memory_order_relaxed))
    for (uint32_t index = 0; index <= pool.numWorkers; ++index)
      moveAll(pool.participants[index].frame, thread.frame);
}

void runOnPool(const Loop &loop, uint32_t threads) {
  ThreadState &thread = thisThread();
  int64_t before = loop.isMetered ? memoryInUseOfCall() : 0;
  publish(loop, startWorkers(threads));
  workAsCaller(thread);
  waitUntilDone(loop.numChunks());
  collectBlocks(thread);
  bool failed = pool.failedChunk.load(std::memory_order_relaxed) != noChunk;
  if (failed)
    thread.failure = pool.failure;
  int64_t inOrder = before + pool.kept.load() + pool.mostBeside.load();
  pool.busy.store(false, std::memory_order_release);
  if (failed)
    unwind(thread);
  if (loop.isMetered)
    checkTotal(inOrder);
}

/// Long chunks begin at whole cache lines.
int64_t stepOf(int64_t count, int64_t grain) {
  constexpr int64_t line = 64, many = 8 * line;
  int64_t step = evenChunk(count, grain, maxChunks);
  return step < many ? step : (step + line - 1) / line * line;
}

void runInOrder(const Loop &loop) {
  for (uint32_t chunk = 0, end = loop.numChunks(); chunk < end; ++chunk)
    loop.run(chunk);
}

} // namespace

void tessera_rt_parallel_for(void (*body)(void *, int64_t, int64_t), void *context, int64_t count,
                             int64_t grain) {
  if (grain < 1)
    grain = 1;
  if (count <= grain)
    return count > 0 ? body(context, 0, count) : void();
  int64_t step = stepOf(count, grain);
  ThreadState &thread = thisThread();
  Loop loop{body, context, count, step, thread.calls, thread.budget, thread.isMetered};
  uint32_t threads = threadsOf(thread);
  // The pool serves one loop at a time: inside a chunk, or while another thread's loop runs, the
  // chunks run in order on this thread.
  if (threads == 1 || pool.busy.exchange(true, std::memory_order_acquire))
    return runInOrder(loop);
  runOnPool(loop, threads);
}

int64_t tessera_rt_chunks_at_once(int64_t outer, int64_t inner) {
  int64_t threads = threadsOf(thisThread());
  if (outer >= 2 * threads || outer < 1)
    return 1;
  // How long the slowest thread takes, in inner chunks.
  auto rounds = [&](int64_t chunks) { return (chunks + threads - 1) / threads; };
  return outer * rounds(inner) < rounds(outer) * inner ? outer : 1;
}

// Note [Claims]
//
// Each thread's share of the chunks is one 64-bit word {generation, end, next}. A claim is a CAS of
// the whole word that increments `next`. A worker that wakes late therefore cannot touch a loop
// that is over: its words are used up, or carry a newer generation, and a claim that succeeds
// belongs to a loop that will wait for it. A worker reads `pool.loop` only after a claim.
//
// The caller claims from all shares, too. When nothing is left to claim, every chunk is done or
// being run by a thread that is awake: the caller never waits for one that sleeps.
