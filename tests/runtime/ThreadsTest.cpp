#include "runtime/CpuCount.h"
#include "runtime/Generated.h"
#include "runtime/Memory.h"
#include <atomic>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace tessera::runtime;
using testing::ElementsAre;
using testing::StrEq;
using Range = std::pair<int64_t, int64_t>;

namespace {

void parallelFor(int64_t count, int64_t grain, std::function<void(int64_t, int64_t)> body) {
  tessera_rt_parallel_for(
      [](void *body, int64_t lo, int64_t hi) {
        (*static_cast<std::function<void(int64_t, int64_t)> *>(body))(lo, hi);
      },
      &body, count, grain);
}

int enter(std::function<void()> body) {
  return tessera_rt_enter([](void *body) { (*static_cast<std::function<void()> *>(body))(); },
                          &body);
}

std::vector<Range> chunksOf(int64_t count, int64_t grain) {
  std::mutex mutex;
  std::set<Range> ranges;
  parallelFor(count, grain, [&](int64_t lo, int64_t hi) {
    std::lock_guard lock(mutex);
    EXPECT_TRUE(ranges.insert({lo, hi}).second);
  });
  return {ranges.begin(), ranges.end()};
}

class ThreadsTest : public testing::TestWithParam<int> {
protected:
  void SetUp() override { tessera_set_threads(GetParam()); }
  void TearDown() override { tessera_set_threads(0); }
};

TEST_P(ThreadsTest, VisitsEveryIterationOnce) {
  for (int64_t count : {0, 1, 2, 3, 17, 1000, 100003}) {
    std::vector<std::atomic<int>> visits(count);
    parallelFor(count, 7, [&](int64_t lo, int64_t hi) {
      for (int64_t index = lo; index < hi; ++index)
        ++visits[index];
    });
    for (auto &visit : visits)
      ASSERT_EQ(visit, 1);
  }
}

TEST_P(ThreadsTest, ChunksDoNotDependOnThreads) {
  EXPECT_THAT(chunksOf(10, 4), ElementsAre(Range{0, 3}, Range{3, 6}, Range{6, 9}, Range{9, 10}));
  EXPECT_THAT(chunksOf(4, 4), ElementsAre(Range{0, 4}));
  EXPECT_THAT(chunksOf(2, 0), ElementsAre(Range{0, 1}, Range{1, 2}));
  EXPECT_THAT(chunksOf(-5, 4), ElementsAre());
  EXPECT_LE(chunksOf(1'000'000, 3).size(), 1024u);
}

TEST_P(ThreadsTest, FewChunksAreAPowerOfTwoAndEquallyLong) {
  EXPECT_THAT(chunksOf(8, 5), ElementsAre(Range{0, 4}, Range{4, 8}));
  EXPECT_THAT(chunksOf(16, 7), ElementsAre(Range{0, 4}, Range{4, 8}, Range{8, 12}, Range{12, 16}));
  EXPECT_EQ(chunksOf(80, 15).size(), 8u);
  EXPECT_EQ(chunksOf(100, 10).size(), 10u);
}

TEST_P(ThreadsTest, LongChunksBeginAtCacheLines) {
  for (auto [first, last] : chunksOf(100'001, 30'000))
    EXPECT_EQ(first % 64, 0);
}

TEST_P(ThreadsTest, SurvivesManySmallLoops) {
  for (int turn = 0; turn < 20000; ++turn) {
    std::atomic<int64_t> sum{0};
    parallelFor(5, 1, [&](int64_t lo, int64_t) { sum += lo; });
    ASSERT_EQ(sum, 10);
  }
}

TEST_P(ThreadsTest, WakesWorkersThatFellAsleep) {
  for (int turn = 0; turn < 20; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::atomic<int> chunks{0};
    parallelFor(50, 1, [&](int64_t, int64_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      ++chunks;
    });
    ASSERT_EQ(chunks, 50);
  }
}

TEST_P(ThreadsTest, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  parallelFor(40, 1, [&](int64_t, int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_LE(threads.size(), size_t(GetParam()));
  if (GetParam() > 1)
    EXPECT_GT(threads.size(), 1u);
}

TEST_P(ThreadsTest, RunsInnerLoopsInOrderOnTheirThread) {
  std::atomic<int> inner{0};
  parallelFor(8, 1, [&](int64_t, int64_t) {
    int64_t expected = 0;
    auto self = std::this_thread::get_id();
    parallelFor(10, 2, [&](int64_t lo, int64_t hi) {
      EXPECT_EQ(lo, expected);
      EXPECT_EQ(std::this_thread::get_id(), self);
      expected = hi;
      ++inner;
    });
  });
  EXPECT_EQ(inner, 40);
}

// Chosen so that the slowest thread finishes first, counted in inner chunks. A loop with enough
// chunks keeps the threads.
TEST(Threads, FewChunksLeaveTheThreadsToInnerLoops) {
  tessera_set_threads(2);
  EXPECT_EQ(tessera_rt_chunks_at_once(3, 5), 3);
  EXPECT_EQ(tessera_rt_chunks_at_once(2, 100), 1);
  EXPECT_EQ(tessera_rt_chunks_at_once(4, 100), 1);
  tessera_set_threads(64);
  EXPECT_EQ(tessera_rt_chunks_at_once(3, 100), 3);
  EXPECT_EQ(tessera_rt_chunks_at_once(60, 4), 1);
  EXPECT_EQ(tessera_rt_chunks_at_once(70, 1000), 70);
  EXPECT_EQ(tessera_rt_chunks_at_once(3, 0), 1);
  EXPECT_EQ(tessera_rt_chunks_at_once(0, 100), 1);
  tessera_set_threads(1);
  EXPECT_EQ(tessera_rt_chunks_at_once(1, 100), 1);
  tessera_set_threads(0);
}

TEST_P(ThreadsTest, ServesSeveralCallersAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int64_t> sum{0};
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      for (int turn = 0; turn < 500; ++turn)
        parallelFor(10, 1, [&](int64_t lo, int64_t) { sum += lo; });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(sum, 3 * 500 * 45);
}

const tessera_site site{"f.tc", 3, 7, "chunk {0} failed", "tc.run.1"};
const tessera_site callOfLoop{"f.tc", 9, 1, "loop", nullptr};
const tessera_site callInChunk{"f.tc", 5, 2, "step", nullptr};

TEST_P(ThreadsTest, TheFirstFailingChunkIsReported) {
  for (int turn = 0; turn < 200; ++turn) {
    int status = enter([&] {
      parallelFor(100, 1, [&](int64_t lo, int64_t) {
        if (lo == 13) // Later than its followers.
          std::this_thread::sleep_for(std::chrono::microseconds(turn % 50));
        if (lo % 10 == 3 && lo > 3)
          tessera_rt_trap(&site, lo, 0, 0, 0);
      });
      ADD_FAILURE() << "the loop returned";
    });
    ASSERT_EQ(status, TESSERA_RUNTIME_ERROR);
    ASSERT_THAT(tessera_last_error(), StrEq("f.tc:3:7: error: chunk 13 failed [tc.run.1]"));
  }
}

TEST_P(ThreadsTest, AWorkersTrapReportsTheCallsAroundTheLoop) {
  for (int turn = 0; turn < 50; ++turn) {
    enter([] {
      tessera_rt_push_call(&callOfLoop);
      parallelFor(20, 1, [](int64_t lo, int64_t) {
        tessera_rt_push_call(&callInChunk);
        std::this_thread::sleep_for(std::chrono::microseconds(5));
        if (lo == 15)
          tessera_rt_trap(&site, lo, 0, 0, 0);
        tessera_rt_pop_call();
      });
    });
    ASSERT_THAT(tessera_last_error(), StrEq("f.tc:3:7: error: chunk 15 failed [tc.run.1]\n"
                                            "  in step, called at f.tc:5:2\n"
                                            "  in loop, called at f.tc:9:1"));
  }
}

TEST_P(ThreadsTest, WorksAfterATrap) {
  enter(
      [] { parallelFor(9, 1, [](int64_t lo, int64_t) { tessera_rt_trap(&site, lo, 0, 0, 0); }); });
  std::atomic<int> chunks{0};
  parallelFor(9, 1, [&](int64_t, int64_t) { ++chunks; });
  EXPECT_EQ(chunks, 9);
}

TEST_P(ThreadsTest, ChunksAllocateAndFree) {
  tessera_rt_set_memory_limit(int64_t(1) << 40);
  std::vector<void *> kept(64);
  void *shared = nullptr;
  EXPECT_EQ(enter([&] {
              shared = tessera_rt_alloc(10);
              parallelFor(64, 1, [&](int64_t lo, int64_t) {
                kept[lo] = tessera_rt_alloc(100);
                void *own = tessera_rt_alloc(1000);
                if (lo == 40)
                  tessera_rt_dealloc(shared);
                tessera_rt_dealloc(own);
              });
              for (void *block : kept)
                tessera_rt_dealloc(block);
            }),
            TESSERA_OK);
  EXPECT_EQ(memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

TEST_P(ThreadsTest, ATrapFreesTheBlocksOfAllChunks) {
  tessera_rt_set_memory_limit(int64_t(1) << 40);
  EXPECT_EQ(enter([&] {
              tessera_rt_alloc(10);
              parallelFor(64, 1, [&](int64_t lo, int64_t) {
                tessera_rt_alloc(100);
                if (lo == 30)
                  tessera_rt_trap(&site, lo, 0, 0, 0);
              });
            }),
            TESSERA_RUNTIME_ERROR);
  EXPECT_EQ(memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

/// Chunks that take turns with a lock may free each other's blocks.
TEST_P(ThreadsTest, ChunksFreeBlocksOfOthers) {
  tessera_rt_set_memory_limit(int64_t(1) << 40);
  std::mutex mutex;
  void *current = nullptr;
  enter([&] {
    parallelFor(500, 1, [&](int64_t lo, int64_t) {
      std::lock_guard lock(mutex);
      void *next = tessera_rt_alloc(100 + lo);
      tessera_rt_dealloc(current);
      current = next;
    });
    tessera_rt_dealloc(current);
  });
  EXPECT_EQ(memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadsTest, testing::Values(1, 2, 3, 7));

TEST(Threads, NumbersAreLimited) {
  tessera_set_threads(5);
  EXPECT_EQ(tessera_num_threads(), 5);
  tessera_set_threads(100000);
  EXPECT_EQ(tessera_num_threads(), 256);
  tessera_set_threads(-3);
  EXPECT_GE(tessera_num_threads(), 1);
  tessera_set_threads(0);
  EXPECT_EQ(uint32_t(tessera_num_threads()), defaultThreads());
}

TEST(CpuCount, ReadsNumbersOfThreads) {
  EXPECT_EQ(parseThreads("4"), 4u);
  for (const char *text : {"", "0", "-2", "4x", "many", "99999999999"})
    EXPECT_EQ(parseThreads(text), 0u) << text;
  EXPECT_EQ(parseThreads(nullptr), 0u);
}

TEST(CpuCount, RoundsQuotasUp) {
  EXPECT_EQ(parseQuota("150000 100000\n"), 2u);
  EXPECT_EQ(parseQuota("50000 100000"), 1u);
  EXPECT_EQ(parseQuota("400000 100000"), 4u);
  EXPECT_EQ(parseQuota("max 100000"), 0u);
  EXPECT_EQ(parseQuota("-1 100000"), 0u);
  EXPECT_EQ(parseQuota(""), 0u);
}

} // namespace
