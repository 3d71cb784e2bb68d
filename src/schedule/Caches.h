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
  unsigned numCpus = 1; ///< That share it.
};

/// Those that one CPU uses, from the folder of sysfs that describes them; none where there is none.
std::vector<Cache> readCaches(llvm::StringRef folder = "/sys/devices/system/cpu/cpu0/cache");

/// What the model sees of them; a level that is not described stays as it is. A machine may show
/// the sum of all last-level caches as one, which no core can fill: so many bytes a CPU count.
void setCaches(Machine &machine, llvm::ArrayRef<Cache> caches);
inline constexpr int64_t maxSharedBytes = 16 << 20;

} // namespace tessera::schedule

#endif
