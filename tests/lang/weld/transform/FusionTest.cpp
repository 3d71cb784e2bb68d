// Loops that become one, and those that must not.
#include "Transformed.h"

using namespace tessera::weld;

namespace {

class WeldFusionTest : public TransformTest {
protected:
  static void vertical(mlir::OpPassManager &pm) { pm.addPass(transform::createFuseProducers()); }
  static void horizontal(mlir::OpPassManager &pm) {
    pm.addPass(transform::createInferSizes());
    pm.addPass(transform::createFuseSiblings());
  }

  size_t loopsAfter(AddPasses passes, llvm::StringRef text) { return count("for(", text, passes); }
};

TEST_F(WeldFusionTest, FusesMapIntoReduction) {
  EXPECT_EQ(transformed("|v: vec[f64]| sum(map(v, |x| x * 2.0))", vertical),
            "|v: vec[f64]|\n"
            "  let t1 = for(v, merger[f64,+], |b2, n3, x4|\n"
            "    merge(b2, x4 * 2.0));\n"
            "  result(t1)\n");
}

TEST_F(WeldFusionTest, FusesThroughFiltersAndInnerLoops) {
  EXPECT_EQ(loopsAfter(vertical, "|v: vec[i64]| sum(filter(map(v, |x| x + 1L), |x| x > 3L))"), 1u);
  EXPECT_EQ(loopsAfter(vertical, "|v: vec[vec[i64]]| map(flatten(v), |x| x + 1L)"), 2u);
  EXPECT_EQ(loopsAfter(vertical, "|v: vec[i64], w: vec[i64]| map(zip(map(v, |x| x + 1L), w), |e| "
                                 "e.$0 * e.$1)"),
            1u);
}

// [weld.annotation.4]
TEST_F(WeldFusionTest, KeepsTheAnnotationsOfBothLoops) {
  auto fused = [&](std::string ofProducer, std::string ofReader) {
    return transformed("|v: vec[f64]| result(" + ofReader + "for(result(" + ofProducer +
                           "for(v, appender[f64], |b, i, x| merge(b, x * x))), merger[f64,+], "
                           "|b, i, x| merge(b, x)))",
                       vertical);
  };
  for (auto [producer, reader, both] :
       {std::tuple("@(vectorize: false)", "", "vectorize: false"),
        {"", "@(vectorize: false)", "vectorize: false"},
        {"@(vectorize: false)", "@(vectorize: true)", "vectorize: false"},
        {"@(vectorize: true)", "@(vectorize: false)", "vectorize: false"},
        {"@(mood: good, a: 1)", "@(mood: bad, vectorize: true)",
         "a: 1, mood: bad, vectorize: true"}}) {
    std::string text = fused(producer, reader);
    EXPECT_EQ(llvm::StringRef(text).count("for("), 1u) << text;
    EXPECT_THAT(text, testing::HasSubstr("@(" + std::string(both) + ")")) << text;
  }
}

// The second zip cannot fail if the first has not.
TEST_F(WeldFusionTest, FusesZipsOfComparedVectors) {
  EXPECT_EQ(loopsAfter(vertical,
                       "|v: vec[i64], w: vec[i64]| let a = map(zip(v, w), |e| e.$0 + e.$1); "
                       "map(zip(a, w), |e| e.$0 * e.$1)"),
            1u);
  EXPECT_FALSE(changes("|v: vec[i64], w: vec[i64], u: vec[i64]| let a = map(zip(v, w), |e| e.$0 + "
                       "e.$1); map(zip(a, u), |e| e.$0 * e.$1)",
                       vertical));
  EXPECT_FALSE(changes("|v: vec[i64], w: vec[i64]| let a = result(for(zip(v, w), appender[i64], "
                       "|b, i, e| if(e.$0 > 0L, merge(b, e.$1), b))); map(zip(a, w), |e| e.$0)",
                       vertical));
}

// After a filter, numbers of iterations and other vectors do not correspond.
TEST_F(WeldFusionTest, KeepsIndices) {
  EXPECT_FALSE(changes("|v: vec[i64]| result(for(filter(v, |x| x > 0L), appender[i64], |b, i, x| "
                       "merge(b, i)))",
                       vertical));
  EXPECT_FALSE(
      changes("|v: vec[i64], w: vec[i64]| map(zip(filter(v, |x| x > 0L), w), |e| e.$0)", vertical));
  EXPECT_FALSE(changes("|v: vec[i64]| let a = map(v, |x| x + 1L); result(for(iter(a, 0L, 2L, 1L), "
                       "merger[i64,+], |b, i, x| merge(b, x)))",
                       vertical));
  EXPECT_EQ(loopsAfter(vertical, "|v: vec[i64]| result(for(map(v, |x| x + 1L), appender[i64], |b, "
                                 "i, x| merge(b, i * x)))"),
            1u);
}

TEST_F(WeldFusionTest, KeepsVectorsThatOthersRead) {
  const char *readTwice = "|v: vec[i64]| let a = map(v, |x| x + 1L); {a, map(a, |x| x * 2L)}";
  EXPECT_EQ(loopsAfter(vertical, readTwice), 1u);
  EXPECT_EQ(count("appender", readTwice, vertical), 2u);
  // All of it is read in each iteration, or before the first.
  EXPECT_FALSE(
      changes("|v: vec[i64]| let a = map(v, |x| x + 1L); map(a, |x| x + lookup(a, 0L))", vertical));
  EXPECT_EQ(loopsAfter(vertical, "|v: vec[f64]| let a = map(v, |x| x * x); let s = sum(a); map(a, "
                                 "|x| x / s)"),
            2u);
}

// The first error in program order is the one of the producer, whatever the iteration.
TEST_F(WeldFusionTest, KeepsErrors) {
  const char *bothFail = "|v: vec[i64], w: vec[i64]| map(map(v, |x| 1L / x), |x| lookup(w, x))";
  EXPECT_FALSE(changes(bothFail, vertical));
  EXPECT_EQ(loopsAfter(vertical, "|v: vec[i64]| map(map(v, |x| 1L / x), |x| x + 1L)"), 1u);
  EXPECT_FALSE(changes("|v: vec[i64], n: i64| let a = map(v, |x| 1L / x); let c = 1L / n; {c, "
                       "map(a, |x| x + 1L)}",
                       vertical));
  EXPECT_FALSE(changes("|v: vec[i64], w: vec[i64]| {map(v, |x| 1L / x), map(v, |x| lookup(w, x))}",
                       horizontal));
  EXPECT_FALSE(changes("|v: vec[i64], n: i64| let a = sum(v); let c = 1L / n; {a, c, map(v, |x| 2L "
                       "/ x)}",
                       horizontal));
}

TEST_F(WeldFusionTest, FusesSiblings) {
  EXPECT_EQ(loopsAfter(horizontal, "|v: vec[i64]| {sum(v), map(v, |x| x + 1L), filter(v, |x| x > "
                                   "0L)}"),
            1u);
  EXPECT_EQ(loopsAfter(horizontal, "|v: vec[i64], w: vec[i64]| {map(zip(v, w), |e| e.$0), "
                                   "map(zip(w, v), |e| e.$0), sum(w)}"),
            1u);
  EXPECT_FALSE(changes("|v: vec[i64], w: vec[i64]| {sum(v), sum(w)}", horizontal));
  EXPECT_FALSE(
      changes("|v: vec[i64]| let s = sum(v); map(v, |x| x + s)", horizontal)); // Needs the first.
}

// A longer list of iterators would check more than the first loop did.
TEST_F(WeldFusionTest, AddsNoChecksToTheFirstLoop) {
  EXPECT_FALSE(
      changes("|v: vec[i64], w: vec[i64]| {sum(v), map(zip(v, w), |e| e.$0)}", horizontal));
  EXPECT_EQ(loopsAfter(horizontal,
                       "|v: vec[i64]| {sum(v), map(zip(v, rangeiter(0L, len(v), 1L)), |e| e.$1)}"),
            1u);
}

TEST_F(WeldFusionTest, DropsRepeatedIterators) {
  EXPECT_EQ(count("zip", "|v: vec[i64]| map(zip(v, v), |e| e.$0 * e.$1)", horizontal), 0u);
}

} // namespace
