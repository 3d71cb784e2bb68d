/// How many CPUs this process may use.
#ifndef TESSERA_RUNTIME_CPUCOUNT_H
#define TESSERA_RUNTIME_CPUCOUNT_H

#include <cstdint>

namespace tessera::runtime {

/// Threads that may work on one loop.
constexpr uint32_t maxThreads = 256;

/// CPUs by affinity, bounded by the quota of the control group.
uint32_t availableCpus();

/// TESSERA_NUM_THREADS if it is a number of threads, else availableCpus(). Read once.
uint32_t defaultThreads();

/// A number of threads in `text`, or 0.
uint32_t parseThreads(const char *text);

/// Whole CPUs in a quota written as cgroup v2's cpu.max ("150000 100000" is 2), or 0 for none.
uint32_t parseQuota(const char *text);

} // namespace tessera::runtime

#endif
