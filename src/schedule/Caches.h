/// The caches of this machine, as Linux describes them.
#ifndef TESSERA_SCHEDULE_CACHES_H
#define TESSERA_SCHEDULE_CACHES_H

#include "schedule/Contraction.h"
#include <vector>

namespace tessera::schedule {

struct Cache {
  unsigned level = 0;
  std::string type; ///< "Data", "Instruction" or "Unified".
  int64_t bytes = 0;
  unsigned numCpus = 1; ///< The number of CPUs that share it.
};

/// The caches of one CPU, from the sysfs folder that describes them; empty without that folder.
std::vector<Cache> readCaches(llvm::StringRef folder = "/sys/devices/system/cpu/cpu0/cache");

/// Copies to the machine model the caches that are described and keeps its defaults for the others.
/// Some machines report the sum of all last-level caches, which no single core can fill, so the
/// size that counts is limited per sharing CPU.
void setCaches(Machine &machine, llvm::ArrayRef<Cache> caches);
inline constexpr int64_t maxSharedBytes = 16 << 20;

} // namespace tessera::schedule

#endif
