#include "Analyzed.h"
#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::tc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST(TcRanges, MatMulIsSolvedInOneRound) { // [tc.infer.1]
  Analyzed f("def f(float(M,K) A, float(K,N) B) -> (C) { C(m,n) +=! A(m,k) * B(k,n) }");
  EXPECT_EQ(f.variables(), "m in 0:M, n in 0:N, k in 0:K");
  EXPECT_EQ(f.shape("C"), "0:M, 0:N");
  EXPECT_EQ(f.messages(), "");
  EXPECT_THAT(f.preconditions(true), IsEmpty());
}

TEST(TcRanges, SeveralReadsIntersect) { // [tc.infer.2]
  Analyzed f("def f(float(N) A, float(M) B) -> (O) { O(i) = A(i) + B(i) }");
  EXPECT_EQ(f.shape("O"), "0:min(N, M)");
  EXPECT_EQ(f.messages(), "");
}

TEST(TcRanges, StridedConvolutionTakesTwoRounds) { // [tc.infer.3, tc.infer.5]
  Analyzed f("def f(float(N,C,H,W) I, float(M,C,KH,KW) F) -> (O) {"
             "  O(n,m,h,w) +=! I(n,c,2*h+kh,3*w+kw) * F(m,c,kh,kw) }");
  EXPECT_EQ(f.variables(), "n in 0:N, m in 0:M, h in 0:floor((H - KH) / 2) + 1, "
                           "w in 0:floor((W - KW) / 3) + 1, c in 0:C, kh in 0:KH, kw in 0:KW");
  EXPECT_EQ(f.messages(), "");
  EXPECT_THAT(f.preconditions(), IsEmpty());
}

TEST(TcRanges, ThreeRounds) { // [tc.infer.3]
  std::string text = "def f(float(H,W) I, float(KH,KW) F) -> (O) {"
                     "  O(h,w) +=! I(2*h + 3*w + kh, 2*w + kw) * F(kh,kw) }";
  Analyzed f(text);
  EXPECT_EQ(f.shape("O"),
            "0:floor((H - KH - 3*floor((W - KW) / 2)) / 2) + 1, 0:floor((W - KW) / 2) + 1");
  Analyzed g(text, {{"H", 20}, {"W", 7}, {"KH", 3}, {"KW", 3}});
  EXPECT_EQ(g.shape("O"), "0:6, 0:3");
}

TEST(TcRanges, Convolution) { // [tc.infer.4, tc.infer.6]
  Analyzed f("def f(float(H) I, float(K) W) -> (O, P) {"
             "  O(h) +=! I(h+k) * W(k)"
             "  P(h) +=! I(h+2*k) * W(k) }");
  EXPECT_EQ(f.variables(0), "h in 0:H - K + 1, k in 0:K");
  EXPECT_EQ(f.variables(1), "h in 0:H - 2*K + 2, k in 0:K");
  EXPECT_EQ(f.messages(), "");
  EXPECT_THAT(f.preconditions(true), ElementsAre("K - 1 <= H", "2*K - 2 <= H"));
}

TEST(TcRanges, SubsamplesAndPairs) { // [tc.infer.7, tc.infer.8]
  Analyzed f("def f(float(I) B) -> (O, P, Q, R) {"
             "  O(i) = B(2*i)"
             "  P(i) = B(123*i)"
             "  Q(i) = B(2*i) + B(2*i+1)"
             "  R(i) +=! B(2*i+k) where k in 0:2 }");
  EXPECT_EQ(f.shape("O"), "0:ceil(I / 2)");
  EXPECT_EQ(f.shape("P"), "0:ceil(I / 123)");
  EXPECT_EQ(f.shape("Q"), "0:floor(I / 2)");
  EXPECT_EQ(f.shape("R"), "0:floor(I / 2)");
  EXPECT_EQ(f.messages(), "");
}

TEST(TcRanges, ShiftsMoveTheRange) { // [tc.infer.9, tc.own.9]
  Analyzed f("def f(float(I) A) -> (O, P) { O(i) = A(i-1)  P(i) = A(i+5) }");
  EXPECT_EQ(f.shape("O"), "1:I + 1");
  EXPECT_EQ(f.shape("P"), "-5:I - 5");
  EXPECT_EQ(f.messages(), "note tc.own.9: the range of `i` begins at -5: element 0 of `P` is the "
                          "one at index -5\n");
}

TEST(TcRanges, ReversalsTurnTheRangeAround) { // [tc.infer.10]
  Analyzed f("def f(float(I) B) -> (O) { O(i) = B(10-i) }");
  EXPECT_EQ(f.shape("O"), "11 - I:11");
  EXPECT_EQ(f.messages(), "");
}

TEST(TcRanges, LaterStatementsUseInferredRanges) { // [tc.infer.11]
  Analyzed f("def f(float(N) A) -> (P, O) { P(i) = A(i-5)  O(j) = P(2*j) }");
  EXPECT_EQ(f.shape("O"), "3:floor(N / 2) + 3");
}

TEST(TcRanges, OneGivenRangeSettlesBoth) { // [tc.infer.12, tc.error.12]
  Analyzed f("def f(float(N,M) A) -> (O) { O(i,j) = A(10 + i - j, i + j) }");
  EXPECT_FALSE(f.isCorrect());
  EXPECT_EQ(f.messages(), "error tc.error.12: cannot infer the range of `i` and `j`\n");
  Analyzed g("def g(float(N,M) A) -> (O) { O(i,j) = A(10+i-j, i+j) where i in 0:10 }");
  EXPECT_EQ(g.variables(), "i in 0:10, j in max(0, 20 - N):min(11, M - 9)");
  Analyzed h("def h(float(N,N) A) -> (O) { O(i,j) = A(i+j, i+j) }");
  EXPECT_FALSE(h.isCorrect());
}

TEST(TcRanges, WhatIsSettledElsewhereIsAPrecondition) { // [tc.infer.13, tc.error.17]
  std::string text = "def f(float(N,NM,M) I) -> (O) { O(i,j) = I(i, i+j, j) }";
  Analyzed f(text);
  EXPECT_EQ(f.shape("O"), "0:N, 0:M");
  EXPECT_THAT(f.preconditions(), ElementsAre("N + M - 1 <= NM"));
  EXPECT_EQ(f.messages(), "warning tc.error.17: this needs N + M - 1 <= NM, which is not known: "
                          "dimension 1 of `I` has 0:NM\n");
  EXPECT_THAT(f.unproved(), IsEmpty());
  Analyzed g("def g(float(10,19,10) I) -> (O) { O(i,j) = I(i, i+j, j) }");
  EXPECT_EQ(g.messages(), "");
  Analyzed h(text, {{"N", 2}, {"NM", 2}, {"M", 2}});
  EXPECT_EQ(h.messages(), "error tc.error.18: `i+j` takes 0:3, but dimension 1 of `I` has 0:2\n");
  EXPECT_TRUE(Analyzed(text, {{"N", 2}, {"NM", 3}, {"M", 2}}).isCorrect());
}

TEST(TcRanges, FactorsOfSizesAreDividedBy) { // [tc.infer.14]
  std::string text = "def f(float(N) B, float(M) C) -> (O) { O(i) = B(M * i) }";
  Analyzed f(text);
  EXPECT_EQ(f.shape("O"), "0:floor((N - 1) / M) + 1");
  EXPECT_THAT(f.preconditions(), ElementsAre("1 <= M"));
  EXPECT_EQ(Analyzed(text, {{"N", 5}, {"M", 2}}).shape("O"), "0:3");
  EXPECT_EQ(Analyzed(text, {{"N", 5}, {"M", 0}}).messages(),
            "error tc.error.12: cannot infer the range of `i`\n");
  Analyzed g("def g(float(N) B, int32(M) S) -> (O) { O(i) = B(S(0) * i) }");
  EXPECT_THAT(g.messages(), HasSubstr("error tc.error.12: cannot infer the range of `i`"));
  Analyzed h("def h(float(N) B, int32 s) -> (O) { O(i) = B(s * i) }");
  EXPECT_EQ(h.shape("O"), "0:floor((N - 1) / s) + 1");
  EXPECT_EQ(h.inferred->scalars.size(), 1u);
}

} // namespace
