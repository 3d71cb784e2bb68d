/// Counts CPUs: a container may show many and grant few.
#include "runtime/CpuCount.h"
#include "tessera/runtime.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <unistd.h>

using namespace tessera::runtime;

namespace {

std::atomic<uint32_t> requestedThreads{0};

bool readLine(const char *path, char *line, int capacity) {
  FILE *file = fopen(path, "re");
  bool read = file && fgets(line, capacity, file);
  if (file)
    fclose(file);
  return read;
}

uint32_t countByAffinity() {
  cpu_set_t set;
  if (!sched_getaffinity(0, sizeof set, &set))
    return CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN); // There are more CPUs than a cpu_set_t holds.
  return online > 0 ? online : 1;
}

/// This process's group in the version 2 hierarchy, "" for the root.
void findGroup(char *group, size_t capacity) {
  group[0] = 0;
  FILE *file = fopen("/proc/self/cgroup", "re");
  char line[1024];
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "0::/", 4)) {
      line[strcspn(line, "\n")] = 0;
      snprintf(group, capacity, "%s", line + 3);
    }
  if (file)
    fclose(file);
}

/// The smallest quota of the group and the groups around it.
uint32_t quotaOfGroups() {
  char group[1024], path[1200], line[128];
  findGroup(group, sizeof group);
  uint32_t smallest = 0;
  for (;;) {
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    uint32_t quota = readLine(path, line, sizeof line) ? parseQuota(line) : 0;
    if (quota && (!smallest || quota < smallest))
      smallest = quota;
    char *slash = strrchr(group, '/');
    if (!slash)
      return smallest;
    *slash = 0;
  }
}

uint32_t quotaOfVersion1() {
  char quota[64], period[64], both[160];
  if (!readLine("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, sizeof quota) ||
      !readLine("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof period))
    return 0;
  snprintf(both, sizeof both, "%s %s", quota, period);
  return parseQuota(both);
}

uint32_t countCpus() {
  uint32_t cpus = countByAffinity();
  for (uint32_t quota : {quotaOfGroups(), quotaOfVersion1()})
    if (quota && quota < cpus)
      cpus = quota;
  return cpus;
}

} // namespace

uint32_t tessera::runtime::parseQuota(const char *text) {
  long long quota = 0, period = 0;
  if (sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0)
    return 0; // "max 100000", or -1 in version 1: no quota
  return (quota + period - 1) / period;
}

uint32_t tessera::runtime::parseThreads(const char *text) {
  char *end = nullptr;
  long threads = text ? strtol(text, &end, 10) : 0;
  return threads > 0 && threads < 1'000'000 && !*end ? threads : 0;
}

uint32_t tessera::runtime::availableCpus() {
  static std::atomic<uint32_t> cached{0};
  uint32_t cpus = cached.load(std::memory_order_relaxed);
  if (!cpus)
    cached.store(cpus = countCpus(), std::memory_order_relaxed);
  return cpus;
}

uint32_t tessera::runtime::defaultThreads() {
  static std::atomic<uint32_t> cached{0};
  uint32_t threads = cached.load(std::memory_order_relaxed);
  if (!threads) {
    threads = parseThreads(getenv("TESSERA_NUM_THREADS"));
    cached.store(threads = threads ? threads : availableCpus(), std::memory_order_relaxed);
  }
  return threads;
}

void tessera_set_threads(int32_t threads) {
  requestedThreads.store(threads < 0 ? 0 : threads, std::memory_order_relaxed);
}

int32_t tessera_num_threads() {
  uint32_t threads = requestedThreads.load(std::memory_order_relaxed);
  if (!threads)
    threads = defaultThreads();
  return threads < maxThreads ? threads : maxThreads;
}
