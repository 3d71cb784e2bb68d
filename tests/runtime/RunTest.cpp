#include "Values.h"
#include "runtime/Memory.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace tessera::runtime;
using namespace tessera::tests;

namespace {

const Words i64 = scalar(TESSERA_KIND_I64, 8), vector = vectorOf(i64), vectors = vectorOf(vector);
const Words none = {TESSERA_KIND_STRUCT, 0, 1, 1, 0};

tessera_program programOf(void (*body)(const void *, void *), const Words &result) {
  return {"main", nullptr, body, none.data(), result.data(), nullptr};
}

TEST(Run, KeepsWhatTheResultPointsToAndNoMore) {
  tessera_rt_set_memory_limit(int64_t(1) << 30);
  tessera_program program = programOf(
      [](const void *, void *result) {
        tessera_region *region = tessera_rt_region_create(nullptr);
        tessera_rt_region_alloc(region, 100 << 20, nullptr);
        auto *rows = static_cast<tessera_vector *>(tessera_rt_region_alloc(region, 32, nullptr));
        for (int64_t row : {0, 1}) {
          rows[row] = {tessera_rt_region_alloc(region, 1 << 20, nullptr), 1 << 17};
          memset(rows[row].data, int(row + 1), 1 << 20);
        }
        *static_cast<tessera_vector *>(result) = {rows, 2};
      },
      vectors);
  tessera_vector result;
  tessera_run *run;
  ASSERT_EQ(tessera_rt_run(&program, nullptr, &result, &run), TESSERA_OK);
  EXPECT_LT(memoryInUse(), 3 << 20);
  auto *rows = static_cast<tessera_vector *>(result.data);
  EXPECT_EQ(static_cast<char *>(rows[1].data)[(1 << 20) - 1], 2);
  tessera_rt_run_free(run);
  EXPECT_EQ(memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

TEST(Run, FreesEverythingWhenItFails) {
  tessera_rt_set_memory_limit(1 << 20);
  tessera_program program = programOf(
      [](const void *, void *) {
        tessera_region *region = tessera_rt_region_create(nullptr);
        for (;;)
          tessera_rt_region_alloc(region, 1 << 16, nullptr);
      },
      vector);
  tessera_vector result;
  tessera_run *run;
  EXPECT_EQ(tessera_rt_run(&program, nullptr, &result, &run), TESSERA_RUNTIME_ERROR);
  EXPECT_EQ(run, nullptr);
  EXPECT_EQ(memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

/// Groups numbers by their remainder, as loops do: each chunk for itself, then joined in order.
struct Chunks {
  static constexpr int64_t count = 64;
  Words entry = pairOf(i64, vector, 8, 24);
  tessera_region *regions[count];
  tessera_groups *groups[count];
  int64_t firstFailing = count;

  static void run(void *memory, int64_t lo, int64_t hi) {
    auto &chunks = *static_cast<Chunks *>(memory);
    for (int64_t chunk = lo; chunk < hi; ++chunk)
      chunks.add(chunk);
  }
  void add(int64_t chunk) {
    regions[chunk] = tessera_rt_region_create(&site);
    groups[chunk] = tessera_rt_groups_create(entry.data(), regions[chunk], &site);
    for (int64_t value = chunk * 100; value < chunk * 100 + 100; ++value) {
      int64_t key = value % 7;
      tessera_rt_groups_add(groups[chunk], &key, &value, &site);
    }
    if (chunk >= firstFailing)
      tessera_rt_trap(&site, chunk, 0, 0, 0);
  }
  tessera_table *join() {
    tessera_rt_parallel_for(run, this, count, 1);
    for (int64_t chunk = 1; chunk < count; ++chunk) {
      tessera_rt_groups_append(groups[0], groups[chunk], &site);
      tessera_rt_region_adopt(regions[0], regions[chunk]);
    }
    return tessera_rt_groups_finish(groups[0], &site);
  }

  static constexpr tessera_site site{"f.weld", 1, 2, "chunk {0}", nullptr};
};

TEST(Run, JoinsWhatChunksHaveBuiltInTheirOrder) {
  for (int threads : {1, 2, 7}) {
    tessera_set_threads(threads);
    Chunks chunks;
    int status = enter([&] {
      int64_t key = 3, expected = 3;
      auto *found = static_cast<char *>(tessera_rt_table_find(chunks.join(), &key));
      tessera_vector group;
      memcpy(&group, found + 8, sizeof group);
      ASSERT_EQ(group.count, 914);
      for (int64_t index = 0; index < group.count; ++index, expected += 7)
        ASSERT_EQ(static_cast<int64_t *>(group.data)[index], expected);
    });
    EXPECT_EQ(status, TESSERA_OK);
  }
  tessera_set_threads(0);
}

TEST(Run, TheFirstFailingChunkIsReportedAndAllMemoryIsFreed) {
  tessera_rt_set_memory_limit(int64_t(1) << 30);
  for (int threads : {1, 2, 7}) {
    tessera_set_threads(threads);
    Chunks chunks;
    chunks.firstFailing = 13;
    EXPECT_EQ(enter([&] { chunks.join(); }), TESSERA_RUNTIME_ERROR);
    EXPECT_STREQ(tessera_last_error(), "f.weld:1:2: error: chunk 13");
    EXPECT_EQ(memoryInUse(), 0);
  }
  tessera_rt_set_memory_limit(0);
  tessera_set_threads(0);
}

} // namespace
