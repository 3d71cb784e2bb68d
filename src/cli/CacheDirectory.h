/// The folder of the caches, as a user sees it.
#ifndef TESSERA_CLI_CACHEDIRECTORY_H
#define TESSERA_CLI_CACHEDIRECTORY_H

#include <cstdint>
#include <string>

namespace tessera::cli {

struct CacheState {
  std::string path;
  bool exists = false;
  bool isWritable = false; ///< Or, where it does not exist, could be made.
  uint64_t numFiles = 0, numBytes = 0;
};
CacheState cacheState();

/// The tuning database, which is no cache.
struct TuningState {
  std::string path;
  int64_t numRecords = 0;
  std::string error; ///< Why it cannot be read; "" where it can, or is not there.
};
TuningState tuningState();
/// "3 records", or why nobody knows.
std::string recordsText(const TuningState &state);

} // namespace tessera::cli

#endif
