/// What a launch is given, checked against what the kernel's table says.
#include "runtime/Generated.h"
#include "runtime/Memory.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using testing::HasSubstr;
using testing::StrEq;

namespace {

constexpr tessera_dtype f32{TESSERA_FLOAT, 32, 1}, i8{TESSERA_INT, 8, 1},
    c32{TESSERA_COMPLEX, 64, 1};
constexpr int64_t any = -1;
constexpr int64_t anyByAny[] = {any, any}, packed[] = {1, any}, four[] = {4}, one[] = {1, 1},
                  byFour[] = {4, 1}, byEight[] = {1, 8};

alignas(64) float elements[64];
tessera_launch seen;

void note(const void *, const tessera_launch *launch) {
  seen = *launch;
}

/// k(flag: i8, A: memref<f32x?x?> {alignment=16, shape_gcd=[4], stride_gcd=[1, 8]})
struct MatrixArguments {
  int8_t flag = 1;
  float *data = elements;
  int64_t rows = 4, columns = 3, stride = 8;
};
const tessera_kernel_parameter matrixParameters[] = {
    {"flag", i8, TESSERA_KERNEL_SCALAR, 0, nullptr, nullptr, 0, 0, 1, nullptr, nullptr},
    {"A", f32, TESSERA_KERNEL_MEMREF, 2, anyByAny, packed, 0, 0, 16, byFour, byEight}};
const tessera_kernel matrixKernel{"k", nullptr, note, 2, matrixParameters, nullptr};

/// The error, or "" if the kernel was launched.
std::string launch(const tessera_kernel &kernel, const void *arguments, tessera_launch size) {
  seen = {};
  int status = tessera_rt_launch(&kernel, arguments, &size);
  if (status == TESSERA_OK)
    return "";
  EXPECT_EQ(status, TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(seen.groups, 0) << "the body ran";
  return tessera_last_error();
}
std::string launch(const MatrixArguments &arguments) {
  return launch(matrixKernel, &arguments, {7, 1, 0});
}

TEST(LaunchTest, RunsWithTheGivenNumberOfThreads) {
  EXPECT_EQ(launch(MatrixArguments()), "");
  EXPECT_EQ(seen.groups, 7);
  EXPECT_EQ(seen.threads, 1);
  tessera_set_threads(3);
  MatrixArguments arguments;
  EXPECT_EQ(launch(matrixKernel, &arguments, {0, 0, 0}), "");
  EXPECT_EQ(seen.threads, 3);
  tessera_set_threads(0);
}

TEST(LaunchTest, IsAloneIfTheCallerSaysSoAndOneThreadRuns) {
  MatrixArguments arguments;
  EXPECT_EQ(launch(matrixKernel, &arguments, {7, 1, 1}), "");
  EXPECT_EQ(seen.alone, 1);
  EXPECT_EQ(launch(matrixKernel, &arguments, {7, 2, 1}), "");
  EXPECT_EQ(seen.alone, 0) << "the launch's own threads add at once";
  std::thread([&] { EXPECT_EQ(launch(matrixKernel, &arguments, {7, 1, 0}), ""); }).join();
  EXPECT_EQ(seen.alone, 0) << "another thread may launch as well";
}

TEST(LaunchTest, RejectsWrongLaunches) {
  MatrixArguments arguments;
  EXPECT_EQ(launch(matrixKernel, &arguments, {-1, 0, 0}), "-1 groups, expected 0 or more");
  EXPECT_EQ(launch(matrixKernel, &arguments, {1, -2, 0}), "-2 threads, expected 0 or more");
  EXPECT_EQ(launch(matrixKernel, nullptr, {1, 0, 0}), "no arguments (null), expected 2");
  EXPECT_EQ(tessera_rt_launch(&matrixKernel, &arguments, nullptr), TESSERA_INVALID_ARGUMENT);
  EXPECT_THAT(tessera_last_error(), StrEq("no launch (null)"));
}

TEST(LaunchTest, RejectsNegativeSizesAndStrides) {
  EXPECT_EQ(launch({.rows = -4}), "argument `A`: size -4 in mode 0, expected 0 or more");
  EXPECT_EQ(launch({.stride = -8}), "argument `A`: stride -8 in mode 1, expected 0 or more");
}

TEST(LaunchTest, RejectsBrokenPromises) {
  EXPECT_EQ(launch({.rows = 6}), "argument `A`: size 6 in mode 0, expected a multiple of 4");
  EXPECT_EQ(launch({.stride = 12}), "argument `A`: stride 12 in mode 1, expected a multiple of 8");
  EXPECT_THAT(launch({.data = elements + 1}),
              testing::MatchesRegex("argument `A`: its first element is at address 0x[0-9a-f]*4, "
                                    "expected a multiple of 16"));
  auto *odd = reinterpret_cast<float *>(reinterpret_cast<char *>(elements) + 1);
  EXPECT_THAT(launch({.data = odd}), HasSubstr("expected a multiple of 4"));
}

TEST(LaunchTest, RejectsModesThatOverlap) {
  EXPECT_EQ(launch({.rows = 12}), "argument `A`: stride 8 in mode 1, expected at least 12");
  EXPECT_EQ(launch({.rows = 12, .columns = 1}), "") << "one column lies anywhere";
  EXPECT_EQ(launch({.stride = 0}), "") << "all columns are one, as batches may be";
  EXPECT_EQ(launch({.rows = 4, .columns = INT64_MAX / 4}),
            "argument `A`: more elements than memory can hold");
}

TEST(LaunchTest, NeedsDataOnlyForElements) {
  EXPECT_EQ(launch({.data = nullptr}), "argument `A`: no data (null)");
  EXPECT_EQ(launch({.data = nullptr, .columns = 0}), "");
}

/// k(G: group<memref<c32x4>x?, offset: ?> {alignment=16})
struct GroupArguments {
  void *const *members;
  int64_t count, offset;
};
const tessera_kernel_parameter groupParameters[] = {
    {"G", c32, TESSERA_KERNEL_GROUP, 1, four, one, any, any, 16, one, one}};
const tessera_kernel groupKernel{"k", nullptr, note, 1, groupParameters, nullptr};

std::string launch(std::vector<void *> members, int64_t offset) {
  GroupArguments arguments{members.data(), int64_t(members.size()), offset};
  return launch(groupKernel, &arguments, {1, 1, 0});
}

TEST(LaunchTest, ChecksEveryMember) {
  EXPECT_EQ(launch({elements, elements + 8}, 0), "");
  EXPECT_EQ(launch({elements, nullptr}, 0), "argument `G`: member 1: no data (null)");
  EXPECT_EQ(launch({}, 0), "") << "there is none";
}

TEST(LaunchTest, AlignsMembersWhereTheyAreRead) {
  EXPECT_EQ(launch({elements + 2}, 1), "") << "8 bytes and one element of 8";
  EXPECT_THAT(launch({elements, elements + 2}, 0),
              HasSubstr("argument `G`: member 1: its first element is at address"));
}

TEST(LaunchTest, RejectsNegativeCountsAndOffsets) {
  EXPECT_EQ(launch({elements}, -1), "argument `G`: offset -1, expected 0 or more");
  GroupArguments negative{nullptr, -3, 0}, missing{nullptr, 3, 0};
  EXPECT_EQ(launch(groupKernel, &negative, {1, 1, 0}),
            "argument `G`: count -3, expected 0 or more");
  EXPECT_EQ(launch(groupKernel, &missing, {1, 1, 0}),
            "argument `G`: no members (null), expected 3");
}

/// k(G: group<memref<f32x?x?>x2>)
struct RaggedArguments {
  void *const *members;
  const int64_t *rows, *columns, *strides;
};
const tessera_kernel_parameter raggedParameters[] = {
    {"G", f32, TESSERA_KERNEL_GROUP, 2, anyByAny, packed, 2, 0, 1, one, one}};
const tessera_kernel raggedKernel{"k", nullptr, note, 1, raggedParameters, nullptr};

TEST(LaunchTest, ChecksTheSizesOfEveryMember) {
  void *members[] = {elements, elements + 8};
  int64_t rows[] = {2, 3}, columns[] = {4, 1}, strides[] = {2, 3}, wrong[] = {2, -1};
  RaggedArguments good{members, rows, columns, strides}, negative{members, rows, wrong, strides},
      missing{members, rows, nullptr, strides};
  EXPECT_EQ(launch(raggedKernel, &good, {1, 1, 0}), "");
  EXPECT_EQ(launch(raggedKernel, &negative, {1, 1, 0}),
            "argument `G`: member 1: size -1 in mode 1, expected 0 or more");
  EXPECT_EQ(launch(raggedKernel, &missing, {1, 1, 0}),
            "argument `G`: no sizes or strides (null), expected 2");
}

void fail(const void *, const tessera_launch *) {
  static const tessera_site site{"k.tinytc", 3, 4, "lane {0} is out", "tinytc.checked.1"};
  tessera_rt_alloc(100);
  tessera_rt_trap(&site, 5, 0, 0, 0);
}

TEST(LaunchTest, ReportsTrapsWithTheirPositions) {
  tessera_rt_set_memory_limit(int64_t(1) << 40);
  const tessera_kernel failing{"k", nullptr, fail, 0, nullptr, nullptr};
  tessera_launch size{1, 1, 0};
  EXPECT_EQ(tessera_rt_launch(&failing, nullptr, &size), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(), StrEq("k.tinytc:3:4: error: lane 5 is out [tinytc.checked.1]"));
  EXPECT_EQ(tessera::runtime::memoryInUse(), 0);
  tessera_rt_set_memory_limit(0);
}

} // namespace
