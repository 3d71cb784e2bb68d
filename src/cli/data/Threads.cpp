#include "cli/data/Threads.h"
#include "runtime/CpuCount.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <atomic>
#include <pthread.h>

using namespace tessera::cli;

namespace {

struct Queue {
  llvm::function_ref<void(size_t)> work;
  size_t count;
  std::atomic<size_t> next{0};
};

void *drain(void *context) {
  auto &queue = *static_cast<Queue *>(context);
  for (size_t index; (index = queue.next++) < queue.count;)
    queue.work(index);
  return nullptr;
}

} // namespace

void data::forEachInParallel(size_t count, unsigned threads,
                             llvm::function_ref<void(size_t)> work) {
  Queue queue{work, count};
  size_t wanted = std::min<size_t>(threads ? threads : runtime::defaultThreads(), count);
  llvm::SmallVector<pthread_t> helpers;
  for (pthread_t helper; helpers.size() + 1 < wanted;) {
    if (pthread_create(&helper, nullptr, drain, &queue)) // Then fewer threads do the work.
      break;
    helpers.push_back(helper);
  }
  drain(&queue);
  for (pthread_t helper : helpers)
    pthread_join(helper, nullptr);
}
