/// Limits of the device, the CPU, that programs must not exceed.
#ifndef TESSERA_LANG_TINYTC_DEVICE_H
#define TESSERA_LANG_TINYTC_DEVICE_H

#include <cstdint>

namespace tessera::tinytc::device {

inline constexpr int64_t subgroupSizes[] = {8, 16, 32, 64};
inline constexpr int64_t defaultSubgroupSize = 16;
inline constexpr int64_t maxWorkGroupSize = 1024;
inline constexpr int64_t localBytes = 1 << 20;
inline constexpr int64_t defaultAlignment = 128;

/// The largest cooperative matrix; what does not fit the registers is in memory.
inline constexpr int64_t matrixBytes = 1 << 24;

} // namespace tessera::tinytc::device

#endif
