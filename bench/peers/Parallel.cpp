#include "Serve.h"
#include <atomic>
#include <thread>

using namespace tessera::bench;

namespace {

/// The only helper: a peer has at most two threads.
class Helper {
public:
  void begin(const std::function<void(int)> &part) {
    if (!isRunning)
      std::thread([this] { loop(); }).detach();
    isRunning = true;
    work = &part;
    tickets.fetch_add(1, std::memory_order_release);
    tickets.notify_one();
  }
  void wait() {
    while (done.load(std::memory_order_acquire) != tickets.load(std::memory_order_relaxed))
      __builtin_ia32_pause();
  }

private:
  [[noreturn]] void loop() {
    for (unsigned seen = 0;; ++seen) {
      for (int i = 0; i < 20000 && tickets.load(std::memory_order_acquire) == seen; ++i)
        __builtin_ia32_pause();
      tickets.wait(seen, std::memory_order_acquire);
      (*work)(1);
      done.store(seen + 1, std::memory_order_release);
    }
  }

  bool isRunning = false;
  const std::function<void(int)> *work = nullptr;
  std::atomic<unsigned> tickets = 0, done = 0;
};

} // namespace

void tessera::bench::inParallel(int threads, const std::function<void(int)> &work) {
  static auto *helper = new Helper; // Never destroyed, since its thread runs to the end.
  if (threads > 1)
    helper->begin(work);
  work(0);
  if (threads > 1)
    helper->wait();
}

void tessera::bench::inRanges(int64_t count, int threads,
                              const std::function<void(int64_t, int64_t)> &work) {
  inParallel(threads,
             [&](int part) { work(count * part / threads, count * (part + 1) / threads); });
}
