/// Where the caches are.
#ifndef TESSERA_CLI_CACHEDIRECTORY_H
#define TESSERA_CLI_CACHEDIRECTORY_H

#include <cstdint>
#include <string>

namespace tessera::cli {

/// $XDG_CACHE_HOME/tessera, by default ~/.cache/tessera; "" where there is no home.
std::string cacheDirectory();

struct CacheState {
  std::string path;
  bool exists = false;
  bool isWritable = false; ///< Or, where it does not exist, could be made.
  uint64_t numFiles = 0, numBytes = 0;
};
CacheState cacheState();

} // namespace tessera::cli

#endif
