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
  tessera_run_free(run);
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

/// A vector of 2^17 numbers, one megabyte.
void makeMegabyte(const void *, void *result) {
  tessera_region *region = tessera_rt_region_create(nullptr);
  *static_cast<tessera_vector *>(result) = {tessera_rt_region_alloc(region, 1 << 20, nullptr),
                                            1 << 17};
}

TEST(Call, KeepsTheResultUntilItsRunIsFreed) {
  tessera_rt_set_memory_limit(int64_t(1) << 30);
  tessera_program program = programOf(makeMegabyte, vector);
  tessera_input input = {};
  tessera_output *first = tessera_rt_call(&program, &input);
  ASSERT_EQ(first->status, TESSERA_OK);
  input.run = first->run;
  tessera_output *second = tessera_rt_call(&program, &input);
  ASSERT_EQ(second->status, TESSERA_OK);
  auto data = [](tessera_output *output) {
    return static_cast<char *>(static_cast<tessera_vector *>(output->result)->data);
  };
  memset(data(first), 1, 1 << 20);
  memset(data(second), 2, 1 << 20);
  EXPECT_EQ(data(first)[(1 << 20) - 1], 1);
  EXPECT_GE(memoryInUse(), 2 << 20);
  tessera_run_free(second->run);
  EXPECT_EQ(memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

TEST(Call, HasItsOwnLimit) {
  tessera_program program = programOf(makeMegabyte, vector);
  tessera_input input = {};
  input.max_memory = 1 << 16;
  tessera_output *output = tessera_rt_call(&program, &input);
  EXPECT_EQ(output->status, TESSERA_RUNTIME_ERROR);
  EXPECT_EQ(output->result, nullptr);
  EXPECT_EQ(output->run, nullptr);
  EXPECT_NE(strstr(tessera_last_error(), "exceed the limit of 65536 bytes"), nullptr);
  input.max_memory = 1 << 30;
  for (int i = 0; i < 3; ++i) { // What one call keeps does not count for the next.
    output = tessera_rt_call(&program, &input);
    ASSERT_EQ(output->status, TESSERA_OK);
    tessera_run_free(output->run);
  }
}

/// Workers allocate for the call that they work for.
TEST(Call, CountsWhatWorkersAllocate) {
  tessera_program program = programOf(
      [](const void *, void *result) {
        auto chunk = [](void *, int64_t, int64_t) { tessera_rt_alloc(1 << 20); };
        tessera_rt_parallel_for(chunk, nullptr, 64, 1);
        *static_cast<tessera_vector *>(result) = {nullptr, 0};
      },
      vector);
  tessera_input input = {};
  input.threads = 4;
  input.max_memory = 60 << 20;
  EXPECT_EQ(tessera_rt_call(&program, &input)->status, TESSERA_RUNTIME_ERROR);
  input.max_memory = 70 << 20;
  tessera_output *output = tessera_rt_call(&program, &input);
  EXPECT_EQ(output->status, TESSERA_OK);
  tessera_run_free(output->run);
}

/// Each chunk needs two megabytes for a while; how many chunks do so at a time is chance.
TEST(Call, EndsAsOneThreadWould) {
  tessera_program program = programOf(
      [](const void *, void *result) {
        auto chunk = [](void *, int64_t, int64_t) {
          tessera_rt_dealloc(tessera_rt_alloc(2 << 20));
        };
        tessera_rt_parallel_for(chunk, nullptr, 64, 1);
        *static_cast<tessera_vector *>(result) = {nullptr, 0};
      },
      vector);
  tessera_input input = {};
  input.threads = 4;
  for (int64_t megabytes : {1, 3}) {
    input.max_memory = megabytes << 20;
    for (int i = 0; i < 50; ++i) {
      tessera_output *output = tessera_rt_call(&program, &input);
      ASSERT_EQ(output->status, megabytes < 2 ? TESSERA_RUNTIME_ERROR : TESSERA_OK);
      tessera_run_free(output->run);
    }
  }
}

/// The last chunk may run before the others have kept anything, but in order the limit is exceeded.
TEST(Call, CountsWhatEarlierChunksWouldHaveKept) {
  tessera_program program = programOf(
      [](const void *, void *result) {
        auto chunk = [](void *, int64_t number, int64_t) {
          if (number == 3)
            tessera_rt_dealloc(tessera_rt_alloc(4 << 20));
          else
            tessera_rt_alloc(1 << 20);
        };
        tessera_rt_parallel_for(chunk, nullptr, 4, 1);
        *static_cast<tessera_vector *>(result) = {nullptr, 0};
      },
      vector);
  tessera_input input = {};
  input.max_memory = 6 << 20;
  for (int32_t threads : {1, 2, 4})
    for (int i = 0; i < 50; ++i) {
      input.threads = threads;
      ASSERT_EQ(tessera_rt_call(&program, &input)->status, TESSERA_RUNTIME_ERROR);
    }
}

TEST(Call, CFunctionsAreCalledOnce) {
  static int numRuns;
  tessera_program program = programOf(
      [](const void *, void *) {
        ++numRuns;
        tessera_rt_alloc(2 << 20);
      },
      vector);
  tessera_input input = {};
  input.threads = 2;
  input.max_memory = 1 << 20;
  for (int32_t callsOut : {0, 1}) {
    program.callsOut = callsOut;
    numRuns = 0;
    EXPECT_EQ(tessera_rt_call(&program, &input)->status, TESSERA_RUNTIME_ERROR);
    EXPECT_EQ(numRuns, callsOut ? 1 : 2);
  }
}

TEST(Call, RejectsInvalidArguments) {
  const Words vectorArgument = row({TESSERA_KIND_STRUCT, 16, 8, 0, 1}, {{0, vector}});
  tessera_program program = programOf(makeMegabyte, vector);
  program.arguments = vectorArgument.data();
  const char *names[] = {"v", nullptr};
  program.names = names;
  tessera_vector argument = {nullptr, 3};
  tessera_input input = {};
  input.arguments = &argument;
  EXPECT_EQ(tessera_rt_call(&program, &input)->status, TESSERA_INVALID_ARGUMENT);
  EXPECT_STREQ(tessera_last_error(), "argument `v`: a vector of length 3 without data (null)");
  program.names = nullptr;
  argument = {&argument, -1};
  EXPECT_EQ(tessera_rt_call(&program, &input)->status, TESSERA_INVALID_ARGUMENT);
  EXPECT_STREQ(tessera_last_error(), "argument ``: a vector of length -1");
}

} // namespace
