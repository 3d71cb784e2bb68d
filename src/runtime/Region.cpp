/// Regions: see Region.h. Their chunks are blocks of Memory.cpp, so that a trap frees them and
/// limits count them.
#include "runtime/Region.h"
#include "runtime/ThreadState.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

constexpr int64_t firstChunkBytes = 4096 - sizeof(Chunk), maxChunkBytes = 1 << 20;
constexpr int64_t maxBytes = int64_t(1) << 60;
/// How much memory the body of a loop may leave: a constant, plus a multiple of what the loop
/// keeps, but at most a fraction of the memory that is allowed.
constexpr int64_t leastLeft = 16 << 20, leftPerKept = 4, partsOfLimit = 4;

Chunk *newChunk(int64_t bytes, bool isOwn, const tessera_site *site) {
  auto *chunk = static_cast<Chunk *>(tessera_rt_alloc_at(sizeof(Chunk) + bytes, site));
  chunk->next = chunk->previous = nullptr;
  chunk->bytes = bytes;
  chunk->isOwn = isOwn;
  return chunk;
}

void link(tessera_region &region, Chunk *chunk) {
  chunk->previous = nullptr;
  chunk->next = region.chunks;
  if (chunk->next)
    chunk->next->previous = chunk;
  region.chunks = chunk;
}

void unlink(tessera_region &region, Chunk *chunk) {
  (chunk->previous ? chunk->previous->next : region.chunks) = chunk->next;
  if (chunk->next)
    chunk->next->previous = chunk->previous;
}

/// The size of the region itself.
Chunk *firstOf(tessera_region &region) {
  return reinterpret_cast<Chunk *>(&region) - 1;
}

char *aligned(char *at, int64_t bytes) {
  uintptr_t alignment = bytes >= 64 ? 64 : 16;
  return reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(at) + alignment - 1) & -alignment);
}

/// Larger chunks for a region that has grown, so that their number stays small.
int64_t nextChunkBytes(const tessera_region &region) {
  int64_t bytes = region.bytes * 2;
  return (bytes < 2 * firstChunkBytes ? 2 * firstChunkBytes
          : bytes > maxChunkBytes     ? maxChunkBytes
                                      : bytes) &
         -64;
}

bool isLarge(const tessera_region &region, int64_t bytes) {
  return bytes > nextChunkBytes(region) / 4;
}

[[gnu::noinline]] void *allocateSlowly(tessera_region &region, int64_t bytes,
                                       const tessera_site *site) {
  if (bytes < 0 || bytes > maxBytes)
    rejectBytes(bytes, site);
  bool isOwn = isLarge(region, bytes);
  Chunk *chunk = newChunk(isOwn ? bytes : nextChunkBytes(region), isOwn, site);
  link(region, chunk);
  region.bytes += chunk->bytes;
  char *begin = reinterpret_cast<char *>(chunk + 1);
  if (isOwn)
    return begin;
  region.at = begin + bytes;
  region.end = begin + chunk->bytes;
  return begin;
}

/// The chunk that holds only this memory, if there is one.
Chunk *ownChunk(tessera_region &region, void *memory) {
  for (Chunk *chunk = region.chunks; chunk != firstOf(region); chunk = chunk->next)
    if (chunk + 1 == memory)
      return chunk->isOwn ? chunk : nullptr;
  return nullptr;
}

} // namespace

tessera_region *tessera_rt_region_create(const tessera_site *site) {
  Chunk *chunk = newChunk(firstChunkBytes, /*isOwn=*/false, site);
  auto *region = reinterpret_cast<tessera_region *>(chunk + 1);
  region->chunks = chunk;
  region->at = reinterpret_cast<char *>(region + 1);
  region->end = reinterpret_cast<char *>(chunk + 1) + firstChunkBytes;
  region->bytes = 0;
  return region;
}

void *tessera_rt_region_alloc(tessera_region *region, int64_t bytes, const tessera_site *site) {
  char *begin = aligned(region->at, bytes);
  if (__builtin_expect(bytes >= 0 && bytes <= region->end - begin, 1)) {
    region->at = begin + bytes;
    return begin;
  }
  return allocateSlowly(*region, bytes, site);
}

void *tessera_rt_region_grow(tessera_region *region, void *memory, int64_t bytes, int64_t newBytes,
                             const tessera_site *site) {
  // The last piece of a chunk grows in place.
  if (memory && static_cast<char *>(memory) + bytes == region->at &&
      newBytes <= region->end - static_cast<char *>(memory)) {
    region->at = static_cast<char *>(memory) + newBytes;
    return memory;
  }
  void *grown = tessera_rt_region_alloc(region, newBytes, site);
  if (bytes)
    memcpy(grown, memory, bytes);
  release(*region, memory, bytes);
  return grown;
}

void tessera::runtime::release(tessera_region &region, void *memory, int64_t bytes) {
  Chunk *chunk = isLarge(region, bytes) ? ownChunk(region, memory) : nullptr;
  if (!chunk)
    return;
  unlink(region, chunk);
  region.bytes -= chunk->bytes;
  tessera_rt_dealloc(chunk);
}

void tessera_rt_region_reset(tessera_region *region) {
  Chunk *first = firstOf(*region);
  while (region->chunks != first) {
    Chunk *chunk = region->chunks;
    unlink(*region, chunk);
    tessera_rt_dealloc(chunk);
  }
  region->at = reinterpret_cast<char *>(region + 1);
  region->end = reinterpret_cast<char *>(first + 1) + first->bytes;
  region->bytes = 0;
}

void tessera_rt_region_free(tessera_region *region) {
  tessera_rt_region_reset(region);
  tessera_rt_dealloc(firstOf(*region));
}

void tessera_rt_region_adopt(tessera_region *region, tessera_region *other) {
  Chunk *own = firstOf(*region), *chunk = other->chunks;
  region->bytes += other->bytes + firstChunkBytes;
  // Inserted before the first chunk, which stays the last in the list.
  while (chunk) {
    Chunk *next = chunk->next;
    chunk->next = own;
    chunk->previous = own->previous;
    (own->previous ? own->previous->next : region->chunks) = chunk;
    own->previous = chunk;
    chunk = next;
  }
}

int64_t tessera_rt_region_bytes(const tessera_region *region) {
  return region->bytes;
}

int64_t tessera_rt_region_bound(const tessera_region *region) {
  int64_t kept = region->bytes * leftPerKept, most = memoryLimit() / partsOfLimit;
  int64_t bound = kept > leastLeft ? kept : leastLeft;
  return most && most < bound ? most : bound;
}
