/// Numbers on huge pages, like the runtime's own large blocks, so that all sides have the same kind
/// of memory. Each begins at a different offset in its page: with equal offsets, stores stall loads
/// (4 KiB aliasing).
#ifndef TESSERA_BENCH_BUFFER_H
#define TESSERA_BENCH_BUFFER_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace tessera::bench {

template <typename T> class BufferOf {
public:
  explicit BufferOf(size_t count) : count(count) {
    constexpr size_t page = 2 << 20;
    static size_t offset = 0;
    offset = (offset + 832) % 4096;
    size_t bytes = (count * sizeof(T) + offset + page - 1) / page * page;
    pages = static_cast<char *>(aligned_alloc(page, bytes));
    madvise(pages, bytes, MADV_HUGEPAGE);
    memset(pages, 0, bytes);
    memory = reinterpret_cast<T *>(pages + offset);
  }
  BufferOf(const BufferOf &) = delete;
  ~BufferOf() { free(pages); }

  /// Fills with pseudo-random numbers in low...high.
  BufferOf &fill(T low, T high, uint32_t seed) {
    uint32_t state = seed * 2654435769u + 1;
    for (size_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      memory[i] = low + (high - low) * T(state >> 8) / T(1 << 24);
    }
    return *this;
  }
  T *data() { return memory; }
  operator llvm::ArrayRef<T>() const { return {memory, count}; }

private:
  char *pages;
  T *memory;
  size_t count;
};

using Buffer = BufferOf<float>;

} // namespace tessera::bench

#endif
