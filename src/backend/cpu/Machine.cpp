/// The target machine as schedules see it.
#include "backend/cpu/Passes.h"
#include "schedule/Caches.h"
#include "llvm/TargetParser/Host.h"

using namespace tessera;

const llvm::StringMap<bool> &cpu::hostFeatures() {
  static const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features;
}

static int64_t hostVectorBytes() {
  const llvm::StringMap<bool> &features = cpu::hostFeatures();
  bool hasFma = features.lookup("avx2") && features.lookup("fma");
  return features.lookup("avx512f") ? 64 : hasFma ? 32 : 0;
}

static schedule::Machine machineWith(int64_t vectorBytes) {
  schedule::Machine machine;
  machine.vectorBytes = vectorBytes;
  machine.registers = vectorBytes >= 64 ? 32 : 16;
  return machine;
}

static schedule::Machine readHost() {
  schedule::Machine machine = machineWith(hostVectorBytes());
  setCaches(machine, schedule::readCaches());
  const llvm::StringMap<bool> &features = cpu::hostFeatures();
  machine.hasBfloatTiles = features.lookup("amx-tile") && features.lookup("amx-bf16");
  machine.hasByteTiles = features.lookup("amx-tile") && features.lookup("amx-int8");
  return machine;
}

/// Foreign targets are assumed to have the most common cache sizes.
schedule::Machine cpu::machineOf(const Target &target) {
  if (target.cpu == "native") {
    static const schedule::Machine host = readHost();
    return host;
  }
  return machineWith(target.cpu == "x86-64-v4" ? 64 : target.cpu == "x86-64-v3" ? 32 : 0);
}
