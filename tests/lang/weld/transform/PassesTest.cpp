// The passes that change or describe one loop at a time.
#include "Transformed.h"

using namespace tessera::weld;
using testing::HasSubstr;
using testing::Not;

namespace {

class WeldPassesTest : public TransformTest {
protected:
  static void sizes(mlir::OpPassManager &pm) {
    pm.addPass(transform::createInferSizes());
    pm.addPass(transform::createChooseStrategies());
  }
  static void hoist(mlir::OpPassManager &pm) { pm.addPass(transform::createHoistInvariants()); }
  static void order(mlir::OpPassManager &pm) { pm.addPass(transform::createRecognizeOrder()); }
  static void predicate(mlir::OpPassManager &pm) { pm.addPass(transform::createPredicateMerges()); }
  static void select(mlir::OpPassManager &pm) { pm.addPass(transform::createSelectBranches()); }
  static void unroll(mlir::OpPassManager &pm) { pm.addPass(transform::createUnrollLoops()); }
  static void common(mlir::OpPassManager &pm) { pm.addPass(transform::createEliminateCommon()); }
  static void dead(mlir::OpPassManager &pm) { pm.addPass(transform::createDropDeadBuilders()); }

  std::string attributes(llvm::StringRef text, AddPasses passes) {
    transformed(text, passes);
    return asText();
  }
};

TEST_F(WeldPassesTest, CountsMerges) {
  EXPECT_THAT(
      attributes("|v: vec[i64]| map(v, |x| x)", sizes),
      HasSubstr("merges = [#weld.merge_count<once>], strategies = [#weld.strategy<indexed>]"));
  EXPECT_THAT(
      attributes("|v: vec[i64]| filter(v, |x| x > 0L)", sizes),
      HasSubstr("[#weld.merge_count<at_most_once>], strategies = [#weld.strategy<compress>]"));
  EXPECT_THAT(attributes("|v: vec[i64]| result(for(v, appender[i64], |b, i, x| merge(merge(b, x), "
                         "x)))",
                         sizes),
              HasSubstr("[#weld.merge_count<many>], strategies = [#weld.strategy<general>]"));
  EXPECT_THAT(attributes("|v: vec[i64]| result(for(v, appender[i64], |b, i, x| if(x > 0L, merge(b, "
                         "x), merge(b, i))))",
                         sizes),
              HasSubstr("merge_count<once>"));
  EXPECT_THAT(attributes("|v: vec[vec[i64]]| flatten(v)", sizes), HasSubstr("merge_count<many>"));
}

TEST_F(WeldPassesTest, ChoosesStrategies) {
  EXPECT_THAT(attributes("|v: vec[i64]| result(for(v, vecmerger[i64,+](v), |b, i, x| merge(b, {i, "
                         "x})))",
                         sizes),
              HasSubstr("strategy<map>"));
  EXPECT_THAT(attributes("|v: vec[i64]| result(for(v, vecmerger[i64,+](v), |b, i, x| merge(b, {x, "
                         "x})))",
                         sizes),
              HasSubstr("strategy<scatter>"));
  EXPECT_THAT(attributes("|v: vec[u8]| result(for(v, dictmerger[u8,i64,+], |b, i, x| merge(b, {x, "
                         "1L})))",
                         sizes),
              HasSubstr("strategy<dense>"));
  EXPECT_THAT(
      attributes("|v: vec[i64]| result(for(v, @(impl: local)dictmerger[i64,i64,+], |b, i, x| "
                 "merge(b, {x, 1L})))",
                 sizes),
      HasSubstr("strategy<local>"));
  EXPECT_THAT(
      attributes("|v: vec[i64]| result(for(v, groupbuilder[i64,i64], |b, i, x| merge(b, {x, "
                 "i})))",
                 sizes),
      HasSubstr("strategy<count>"));
}

TEST_F(WeldPassesTest, ForwardsLengths) {
  EXPECT_EQ(count("for(", "|v: vec[i64]| len(map(v, |x| x + 1L))", sizes), 0u);
  EXPECT_EQ(count("for(", "|v: vec[i64]| len(filter(v, |x| x > 1L))", sizes), 1u);
  // What fails is not dropped.
  EXPECT_EQ(count("for(", "|v: vec[i64]| len(map(v, |x| 1L / x))", sizes), 1u);
}

TEST_F(WeldPassesTest, RecognizesOrders) {
  auto orderOf = [&](llvm::StringRef text) { return attributes(text, order); };
  EXPECT_THAT(orderOf("|v: vec[i64]| sort(v, |x, y| compare(x, y))"),
              HasSubstr("order = \"ascending\", path = array<i64>"));
  EXPECT_THAT(orderOf("|v: vec[f64]| sort(v, |x, y| -compare(x, y))"),
              HasSubstr("order = \"descending\""));
  EXPECT_THAT(orderOf("|v: vec[{i64,{f32,i8}}]| sort(v, |a, b| compare(b.$1.$1, a.$1.$1))"),
              HasSubstr("order = \"descending\", path = array<i64: 1, 1>"));
  for (const char *text : {"|v: vec[{i64,i64}]| sort(v, |a, b| compare(a.$0, b.$1))",
                           "|v: vec[i64]| sort(v, |a, b| if(a > b, 1, 0))",
                           "|v: vec[i64]| sort(v, |a, b| compare(a * a, b * b))",
                           "|v: vec[{i64,i64}]| sort(v, |a, b| if(a.$0 > b.$0, 1, compare(a.$1, "
                           "b.$1)))",
                           "|v: vec[vec[i8]]| sort(v, |a, b| compare(a, b))"})
    EXPECT_THAT(orderOf(text), Not(HasSubstr("order"))) << text;
}

// The identity leaves a merger unchanged, even negative zeros.
TEST_F(WeldPassesTest, PredicatesMerges) {
  auto filtered = [](std::string builder, std::string merged) {
    return "|v: vec[f64]| result(for(v, " + builder + ", |b, i, x| if(x > 0.0, merge(b, " + merged +
           "), b)))";
  };
  EXPECT_THAT(transformed(filtered("merger[f64,+]", "x"), predicate), HasSubstr(", x4, (-0.0))"));
  EXPECT_THAT(transformed(filtered("merger[f64,min]", "x"), predicate),
              HasSubstr(", x4, (1.0 / 0.0))"));
  EXPECT_THAT(transformed(filtered("merger[i8,max]", "i8(x)"), predicate), HasSubstr("(-128c))"));
  EXPECT_THAT(transformed(filtered("merger[u8,min]", "u8(x)"), predicate), HasSubstr("u8(255L))"));
  EXPECT_FALSE(changes(filtered("appender[f64]", "x"), predicate));
  EXPECT_FALSE(changes(filtered("dictmerger[i64,f64,+]", "{i, x}"), predicate));
  EXPECT_FALSE(changes(filtered("merger[f64,+]", "exp(x)"), predicate));
  EXPECT_FALSE(changes(filtered("merger[i64,+]", "1L / i"), predicate));
}

TEST_F(WeldPassesTest, FollowsAnnotations) {
  EXPECT_TRUE(
      changes("|v: vec[f64]| result(for(v, merger[f64,+], |b, i, x| @(predicate:true)if(x > "
              "0.0, merge(b, exp(x)), b)))",
              predicate));
  EXPECT_FALSE(
      changes("|v: vec[f64]| result(for(v, merger[f64,+], |b, i, x| @(predicate:false)if(x "
              "> 0.0, merge(b, x), b)))",
              predicate));
}

TEST_F(WeldPassesTest, SelectsIfNeitherSideFails) {
  EXPECT_THAT(transformed("|a: i64, b: i64| a > 0L && b > 0L", select), HasSubstr(" & "));
  EXPECT_THAT(transformed("|a: i64, b: i64| a > 0L || b > 0L", select), HasSubstr(" | "));
  EXPECT_THAT(transformed("|a: i64, b: i64| if(a > 0L, b, a + 1L)", select), HasSubstr("select("));
  EXPECT_FALSE(changes("|d: dict[i64,i64], k: i64| keyexists(d, k) && lookup(d, k) > 0L", select));
  EXPECT_FALSE(changes("|a: i64, b: i64| if(b == 0L, 0L, a / b)", select));
  EXPECT_FALSE(changes("|n: i64| @(predicate: true)if(n < 9L, result(for(rangeiter(0L, n, 1L), "
                       "merger[i64,+], |b, i, x| merge(b, x))), 0L)",
                       select));
}

TEST_F(WeldPassesTest, HoistsInvariants) {
  // An inner sum that is the same for every row.
  std::string text = transformed("|v: vec[f64], w: vec[f64]| map(v, |x| x * sum(w))", hoist);
  EXPECT_LT(text.find("for(w"), text.find("for(v"));
  text = transformed("|v: vec[f64], n: f64| map(v, |x| x * (n + 1.0))", hoist);
  EXPECT_LT(text.find("n + 1.0"), text.find("for(v"));
  // There may be no iteration: what may take long is computed only if there is one.
  text = transformed("|v: vec[f64], w: vec[f64]| map(v, |x| x * sum(w))", hoist);
  EXPECT_THAT(text, HasSubstr("if(len(v) > 0L"));
  text = transformed("|v: vec[f64], n: f64| map(v, |x| x * (n + 1.0))", hoist);
  EXPECT_THAT(text, Not(HasSubstr("if(")));
  text = transformed("|w: vec[f64]| map([1.0, 2.0], |x| x * sum(w))", hoist);
  EXPECT_THAT(text, Not(HasSubstr("if(")));
  text = transformed("|u: vec[i64], v: vec[i64], w: vec[i64]| map(zip(u, v), |x| x.$0 * sum(w))",
                     hoist);
  EXPECT_THAT(text, HasSubstr("== len(v)"));
  EXPECT_FALSE(
      changes("|v: vec[f64], w: vec[f64]| map(iter(v, 0L, 2L, 1L), |x| x * sum(w))", hoist));
  // Not what may fail.
  EXPECT_FALSE(changes("|v: vec[i64], n: i64| map(v, |x| x * (1L / n))", hoist));
  EXPECT_FALSE(changes("|v: vec[i64], w: vec[i64]| map(v, |x| x * sum(map(w, |y| y + x)))", hoist));
  EXPECT_FALSE(changes("|v: vec[i64]| map(v, |x| cudf[f,i64](1L))", hoist));
}

TEST_F(WeldPassesTest, UnrollsSmallLoops) {
  EXPECT_EQ(count("for(", "|x: i64| sum([x, 2L, 3L])", unroll), 0u);
  EXPECT_EQ(count("for(",
                  "|x: i64| result(for(rangeiter(0L, 4L, 2L), merger[i64,+], |b, i, k| "
                  "merge(b, k * x + i)))",
                  unroll),
            0u);
  EXPECT_EQ(count("for(",
                  "|x: i64| result(for(rangeiter(0L, 100L, 1L), merger[i64,+], |b, i, k| "
                  "merge(b, k)))",
                  unroll),
            1u);
  EXPECT_FALSE(changes("|v: vec[i64]| sum(v)", unroll));
}

TEST_F(WeldPassesTest, ComputesEqualExpressionsOnce) {
  EXPECT_EQ(count("for(", "|v: vec[i64]| {sum(v), sum(v)}", common), 1u);
  EXPECT_EQ(count("for(", "|v: vec[i64]| {map(v, |x| 1L / x), map(v, |x| 1L / x)}", common), 1u);
  EXPECT_EQ(count("lookup(", "|v: vec[i64]| lookup(v, 1L) + lookup(v, 1L)", common), 1u);
  EXPECT_EQ(
      count("lookup(", "|v: vec[i64], c: bool| if(c, lookup(v, 1L), lookup(v, 1L) + 1L)", common),
      2u);
  EXPECT_EQ(count("cudf[", "|x: i64| cudf[f,i64](x) + cudf[f,i64](x)", common), 2u);
  EXPECT_EQ(count("cudf[", "|v: vec[i64]| {map(v, |x| cudf[f,i64](x)), map(v, |x| cudf[f,i64](x))}",
                  common),
            2u);
  EXPECT_FALSE(changes(
      "|v: vec[i64]| {sum(v), result(for(v, merger[i64,*], |b, i, x| merge(b, x)))}", common));
}

TEST_F(WeldPassesTest, DropsDeadBuilders) {
  EXPECT_EQ(count("appender",
                  "|v: vec[i64]| let r = for(v, {appender[i64], merger[i64,+]}, |b, i, x| "
                  "if(x > 0L, {merge(b.$0, x), b.$1}, {b.$0, merge(b.$1, x)})); "
                  "result(r.$1)",
                  dead),
            0u);
  // An index may be out of range.
  EXPECT_EQ(count("vecmerger",
                  "|v: vec[i64]| let r = for(v, {vecmerger[i64,+](v), merger[i64,+]}, "
                  "|b, i, x| {merge(b.$0, {x, x}), merge(b.$1, x)}); result(r.$1)",
                  dead),
            1u);
}

TEST_F(WeldPassesTest, LeavesProgramsAloneAtLevelZero) {
  EXPECT_FALSE(changes("|v: vec[i64]| {sum(v), sum(v)}",
                       [](mlir::OpPassManager &pm) { transform::addWeldPasses(pm, 0); }));
}

} // namespace
