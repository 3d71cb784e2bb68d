/// Allocation for generated code: no system calls in inner loops, no leaks after a trap.
#include "runtime/Memory.h"
#include "runtime/ThreadState.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>

using namespace tessera::runtime;

/// Precedes each payload, which therefore has the alignment of a block.
struct alignas(64) tessera::runtime::Block {
  Block *next, *previous;
  Frame *frame;
  int64_t bytes;   // of the payload
  int64_t charged; // counted in the budget
  Budget *budget;
  uint32_t sizeClass;
  uint32_t mark;
};

namespace {

constexpr uint32_t liveMark = 0x7e55e7a1, freeMark = 0x7e55f4ee;
constexpr int64_t maxBytes = int64_t(1) << 60;
constexpr int64_t smallBytes = 32 << 10;
constexpr int64_t smallCacheBytes = 8 << 20;
constexpr int64_t largeCacheBytes = maxClassBytes;
constexpr int64_t hugePageBytes = 4 << 20, offeredBytes = 64 << 20;
constexpr uintptr_t pageBytes = 2 << 20;

// A sanitizer must see where each block really ends and when it is freed.
#if __has_feature(address_sanitizer)
constexpr bool caching = false;
#else
constexpr bool caching = true;
#endif

BlockCache largeBlocks;
pthread_mutex_t largeMutex = PTHREAD_MUTEX_INITIALIZER;
Budget ofProcess;

Block *take(BlockCache &cache, uint32_t sizeClass) {
  Block *block = cache.lists[sizeClass];
  if (block) {
    cache.lists[sizeClass] = block->next;
    cache.bytes -= block->bytes;
  }
  return block;
}

/// A full cache is emptied: a program in a new phase needs other sizes.
void put(BlockCache &cache, Block *block, int64_t capacity) {
  if (cache.bytes + block->bytes > capacity)
    flush(cache);
  block->next = cache.lists[block->sizeClass];
  cache.lists[block->sizeClass] = block;
  cache.bytes += block->bytes;
}

Block *takeCached(ThreadState &thread, uint32_t sizeClass) {
  if (!caching || sizeClass == noSizeClass)
    return nullptr;
  if (bytesOf(sizeClass) <= smallBytes)
    return take(thread.cache, sizeClass);
  pthread_mutex_lock(&largeMutex);
  Block *block = take(largeBlocks, sizeClass);
  pthread_mutex_unlock(&largeMutex);
  return block;
}

/// The system may take the pages of a block that waits for reuse, and does so when it lacks memory.
/// Only whole huge pages, so that they are not split.
void offerPages(Block *block) {
  uintptr_t mask = pageBytes - 1, begin = reinterpret_cast<uintptr_t>(block + 1),
            end = begin + block->bytes;
  begin = (begin + mask) & ~mask;
  end &= ~mask;
  madvise(reinterpret_cast<void *>(begin), end - begin, MADV_FREE);
}

void recycle(ThreadState &thread, Block *block) {
  if (!caching || block->sizeClass == noSizeClass)
    return free(block);
  if (block->bytes <= smallBytes)
    return put(thread.cache, block, smallCacheBytes);
  if (block->bytes >= offeredBytes)
    offerPages(block);
  pthread_mutex_lock(&largeMutex);
  put(largeBlocks, block, largeCacheBytes);
  pthread_mutex_unlock(&largeMutex);
}

void flushEverything(ThreadState &thread) {
  flush(thread.cache);
  pthread_mutex_lock(&largeMutex);
  flush(largeBlocks);
  pthread_mutex_unlock(&largeMutex);
}

Block *allocateFresh(ThreadState &thread, int64_t bytes, uint32_t sizeClass) {
  int64_t size = caching && sizeClass != noSizeClass ? bytesOf(sizeClass) : (bytes / 64 + 1) * 64;
  void *memory = aligned_alloc(alignof(Block), sizeof(Block) + size);
  if (!memory) {
    flushEverything(thread);
    memory = aligned_alloc(alignof(Block), sizeof(Block) + size);
  }
  if (!memory)
    return nullptr;
  if (size >= hugePageBytes) {
    // Packed panels are read with large strides: fewer pages cause fewer TLB misses.
    uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + 4095) & ~uintptr_t(4095);
    madvise(reinterpret_cast<void *>(begin), size - 4096, MADV_HUGEPAGE);
  }
  auto *block = static_cast<Block *>(memory);
  block->bytes = size;
  block->sizeClass = sizeClass;
  return block;
}

/// The budget of the call, or else the one that all calls share.
Budget &budgetOf(ThreadState &thread) {
  return thread.budget ? *thread.budget : ofProcess;
}

/// Whether the language has its own name for this error.
bool isNamed(const tessera_site *site) {
  return site && site->message && !strcmp(site->message, "OutOfMemory");
}

/// In Weld, threads share the limit. Which of them reaches it, and with what request, is chance, so
/// the message does not mention it.
[[noreturn]] void exceed(int64_t bound, int64_t bytes, int64_t before, const tessera_site *site) {
  if (isNamed(site) && bytes > bound)
    trapAt(site, "%lld bytes exceed the limit of %lld bytes", (long long)bytes, (long long)bound);
  if (isNamed(site))
    trapAt(site, "the memory in use exceeds the limit of %lld bytes", (long long)bound);
  trapAt(site, "%s%lld bytes on top of %lld in use exceed the limit of %lld bytes",
         outOfMemory(site), (long long)bytes, (long long)before, (long long)bound);
}

/// Counts an allocation while there is a limit; blocks allocated before the limit are never
/// counted.
int64_t charge(ThreadState &thread, Budget &budget, int64_t bytes, const tessera_site *site) {
  int64_t bound = budget.limit.load(std::memory_order_relaxed);
  if (__builtin_expect(bound <= 0, 1))
    return 0;
  int64_t before = budget.inUse.fetch_add(bytes, std::memory_order_relaxed);
  if (before > bound - bytes) {
    budget.inUse.fetch_sub(bytes, std::memory_order_relaxed);
    exceed(bound, bytes, before, site);
  }
  if (Meter *meter = thread.meter) {
    meter->inUse += bytes;
    meter->most = meter->inUse > meter->most ? meter->inUse : meter->most;
  }
  return bytes;
}

void discharge(Block *block) {
  if (!block->charged)
    return;
  block->budget->inUse.fetch_sub(block->charged, std::memory_order_relaxed);
  if (Meter *meter = thisThread().meter)
    meter->inUse -= block->charged;
  block->charged = 0;
}

void link(Frame *frame, Block *block) {
  block->frame = frame;
  block->previous = nullptr;
  block->next = frame ? frame->live : nullptr;
  if (block->next)
    block->next->previous = block;
  if (frame)
    frame->live = block;
}

void unlink(Frame &frame, Block *block) {
  (block->previous ? block->previous->next : frame.live) = block->next;
  if (block->next)
    block->next->previous = block->previous;
}

/// The list of blocks belongs to the thread that runs in the frame; other threads leave blocks for
/// it. The list through `next` is in use, so these are linked through their payload.
void leaveFor(Frame &frame, Block *block) {
  auto **link = reinterpret_cast<Block **>(block + 1);
  *link = frame.freedElsewhere.load(std::memory_order_relaxed);
  while (!frame.freedElsewhere.compare_exchange_weak(*link, block, std::memory_order_release))
    ;
}

void collectFreedElsewhere(ThreadState &thread, Frame &frame) {
  Block *block = frame.freedElsewhere.exchange(nullptr, std::memory_order_acquire);
  while (block) {
    Block *next = *reinterpret_cast<Block **>(block + 1);
    unlink(frame, block);
    recycle(thread, block);
    block = next;
  }
}

Block *blockOf(void *memory) {
  return static_cast<Block *>(memory) - 1;
}

} // namespace

void tessera::runtime::flush(BlockCache &cache) {
  for (Block *&list : cache.lists)
    while (Block *block = list) {
      list = block->next;
      free(block);
    }
  cache.bytes = 0;
}

void tessera::runtime::releaseAll(Frame &frame) {
  ThreadState &thread = thisThread();
  collectFreedElsewhere(thread, frame);
  while (Block *block = frame.live) {
    frame.live = block->next;
    block->mark = freeMark;
    discharge(block);
    recycle(thread, block);
  }
}

void tessera::runtime::moveAll(Frame &from, Frame *to) {
  collectFreedElsewhere(thisThread(), from);
  while (Block *block = from.live) {
    from.live = block->next;
    link(to, block);
  }
}

bool tessera::runtime::owns(const Frame &frame, const void *memory) {
  const Block *block = frame.live;
  while (block && block + 1 != memory)
    block = block->next;
  return block;
}

void tessera::runtime::detach(Frame &frame, void *memory) {
  unlink(frame, blockOf(memory));
  link(nullptr, blockOf(memory));
}

void tessera::runtime::forgetCharge(void *memory) {
  discharge(blockOf(memory));
}

int64_t tessera::runtime::countBlocks(Frame &frame) {
  collectFreedElsewhere(thisThread(), frame);
  int64_t count = 0;
  for (const Block *block = frame.live; block; block = block->next)
    ++count;
  return count;
}

void tessera::runtime::listBlocks(const Frame &frame, LiveBlock *blocks) {
  for (Block *block = frame.live; block; block = block->next)
    *blocks++ = {reinterpret_cast<char *>(block + 1), block->bytes};
}

int64_t tessera::runtime::memoryLimit() {
  return budgetOf(thisThread()).limit.load(std::memory_order_relaxed);
}

int64_t tessera::runtime::memoryInUse() {
  return ofProcess.inUse.load(std::memory_order_relaxed);
}

int64_t tessera::runtime::memoryInUseOfCall() {
  return budgetOf(thisThread()).inUse.load(std::memory_order_relaxed);
}

void tessera::runtime::checkTotal(int64_t bytes) {
  int64_t bound = memoryLimit();
  if (bound > 0 && bytes > bound)
    exceed(bound, bytes, 0, nullptr);
}

int64_t tessera::runtime::cachedLargeBytes() {
  pthread_mutex_lock(&largeMutex);
  int64_t bytes = largeBlocks.bytes;
  pthread_mutex_unlock(&largeMutex);
  return bytes;
}

void tessera_rt_set_memory_limit(int64_t bytes) {
  ofProcess.limit.store(bytes, std::memory_order_relaxed);
}

const char *tessera::runtime::outOfMemory(const tessera_site *site) {
  return isNamed(site) ? "" : "out of memory: ";
}

void tessera::runtime::rejectBytes(int64_t bytes, const tessera_site *site) {
  if (bytes < 0) // A slice may be reversed, or a product of sizes may exceed 64 bits.
    trapAt(site, "a size is negative, or all sizes together are too large");
  // The number may be saturated.
  trapAt(site, "%smore than %lld bytes", outOfMemory(site), (long long)maxBytes);
}

void *tessera_rt_alloc(int64_t bytes) {
  return tessera_rt_alloc_at(bytes, nullptr);
}

void *tessera_rt_alloc_at(int64_t bytes, const tessera_site *site) {
  ThreadState &thread = thisThread();
  if (__builtin_expect(bytes < 0 || bytes > maxBytes, 0))
    rejectBytes(bytes, site);
  Frame *frame = thread.frame;
  if (frame && frame->freedElsewhere.load(std::memory_order_relaxed))
    collectFreedElsewhere(thread, *frame);
  Budget &budget = budgetOf(thread);
  int64_t charged = charge(thread, budget, bytes, site);
  uint32_t sizeClass = sizeClassOf(bytes);
  Block *block = takeCached(thread, sizeClass);
  if (!block && !(block = allocateFresh(thread, bytes, sizeClass))) {
    budget.inUse.fetch_sub(charged, std::memory_order_relaxed);
    trapAt(site, "%s%lld bytes", outOfMemory(site), (long long)bytes);
  }
  block->charged = charged;
  block->budget = &budget;
  block->mark = liveMark;
  link(frame, block);
  return block + 1;
}

int64_t tessera_rt_spare_bytes() {
  constexpr int64_t parts = 16;
  Budget &budget = budgetOf(thisThread());
  int64_t limit = budget.limit.load(std::memory_order_relaxed);
  int64_t left = limit - budget.inUse.load(std::memory_order_relaxed);
  return limit <= 0 ? maxBytes : left > 0 ? left / parts : 0;
}

void tessera_rt_dealloc(void *memory) {
  if (!memory)
    return;
  Block *block = blockOf(memory);
  if (__builtin_expect(block->mark != liveMark, 0)) {
    fputs("error: memory freed twice, or not allocated by tessera_rt_alloc\n", stderr);
    abort();
  }
  block->mark = freeMark;
  discharge(block);
  ThreadState &thread = thisThread();
  if (block->frame == thread.frame && block->frame)
    unlink(*block->frame, block);
  else if (block->frame)
    return leaveFor(*block->frame, block);
  recycle(thread, block);
}
