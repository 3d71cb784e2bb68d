/// Tile registers are large: Linux saves them only for processes that request it.
#include "runtime/Cpu.h"
#include "runtime/Generated.h"
#include "runtime/ThreadState.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tessera::runtime;

int tessera::runtime::allowTiles() {
#if defined(__x86_64__) && defined(SYS_arch_prctl)
  constexpr long requestPermission = 0x1023, tileData = 18;
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

void tessera_rt_use_tiles() {
  static std::atomic<bool> isAllowed{false};
  if (isAllowed.load(std::memory_order_relaxed))
    return;
  if (int error = allowTiles())
    trapAt(nullptr, "this processor's tile registers (AMX) cannot be used: %s", strerror(error));
  isAllowed.store(true, std::memory_order_relaxed);
}
