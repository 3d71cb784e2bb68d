#include "runtime/Region.h"
#include "Values.h"
#include "runtime/Generated.h"
#include "runtime/Memory.h"
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::runtime;
using namespace tessera::tests;
using testing::ContainsRegex;

namespace {

const tessera_site site{"f.weld", 1, 2, "OutOfMemory", nullptr};

/// Bytes in use are counted while there is a limit.
class RegionTest : public testing::Test {
protected:
  void SetUp() override { tessera_rt_set_memory_limit(int64_t(1) << 30); }
  void TearDown() override {
    EXPECT_EQ(memoryInUse(), 0);
    tessera_rt_set_memory_limit(0);
  }
};

TEST_F(RegionTest, AlignsAndSeparatesAllocationsOfAnySize) {
  tessera_region *region = tessera_rt_region_create(&site);
  std::vector<std::pair<char *, int64_t>> pieces;
  for (int64_t bytes : {0, 1, 15, 64, 100, 4000, 5000, 1 << 20, 3, 1 << 18, 7})
    for (int repeat = 0; repeat < 20; ++repeat) {
      auto *memory = static_cast<char *>(tessera_rt_region_alloc(region, bytes, &site));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % (bytes >= 64 ? 64 : 16), 0u);
      memset(memory, int(pieces.size()), bytes);
      pieces.push_back({memory, bytes});
    }
  for (size_t index = 0; index < pieces.size(); ++index)
    for (int64_t at = 0; at < pieces[index].second; at += 13)
      ASSERT_EQ(pieces[index].first[at], char(index));
  tessera_rt_region_free(region);
}

TEST_F(RegionTest, ReusesItsMemoryAfterAReset) {
  tessera_region *region = tessera_rt_region_create(&site);
  int64_t before = memoryInUse();
  for (int repeat = 0; repeat < 1000; ++repeat) {
    tessera_rt_region_alloc(region, 1 << 20, &site);
    tessera_rt_region_reset(region);
    EXPECT_EQ(memoryInUse(), before);
  }
  tessera_rt_region_free(region);
}

TEST_F(RegionTest, GrowsWithoutLosingContentsOrKeepingOldMemory) {
  tessera_region *region = tessera_rt_region_create(&site);
  int64_t bytes = 1;
  auto *memory = static_cast<char *>(tessera_rt_region_alloc(region, bytes, &site));
  memory[0] = 42;
  for (; bytes < 64 << 20; bytes *= 2) {
    memory = static_cast<char *>(tessera_rt_region_grow(region, memory, bytes, bytes * 2, &site));
    memory[bytes] = 7;
  }
  EXPECT_EQ(memory[0], 42);
  EXPECT_EQ(memory[32 << 20], 7);
  EXPECT_LT(memoryInUse(), 70 << 20);
  tessera_rt_region_free(region);
}

/// Memory that several allocations share is kept, however small the region has become.
TEST_F(RegionTest, ReleasesSingleAllocations) {
  tessera_region *region = tessera_rt_region_create(&site);
  void *large = tessera_rt_region_alloc(region, 8 << 20, &site);
  auto *first = static_cast<char *>(tessera_rt_region_alloc(region, 100 << 10, &site));
  auto *second = static_cast<char *>(tessera_rt_region_alloc(region, 100, &site));
  second[0] = 7;
  tessera_rt_region_alloc(region, 1 << 20, &site);
  int64_t bytes = tessera_rt_region_bytes(region);
  tessera::runtime::release(*region, large, 8 << 20);
  EXPECT_EQ(tessera_rt_region_bytes(region), bytes - (8 << 20));
  tessera::runtime::release(*region, first, 100 << 10);
  EXPECT_EQ(tessera_rt_region_bytes(region), bytes - (8 << 20));
  EXPECT_EQ(second[0], 7);
  tessera_rt_region_free(region);
}

TEST_F(RegionTest, AdoptsWhatWorkersAllocated) {
  tessera_region *outer = tessera_rt_region_create(&site);
  tessera_region *pieces[64];
  tessera_rt_parallel_for(
      [](void *context, int64_t lo, int64_t hi) {
        auto **pieces = static_cast<tessera_region **>(context);
        for (int64_t index = lo; index < hi; ++index) {
          pieces[index] = tessera_rt_region_create(&site);
          tessera_rt_region_alloc(pieces[index], 10000, &site);
        }
      },
      pieces, 64, 1);
  for (tessera_region *piece : pieces)
    tessera_rt_region_adopt(outer, piece);
  EXPECT_GE(tessera_rt_region_bytes(outer), 64 * 10000);
  tessera_rt_region_free(outer);
}

TEST_F(RegionTest, IsFreedByATrapAndCountsForTheLimit) {
  int status = enter([] {
    tessera_region *region = tessera_rt_region_create(&site);
    for (;;)
      tessera_rt_region_alloc(region, 1 << 20, &site);
  });
  EXPECT_EQ(status, TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(
      tessera_last_error(),
      ContainsRegex(
          "f.weld:1:2: error: OutOfMemory: the memory in use exceeds the limit of [0-9]+ bytes"));
}

} // namespace
