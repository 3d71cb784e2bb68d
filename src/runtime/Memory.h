/// Blocks of memory: cached by size class, linked to the frame that frees them on a trap.
#ifndef TESSERA_RUNTIME_MEMORY_H
#define TESSERA_RUNTIME_MEMORY_H

#include "runtime/SizeClass.h"
#include <atomic>
#include <cstdint>

struct tessera_site;

namespace tessera::runtime {

struct Frame;
struct Block;

/// How a message for want of memory begins: with nothing where the site has a name for that.
const char *outOfMemory(const tessera_site *site);

/// Traps, for a number of bytes that no memory has.
[[noreturn]] void rejectBytes(int64_t bytes, const tessera_site *site);

/// Bounds the bytes that are allocated at a time. 0: no bound, and nothing is counted.
struct Budget {
  std::atomic<int64_t> limit, inUse;
};

/// What a chunk of a parallel loop has taken and not freed, and the most that it had.
struct Meter {
  int64_t inUse, most;
};

/// Free blocks by size class. A thread's own holds small blocks; one for all holds large ones.
struct BlockCache {
  Block *lists[numSizeClasses];
  int64_t bytes;
};

/// Gives all cached blocks back to the system.
void flush(BlockCache &cache);

/// Frees the live blocks of a frame that has ended.
void releaseAll(Frame &frame);

/// Hands the live blocks to `to`; null: they belong to no frame any more.
void moveAll(Frame &from, Frame *to);

/// Whether `memory` is a live block of the frame.
bool owns(const Frame &frame, const void *memory);

/// Takes a live block out of the frame: it survives until tessera_rt_dealloc.
void detach(Frame &frame, void *memory);

/// Counts a block no longer: it outlives its budget.
void forgetCharge(void *memory);

/// The live blocks of a frame, and how many they are.
struct LiveBlock {
  char *memory;
  int64_t bytes;
};
int64_t countBlocks(Frame &frame);
void listBlocks(const Frame &frame, LiveBlock *blocks);

/// Traps where so many bytes are beyond the bound of this thread's call.
void checkTotal(int64_t bytes);

/// What bounds the bytes of this thread's call; 0 where nothing does.
int64_t memoryLimit();

/// Bytes allocated since a limit was set and not freed, by all calls; by this thread's call.
int64_t memoryInUse();
int64_t memoryInUseOfCall();

/// Bytes of large blocks kept for reuse; at most 2 GiB.
int64_t cachedLargeBytes();

} // namespace tessera::runtime

#endif
