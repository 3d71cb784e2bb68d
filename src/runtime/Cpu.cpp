/// Reads cpuid. Does not use __builtin_cpu_supports, because that needs a libgcc that knows every
/// feature.
#include "runtime/Cpu.h"
#include <atomic>
#include <cstdlib>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace tessera::runtime;

namespace {

enum Register { eax, ebx, ecx, edx };

struct Feature {
  const char *name;
  int level; // the level of x86-64 that requires it
  uint32_t leaf;
  Register where;
  int bit;
};

constexpr Feature table[] = {
    {"sse3", 2, 1, ecx, 0},          {"ssse3", 2, 1, ecx, 9},
    {"sse4.1", 2, 1, ecx, 19},       {"sse4.2", 2, 1, ecx, 20},
    {"popcnt", 2, 1, ecx, 23},       {"cmpxchg16b", 2, 1, ecx, 13},
    {"lahf", 2, 0x80000001, ecx, 0}, {"avx", 3, 1, ecx, 28},
    {"avx2", 3, 7, ebx, 5},          {"bmi", 3, 7, ebx, 3},
    {"bmi2", 3, 7, ebx, 8},          {"f16c", 3, 1, ecx, 29},
    {"fma", 3, 1, ecx, 12},          {"lzcnt", 3, 0x80000001, ecx, 5},
    {"movbe", 3, 1, ecx, 22},        {"avx512f", 4, 7, ebx, 16},
    {"avx512bw", 4, 7, ebx, 30},     {"avx512cd", 4, 7, ebx, 28},
    {"avx512dq", 4, 7, ebx, 17},     {"avx512vl", 4, 7, ebx, 31},
};
constexpr int numFeatures = sizeof table / sizeof *table;

/// 1 for plain x86-64, 0 for other names.
int levelNumber(const char *name) {
  static constexpr const char prefix[] = "x86-64";
  if (!name || strncmp(name, prefix, sizeof prefix - 1))
    return 0;
  const char *rest = name + sizeof prefix - 1;
  if (!*rest)
    return 1;
  bool known = rest[0] == '-' && rest[1] == 'v' && rest[2] >= '2' && rest[2] <= '4' && !rest[3];
  return known ? rest[2] - '0' : 0;
}

#if defined(__x86_64__)
/// The register files that the operating system saves (XCR0).
uint32_t savedState() {
  uint32_t a, b, c, d;
  constexpr uint32_t osxsave = 1 << 27;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & osxsave))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool isPresent(const Feature &feature, uint32_t saved) {
  constexpr uint32_t avxState = 0x6, avx512State = 0xe6;
  uint32_t needed = feature.level == 4 ? avx512State : feature.level == 3 ? avxState : 0;
  bool vectors = feature.level == 4 || !strncmp(feature.name, "avx", 3) ||
                 !strcmp(feature.name, "fma") || !strcmp(feature.name, "f16c");
  if (vectors && (saved & needed) != needed)
    return false;
  uint32_t registers[4];
  return __get_cpuid_count(feature.leaf, 0, &registers[eax], &registers[ebx], &registers[ecx],
                           &registers[edx]) &&
         registers[feature.where] >> feature.bit & 1;
}

CpuFeatures readCpu() {
  CpuFeatures features = 0;
  uint32_t saved = savedState();
  for (int index = 0; index < numFeatures; ++index)
    features |= CpuFeatures(isPresent(table[index], saved)) << index;
  return features;
}
#else
CpuFeatures readCpu() {
  return 0;
}
#endif

} // namespace

/// TESSERA_PRETEND_CPU hides features above a level, to test code for older CPUs.
static CpuFeatures pretended() {
  int level = levelNumber(getenv("TESSERA_PRETEND_CPU"));
  CpuFeatures features = 0;
  for (int index = 0; index < numFeatures; ++index)
    features |= CpuFeatures(!level || table[index].level <= level) << index;
  return features;
}

CpuFeatures tessera::runtime::detectCpu() {
  // cpuid leaves a virtual machine and takes microseconds there.
  constexpr CpuFeatures known = 1u << 31;
  static std::atomic<CpuFeatures> cached{0};
  CpuFeatures features = cached.load(std::memory_order_relaxed);
  if (!features)
    cached.store(features = (readCpu() & pretended()) | known, std::memory_order_relaxed);
  return features & ~known;
}

const char *tessera::runtime::cpuLevel(CpuFeatures features) {
  static constexpr const char *names[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  int level = 4;
  for (int index = 0; index < numFeatures; ++index)
    if (!(features >> index & 1) && table[index].level <= level)
      level = table[index].level - 1;
  return names[level - 1];
}

void tessera::runtime::listMissing(const char *level, CpuFeatures features, Text &text) {
  int wanted = levelNumber(level);
  for (int index = 0; index < numFeatures; ++index)
    if (table[index].level <= wanted && !(features >> index & 1))
      text.add("%s%s", text.empty() ? "" : ", ", table[index].name);
}
