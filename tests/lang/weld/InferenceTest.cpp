/// The types of programs that are inferred.
#include "Checked.h"

using namespace tessera::weld;

namespace {

TEST(WeldInference, KnowsLiterals) { // [weld.literal.1, weld.literal.2]
  EXPECT_EQ(typeOf("{1c, 1C, 1si, 1, 1l, 1L, 1.0f, 1.0F, 1.0, true}"),
            "() => {i8,i8,i16,i32,i64,i64,f32,f32,f64,bool}");
  EXPECT_EQ(typeOf("[[1, 2], [3]]"), "() => vec[vec[i32]]");
  EXPECT_EQ(typeOf("\"hello\""), "() => vec[i8]");
  EXPECT_EQ(typeOf("{0xfL, 0b101c, 3f, 3e2f, 1e5, 1.5e+3}"), "() => {i64,i8,f32,f32,f64,f64}");
}

TEST(WeldInference, InfersAppendersFromMerges) { // [weld.infer.2]
  EXPECT_EQ(typeOf("|v: vec[i32]| result(for(v, appender, |b, i, e| merge(b, i64(e))))"),
            "(v: vec[i32]) => vec[i64]");
  EXPECT_EQ(typeOf("let b = merger[?,+]; result(merge(b, 1L))"), "() => i64");
  EXPECT_EQ(typeOf("let b = appender; let c = merge(b, {1, [2.0]}); result(c)"),
            "() => vec[{i32,vec[f64]}]");
  EXPECT_EQ(typeOf("let b = dictmerger[?,?,+]; result(merge(b, {1, 2.0}))"), "() => dict[i32,f64]");
  EXPECT_EQ(typeOf("result(merge(groupbuilder[?,?], {[1], 2c}))"), "() => dict[vec[i32],vec[i8]]");
}

/// Later uses determine the types of earlier expressions.
TEST(WeldInference, WaitsForFields) { // [weld.infer.3]
  EXPECT_EQ(typeOf("|w: vec[{i32,f64}]| let v = []; let a = map(v, |x| x.$1); "
                   "let b = map([v, w], |x| len(x)); {a, b}"),
            "(w: vec[{i32,f64}]) => {vec[f64],vec[i64]}");
  EXPECT_EQ(typeOf("let v = []; let a = map(v, |x| x < lookup(v, 0L)); {a, [v, [1]]}"),
            "() => {vec[bool],vec[vec[i32]]}");
}

TEST(WeldInference, FollowsMacros) { // [weld.sugar.1, weld.sugar.2, weld.sugar.3, weld.sugar.4]
  EXPECT_EQ(typeOf("|v: vec[i32], w: vec[f64]| map(zip(v, w), |e| f64(e.$0) * e.$1)"),
            "(v: vec[i32], w: vec[f64]) => vec[f64]");
  EXPECT_EQ(typeOf("|v: vec[f32]| filter(v, |x| x > 0.0f)"), "(v: vec[f32]) => vec[f32]");
  EXPECT_EQ(typeOf("|v: vec[vec[u8]]| flatten(v)"), "(v: vec[vec[u8]]) => vec[u8]");
  EXPECT_EQ(typeOf("|v: vec[i8]| sort(v, |x, y| compare(x, y))"), "(v: vec[i8]) => vec[i8]");
  EXPECT_EQ(typeOf("|v: vec[i8]| sum(v)"), "(v: vec[i8]) => i8");
}

TEST(WeldInference, KnowsSimd) { // [weld.simd.2, weld.simd.4, weld.simd.5]
  EXPECT_EQ(typeOf("|v: vec[f32]| let a = for(simditer(v), merger[f32,+], |b, i, x| "
                   "merge(b, select(x > broadcast(0.0f), x, broadcast(1.0f)))); "
                   "result(for(fringeiter(v), a, |b, i, x| merge(b, x)))"),
            "(v: vec[f32]) => f32");
  EXPECT_EQ(typeOf("|v: vec[f32]| result(for(simditer(v), appender, |b, i, x| merge(b, x)))"),
            "(v: vec[f32]) => vec[f32]");
}

TEST(WeldInference, KnowsStructsOfBuilders) { // [weld.builder.8]
  EXPECT_EQ(typeOf("|v: vec[i32]| let bs = for(v, {appender, merger[i64,+]}, |bs, i, n| "
                   "{merge(bs.$0, f64(n)), merge(bs.$1, i)}); {result(bs.$0), result(bs.$1)}"),
            "(v: vec[i32]) => {vec[f64],i64}");
  EXPECT_EQ(typeOf("result({merge(appender, 1), {merger[f64,max]}})"), "() => {vec[i32],{f64}}");
}

TEST(WeldInference, KnowsCollections) {
  EXPECT_EQ(typeOf("|d: dict[i64,f32]| {lookup(d, 1L), optlookup(d, 1L), keyexists(d, 2L), len(d), "
                   "tovec(d)}"),
            "(d: dict[i64,f32]) => {f32,{bool,f32},bool,i64,vec[{i64,f32}]}");
  EXPECT_EQ(
      typeOf("|v: vec[i32]| {slice(v, 0L, 2L), serialize(v), deserialize[f64](serialize(v))}"),
      "(v: vec[i32]) => {vec[i32],vec[i8],f64}");
  EXPECT_EQ(typeOf("iterate({0, [1.0]}, |s| {{s.$0 + 1, s.$1}, s.$0 < 5})"),
            "() => {i32,vec[f64]}");
}

TEST(WeldInference, ReportsTypesThatStayUnknown) { // [weld.infer.4]
  EXPECT_EQ(typeOf("len([])"), "1:5 error weld.infer.4: the type of `[]` cannot be inferred; all "
                               "that is known is `vec[?]`\n");
  EXPECT_EQ(typeOf("result(appender)"),
            "1:8 error weld.infer.4: the type of `appender` cannot be inferred; all that is known "
            "is `appender[?]`\n");
}

} // namespace
