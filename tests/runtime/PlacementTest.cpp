#include "runtime/Placement.h"
#include <gtest/gtest.h>
#include <semaphore>
#include <thread>
#include <vector>

using namespace tessera::runtime;

namespace {

cpu_set_t cpusOf(pthread_t thread) {
  cpu_set_t set;
  pthread_getaffinity_np(thread, sizeof set, &set);
  return set;
}

std::vector<int> members(const cpu_set_t &set) {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set))
      cpus.push_back(cpu);
  return cpus;
}

/// Moves this thread to a CPU and back to all of its own.
class Pinned {
public:
  explicit Pinned(int cpu) : before(cpusOf(pthread_self())) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~Pinned() { sched_setaffinity(0, sizeof before, &before); }

private:
  cpu_set_t before;
};

struct Worker {
  pthread_t thread;
};

class PlacementTest : public testing::Test {
protected:
  ~PlacementTest() override {
    end.release();
    thread.join();
  }
  std::vector<int> cpusOfWorkerFor(Placement &placement, int callersCpu) {
    Pinned pinned(callersCpu);
    placement.makeRoom(&worker, 1);
    return members(cpusOf(worker.thread));
  }

  std::binary_semaphore end{0};
  std::thread thread{[this] { end.acquire(); }};
  Worker worker{thread.native_handle()};
  std::vector<int> all = members(cpusOf(pthread_self()));
};

// Where there is one CPU, all share it.
TEST_F(PlacementTest, KeepsWorkersOffTheCallersCpu) {
  Placement placement;
  placement.begin();
  for (int callersCpu : {all.front(), all.back(), all.front()}) {
    std::vector<int> others = all;
    std::erase(others, callersCpu);
    EXPECT_EQ(cpusOfWorkerFor(placement, callersCpu), others.empty() ? all : others);
  }
}

TEST_F(PlacementTest, LeavesWorkersOfAPinnedCallerAlone) {
  Placement placement;
  {
    Pinned pinned(all.front());
    placement.begin();
  }
  EXPECT_EQ(cpusOfWorkerFor(placement, all.front()), all);
}

} // namespace
