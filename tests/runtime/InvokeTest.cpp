#include "runtime/Cpu.h"
#include "runtime/Generated.h"
#include "runtime/Memory.h"
#include "runtime/View.h"
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

using namespace tessera::runtime;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StrEq;

namespace {

constexpr tessera_dtype f32{TESSERA_FLOAT, 32, 1}, f64{TESSERA_FLOAT, 64, 1};

struct Memref2 {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

Memref2 memrefOf(float *block, int64_t rows, int64_t columns) {
  return {block, block, 0, {rows, columns}, {columns, 1}};
}

/// add(a: float32[?, 4], s: float32) -> (c: float32[?, 4], sum: float32)
void add(void **slots) {
  auto &a = *static_cast<Memref2 *>(slots[0]);
  float s = *static_cast<float *>(slots[1]);
  int64_t count = a.sizes[0] * a.sizes[1];
  auto *block = static_cast<float *>(tessera_rt_alloc(count * 4));
  float &sum = *static_cast<float *>(slots[3]) = 0;
  for (int64_t index = 0; index < count; ++index)
    sum += block[index] = a.aligned[a.offset + index] + s;
  *static_cast<Memref2 *>(slots[2]) = memrefOf(block, a.sizes[0], a.sizes[1]);
  tessera_rt_alloc(100); // Never freed here: the runtime does it.
}

const int64_t rowsBy4[] = {-1, 4};
const tessera_parameter addParameters[] = {{"a", f32, 2, rowsBy4}, {"s", f32, 0, nullptr}};
const tessera_parameter addResults[] = {{"c", f32, 2, rowsBy4}, {"sum", f32, 0, nullptr}};
const tessera_signature addSignature{"add", 2, 2, addParameters, addResults, nullptr, add};

class InvokeTest : public testing::Test {
protected:
  void SetUp() override { tessera_rt_set_memory_limit(int64_t(1) << 40); }
  void TearDown() override {
    for (tessera_view &result : results)
      tessera_free(&result);
    EXPECT_EQ(memoryInUse(), 0);
    tessera_rt_set_memory_limit(0);
  }

  int invoke(const tessera_signature &signature = addSignature) {
    return tessera_rt_invoke(&signature, arguments, results);
  }

  void expectInvalid(const char *message) { expectInvalid(addSignature, message); }
  void expectInvalid(const tessera_signature &signature, const char *message) {
    EXPECT_EQ(invoke(signature), TESSERA_INVALID_ARGUMENT);
    EXPECT_THAT(tessera_last_error(), StrEq(message));
    EXPECT_EQ(results[0].shape == nullptr || results[0].data != nullptr, true);
  }

  std::vector<float> contents(const tessera_view &view) {
    auto *data = static_cast<float *>(view.data);
    return {data, data + numElements(view)};
  }

  float a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, s = 10;
  int64_t shape[2] = {2, 4}, strides[2] = {4, 1};
  tessera_view arguments[2] = {{a, {1, 0}, 2, f32, shape, nullptr, 0},
                               {&s, {1, 0}, 0, f32, nullptr, nullptr, 0}};
  tessera_view results[2] = {};
};

TEST_F(InvokeTest, AllocatesResults) {
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_THAT(contents(results[0]), ElementsAre(11, 12, 13, 14, 15, 16, 17, 18));
  EXPECT_EQ(results[0].ndim, 2);
  EXPECT_EQ(results[0].shape[0], 2);
  EXPECT_EQ(results[0].strides[0], 4);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(results[0].data) % 64, 0u);
  EXPECT_EQ(results[1].ndim, 0);
  EXPECT_EQ(*static_cast<float *>(results[1].data), 116);
}

TEST_F(InvokeTest, FreesAndClearsResults) {
  ASSERT_EQ(invoke(), TESSERA_OK);
  tessera_free(&results[0]);
  EXPECT_EQ(results[0].data, nullptr);
  tessera_free(&results[0]);
  tessera_free(nullptr);
}

TEST_F(InvokeTest, CopiesIntoMemoryOfTheCaller) {
  float c[8] = {}, sum = 0;
  results[0] = {c, {1, 0}, 2, f32, shape, nullptr, 0};
  results[1] = {&sum, {1, 0}, 0, f32, nullptr, nullptr, 0};
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_THAT(c, ElementsAre(11, 12, 13, 14, 15, 16, 17, 18));
  EXPECT_EQ(sum, 116);
  tessera_free(&results[0]); // Not ours: left alone.
  EXPECT_EQ(results[0].data, c);
}

TEST_F(InvokeTest, CopiesIntoStridedMemoryOfTheCaller) {
  float c[8] = {};
  int64_t columnMajor[] = {1, 2};
  results[0] = {c, {1, 0}, 2, f32, shape, columnMajor, 0};
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_THAT(c, ElementsAre(11, 15, 12, 16, 13, 17, 14, 18));
}

TEST_F(InvokeTest, PacksStridedArguments) {
  strides[0] = 1, strides[1] = 2;
  arguments[0].strides = strides;
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_THAT(contents(results[0]), ElementsAre(11, 13, 15, 17, 12, 14, 16, 18));
}

TEST_F(InvokeTest, PacksReversedAndBroadcastArguments) {
  strides[0] = 0, strides[1] = -1;
  arguments[0].data = a + 3;
  arguments[0].strides = strides;
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_THAT(contents(results[0]), ElementsAre(14, 13, 12, 11, 14, 13, 12, 11));
}

TEST_F(InvokeTest, HonorsByteOffsets) {
  shape[0] = 1;
  arguments[0].byte_offset = 16;
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_THAT(contents(results[0]), ElementsAre(15, 16, 17, 18));
}

TEST_F(InvokeTest, CopiesMisalignedArguments) {
  alignas(8) char bytes[40];
  memcpy(bytes + 1, a, 32);
  arguments[0].data = bytes;
  arguments[0].byte_offset = 1;
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_THAT(contents(results[0]), ElementsAre(11, 12, 13, 14, 15, 16, 17, 18));
}

TEST_F(InvokeTest, AcceptsEmptyTensors) {
  shape[0] = 0;
  arguments[0].data = nullptr;
  ASSERT_EQ(invoke(), TESSERA_OK);
  EXPECT_EQ(results[0].shape[0], 0);
  EXPECT_NE(results[0].data, nullptr);
}

TEST_F(InvokeTest, RejectsAWrongSize) {
  shape[1] = 3;
  expectInvalid("argument `a`: size 3 in dimension 1, expected 4");
}

TEST_F(InvokeTest, RejectsANegativeSize) {
  shape[0] = -2;
  expectInvalid("argument `a`: negative size -2 in dimension 0");
}

TEST_F(InvokeTest, RejectsAnImpossibleSize) {
  shape[0] = INT64_MAX / 2;
  expectInvalid("argument `a`: more elements than memory can hold");
}

TEST_F(InvokeTest, RejectsAWrongType) {
  arguments[1].dtype = f64;
  expectInvalid("argument `s`: element type float64, expected float32");
  arguments[1].dtype = {TESSERA_FLOAT, 32, 4};
  expectInvalid("argument `s`: element type float32x4, expected float32");
  arguments[1].dtype = {TESSERA_BOOL, 8, 1};
  expectInvalid("argument `s`: element type bool, expected float32");
}

TEST_F(InvokeTest, RejectsAWrongRank) {
  arguments[0].ndim = 1;
  expectInvalid("argument `a`: 1 dimension, expected 2");
  arguments[0].ndim = -1;
  expectInvalid("argument `a`: -1 dimensions, expected 2");
}

TEST_F(InvokeTest, RejectsMissingPointers) {
  arguments[0].shape = nullptr;
  expectInvalid("argument `a`: 2 dimensions, but no shape");
  arguments[0].shape = shape;
  arguments[0].data = nullptr;
  expectInvalid("argument `a`: no data (null), expected 32 bytes");
  EXPECT_EQ(tessera_rt_invoke(&addSignature, nullptr, results), TESSERA_INVALID_ARGUMENT);
  EXPECT_THAT(tessera_last_error(), StrEq("no arguments (null), expected 2"));
  arguments[0].data = a;
  EXPECT_EQ(tessera_rt_invoke(&addSignature, arguments, nullptr), TESSERA_INVALID_ARGUMENT);
  EXPECT_THAT(tessera_last_error(), StrEq("no results (null), expected 2"));
}

TEST_F(InvokeTest, RejectsOtherDevices) {
  arguments[0].device.device_type = 2;
  expectInvalid("argument `a`: on device type 2, expected 1 (CPU)");
}

TEST_F(InvokeTest, RejectsResultsThatDoNotFit) {
  float c[12] = {};
  int64_t given[2] = {3, 4};
  results[0] = {c, {1, 0}, 2, f32, given, nullptr, 0};
  expectInvalid("result `c`: size 3 in dimension 0, expected 2");
  EXPECT_THAT(c, testing::Each(0));
  given[1] = 5;
  expectInvalid("result `c`: size 5 in dimension 1, expected 4");
  results[0].dtype = f64;
  expectInvalid("result `c`: element type float64, expected float32");
  EXPECT_EQ(results[1].data, nullptr);
}

TEST_F(InvokeTest, AFailedProgramLeavesResultsAlone) {
  static const tessera_site site{"f.ttl", 1, 2, "stop", nullptr};
  tessera_signature failing = addSignature;
  failing.body = [](void **slots) {
    add(slots);
    tessera_rt_trap(&site, 0, 0, 0, 0);
  };
  EXPECT_EQ(invoke(failing), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(), StrEq("f.ttl:1:2: error: stop"));
  EXPECT_EQ(results[0].data, nullptr);
  EXPECT_EQ(memoryInUse(), 0);
}

TEST_F(InvokeTest, RunningOutOfMemoryForResultsLeavesThemAlone) {
  tessera_rt_set_memory_limit(400);
  EXPECT_EQ(invoke(), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(), HasSubstr("exceed the limit"));
  EXPECT_EQ(results[0].data, nullptr);
}

/// A body may return an argument, or the same memory twice, or a part of a block.
TEST_F(InvokeTest, CopiesResultsThatShareMemory) {
  static const tessera_parameter twoTensors[] = {{"c", f32, 2, rowsBy4}, {"d", f32, 2, rowsBy4}};
  tessera_signature sharing{"share", 2, 2, addParameters, twoTensors, nullptr, [](void **slots) {
                              *static_cast<Memref2 *>(slots[2]) = *static_cast<Memref2 *>(slots[0]);
                              *static_cast<Memref2 *>(slots[3]) = *static_cast<Memref2 *>(slots[0]);
                            }};
  ASSERT_EQ(invoke(sharing), TESSERA_OK);
  EXPECT_NE(results[0].data, a);
  EXPECT_NE(results[0].data, results[1].data);
  EXPECT_THAT(contents(results[1]), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  for (tessera_view &result : results)
    tessera_free(&result);

  sharing.body = [](void **slots) {
    auto *block = static_cast<float *>(tessera_rt_alloc(64));
    for (int index = 0; index < 16; ++index)
      block[index] = index;
    *static_cast<Memref2 *>(slots[2]) = memrefOf(block, 2, 4);
    *static_cast<Memref2 *>(slots[3]) = {block, block, 1, {2, 4}, {8, 2}};
  };
  ASSERT_EQ(invoke(sharing), TESSERA_OK);
  EXPECT_THAT(contents(results[0]), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(contents(results[1]), ElementsAre(1, 3, 5, 7, 9, 11, 13, 15));
}

/// The program itself finds that the caller has broken one of its preconditions.
TEST_F(InvokeTest, AProgramCanRejectItsArguments) {
  static const tessera_site site{"f.tc", 3, 4, "{0} is not below {1}", "tc.infer.1"};
  tessera_signature rejecting = addSignature;
  rejecting.body = [](void **slots) {
    add(slots);
    tessera_rt_reject(&site, 5, 4, 0, 0);
  };
  expectInvalid(rejecting, "f.tc:3:4: error: 5 is not below 4 [tc.infer.1]");
  EXPECT_EQ(memoryInUse(), 0);
  // A worker may reject them, too. Later failures are run-time errors again.
  rejecting.body = [](void **) {
    auto body = [](void *, int64_t lo, int64_t) {
      if (lo >= 500)
        tessera_rt_reject(&site, lo, 4, 0, 0);
    };
    tessera_rt_parallel_for(body, nullptr, 1000, 500);
  };
  expectInvalid(rejecting, "f.tc:3:4: error: 500 is not below 4 [tc.infer.1]");
  rejecting.body = [](void **) { tessera_rt_trap(&site, 5, 4, 0, 0); };
  EXPECT_EQ(invoke(rejecting), TESSERA_RUNTIME_ERROR);
}

/// mm(A: float32[M, K], B: float32[K, 2]) -> (C: float32[M, ?]), with named sizes.
class NamedSizesTest : public testing::Test {
protected:
  static void multiply(void **slots) {
    auto *block = static_cast<float *>(tessera_rt_alloc(64));
    memset(block, 0, 64);
    auto &a = *static_cast<Memref2 *>(slots[0]);
    *static_cast<Memref2 *>(slots[2]) = memrefOf(block, a.sizes[0], 2);
  }

  tessera_view view(float *data, int64_t *shape) {
    return {data, {1, 0}, 2, f32, shape, nullptr, 0};
  }
  std::string error() {
    tessera_view arguments[] = {view(a, shapeA), view(b, shapeB)};
    EXPECT_EQ(tessera_rt_invoke(&signature, arguments, &result), TESSERA_INVALID_ARGUMENT);
    return tessera_last_error();
  }

  static constexpr int64_t mByK[] = {-2, -3}, kBy2[] = {-3, 2}, mByAny[] = {-2, -1};
  static constexpr tessera_parameter parameters[] = {{"A", f32, 2, mByK}, {"B", f32, 2, kBy2}},
                                     results[] = {{"C", f32, 2, mByAny}};
  static constexpr const char *names[] = {"M", "K"};
  const tessera_signature signature{"mm", 2, 1, parameters, results, nullptr, multiply, names};
  float a[16] = {}, b[16] = {}, c[16] = {};
  int64_t shapeA[2] = {3, 4}, shapeB[2] = {4, 2}, shapeC[2] = {3, 2};
  tessera_view result = {};
};

TEST_F(NamedSizesTest, AreEqual) {
  tessera_view arguments[] = {view(a, shapeA), view(b, shapeB)};
  result = view(c, shapeC);
  EXPECT_EQ(tessera_rt_invoke(&signature, arguments, &result), TESSERA_OK) << tessera_last_error();
}

TEST_F(NamedSizesTest, ContradictionsNameBothSides) {
  shapeB[0] = 5;
  EXPECT_EQ(error(),
            "argument `B`: size `K` is 5 in dimension 0, but 4 in dimension 1 of argument `A`");
  shapeB[0] = 4;
  shapeB[1] = 3;
  EXPECT_EQ(error(), "argument `B`: size 3 in dimension 1, expected 2");
  shapeB[1] = 2;
  result = view(c, shapeC);
  shapeC[0] = 2;
  EXPECT_EQ(error(),
            "result `C`: size `M` is 2 in dimension 0, but 3 in dimension 0 of argument `A`");
  shapeA[0] = -3;
  EXPECT_EQ(error(), "argument `A`: negative size -3 in dimension 0");
}

TEST_F(InvokeTest, RejectsOverlappingResults) {
  float c[8] = {};
  results[0] = {a + 4, {1, 0}, 2, f32, shape, nullptr, 0};
  expectInvalid("result `c`: overlaps argument `a`");
  results[0] = {c, {1, 0}, 2, f32, shape, nullptr, 0};
  results[1] = {c + 7, {1, 0}, 0, f32, nullptr, nullptr, 0};
  expectInvalid("result `sum`: overlaps result `c`");
  results[1] = {const_cast<void *>(arguments[1].data), {1, 0}, 0, f32, nullptr, nullptr, 0};
  expectInvalid("result `sum`: overlaps argument `s`");
  results[1] = {};
  int64_t broadcast[] = {0, 1};
  results[0].strides = broadcast;
  expectInvalid("result `c`: overlaps itself: two of its elements have the same address");
  results[0].strides = nullptr;
  EXPECT_EQ(invoke(), TESSERA_OK);
}

/// A result that is updated may be updated where it is.
TEST_F(InvokeTest, UpdatesInPlace) {
  static const tessera_parameter initial[] = {{"c", f32, 2, rowsBy4, 1}, {"s", f32, 0, nullptr}};
  tessera_signature updating = addSignature;
  updating.parameters = initial;
  results[0] = arguments[0];
  ASSERT_EQ(invoke(updating), TESSERA_OK) << tessera_last_error();
  EXPECT_THAT(a, ElementsAre(11, 12, 13, 14, 15, 16, 17, 18));
  int64_t fewer[] = {1, 4};
  arguments[0].shape = fewer;
  results[0].data = a + 1;
  results[0].shape = fewer;
  expectInvalid(updating, "result `c`: overlaps argument `c`");
}

TEST_F(InvokeTest, ChecksTheCpu) {
  tessera_signature wanting = addSignature;
  wanting.cpu = "x86-64-v4";
  char missing[256];
  Text text(missing, sizeof missing);
  listMissing("x86-64-v4", detectCpu(), text);
  if (text.empty()) {
    EXPECT_EQ(invoke(wanting), TESSERA_OK);
  } else {
    EXPECT_EQ(invoke(wanting), TESSERA_WRONG_CPU);
    EXPECT_THAT(tessera_last_error(),
                HasSubstr("`add` was compiled for x86-64-v4, but this CPU lacks avx512"));
  }
}

std::string missing(const char *level, CpuFeatures features) {
  char buffer[256];
  Text text(buffer, sizeof buffer);
  listMissing(level, features, text);
  return buffer;
}

TEST(Cpu, NamesMissingFeatures) {
  EXPECT_EQ(missing("x86-64-v2", 0), "sse3, ssse3, sse4.1, sse4.2, popcnt, cmpxchg16b, lahf");
  EXPECT_EQ(missing("x86-64-v3", 0x7fff & ~(1 << 12)), "fma");
  EXPECT_EQ(missing("x86-64-v4", 0x7fff), "avx512f, avx512bw, avx512cd, avx512dq, avx512vl");
  for (const char *any : {"x86-64", "native", "x86-64-v5", "x86-64-v33", "armv8", ""})
    EXPECT_EQ(missing(any, 0), "") << any;
  EXPECT_EQ(missing(nullptr, 0), "");
}

TEST(Cpu, NamesTheLevel) {
  EXPECT_STREQ(cpuLevel(0), "x86-64");
  EXPECT_STREQ(cpuLevel(0x7f), "x86-64-v2");
  EXPECT_STREQ(cpuLevel(0x7fff), "x86-64-v3");
  EXPECT_STREQ(cpuLevel(0x7fff & ~1), "x86-64");
  EXPECT_STREQ(cpuLevel(0xfffff), "x86-64-v4");
  EXPECT_EQ(missing(cpuLevel(detectCpu()), detectCpu()), "");
}

} // namespace
