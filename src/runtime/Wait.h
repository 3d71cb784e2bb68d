/// Waiting for a word in memory to change: spinning for a while, then sleeping.
#ifndef TESSERA_RUNTIME_WAIT_H
#define TESSERA_RUNTIME_WAIT_H

#include <atomic>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tessera::runtime {

/// Sleeps while the word is `value`; may return early.
inline void sleepWhile(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

inline void wakeSleepers(std::atomic<uint32_t> &word, uint32_t count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

inline int64_t nanosecondsNow() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

/// Spins while the word is `value`, for a limited time; true if it changed.
inline bool spinWhile(const std::atomic<uint32_t> &word, uint32_t value, int64_t nanoseconds) {
  int64_t end = 0;
  for (uint32_t turn = 1; nanoseconds > 0; ++turn) {
    if (word.load(std::memory_order_acquire) != value)
      return true;
    relax();
    if (turn % 64)
      continue;
    int64_t now = nanosecondsNow();
    if (!end)
      end = now + nanoseconds;
    else if (now > end)
      break;
  }
  return word.load(std::memory_order_acquire) != value;
}

} // namespace tessera::runtime

#endif
