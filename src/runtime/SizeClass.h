/// Sizes of cached blocks: up to 1 KiB in steps of 64 bytes, then eight an octave up to 2 GiB.
#ifndef TESSERA_RUNTIME_SIZECLASS_H
#define TESSERA_RUNTIME_SIZECLASS_H

#include <cstdint>

namespace tessera::runtime {

constexpr uint32_t numSizeClasses = 16 + 8 * 21;
constexpr uint32_t noSizeClass = numSizeClasses;
constexpr int64_t maxClassBytes = int64_t(2) << 30;

inline uint32_t sizeClassOf(int64_t bytes) {
  if (bytes <= 1024)
    return bytes <= 64 ? 0 : (bytes - 1) / 64;
  if (bytes > maxClassBytes)
    return noSizeClass;
  uint64_t last = bytes - 1;
  uint32_t octave = 63 - __builtin_clzll(last);
  return 16 + (octave - 10) * 8 + ((last >> (octave - 3)) & 7);
}

/// The largest size of a class, which all its blocks have.
inline int64_t bytesOf(uint32_t sizeClass) {
  if (sizeClass < 16)
    return (sizeClass + 1) * 64;
  uint32_t octave = 10 + (sizeClass - 16) / 8, eighth = (sizeClass - 16) % 8;
  return int64_t(9 + eighth) << (octave - 3);
}

} // namespace tessera::runtime

#endif
