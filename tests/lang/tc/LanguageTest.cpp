#include "lang/Language.h"
#include <gtest/gtest.h>

namespace tessera {
extern const Language tcLanguage;

namespace {

Checked check(llvm::StringRef text) {
  static std::vector<std::unique_ptr<SourceFile>> files; // Trees point into them.
  files.push_back(std::make_unique<SourceFile>("test.tc", text.str()));
  DiagnosticEngine diagnostics;
  return tcLanguage.check(*files.back(), {}, diagnostics);
}

/// What a caller must know: names, types, ranks, which dimensions are equal.
TEST(TcLanguage, DescribesDefs) {
  Checked checked =
      check("def f(float(N,3)A,byte(N)b,double s)->(int32(N)o,p){o(i)=b(i) p=A(0,0)*s}");
  ASSERT_TRUE(checked.isCorrect);
  const Signature *signature = checked.find("f");
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->declaration,
            "def f(float(N, 3) A, uint8(N) b, double s) -> (int32(N) o, p)");
  ASSERT_EQ(signature->parameters.size(), 3u);
  const Parameter &first = signature->parameters[0];
  EXPECT_EQ(first.name, "A");
  EXPECT_EQ(first.element, Scalar::F32);
  EXPECT_TRUE(first.isTensor);
  EXPECT_EQ(first.shape, (llvm::SmallVector<int64_t, 4>{dynamicSize, 3}));
  EXPECT_EQ(first.sizeNames, (llvm::SmallVector<std::string, 4>{"N", ""}));
  EXPECT_FALSE(signature->parameters[2].isTensor);
  ASSERT_EQ(signature->results.size(), 2u);
  EXPECT_EQ(signature->results[0].element, Scalar::I32);
  EXPECT_TRUE(signature->results[0].isTensor);
  EXPECT_EQ(signature->results[1].element, Scalar::F64);
  EXPECT_FALSE(signature->results[1].isTensor);
}

/// A result that is combined with old contents takes them from the caller.
TEST(TcLanguage, RequestsInitialValues) {
  Checked checked = check("def f(float(N) A) -> (s, t) { s += A(i) t +=! A(i) }");
  ASSERT_TRUE(checked.isCorrect);
  const Signature *signature = checked.find("f");
  ASSERT_TRUE(signature);
  ASSERT_EQ(signature->parameters.size(), 2u);
  EXPECT_FALSE(signature->parameters[0].isInitial);
  EXPECT_TRUE(signature->parameters[1].isInitial);
  EXPECT_EQ(signature->parameters[1].name, "s");
}

TEST(TcLanguage, ReportsInvalidFiles) {
  EXPECT_FALSE(check("def f() -> (o) { o = 1; }").isCorrect);
  EXPECT_FALSE(check("def f() -> (o) { p = 1 }").isCorrect);
}

} // namespace
} // namespace tessera
