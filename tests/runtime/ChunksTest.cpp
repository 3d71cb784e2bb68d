#include "Values.h"
#include "runtime/Memory.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace tessera::runtime;
using namespace tessera::tests;

namespace {

const Words i64 = scalar(TESSERA_KIND_I64, 8), vector = vectorOf(i64);

/// Groups numbers by their remainder, as loops do: each chunk separately, then joined in order.
struct Loop {
  static constexpr int64_t count = 64;
  Words entry = pairOf(i64, vector, 8, 24);
  tessera_region *regions[count];
  tessera_groups *groups[count];
  int64_t firstFailing = count;

  static void run(void *memory, int64_t lo, int64_t hi) {
    auto &chunks = *static_cast<Loop *>(memory);
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

TEST(Chunks, JoinsResultsInTheOrderOfChunks) {
  for (int threads : {1, 2, 7}) {
    tessera_set_threads(threads);
    Loop chunks;
    int status = enter([&] {
      int64_t key = 3, expected = 3;
      auto *found = static_cast<char *>(tessera_rt_table_find(chunks.join(), &key));
      tessera_vector group;
      memcpy(&group, found, sizeof group);
      ASSERT_EQ(group.count, 914);
      for (int64_t index = 0; index < group.count; ++index, expected += 7)
        ASSERT_EQ(static_cast<int64_t *>(group.data)[index], expected);
    });
    EXPECT_EQ(status, TESSERA_OK);
  }
  tessera_set_threads(0);
}

TEST(Chunks, TheFirstFailingChunkIsReportedAndAllMemoryIsFreed) {
  tessera_rt_set_memory_limit(int64_t(1) << 30);
  for (int threads : {1, 2, 7}) {
    tessera_set_threads(threads);
    Loop chunks;
    chunks.firstFailing = 13;
    EXPECT_EQ(enter([&] { chunks.join(); }), TESSERA_RUNTIME_ERROR);
    EXPECT_STREQ(tessera_last_error(), "f.weld:1:2: error: chunk 13");
    EXPECT_EQ(memoryInUse(), 0);
  }
  tessera_rt_set_memory_limit(0);
  tessera_set_threads(0);
}

} // namespace
