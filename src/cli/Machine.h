/// What `doctor` and `devices` report about this machine.
#ifndef TESSERA_CLI_MACHINE_H
#define TESSERA_CLI_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::cli {

struct CpuCache {
  std::string name; ///< "L1d", "L2"...
  uint64_t bytes = 0;
};

struct Feature {
  llvm::StringRef name; ///< As in /proc/cpuinfo.
  bool isPresent = false;
};

struct Machine {
  std::string model, level; ///< The level is "x86-64-v3" or similar.
  unsigned numCores = 0, numThreads = 0;
  uint64_t memoryBytes = 0;
  std::vector<CpuCache> caches;
  std::vector<Feature> features; ///< Those that make a difference to tessera.
  std::string amx;               ///< "" if it is available, otherwise why not.
};
Machine describeMachine();

struct Device {
  llvm::StringRef name;
  bool isAvailable = false;
  std::string description; ///< What it is, or why it is not available.
};
std::vector<Device> describeDevices(const Machine &machine);

/// "512 KiB", "1.5 GiB".
std::string byteText(uint64_t bytes);

} // namespace tessera::cli

#endif
