/// Cases with obvious answers: the compiler is compared with the evaluator, so it must be right.
#include "Case.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::weld::random;

namespace {

/// Arguments in the order a, b, c.
std::string run(const std::string &program, std::initializer_list<const char *> arguments = {},
                Limits limits = {}) {
  std::vector<Argument> named;
  for (const char *text : arguments)
    named.push_back({std::string(1, char('a' + named.size())), text});
  return evaluated(program, named, limits);
}

TEST(WeldEvaluator, ComputesTheExamplesOfTheSeedDescription) {
  EXPECT_EQ(run("let b = appender[i32]; let b2 = merge(b, 5); let b3 = merge(b2, 6); result(b3)"),
            "[5, 6]");
  EXPECT_EQ(run("let b = merger[i32,+]; let b2 = merge(b, 5); let b3 = merge(b2, 6); result(b3)"),
            "11");
  EXPECT_EQ(run("let b = appender[i32]; let data = [1, 2, 3];"
                "let b2 = for(data, b, |b: appender[i32], i: i64, n: i32| merge(b, 2 * n));"
                "result(b2)"),
            "[2, 4, 6]");
  EXPECT_EQ(run("let b = appender[i32]; let data = [1, 2, 3, 4, 5, 6];"
                "let b2 = for(iter(data, 0L, 3L, 1L), b, |b: appender[i32], i: i64, n: i32|"
                " merge(b, 2 * n)); result(b2)"),
            "[2, 4, 6]");
  EXPECT_EQ(run("let b1 = appender[i32]; let b2 = appender[i32]; let data = [1, 2, 3];"
                "let bs = for(data, {b1, b2}, |bs: {appender[i32], appender[i32]}, i: i64, n: i32|"
                " {merge(bs.$0, n), merge(bs.$1, 2 * n)}); {result(bs.$0), result(bs.$1)}"),
            "[[1, 2, 3], [2, 4, 6]]");
  EXPECT_EQ(run("|a: vec[i32], b: vec[i32]| map(zip(a, b), |e| e.$0 + e.$1)", {"[1,2]", "[3,4]"}),
            "[4, 6]");
  EXPECT_EQ(run("|a: vec[i32]| result(for(a, appender, |b,i,e| merge(b, i64(e))))", {"[1,-2]"}),
            "[1, -2]");
}

TEST(WeldEvaluator, WrapsByWidthAndSign) {
  EXPECT_EQ(run("|a: i8, b: u8| {a + a, b + b, a * a, -a}", {"-128", "255"}), "[0, 254, 0, -128]");
  EXPECT_EQ(run("|a: u16, b: u64| {a - u16(1), b - u64(1)}", {"0", "0"}),
            "[65535, 18446744073709551615]");
  EXPECT_EQ(run("|a: i64, b: u64| {a / -1L, b / u64(3), a % -1L}",
                {"-9223372036854775808", "18446744073709551615"}),
            "[-9223372036854775808, 6148914691236517205, 0]");
  EXPECT_EQ(
      run("|a: u8, b: i8| {a > u8(100), b > 100c, max(a, u8(1)), min(b, 1c)}", {"200", "-56"}),
      "[true, false, 200, -56]");
  EXPECT_EQ(run("{pow(3, 0), pow(-2, 3), pow(u8(2), u8(9)), pow(7L, 22L)}"),
            "[1, -8, 0, 3909821048582988049]");
}

TEST(WeldEvaluator, CastsAsTheRulesSay) {
  EXPECT_EQ(run("|a: f64| {i8(a), u8(a), i32(a), u64(a), bool(a)}", {"1e30"}),
            "[127, 255, 2147483647, 18446744073709551615, true]");
  EXPECT_EQ(run("|a: f64| {i8(a), u8(a), i64(a), bool(a)}", {"nan"}), "[0, 0, 0, true]");
  EXPECT_EQ(run("|a: f32| {i8(a), u16(a), i64(a)}", {"-inf"}), "[-128, 0, -9223372036854775808]");
  EXPECT_EQ(run("|a: i64| {f32(a), f64(a)}", {"9007199791611905"}),
            "[9007200000000000.0, 9007199791611904.0]"); // Rounded once, not through f64.
  EXPECT_EQ(run("|a: u64| f64(a)", {"18446744073709551615"}), "1.8446744073709552e+19");
  EXPECT_EQ(run("{i16(u8(200)), i16(i8(200si)), u32(-1), bool(256), i8(true), f32(true)}"),
            "[200, -56, 4294967295, true, 1, 1.0]");
}

TEST(WeldEvaluator, ComputesFloatsInTheirOwnPrecision) {
  EXPECT_EQ(run("|a: f32| a + 1.0f - a", {"16777216"}), "0.0");
  EXPECT_EQ(run("{0.1f + 0.2f, 0.1 + 0.2, 1.0f / 3.0f}"), "[0.3, 0.30000000000000004, 0.33333334]");
  EXPECT_EQ(run("|a: f64| {a != a, a == a, a < a, min(a, 1.0), max(1.0, a), -a < 0.0}", {"nan"}),
            "[true, false, false, nan, nan, false]");
  EXPECT_EQ(run("{min(0.0, -0.0), max(-0.0, 0.0), -0.0, -(0.0), 0.0 == -0.0}"),
            "[-0.0, 0.0, -0.0, -0.0, true]");
  EXPECT_EQ(run("{7.5 % 2.0, -7.5 % 2.0, 7.5 % -2.0}"), "[1.5, -1.5, 1.5]");
}

TEST(WeldEvaluator, ComparesByValue) {
  EXPECT_EQ(run("{[1, 2] < [1, 2, 0], [2] > [1, 9], [] == [1], \"b\" >= \"abc\"}"),
            "[true, true, false, true]");
  EXPECT_EQ(run("{{1, [2.0]} < {1, [2.0, 0.0]}, {true} > {false}, [u16(256)] > [u16(255)]}"),
            "[true, true, true]");
  EXPECT_EQ(run("|a: vec[f64]| {a == a, a != a, a < a, a <= a}", {"[1.0, nan]"}),
            "[false, true, false, false]");
}

TEST(WeldEvaluator, BeginsBuildersWithIdentities) {
  EXPECT_EQ(run("{result(merger[i8,min]), result(merger[u64,min]), result(merger[i64,min])}"),
            "[127, 18446744073709551615, 9223372036854775807]");
  EXPECT_EQ(run("{result(merger[i16,max]), result(merger[u32,max]), result(merger[i64,max])}"),
            "[-32768, 0, -9223372036854775808]");
  EXPECT_EQ(run("{result(merger[f32,min]), result(merger[f64,max]), result(merger[{u8,f64},*])}"),
            "[inf, -inf, [1, 1.0]]");
  EXPECT_EQ(run("result(merge(merge(merger[{i32,f32},max], {-5, -1.5f}), {-7, -1.0f}))"),
            "[-5, -1.0]");
}

TEST(WeldEvaluator, BuildsDictionariesInOrder) {
  EXPECT_EQ(run("|a: vec[i32]| tovec(result(for(a, dictmerger[i32,i64,+], |b, i, x|"
                " merge(b, {x % 3, 1L}))))",
                {"[5, 3, 4, 8]"}),
            "[[2, 2], [0, 1], [1, 1]]");
  EXPECT_EQ(run("|a: vec[f64]| result(for(a, groupbuilder[f64,i64], |b, i, x| merge(b, {x, i})))",
                {"[-0.0, nan, 0.0, nan]"}),
            "[[0.0, [0, 2]], [nan, [1, 3]]]");
  EXPECT_EQ(
      run("|a: dict[i32,vec[i8]]| {optlookup(a, 2), optlookup(a, 1), len(a)}", {"[[1, [7]]]"}),
      "[[false, []], [true, [7]], 1]");
  EXPECT_EQ(
      run("|a: vec[i32]| result(merge(merge(vecmerger[i32,*](a), {1L, 5}), {1L, 2}))", {"[3, 4]"}),
      "[3, 40]");
}

TEST(WeldEvaluator, EvaluatesIterators) {
  EXPECT_EQ(run("|a: vec[i32]| result(for(iter(a, 1L, 4L, 2L), appender, |b, i, x|"
                " merge(b, {i, x})))",
                {"[1, 2, 3, 4]"}),
            "[[0, 2], [1, 4]]");
  EXPECT_EQ(run("result(for(zip(rangeiter(5L, 0L, 1L), iter([1], 1L, 1L, 1L)), appender,"
                " |b, i, x| merge(b, x)))"),
            "[]");
  EXPECT_EQ(run("|a: vec[i32]| result(for(nditer(a, 5L, 0L, 0L, [2L, 3L], [-3L, -1L]), appender,"
                " |b, i, x| merge(b, x)))",
                {"[1, 2, 3, 4, 5, 6]"}),
            "[6, 5, 4, 3, 2, 1]");
  for (int64_t lanes : {1, 3, 4, 8})
    EXPECT_EQ(run("|a: vec[i32]| let b = for(simditer(a), appender[i32], |b, i, x|"
                  " merge(b, select(x > broadcast(2), x * x, -x)));"
                  "result(for(fringeiter(a), b, |b, i, x| merge(b, select(x > 2, x * x, -x))))",
                  {"[1, 2, 3, 4, 5]"}, {.lanes = lanes}),
              "[-1, -2, 9, 16, 25]");
}

TEST(WeldEvaluator, ComparesNothingIfThereIsOneElement) {
  EXPECT_EQ(run("|a: vec[i32]| sort(a, |x, y| lookup([1], 5L))", {"[7]"}), "[7]");
}

TEST(WeldEvaluator, SortsStably) {
  EXPECT_EQ(run("|a: vec[{i32,i32}]| sort(a, |x, y| compare(y.$0, x.$0))", {"[[1,1],[2,2],[1,3]]"}),
            "[[2, 2], [1, 1], [1, 3]]");
  EXPECT_EQ(run("|a: vec[f64]| sort(a, |x, y| compare(x, y))", {"[1.0, nan, 0.0]"}),
            "[0.0, 1.0, nan]");
  EXPECT_EQ(run("|a: vec[{f64,f64}]| sort(a, |x, y| compare(x, y))", {"[[nan,2],[0,nan],[5,1]]"}),
            "[[0.0, nan], [5.0, 1.0], [nan, 2.0]]");
  EXPECT_EQ(
      run("|a: vec[f64]| sort(a, |x, y| if(x > y, 1, if(x < y, -1, 0)))", {"[1.0, nan, 0.0]"}),
      "unclear: a comparator orders nothing");
}

TEST(WeldEvaluator, IteratesAtLeastOnce) {
  EXPECT_EQ(run("iterate(1, |x| {x + 1, false})"), "2");
  EXPECT_EQ(run("iterate({1, 0L}, |s| {{s.$0 * 3, s.$1 + 1L}, s.$1 < 3L})"), "[81, 4]");
  EXPECT_EQ(run("iterate(1, |x| {x, true})", {}, {.maxSteps = 1000}), "too long");
}

TEST(WeldEvaluator, SerializesWithoutPadding) {
  EXPECT_EQ(run("serialize({1c, 258, [true]})"), "[1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]");
  EXPECT_EQ(run("|a: dict[i16,f32]| deserialize[dict[i16,f32]](serialize(a))", {"[[1, 2.5]]"}),
            "[[1, 2.5]]");
  EXPECT_EQ(run("|a: vec[i8]| deserialize[vec[i8]](a)", {"[2, 0, 0, 0, 0, 0, 0, 0, 5]"}),
            "fails at 1:14: DeserializationError");
  EXPECT_EQ(run("|a: vec[i8]| deserialize[i8](a)", {"[1, 2]"}),
            "fails at 1:14: DeserializationError");
}

TEST(WeldEvaluator, NamesErrorsInProgramOrder) {
  EXPECT_EQ(run("|a: vec[i32]| lookup(a, 2L)", {"[1, 2]"}), "fails at 1:15: ArrayOutOfBounds");
  EXPECT_EQ(run("|a: vec[i32]| slice(a, 3L, 0L)", {"[1, 2]"}), "fails at 1:15: ArrayOutOfBounds");
  EXPECT_EQ(run("|a: vec[i32]| slice(a, 0L, -1L)", {"[1, 2]"}), "fails at 1:15: ArrayOutOfBounds");
  EXPECT_EQ(run("|a: dict[i32,i32]| lookup(a, 1)", {"[]"}), "fails at 1:20: KeyNotFoundError");
  EXPECT_EQ(run("|a: i32| 1 + 7 / a", {"0"}), "fails at 1:14: DivisionByZero");
  EXPECT_EQ(run("|a: i32| pow(2, a)", {"-1"}), "fails at 1:10: DivisionByZero");
  EXPECT_EQ(run("|a: i32| assert(a > 0)", {"0"}), "fails at 1:10: AssertionError");
  EXPECT_EQ(run("|a: vec[i32]| len(map(zip(a, [1]), |e| e.$0))", {"[]"}),
            "fails at 1:30: MismatchedZipSize");
  EXPECT_EQ(run("|a: vec[i32]| len(map(iter(a, 0L, 2L, 1L), |e| e))", {"[1]"}),
            "fails at 1:23: BadIteratorLength");
  EXPECT_EQ(run("result(merge(vecmerger[i32,+]([1]), {1L, 1}))"), "fails at 1:8: ArrayOutOfBounds");
  EXPECT_EQ(run("|a: vec[i32]| map(a, |x| if(x > 1, 5 / (x - 3), 7 / (x - 1)))", {"[2, 3, 1]"}),
            "fails at 1:36: DivisionByZero");
  EXPECT_EQ(run("|a: i32| select(true, a, 1 / a)", {"0"}), "fails at 1:26: DivisionByZero");
  EXPECT_EQ(run("|a: i32| {if(true, a, 1 / a), false && 1 / a == 0}", {"0"}), "[0, false]");
}

TEST(WeldEvaluator, RecognizesResultsThatDependOnTheOrderOfSums) {
  const char *decides = "|a: vec[f64]| result(for(a, merger[f64,+], |b, i, x| merge(b, x))) > 0.6";
  EXPECT_EQ(run(decides, {"[0.1, 0.2, 0.3]"}),
            "unclear: a comparison hangs on the last digits of a float");
  EXPECT_EQ(run(decides, {"[0.5, 0.25, 0.125]"}), "true");
  EXPECT_EQ(run(decides, {"[0.1, 0.2, 0.4]"}), "true");
}

} // namespace
