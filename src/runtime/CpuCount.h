/// How many CPUs this process may use.
#ifndef TESSERA_RUNTIME_CPUCOUNT_H
#define TESSERA_RUNTIME_CPUCOUNT_H

#include <cstdint>

namespace tessera::runtime {

/// The number of threads that may work on one loop.
constexpr uint32_t maxThreads = 256;

/// The CPUs that affinity and the quota of the control group allow.
uint32_t availableCpus();

/// TESSERA_NUM_THREADS if it is a number of threads, otherwise availableCpus(). Read once.
uint32_t defaultThreads();

/// The number of threads in `text`, or 0.
uint32_t parseThreads(const char *text);

/// The whole CPUs in a quota in the format of cgroup v2's cpu.max ("150000 100000" is 2), or 0 for
/// none.
uint32_t parseQuota(const char *text);

} // namespace tessera::runtime

#endif
