/// Floats on huge pages, as the runtime's own large blocks are: no side gets better memory. Each
/// begins at another offset in its page: where all begin at the same, stores stall loads (4 KiB
/// aliasing).
#ifndef TESSERA_BENCH_BUFFER_H
#define TESSERA_BENCH_BUFFER_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace tessera::bench {

class Buffer {
public:
  explicit Buffer(size_t count) : count(count) {
    constexpr size_t page = 2 << 20;
    static size_t offset = 0;
    offset = (offset + 832) % 4096;
    size_t bytes = (count * sizeof(float) + offset + page - 1) / page * page;
    pages = static_cast<char *>(aligned_alloc(page, bytes));
    madvise(pages, bytes, MADV_HUGEPAGE);
    memset(pages, 0, bytes);
    memory = reinterpret_cast<float *>(pages + offset);
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { free(pages); }

  /// Fills with numbers in low...high that have no pattern.
  Buffer &fill(float low, float high, uint32_t seed) {
    uint32_t state = seed * 2654435769u + 1;
    for (size_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      memory[i] = low + (high - low) * float(state >> 8) / float(1 << 24);
    }
    return *this;
  }
  float *data() { return memory; }
  operator llvm::ArrayRef<float>() const { return {memory, count}; }

private:
  char *pages;
  float *memory;
  size_t count;
};

} // namespace tessera::bench

#endif
