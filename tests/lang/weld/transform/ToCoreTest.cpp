#include "Program.h"
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

using namespace tessera::tests;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Each program is compiled without and with optimization, and run with several numbers of threads.
class ToCore : public testing::TestWithParam<std::tuple<unsigned, int>> {
protected:
  void SetUp() override { tessera_set_threads(std::get<1>(GetParam())); }
  void TearDown() override { tessera_set_threads(0); }

  Program &compile(const std::string &text, std::vector<tessera::jit::Foreign> foreign = {}) {
    program = std::make_unique<Program>(text, std::get<0>(GetParam()), std::move(foreign));
    EXPECT_EQ(program->error, "");
    return *program;
  }
  /// The result of a program that cannot fail.
  template <typename R, typename A> R run(const std::string &text, A arguments) {
    R result{};
    Program &compiled = compile(text);
    if (compiled.error.empty())
      EXPECT_EQ(compiled.run(&arguments, &result), TESSERA_OK) << tessera_last_error();
    return result;
  }
  /// The error of a program that must fail.
  template <typename A> std::string fail(const std::string &text, A arguments) {
    char result[256];
    Program &compiled = compile(text);
    if (!compiled.error.empty())
      return "";
    EXPECT_EQ(compiled.run(&arguments, result), TESSERA_RUNTIME_ERROR);
    return tessera_last_error();
  }

private:
  std::unique_ptr<Program> program;
};

INSTANTIATE_TEST_SUITE_P(Levels, ToCore,
                         testing::Values(std::tuple(0, 1), std::tuple(2, 1), std::tuple(2, 3)));

struct Pair {
  int64_t first, second;
};

TEST_P(ToCore, AddsScalarsAndReadsStructsInCsLayout) {
  struct {
    int8_t small;
    int64_t large;
    uint8_t flag;
    float single;
  } arguments{-3, 40, 7, 2.5f};
  struct Result {
    int64_t sum;
    uint8_t flag;
    double product;
  };
  auto result = run<Result>(R"(
    func.func @main(%a: si8, %b: si64, %f: i1, %x: f32) -> !weld.struct<si64, i1, f64> {
      %wide = weld.cast %a : si8 -> si64
      %sum = weld.binary add %wide, %b : si64
      %d = weld.cast %x : f32 -> f64
      %p = weld.binary mul %d, %d : f64
      %s = weld.make_struct %sum, %f, %p : !weld.struct<si64, i1, f64>
      return %s : !weld.struct<si64, i1, f64>
    })",
                            arguments);
  EXPECT_EQ(result.sum, 37);
  EXPECT_EQ(result.flag, 1);
  EXPECT_EQ(result.product, 6.25);
}

constexpr const char *mapText = R"(
  func.func @main(%v: !weld.vec<f64>) -> !weld.vec<f64> {
    %b = weld.new_builder : !weld.appender<f64>
    %r = weld.for (plain %v : !weld.vec<f64>) into (%b : !weld.appender<f64>) {
    ^bb0(%acc: !weld.appender<f64>, %i: si64, %x: f64):
      %y = weld.binary mul %x, %x : f64
      %next = weld.merge %acc, %y : !weld.appender<f64>, f64
      weld.yield %next : !weld.appender<f64>
    } MERGES
    %o = weld.result %r : !weld.appender<f64>
    return %o : !weld.vec<f64>
  })";

std::string replaced(std::string text, const std::string &what, const std::string &with) {
  size_t at = text.find(what);
  return text.replace(at, what.size(), with);
}

TEST_P(ToCore, MapsVectorsOfEverySize) {
  for (std::string merges : {"", "{merges = [#weld.merge_count<once>]}"})
    for (size_t size : {0, 1, 7, 16384, 16385, 100000, 2097157}) { // The last bypasses caches.
      std::vector<double> values(size);
      std::iota(values.begin(), values.end(), 1.0);
      auto result = run<Vec<double>>(replaced(mapText, "MERGES", merges), Vec<double>(values));
      ASSERT_EQ(result.count, int64_t(size));
      for (size_t index = 0; index < size; ++index)
        ASSERT_EQ(result.data[index], values[index] * values[index]);
    }
}

TEST_P(ToCore, FiltersInOrder) {
  std::string text = R"(
    func.func @main(%v: !weld.vec<si64>) -> !weld.vec<si64> {
      %b = weld.new_builder : !weld.appender<si64>
      %three = weld.constant 3 : si64
      %zero = weld.constant 0 : si64
      %r = weld.for (plain %v : !weld.vec<si64>) into (%b : !weld.appender<si64>) {
      ^bb0(%acc: !weld.appender<si64>, %i: si64, %x: si64):
        %rem = weld.binary rem %x, %three : si64
        %c = weld.binary eq %rem, %zero : si64
        %n = weld.if %c -> !weld.appender<si64> {
          %next = weld.merge %acc, %x : !weld.appender<si64>, si64
          weld.yield %next : !weld.appender<si64>
        } else {
          weld.yield %acc : !weld.appender<si64>
        }
        weld.yield %n : !weld.appender<si64>
      } MERGES
      %o = weld.result %r : !weld.appender<si64>
      return %o : !weld.vec<si64>
    })";
  std::vector<int64_t> values(200001), expected;
  std::iota(values.begin(), values.end(), -100000);
  for (int64_t value : values)
    if (value % 3 == 0)
      expected.push_back(value);
  for (std::string merges : {"", "{merges = [#weld.merge_count<at_most_once>]}"})
    EXPECT_EQ(run<Vec<int64_t>>(replaced(text, "MERGES", merges), Vec<int64_t>(values)).values(),
              expected);
}

TEST_P(ToCore, ReducesSeveralMergersInOnePass) {
  struct Result {
    double sum;
    int32_t least;
    uint8_t most;
  };
  struct {
    Vec<double> a;
    Vec<int32_t> b;
    Vec<uint8_t> c;
  } arguments;
  std::vector<double> a(50000, 0.5);
  std::vector<int32_t> b(50000, 77);
  std::vector<uint8_t> c(50000, 3);
  b[40000] = -5;
  c[123] = 200;
  arguments = {a, b, c};
  auto result = run<Result>(R"(
    func.func @main(%a: !weld.vec<f64>, %b: !weld.vec<si32>, %c: !weld.vec<ui8>) -> !weld.struct<f64, si32, ui8> {
      %m0 = weld.new_builder : !weld.merger<f64, add>
      %m1 = weld.new_builder : !weld.merger<si32, min>
      %m2 = weld.new_builder : !weld.merger<ui8, max>
      %r:3 = weld.for (plain %a : !weld.vec<f64>, plain %b : !weld.vec<si32>, plain %c : !weld.vec<ui8>)
          into (%m0, %m1, %m2 : !weld.merger<f64, add>, !weld.merger<si32, min>, !weld.merger<ui8, max>) {
      ^bb0(%x0: !weld.merger<f64, add>, %x1: !weld.merger<si32, min>, %x2: !weld.merger<ui8, max>, %i: si64, %p: f64, %q: si32, %s: ui8):
        %y0 = weld.merge %x0, %p : !weld.merger<f64, add>, f64
        %y1 = weld.merge %x1, %q : !weld.merger<si32, min>, si32
        %y2 = weld.merge %x2, %s : !weld.merger<ui8, max>, ui8
        weld.yield %y0, %y1, %y2 : !weld.merger<f64, add>, !weld.merger<si32, min>, !weld.merger<ui8, max>
      }
      %o0 = weld.result %r#0 : !weld.merger<f64, add>
      %o1 = weld.result %r#1 : !weld.merger<si32, min>
      %o2 = weld.result %r#2 : !weld.merger<ui8, max>
      %s = weld.make_struct %o0, %o1, %o2 : !weld.struct<f64, si32, ui8>
      return %s : !weld.struct<f64, si32, ui8>
    })",
                            arguments);
  EXPECT_EQ(result.sum, 25000);
  EXPECT_EQ(result.least, -5);
  EXPECT_EQ(result.most, 200);
}

TEST_P(ToCore, MergesDictionariesInTheOrderOfKeys) {
  std::vector<int64_t> keys(300000);
  std::map<int64_t, int64_t> expected;
  std::vector<int64_t> order;
  for (size_t index = 0; index < keys.size(); ++index) {
    keys[index] = int64_t(index * index % 1009) - 500;
    if (expected[keys[index]]++ == 0)
      order.push_back(keys[index]);
  }
  auto result = run<Vec<Pair>>(R"(
    func.func @main(%v: !weld.vec<si64>) -> !weld.vec<!weld.struct<si64, si64>> {
      %b = weld.new_builder : !weld.dictmerger<si64, si64, add>
      %one = weld.constant 1 : si64
      %r = weld.for (plain %v : !weld.vec<si64>) into (%b : !weld.dictmerger<si64, si64, add>) {
      ^bb0(%acc: !weld.dictmerger<si64, si64, add>, %i: si64, %x: si64):
        %e = weld.make_struct %x, %one : !weld.struct<si64, si64>
        %next = weld.merge %acc, %e : !weld.dictmerger<si64, si64, add>, !weld.struct<si64, si64>
        weld.yield %next : !weld.dictmerger<si64, si64, add>
      }
      %o = weld.result %r : !weld.dictmerger<si64, si64, add>
      %l = weld.to_vec %o : !weld.dict<si64, si64>
      return %l : !weld.vec<!weld.struct<si64, si64>>
    })",
                               Vec<int64_t>(keys));
  ASSERT_EQ(result.count, int64_t(order.size()));
  for (size_t index = 0; index < order.size(); ++index) {
    EXPECT_EQ(result.data[index].first, order[index]);
    EXPECT_EQ(result.data[index].second, expected[order[index]]);
  }
}

TEST_P(ToCore, GroupsByVectorsAndLooksThemUp) {
  std::vector<int64_t> values(40000);
  std::iota(values.begin(), values.end(), 0);
  auto result = run<Vec<int64_t>>(R"(
    func.func @main(%v: !weld.vec<si64>) -> !weld.vec<si64> {
      %b = weld.new_builder : !weld.groupbuilder<!weld.vec<si64>, si64>
      %five = weld.constant 5 : si64
      %r = weld.for (plain %v : !weld.vec<si64>) into (%b : !weld.groupbuilder<!weld.vec<si64>, si64>) {
      ^bb0(%acc: !weld.groupbuilder<!weld.vec<si64>, si64>, %i: si64, %x: si64):
        %m = weld.binary rem %x, %five : si64
        %k = weld.make_vec %m, %five : (si64, si64) -> !weld.vec<si64>
        %e = weld.make_struct %k, %x : !weld.struct<!weld.vec<si64>, si64>
        %next = weld.merge %acc, %e : !weld.groupbuilder<!weld.vec<si64>, si64>, !weld.struct<!weld.vec<si64>, si64>
        weld.yield %next : !weld.groupbuilder<!weld.vec<si64>, si64>
      }
      %d = weld.result %r : !weld.groupbuilder<!weld.vec<si64>, si64>
      %three = weld.constant 3 : si64
      %k = weld.make_vec %three, %five : (si64, si64) -> !weld.vec<si64>
      %o = weld.lookup %d[%k] : !weld.dict<!weld.vec<si64>, !weld.vec<si64>>
      return %o : !weld.vec<si64>
    })",
                                  Vec<int64_t>(values));
  ASSERT_EQ(result.count, 8000);
  for (int64_t index = 0; index < 8000; ++index)
    ASSERT_EQ(result.data[index], index * 5 + 3);
}

TEST_P(ToCore, AddsToVectorsInPlace) {
  std::vector<double> start{1, 2, 3};
  std::vector<int64_t> indices(100000);
  for (size_t index = 0; index < indices.size(); ++index)
    indices[index] = int64_t(index % 3);
  struct {
    Vec<double> start;
    Vec<int64_t> indices;
  } arguments{start, indices};
  std::string text = R"(
    func.func @main(%s: !weld.vec<f64>, %v: !weld.vec<si64>) -> !weld.vec<f64> {
      %b = weld.new_builder(%s : !weld.vec<f64>) : !weld.vecmerger<f64, add>
      %one = weld.constant 1.0 : f64
      %r = weld.for (plain %v : !weld.vec<si64>) into (%b : !weld.vecmerger<f64, add>) {
      ^bb0(%acc: !weld.vecmerger<f64, add>, %i: si64, %x: si64):
        %e = weld.make_struct %x, %one : !weld.struct<si64, f64>
        %next = weld.merge %acc, %e : !weld.vecmerger<f64, add>, !weld.struct<si64, f64>
        weld.yield %next : !weld.vecmerger<f64, add>
      }
      %o = weld.result %r : !weld.vecmerger<f64, add>
      return %o : !weld.vec<f64>
    })";
  EXPECT_THAT(run<Vec<double>>(text, arguments).values(), ElementsAre(33335, 33335, 33336));
  EXPECT_THAT(start, ElementsAre(1, 2, 3));
  indices[70000] = 3;
  EXPECT_THAT(fail(text, arguments),
              HasSubstr("ArrayOutOfBounds: index 3 of a vector of length 3"));
}

TEST_P(ToCore, NestsLoopsAndFreesMemoryOfIterations) {
  std::vector<int64_t> counts(3000);
  for (size_t index = 0; index < counts.size(); ++index)
    counts[index] = int64_t(index % 100);
  tessera_rt_set_memory_limit(4 << 20); // All inner vectors together are larger.
  auto result = run<Vec<int64_t>>(R"(
    func.func @main(%v: !weld.vec<si64>) -> !weld.vec<si64> {
      %b = weld.new_builder : !weld.appender<si64>
      %zero = weld.constant 0 : si64
      %one = weld.constant 1 : si64
      %many = weld.constant 1000 : si64
      %r = weld.for (plain %v : !weld.vec<si64>) into (%b : !weld.appender<si64>) {
      ^bb0(%acc: !weld.appender<si64>, %i: si64, %x: si64):
        %ib = weld.new_builder : !weld.appender<si64>
        %ir = weld.for (range %zero, %many, %one) into (%ib : !weld.appender<si64>) {
        ^bb0(%iacc: !weld.appender<si64>, %j: si64, %k: si64):
          %p = weld.binary mul %k, %x : si64
          %inext = weld.merge %iacc, %p : !weld.appender<si64>, si64
          weld.yield %inext : !weld.appender<si64>
        }
        %io = weld.result %ir : !weld.appender<si64>
        %e = weld.lookup %io[%x] : !weld.vec<si64>
        %next = weld.merge %acc, %e : !weld.appender<si64>, si64
        weld.yield %next : !weld.appender<si64>
      }
      %o = weld.result %r : !weld.appender<si64>
      return %o : !weld.vec<si64>
    })",
                                  Vec<int64_t>(counts));
  tessera_rt_set_memory_limit(0);
  ASSERT_EQ(result.count, 3000);
  for (size_t index = 0; index < counts.size(); ++index)
    ASSERT_EQ(result.data[index], counts[index] * counts[index]);
}

TEST_P(ToCore, SortsStably) {
  std::vector<Pair> pairs(10007);
  for (size_t index = 0; index < pairs.size(); ++index)
    pairs[index] = {int64_t(index * 7919 % 100), int64_t(index)};
  auto result = run<Vec<Pair>>(R"(
    func.func @main(%v: !weld.vec<!weld.struct<si64, si64>>) -> !weld.vec<!weld.struct<si64, si64>> {
      %r = weld.sort %v : !weld.vec<!weld.struct<si64, si64>> {
      ^bb0(%a: !weld.struct<si64, si64>, %b: !weld.struct<si64, si64>):
        %x = weld.field %a[0] : !weld.struct<si64, si64>
        %y = weld.field %b[0] : !weld.struct<si64, si64>
        %d = weld.binary sub %x, %y : si64
        %c = weld.cast %d : si64 -> si32
        weld.yield %c : si32
      }
      return %r : !weld.vec<!weld.struct<si64, si64>>
    })",
                               Vec<Pair>(pairs));
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair &a, const Pair &b) { return a.first < b.first; });
  for (size_t index = 0; index < pairs.size(); ++index)
    ASSERT_EQ(result.data[index].second, pairs[index].second);
}

TEST_P(ToCore, IteratesOverVectors) {
  std::vector<int64_t> values{1, 2, 3};
  auto result = run<Vec<int64_t>>(R"(
    func.func @main(%v: !weld.vec<si64>) -> !weld.vec<si64> {
      %zero = weld.constant 0 : si64
      %many = weld.constant 1000000 : si64
      %s = weld.make_struct %v, %zero : !weld.struct<!weld.vec<si64>, si64>
      %r = weld.iterate %s : !weld.struct<!weld.vec<si64>, si64> {
      ^bb0(%state: !weld.struct<!weld.vec<si64>, si64>):
        %one = weld.constant 1 : si64
        %old = weld.field %state[0] : !weld.struct<!weld.vec<si64>, si64>
        %n = weld.field %state[1] : !weld.struct<!weld.vec<si64>, si64>
        %a = weld.lookup %old[%zero] : !weld.vec<si64>
        %b = weld.lookup %old[%one] : !weld.vec<si64>
        %s2 = weld.binary add %a, %b : si64
        %new = weld.make_vec %b, %s2, %n : (si64, si64, si64) -> !weld.vec<si64>
        %n2 = weld.binary add %n, %one : si64
        %st = weld.make_struct %new, %n2 : !weld.struct<!weld.vec<si64>, si64>
        %c = weld.binary lt %n2, %many : si64
        weld.yield %st, %c : !weld.struct<!weld.vec<si64>, si64>, i1
      }
      %o = weld.field %r[0] : !weld.struct<!weld.vec<si64>, si64>
      return %o : !weld.vec<si64>
    })",
                                  Vec<int64_t>(values));
  uint64_t a = 1, b = 2;
  for (int step = 0; step < 1000000; ++step)
    std::tie(a, b) = std::tuple(b, a + b);
  EXPECT_THAT(result.values(), ElementsAre(int64_t(a), int64_t(b), 999999));
}

TEST_P(ToCore, RestoresValuesFromBytes) {
  std::vector<int64_t> values{5, -6, 7};
  auto result = run<Vec<int64_t>>(R"(
    func.func @main(%v: !weld.vec<si64>) -> !weld.vec<si64> {
      %s = weld.make_vec %v, %v : (!weld.vec<si64>, !weld.vec<si64>) -> !weld.vec<!weld.vec<si64>>
      %bytes = weld.serialize %s : !weld.vec<!weld.vec<si64>> -> !weld.vec<si8>
      %back = weld.deserialize %bytes : !weld.vec<si8> -> !weld.vec<!weld.vec<si64>>
      %one = weld.constant 1 : si64
      %o = weld.lookup %back[%one] : !weld.vec<!weld.vec<si64>>
      %eq = weld.binary eq %o, %v : !weld.vec<si64>
      %a = weld.assert %eq
      %n = weld.len %bytes : !weld.vec<si8>
      %r = weld.make_vec %n : (si64) -> !weld.vec<si64>
      return %r : !weld.vec<si64>
    })",
                                  Vec<int64_t>(values));
  EXPECT_THAT(result.values(), ElementsAre(8 + 2 * (8 + 24)));
}

TEST_P(ToCore, ReportsTheFirstFailingIteration) {
  std::vector<int64_t> values(100000, 1);
  values[30000] = 0;
  values[90000] = -4;
  std::string text = R"(
    func.func @main(%v: !weld.vec<si64>) -> si64 {
      %b = weld.new_builder : !weld.merger<si64, add>
      %r = weld.for (plain %v : !weld.vec<si64>) into (%b : !weld.merger<si64, add>) {
      ^bb0(%acc: !weld.merger<si64, add>, %i: si64, %x: si64):
        %one = weld.constant 1 : si64
        %q = weld.binary div %one, %x : si64 loc("f.weld":7:3)
        %e = weld.lookup %v[%q] : !weld.vec<si64> loc("f.weld":8:4)
        %next = weld.merge %acc, %e : !weld.merger<si64, add>, si64
        weld.yield %next : !weld.merger<si64, add>
      }
      %o = weld.result %r : !weld.merger<si64, add>
      return %o : si64
    })";
  EXPECT_THAT(fail(text, Vec<int64_t>(values)), HasSubstr("f.weld:7:3: error: DivisionByZero"));
  values[20000] = -1;
  EXPECT_THAT(
      fail(text, Vec<int64_t>(values)),
      HasSubstr("f.weld:8:4: error: ArrayOutOfBounds: index -1 of a vector of length 100000"));
}

void scale(const Vec<double> *values, const double *factor, Vec<double> *result) {
  for (int64_t index = 0; index < values->count; ++index)
    values->data[index] *= *factor;
  *result = *values;
}

TEST_P(ToCore, CallsFunctionsInC) {
  std::vector<double> values{1, 2};
  struct {
    Vec<double> values;
    double factor;
  } arguments{values, 1.5};
  Vec<double> result;
  Program &program = compile(R"(
    func.func @main(%v: !weld.vec<f64>, %f: f64) -> !weld.vec<f64> {
      %r = weld.cudf "scale"(%v, %f) : (!weld.vec<f64>, f64) -> !weld.vec<f64>
      return %r : !weld.vec<f64>
    })",
                             {{"scale", reinterpret_cast<void *>(&scale)}});
  ASSERT_EQ(program.error, "");
  ASSERT_EQ(program.run(&arguments, &result), TESSERA_OK);
  EXPECT_THAT(result.values(), ElementsAre(1.5, 3));
}

} // namespace
