/// Blocks of memory: cached by size class, linked to the frame that frees them after a trap.
#ifndef TESSERA_RUNTIME_MEMORY_H
#define TESSERA_RUNTIME_MEMORY_H

#include "runtime/SizeClass.h"
#include <atomic>
#include <cstdint>

struct tessera_site;

namespace tessera::runtime {

struct Frame;
struct Block;

/// The beginning of an out-of-memory message: empty if the site has its own name for the error.
const char *outOfMemory(const tessera_site *site);

/// Traps for a request of more bytes than any memory has.
[[noreturn]] void rejectBytes(int64_t bytes, const tessera_site *site);

/// Limits the bytes that are allocated at a time. 0: no limit, and nothing is counted.
struct Budget {
  std::atomic<int64_t> limit, inUse;
};

/// What a chunk of a parallel loop has allocated and not freed, and its maximum.
struct Meter {
  int64_t inUse, most;
};

/// Free blocks by size class. Each thread has small blocks; large ones are shared.
struct BlockCache {
  Block *lists[numSizeClasses];
  int64_t bytes;
};

/// Returns all cached blocks to the system.
void flush(BlockCache &cache);

/// Frees the live blocks of a frame that has ended.
void releaseAll(Frame &frame);

/// Gives the live blocks to `to`; null: they no longer belong to a frame.
void moveAll(Frame &from, Frame *to);

/// Whether `memory` is a live block of the frame.
bool owns(const Frame &frame, const void *memory);

/// Takes a live block out of the frame: it lives until tessera_rt_dealloc.
void detach(Frame &frame, void *memory);

/// Stops counting a block that outlives its budget.
void forgetCharge(void *memory);

/// The live blocks of a frame, and their number.
struct LiveBlock {
  char *memory;
  int64_t bytes;
};
int64_t countBlocks(Frame &frame);
void listBlocks(const Frame &frame, LiveBlock *blocks);

/// Traps if this many bytes exceed the limit of this thread's call.
void checkTotal(int64_t bytes);

/// The limit of this thread's call in bytes; 0 if there is none.
int64_t memoryLimit();

/// The bytes allocated since a limit was set and not freed, by all calls and by this thread's call.
int64_t memoryInUse();
int64_t memoryInUseOfCall();

/// The bytes of large blocks kept for reuse; at most 2 GiB.
int64_t cachedLargeBytes();

} // namespace tessera::runtime

#endif
