#include "cli/Machine.h"
#include "runtime/Cpu.h"
#include "runtime/CpuCount.h"
#include "schedule/Caches.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include <cstring>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

/// LLVM's names and those that Linux shows.
struct FeatureName {
  StringRef llvm, linux;
};
constexpr FeatureName featureNames[] = {
    {"sse4.2", "sse4_2"},
    {"avx2", "avx2"},
    {"fma", "fma"},
    {"f16c", "f16c"},
    {"avx512f", "avx512f"},
    {"avx512bw", "avx512bw"},
    {"avx512vl", "avx512vl"},
    {"avx512bf16", "avx512_bf16"},
    {"avx512fp16", "avx512_fp16"},
    {"amx-tile", "amx_tile"},
    {"amx-bf16", "amx_bf16"},
    {"amx-int8", "amx_int8"},
};

std::string cpuModel() {
  auto text = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  for (StringRef line : llvm::split(text ? (*text)->getBuffer() : "", '\n'))
    if (line.consume_front("model name"))
      return line.ltrim(" \t:").str();
  return llvm::sys::getHostCPUName().str();
}

std::vector<CpuCache> cpuCaches() {
  std::vector<CpuCache> caches;
  for (const schedule::Cache &cache : schedule::readCaches()) {
    StringRef suffix = cache.type == "Data" ? "d" : cache.type == "Instruction" ? "i" : "";
    caches.push_back({llvm::formatv("L{0}{1}", cache.level, suffix), uint64_t(cache.bytes)});
  }
  return caches;
}

std::vector<Feature> cpuFeatures() {
  llvm::StringMap<bool> present = llvm::sys::getHostCPUFeatures();
  std::vector<Feature> features;
  for (const FeatureName &name : featureNames)
    features.push_back({name.linux, present.lookup(name.llvm)});
  return features;
}

/// The operating system saves the large tile registers only for processes that request it.
std::string amxPermission(llvm::ArrayRef<Feature> features) {
  for (const Feature &feature : features)
    if (feature.name == "amx_tile" && !feature.isPresent)
      return "the processor has none";
  int error = runtime::allowTiles();
  return error ? std::string("the operating system refuses it: ") + strerror(error) : "";
}

} // namespace

Machine cli::describeMachine() {
  Machine machine;
  machine.model = cpuModel();
  machine.level = runtime::cpuLevel(runtime::detectCpu());
  machine.numCores = std::max(llvm::get_physical_cores(), 1);
  machine.numThreads = runtime::defaultThreads();
  machine.memoryBytes = uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  machine.caches = cpuCaches();
  machine.features = cpuFeatures();
  machine.amx = amxPermission(machine.features);
  return machine;
}

std::vector<Device> cli::describeDevices(const Machine &machine) {
  std::string cpu =
      llvm::formatv("{0}, {1}, {2} threads", machine.model, machine.level, machine.numThreads);
  return {{"cpu", true, cpu},
          {"cuda", false, "this build has no CUDA back end"},
          {"opencl", false, "this build has no SPIR-V back end"}};
}

std::string cli::byteText(uint64_t bytes) {
  static constexpr StringRef units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = bytes;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  bool isWhole = value == static_cast<uint64_t>(value);
  return (isWhole ? std::to_string(static_cast<uint64_t>(value))
                  : llvm::formatv("{0:f1}", value).str()) +
         " " + units[unit].str();
}
