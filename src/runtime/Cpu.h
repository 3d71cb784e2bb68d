/// The levels of x86-64 and what this CPU has of them.
#ifndef TESSERA_RUNTIME_CPU_H
#define TESSERA_RUNTIME_CPU_H

#include "runtime/Text.h"
#include <cstdint>

namespace tessera::runtime {

/// One bit a feature, in the order of the table in Cpu.cpp.
using CpuFeatures = uint32_t;

/// What the CPU has and the operating system saves: AVX without XSAVE does not count.
CpuFeatures detectCpu();

/// The highest level whose features are all there: "x86-64", "x86-64-v2", "-v3" or "-v4".
const char *cpuLevel(CpuFeatures features);

/// Writes the features of `level` that are not in `features`, separated by commas. Levels with
/// other names ("native", another architecture) need nothing.
void listMissing(const char *level, CpuFeatures features, Text &text);

/// Asks the system to save tile registers (AMX) for this process: 0, or the error's number.
int allowTiles();

} // namespace tessera::runtime

#endif
