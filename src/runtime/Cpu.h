/// The levels of x86-64, and the features of this CPU.
#ifndef TESSERA_RUNTIME_CPU_H
#define TESSERA_RUNTIME_CPU_H

#include "runtime/Text.h"
#include <cstdint>

namespace tessera::runtime {

/// One bit per feature, in the order of the table in Cpu.cpp.
using CpuFeatures = uint32_t;

/// The features that the CPU has and the operating system saves: AVX without XSAVE does not count.
CpuFeatures detectCpu();

/// The highest level with all features present: "x86-64", "x86-64-v2", "-v3" or "-v4".
const char *cpuLevel(CpuFeatures features);

/// Writes the features of `level` that are missing in `features`, separated by commas. Other levels
/// ("native", another architecture) need none.
void listMissing(const char *level, CpuFeatures features, Text &text);

/// Asks the system to save tile registers (AMX) for this process; returns 0 or an error number.
int allowTiles();

} // namespace tessera::runtime

#endif
