#include "runtime/Memory.h"
#include "runtime/Generated.h"
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace tessera::runtime;
using testing::HasSubstr;
using testing::StrEq;

namespace {

#if __has_feature(address_sanitizer)
constexpr bool caching = false;
#else
constexpr bool caching = true;
#endif

int enter(std::function<void()> body) {
  return tessera_rt_enter([](void *body) { (*static_cast<std::function<void()> *>(body))(); },
                          &body);
}

const tessera_site site{"f.ttl", 1, 2, "stop", nullptr};

/// Bytes in use are counted while there is a limit.
class MemoryTest : public testing::Test {
protected:
  void SetUp() override { tessera_rt_set_memory_limit(int64_t(1) << 40); }
  void TearDown() override {
    EXPECT_EQ(memoryInUse(), 0);
    tessera_rt_set_memory_limit(0);
  }
};

TEST_F(MemoryTest, AlignsEverySize) {
  for (int64_t bytes : {0, 1, 63, 64, 65, 1000, 1024, 1025, 1152, 1153, 5000, 1 << 20, 5 << 20}) {
    void *memory = tessera_rt_alloc(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    memset(memory, 0xab, bytes);
    tessera_rt_dealloc(memory);
  }
}

TEST_F(MemoryTest, ReusesFreedBlocks) {
  if (!caching)
    GTEST_SKIP() << "sanitizers see every block";
  for (int64_t bytes : {1, 64, 4096, 1 << 20, 64 << 20, 400 << 20}) {
    void *first = tessera_rt_alloc(bytes);
    tessera_rt_dealloc(first);
    void *second = tessera_rt_alloc(bytes);
    EXPECT_EQ(first, second);
    tessera_rt_dealloc(second);
  }
}

TEST_F(MemoryTest, KeepsABoundedNumberOfLargeBlocks) {
  if (!caching)
    GTEST_SKIP() << "sanitizers see every block";
  std::vector<void *> blocks;
  constexpr int64_t megabyte = 1 << 20;
  for (int64_t bytes : {800, 808, 480, 960, 800, 2400})
    blocks.push_back(tessera_rt_alloc(bytes * megabyte));
  for (void *block : blocks) {
    tessera_rt_dealloc(block);
    EXPECT_LE(cachedLargeBytes(), 2048 * megabyte);
  }
  EXPECT_GE(cachedLargeBytes(), 800 * megabyte);
}

TEST_F(MemoryTest, AllocatesAtLeastTheRequestedBytes) {
  std::vector<void *> blocks;
  for (int64_t bytes = 1; bytes < 20000; bytes += 37) {
    blocks.push_back(tessera_rt_alloc(bytes));
    memset(blocks.back(), int(blocks.size()), bytes);
  }
  for (size_t index = 0; index < blocks.size(); ++index)
    EXPECT_EQ(*static_cast<unsigned char *>(blocks[index]), (index + 1) % 256);
  for (void *block : blocks)
    tessera_rt_dealloc(block);
}

TEST_F(MemoryTest, FreesWhatATrapLeaves) {
  EXPECT_EQ(enter([] {
              for (int64_t bytes : {100, 1000, 100000, 10000000})
                tessera_rt_alloc(bytes);
              tessera_rt_trap(&site, 0, 0, 0, 0);
            }),
            TESSERA_RUNTIME_ERROR);
  EXPECT_EQ(memoryInUse(), 0);
}

TEST_F(MemoryTest, KeepsWhatABodyReturns) {
  void *kept = nullptr;
  EXPECT_EQ(enter([&] {
              kept = tessera_rt_alloc(100);
              tessera_rt_dealloc(tessera_rt_alloc(200));
            }),
            TESSERA_OK);
  EXPECT_EQ(memoryInUse(), 100);
  tessera_rt_dealloc(kept);
}

TEST_F(MemoryTest, FreesInAnInnerFrameWhatAnOuterOneAllocated) {
  EXPECT_EQ(enter([] {
              void *outer = tessera_rt_alloc(100);
              enter([&] { tessera_rt_dealloc(outer); });
              tessera_rt_trap(&site, 0, 0, 0, 0);
            }),
            TESSERA_RUNTIME_ERROR);
}

TEST_F(MemoryTest, PassesBlocksOfAnInnerFrameToTheOuterOne) {
  EXPECT_EQ(enter([] {
              enter([] { tessera_rt_alloc(100); });
              EXPECT_EQ(memoryInUse(), 100);
              tessera_rt_trap(&site, 0, 0, 0, 0);
            }),
            TESSERA_RUNTIME_ERROR);
}

TEST_F(MemoryTest, FreesOnAnotherThread) {
  void *memory = tessera_rt_alloc(1000);
  std::thread([=] { tessera_rt_dealloc(memory); }).join();
}

TEST_F(MemoryTest, TrapsOnSizesThatOverflowed) {
  EXPECT_EQ(enter([] { tessera_rt_alloc(-8); }), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(),
              StrEq("a size is negative, or all sizes together are too large"));
  static const tessera_site named{"a.ttl", 4, 9, "the slice `v{a...b}`", nullptr};
  EXPECT_EQ(enter([] { tessera_rt_alloc_at(-8, &named); }), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(),
              StrEq("a.ttl:4:9: error: the slice `v{a...b}`: a size is negative, or all sizes "
                    "together are too large"));
  EXPECT_EQ(enter([] { tessera_rt_alloc(INT64_MAX); }), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(), StrEq("out of memory: more than 1152921504606846976 bytes"));
}

TEST(Memory, TrapsWhenTheSystemHasNoMemory) {
  if (!caching)
    GTEST_SKIP() << "sanitizers stop at such a size";
  EXPECT_EQ(enter([] { tessera_rt_alloc(int64_t(1) << 50); }), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(), StrEq("out of memory: 1125899906842624 bytes"));
}

TEST_F(MemoryTest, TrapsBeyondTheLimit) {
  tessera_rt_set_memory_limit(1000);
  EXPECT_EQ(enter([] {
              tessera_rt_alloc(600);
              tessera_rt_dealloc(tessera_rt_alloc(400));
              tessera_rt_alloc(401);
            }),
            TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(
      tessera_last_error(),
      StrEq("out of memory: 401 bytes on top of 600 in use exceed the limit of 1000 bytes"));
}

TEST_F(MemoryTest, LeavesPartOfTheLimitUnused) {
  tessera_rt_set_memory_limit(0);
  EXPECT_GE(tessera_rt_spare_bytes(), int64_t(1) << 60);
  tessera_rt_set_memory_limit(16000);
  EXPECT_EQ(tessera_rt_spare_bytes(), 1000);
  void *memory = tessera_rt_alloc(8000);
  EXPECT_EQ(tessera_rt_spare_bytes(), 500);
  tessera_rt_dealloc(memory);
}

TEST(Memory, FreesBlocksFromBeforeALimit) {
  void *before = tessera_rt_alloc(5000);
  tessera_rt_set_memory_limit(1000);
  tessera_rt_dealloc(before);
  EXPECT_EQ(memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

TEST(Memory, IgnoresNull) {
  tessera_rt_dealloc(nullptr);
}

TEST(MemoryDeathTest, DetectsADoubleFree) {
  if (!caching)
    GTEST_SKIP() << "sanitizers notice it themselves";
  void *memory = tessera_rt_alloc(100);
  tessera_rt_dealloc(memory);
  EXPECT_DEATH(tessera_rt_dealloc(memory), "freed twice");
}

} // namespace
