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

} // namespace
