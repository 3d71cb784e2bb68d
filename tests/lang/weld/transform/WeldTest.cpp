#include "Program.h"
#include "runtime/Memory.h"
#include <array>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

using namespace tessera::tests;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Programs in Weld, without and with optimization, and with several numbers of threads.
class Weld : public testing::TestWithParam<std::tuple<unsigned, int>> {
protected:
  void SetUp() override { tessera_set_threads(std::get<1>(GetParam())); }
  void TearDown() override { tessera_set_threads(0); }

  template <typename R, typename A> R run(const std::string &text, A arguments) {
    program = Program::fromWeld(text, std::get<0>(GetParam()));
    EXPECT_EQ(program->error, "");
    R result{};
    if (program->error.empty())
      EXPECT_EQ(program->run(&arguments, &result), TESSERA_OK) << tessera_last_error();
    return result;
  }
  template <typename R> R value(const std::string &text) { return run<R>(text, 0); }
  std::string failure(const std::string &text) {
    program = Program::fromWeld(text, std::get<0>(GetParam()));
    EXPECT_EQ(program->error, "");
    char result[256];
    if (program->error.empty())
      EXPECT_EQ(program->run(nullptr, result), TESSERA_RUNTIME_ERROR);
    return tessera_last_error();
  }

private:
  std::unique_ptr<Program> program;
};

INSTANTIATE_TEST_SUITE_P(Levels, Weld,
                         testing::Values(std::tuple(0, 1), std::tuple(2, 1), std::tuple(2, 3)));

TEST_P(Weld, ComputesWithEverySign) {
  EXPECT_EQ(value<uint8_t>("u8(200) > u8(100)"), 1);
  EXPECT_EQ(value<uint8_t>("i8(200) > i8(100)"), 0);
  EXPECT_EQ(value<int32_t>("-7 / 2"), -3);
  EXPECT_EQ(value<int32_t>("-7 % 2"), -1);
  EXPECT_EQ(value<int32_t>("(-2147483647 - 1) / -1"), INT32_MIN);
  EXPECT_EQ(value<int32_t>("let m = -1; (-2147483647 - 1) % m"), 0);
  EXPECT_EQ(value<int64_t>("pow(3L, 5L)"), 243);
  EXPECT_EQ(value<int8_t>("i8(300.7)"), 127);
  EXPECT_EQ(value<uint8_t>("u8(-3.0)"), 0);
  EXPECT_EQ(value<int32_t>("i32(0.0 / 0.0)"), 0);
  EXPECT_EQ(value<uint64_t>("u64(1e30)"), UINT64_MAX);
  EXPECT_EQ(value<int64_t>("i64(9.3e18)"), INT64_MAX);
  EXPECT_EQ(value<double>("f64(true)"), 1);
  EXPECT_EQ(value<uint8_t>("bool(256)"), 1);
  EXPECT_TRUE(std::isnan(value<double>("min(0.0 / 0.0, 1.0)")));
  EXPECT_EQ(value<double>("5.5 % 2.0"), 1.5);
  EXPECT_NEAR(value<double>("erf(0.5) + tanh(0.25)"), std::erf(0.5) + std::tanh(0.25), 1e-14);
}

TEST_P(Weld, ComparesVectorsAndStructs) {
  EXPECT_EQ(value<uint8_t>("[1, 2] < [1, 2, 0]"), 1);
  EXPECT_EQ(value<uint8_t>("[u16(1), u16(2)] < [u16(1), u16(256)]"), 1);
  EXPECT_EQ(value<uint8_t>("{1, [1.0]} == {1, [1.0]}"), 1);
  EXPECT_EQ(value<uint8_t>("{1, 0.0 / 0.0} <= {1, 1.0}"), 0);
  EXPECT_EQ(value<uint8_t>("\"abc\" != \"abd\""), 1);
}

TEST_P(Weld, KeepsIdentities) {
  EXPECT_EQ(value<int8_t>("result(merger[i8,max])"), -128);
  EXPECT_EQ(value<uint64_t>("result(merger[u64,min])"), UINT64_MAX);
  EXPECT_EQ(value<float>("result(merger[f32,min])"), INFINITY);
  EXPECT_EQ(value<int16_t>("result(merge(merger[i16,max], i16(-5)))"), -5);
  EXPECT_EQ(value<double>("result(merge(merger[f64,*](3.0), 2.0))"), 6);
  EXPECT_EQ(value<int64_t>("len(result(appender[f64]))"), 0);
}

TEST_P(Weld, LoopsWithEveryIterator) {
  auto numbers = [&](const std::string &text) { return value<Vec<int64_t>>(text).values(); };
  EXPECT_THAT(numbers("map(iter([1L, 2L, 3L, 4L, 5L], 0L, 5L, 2L), |x| x)"), ElementsAre(1, 3, 5));
  EXPECT_THAT(numbers("map(rangeiter(10L, 0L, 3L), |x| x)"), ElementsAre());
  EXPECT_THAT(numbers("map(rangeiter(-3L, 4L, 3L), |x| x)"), ElementsAre(-3, 0, 3));
  EXPECT_THAT(numbers("map(zip([1L, 2L], rangeiter(10L, 30L, 10L)), |p| p.$0 * p.$1)"),
              ElementsAre(10, 40));
  EXPECT_THAT(numbers("result(for([7L, 8L], appender[i64], |b, i, x| merge(b, x * i)))"),
              ElementsAre(0, 8));
  EXPECT_THAT(
      numbers("map(nditer([0L, 1L, 2L, 3L, 4L, 5L], 0L, 6L, 1L, [3L, 2L], [1L, 3L]), |x| x)"),
      ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST_P(Weld, CoversVectorsWithLanesAndRemainder) {
  std::vector<double> values;
  for (int64_t size = 0; size < 40; ++size, values.push_back(double(size))) {
    auto result =
        run<double>("|v: vec[f64]| result(for(fringeiter(v), for(simditer(v), merger[f64,+], "
                    "|b, i, x| merge(b, x * broadcast(2.0))), |b, i, x| merge(b, x * 2.0)))",
                    Vec<double>(values));
    EXPECT_EQ(result, 2 * std::accumulate(values.begin(), values.end(), 0.0));
    auto copied =
        run<Vec<double>>("|v: vec[f64]| result(for(fringeiter(v), for(simditer(v), appender[f64], "
                         "|b, i, x| merge(b, x)), |b, i, x| merge(b, x)))",
                         Vec<double>(values));
    EXPECT_EQ(copied.values(), values);
  }
}

TEST_P(Weld, BuildsStructsOfBuilders) {
  struct Result {
    int64_t sum;
    Vec<int64_t> odd;
  };
  std::vector<int64_t> values(50001);
  std::iota(values.begin(), values.end(), 0);
  auto result = run<Result>(
      "|v: vec[i64]| let r = for(v, {merger[i64,+], appender[i64]}, |b, i, x| "
      "{merge(b.$0, x), if(x % 2L == 1L, merge(b.$1, x), b.$1)}); {result(r.$0), result(r.$1)}",
      Vec<int64_t>(values));
  EXPECT_EQ(result.sum, int64_t(50000) * 50001 / 2);
  ASSERT_EQ(result.odd.count, 25000);
  EXPECT_EQ(result.odd.data[24999], 49999);
}

TEST_P(Weld, CountsWords) {
  struct Entry {
    Vec<int8_t> word;
    int64_t count;
  };
  auto result =
      value<Vec<Entry>>("tovec(result(for([\"to\", \"be\", \"or\", \"not\", \"to\", \"be\"], "
                        "dictmerger[vec[i8],i64,+], |b, i, w| merge(b, {w, 1L}))))");
  ASSERT_EQ(result.count, 4);
  std::string words;
  for (int64_t index = 0; index < 4; ++index)
    words += std::string(reinterpret_cast<char *>(result.data[index].word.data),
                         result.data[index].word.count) +
             std::to_string(result.data[index].count);
  EXPECT_EQ(words, "to2be2or1not1");
}

TEST_P(Weld, LooksKeysUp) {
  std::string dict = "let d = result(for([{1c, 2.5}, {3c, -0.0}], dictmerger[{i8,f64},i64,+], "
                     "|b, i, x| merge(b, {x, i + 1L}))); ";
  EXPECT_EQ(value<int64_t>(dict + "lookup(d, {3c, 0.0})"), 2);
  EXPECT_EQ(value<uint8_t>(dict + "keyexists(d, {3c, 1.0})"), 0);
  EXPECT_EQ(value<int64_t>(dict + "optlookup(d, {9c, 1.0}).$1"), 0);
  EXPECT_EQ(value<int64_t>(dict + "len(d)"), 2);
  EXPECT_EQ(value<uint8_t>(dict + "keyexists(d, {3c, 1.0}) && lookup(d, {3c, 1.0}) > 0L"), 0);
  EXPECT_THAT(failure(dict + "lookup(d, {3c, 1.0})"), HasSubstr("KeyNotFoundError"));
}

/// Lookups in tables in every state: keys that are present, absent, negative and larger than all.
TEST_P(Weld, FindsNoMissingKeys) {
  std::string dicts[] = {
      "for(rangeiter(0L, n, 1L), dictmerger[i64,i64,+], |b, i, x| merge(b, {x, x + 1L}))",
      "for(rangeiter(0L, n, 1L), dictmerger[i64,i64,+], |b, i, x| "
      "merge(merge(b, {x, x + 1L}), {0L - 2L - x * 7L, 1L}))",
      "for(rangeiter(0L, n, 1L), dictmerger[i64,i64,+], |b, i, x| "
      "if(x > n / 2L, merge(merge(b, {x, x + 1L}), {x * 1000000007L, 1L}), "
      "merge(merge(b, {x, x}), {x, 1L})))",
      "for(rangeiter(0L, n, 1L), @(impl: partitioned)dictmerger[i64,i64,+], |b, i, x| "
      "merge(b, {x, x + 1L}))",
      "for(rangeiter(0L, n, 1L), groupbuilder[i64,i64], |b, i, x| merge(b, {x, x}))"};
  for (const std::string &dict : dicts) {
    std::string tests = "{keyexists(d, 0L - 1L), keyexists(d, n), keyexists(d, n * 1000L), "
                        "keyexists(d, 1099511627776L), keyexists(d, n - 1L), keyexists(d, 0L)}";
    auto program = Program::fromWeld("|n: i64| let d = result(" + dict + "); " + tests,
                                     std::get<0>(GetParam()));
    ASSERT_EQ(program->error, "");
    for (int64_t n : {1, 10, 16, 64, 100, 1000, 5000, 100000}) {
      std::array<bool, 6> found;
      ASSERT_EQ(program->run(&n, &found), TESSERA_OK) << tessera_last_error();
      EXPECT_THAT(found, ElementsAre(false, false, false, false, true, true)) << dict << n;
    }
  }
}

/// Merges into a table whose keys were small compare whole keys.
TEST_P(Weld, MergesLargeKeysAfterSmallOnes) {
  std::string text =
      "|n: i64| let d = result(for(rangeiter(0L, 4L * n, 1L), dictmerger[i64,i64,+], "
      "|b, i, x| let k = if(x < n, x, if(x < 2L * n, 0L - x, if(x < 3L * n, "
      "x * 1000003L, x - 3L * n))); merge(b, {k, 1L}))); "
      "{len(d), lookup(d, n - 1L), lookup(d, 0L - n), lookup(d, 2000006L * n)}";
  auto program = Program::fromWeld(text, std::get<0>(GetParam()));
  ASSERT_EQ(program->error, "");
  for (int64_t n : {1, 10, 16, 100, 1000, 5000, 100000}) {
    std::array<int64_t, 4> result;
    ASSERT_EQ(program->run(&n, &result), TESSERA_OK) << tessera_last_error();
    EXPECT_THAT(result, ElementsAre(3 * n, 2, 1, 1)) << n;
  }
}

/// An iteration may fail although a cheap condition would skip it.
TEST_P(Weld, FailsInIterationsThatMergeNothing) {
  std::string loop = "result(for([0L, 1L, 2L, 9L, 4L], ";
  EXPECT_THAT(failure(loop + "dictmerger[i64,i64,+], |b, i, x| let q = 100L / x; "
                             "if(i > 1L, merge(b, {x, q}), b)))"),
              HasSubstr("DivisionByZero"));
  EXPECT_THAT(failure("let w = [1L, 1L, 1L]; result(for([9L, 1L, 2L], dictmerger[i64,i64,+], "
                      "|b, i, x| if((lookup(w, x) > 0L) & (i > 1L), merge(b, {x, i}), b)))"),
              HasSubstr("ArrayOutOfBounds"));
  EXPECT_THAT(failure(loop + "groupbuilder[i64,i64], |b, i, x| let ok = assert(x > 0L); "
                             "if(x > 1L, merge(b, {x, i}), b)))"),
              HasSubstr("AssertionError"));
  EXPECT_EQ(value<int64_t>("let w = [0L, 0L, 1L, 0L, 1L]; len(" + loop +
                           "dictmerger[i64,i64,+], |b, i, x| "
                           "if(x < 5L && lookup(w, x) > 0L, merge(b, {x, i}), b))))"),
            2);
}

TEST_P(Weld, NamesWhatFailed) {
  EXPECT_THAT(failure("lookup([1], 1L)"), HasSubstr("f.weld:1:1: error: ArrayOutOfBounds"));
  EXPECT_THAT(failure("slice([1], 2L, 1L)"), HasSubstr("ArrayOutOfBounds"));
  EXPECT_THAT(failure("map(zip([1], [1, 2]), |p| p.$0)"),
              HasSubstr("MismatchedZipSize: lengths 1 and 2"));
  EXPECT_THAT(failure("map(iter([1], 0L, 2L, 1L), |x| x)"), HasSubstr("BadIteratorLength"));
  EXPECT_THAT(failure("map(rangeiter(0L, 2L, 0L), |x| x)"), HasSubstr("BadIteratorLength"));
  EXPECT_THAT(failure("let z = 0; 1 / z"), HasSubstr("DivisionByZero"));
  EXPECT_THAT(failure("assert(1 > 2)"), HasSubstr("AssertionError"));
  EXPECT_THAT(failure("deserialize[vec[i64]]([1c])"), HasSubstr("DeserializationError"));
  EXPECT_THAT(failure("result(merge(vecmerger[i32,+]([1]), {1L, 1}))"),
              HasSubstr("ArrayOutOfBounds"));
  EXPECT_THAT(failure("map(nditer([0L, 1L], 0L, 2L, 1L, [3L], [1L]), |x| x)"),
              HasSubstr("BadIteratorLength"));
}

TEST_P(Weld, SortsAndSlices) {
  EXPECT_THAT(
      value<Vec<double>>("slice(sort([3.0, 1.0, 2.0], |a, b| compare(b, a)), 1L, 9L)").values(),
      ElementsAre(2, 1));
  auto sorted = value<Vec<Vec<int32_t>>>("sort([[2, 1], [1, 9], [2]], |a, b| compare(a, b))");
  ASSERT_EQ(sorted.count, 3);
  EXPECT_THAT(sorted.data[1].values(), ElementsAre(2));
}

TEST_P(Weld, SortsInfinities) {
  double infinity = INFINITY;
  std::vector<double> values = {infinity, 1, -infinity};
  EXPECT_THAT(
      run<Vec<double>>("|a: vec[f64]| sort(a, |x, y| compare(y, x))", Vec<double>(values)).values(),
      ElementsAre(infinity, 1, -infinity));
}

TEST_P(Weld, NestsLoops) {
  auto rows = value<Vec<Vec<int64_t>>>(
      "map(rangeiter(0L, 2000L, 1L), |n| map(rangeiter(0L, n, 1L), |k| n * k))");
  ASSERT_EQ(rows.count, 2000);
  for (int64_t n = 0; n < 2000; ++n) {
    ASSERT_EQ(rows.data[n].count, n);
    for (int64_t k = 0; k < n; ++k)
      ASSERT_EQ(rows.data[n].data[k], n * k);
  }
  EXPECT_THAT(value<Vec<int32_t>>("flatten([[1, 2], [], [3]])").values(), ElementsAre(1, 2, 3));
}

TEST_P(Weld, GivesTheSameSumsForEveryNumberOfThreads) {
  std::vector<float> values(100003);
  for (size_t index = 0; index < values.size(); ++index)
    values[index] = std::sin(float(index));
  std::string text = "|v: vec[f32]| result(for(v, merger[f32,+], |b, i, x| merge(b, x * x)))";
  auto own = run<float>(text, Vec<float>(values));
  tessera_set_threads(1);
  EXPECT_EQ(run<float>(text, Vec<float>(values)), own);
}

/// Every construct that allocates.
constexpr const char *mixedProgram =
    "|v: vec[f64], bad: i64| "
    "let d = result(for(v, dictmerger[i64,f64,+], |b, i, x| merge(b, {i % 700L, x}))); "
    "let g = result(for(v, groupbuilder[vec[i64],f64], |b, i, x| merge(b, {[i % 3L], x}))); "
    "let s = sort(map(tovec(d), |e| e.$1), |a, b| compare(a, b)); "
    "let w = result(for(v, vecmerger[f64,+](s), |b, i, x| merge(b, {i % len(s), x}))); "
    "let n = iterate({w, 0L}, |t| {{map(t.$0, |x| x * 0.5), t.$1 + 1L}, t.$1 < 20L}); "
    "let f = deserialize[vec[f64]](serialize(filter(n.$0, |x| x > 0.0))); "
    "{map(tovec(g), |e| e.$1), f, lookup(v, bad)}";

struct MixedArguments {
  Vec<double> values;
  int64_t bad;
};
struct MixedResult {
  Vec<Vec<double>> groups;
  Vec<double> numbers;
  double last;
};

TEST_P(Weld, FreesEverythingItAllocates) {
  std::vector<double> values(30000, 0.25);
  auto program = Program::fromWeld(mixedProgram, std::get<0>(GetParam()));
  ASSERT_EQ(program->error, "");
  tessera_rt_set_memory_limit(int64_t(1) << 30);
  for (int64_t repeat = 0; repeat < 50; ++repeat) {
    MixedArguments arguments{values, repeat % 5 ? repeat : -1};
    MixedResult result;
    EXPECT_EQ(program->run(&arguments, &result), repeat % 5 ? TESSERA_OK : TESSERA_RUNTIME_ERROR);
    program->freeRuns();
    EXPECT_EQ(tessera::runtime::memoryInUse(), 0);
  }
  tessera_rt_set_memory_limit(0);
}

TEST_P(Weld, IteratesWithinALimitOfMemory) {
  auto program = Program::fromWeld("|n: i64| iterate({map(rangeiter(0L, 8192L, 1L), |x| x), 0L}, "
                                   "|t| {{map(t.$0, |x| x + 1L), t.$1 + 1L}, t.$1 < n})",
                                   std::get<0>(GetParam()));
  ASSERT_EQ(program->error, "");
  struct {
    Vec<int64_t> numbers;
    int64_t count;
  } result;
  int64_t rounds = 1000;
  tessera_rt_set_memory_limit(1 << 20);
  EXPECT_EQ(program->run(&rounds, &result), TESSERA_OK) << tessera_last_error();
  tessera_rt_set_memory_limit(0);
  EXPECT_EQ(result.numbers.data[7], 1008);
}

TEST_P(Weld, GivesTheSameBytesForEveryNumberOfThreads) {
  std::vector<double> values(200000);
  for (size_t index = 0; index < values.size(); ++index)
    values[index] = std::sin(double(index));
  auto program = Program::fromWeld(mixedProgram, std::get<0>(GetParam()));
  ASSERT_EQ(program->error, "");
  MixedArguments arguments{values, 7};
  MixedResult first, other;
  ASSERT_EQ(program->run(&arguments, &first), TESSERA_OK) << tessera_last_error();
  for (int threads : {1, 2, 7}) {
    tessera_set_threads(threads);
    ASSERT_EQ(program->run(&arguments, &other), TESSERA_OK);
    EXPECT_EQ(first.numbers.values(), other.numbers.values());
    ASSERT_EQ(first.groups.count, 3);
    for (int64_t index = 0; index < 3; ++index)
      EXPECT_EQ(first.groups.data[index].values(), other.groups.data[index].values());
  }
}

} // namespace
