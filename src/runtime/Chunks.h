/// How loops are divided into chunks.
#ifndef TESSERA_RUNTIME_CHUNKS_H
#define TESSERA_RUNTIME_CHUNKS_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tessera::runtime {

/// The length of chunks of about `size` iterations. They are equally long, so that no thread waits
/// for another one that has a whole chunk left; if there are fewer than 8, their number is a power
/// of two for the same reason. It does not depend on the number of threads, because results and
/// failures depend on chunks.
inline int64_t evenChunk(int64_t count, int64_t size, int64_t most) {
  constexpr int64_t few = 8;
  int64_t numChunks = std::min((count - 1) / size + 1, most);
  if (numChunks < few)
    numChunks = std::bit_ceil(uint64_t(numChunks));
  return (count - 1) / numChunks + 1;
}

} // namespace tessera::runtime

#endif
