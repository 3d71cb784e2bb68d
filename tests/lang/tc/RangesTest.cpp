#include "Analyzed.h"
#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::tc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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

TEST(TcRanges, SomeReadsTakeThreeRounds) { // [tc.infer.3]
  std::string text = "def f(float(H,W) I, float(KH,KW) F) -> (O) {"
                     "  O(h,w) +=! I(2*h + 3*w + kh, 2*w + kw) * F(kh,kw) }";
  Analyzed f(text);
  EXPECT_EQ(f.shape("O"),
            "0:floor((H - KH - 3*floor((W - KW) / 2)) / 2) + 1, 0:floor((W - KW) / 2) + 1");
  Analyzed g(text, {{"H", 20}, {"W", 7}, {"KH", 3}, {"KW", 3}});
  EXPECT_EQ(g.shape("O"), "0:6, 0:3");
}

TEST(TcRanges, ConvolutionsShrink) { // [tc.infer.4, tc.infer.6]
  Analyzed f("def f(float(H) I, float(K) W) -> (O, P) {"
             "  O(h) +=! I(h+k) * W(k)"
             "  P(h) +=! I(h+2*k) * W(k) }");
  EXPECT_EQ(f.variables(0), "h in 0:H - K + 1, k in 0:K");
  EXPECT_EQ(f.variables(1), "h in 0:H - 2*K + 2, k in 0:K");
  EXPECT_EQ(f.messages(), "");
  EXPECT_THAT(f.preconditions(true), ElementsAre("K - 1 <= H", "2*K - 2 <= H"));
}

TEST(TcRanges, InfersSubsamplesAndPairs) { // [tc.infer.7, tc.infer.8]
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

TEST(TcRanges, ReversalsReverseTheRange) { // [tc.infer.10]
  Analyzed f("def f(float(I) B) -> (O) { O(i) = B(10-i) }");
  EXPECT_EQ(f.shape("O"), "11 - I:11");
  EXPECT_EQ(f.messages(), "");
}

TEST(TcRanges, LaterStatementsUseInferredRanges) { // [tc.infer.11]
  Analyzed f("def f(float(N) A) -> (P, O) { P(i) = A(i-5)  O(j) = P(2*j) }");
  EXPECT_EQ(f.shape("O"), "3:floor(N / 2) + 3");
}

TEST(TcRanges, OneGivenRangeDeterminesBoth) { // [tc.infer.12, tc.error.12]
  Analyzed f("def f(float(N,M) A) -> (O) { O(i,j) = A(10 + i - j, i + j) }");
  EXPECT_FALSE(f.isCorrect());
  EXPECT_EQ(f.messages(), "error tc.error.12: cannot infer the range of `i` and `j`\n");
  Analyzed g("def g(float(N,M) A) -> (O) { O(i,j) = A(10+i-j, i+j) where i in 0:10 }");
  EXPECT_EQ(g.variables(), "i in 0:10, j in max(0, 20 - N):min(11, M - 9)");
  Analyzed h("def h(float(N,N) A) -> (O) { O(i,j) = A(i+j, i+j) }");
  EXPECT_FALSE(h.isCorrect());
}

TEST(TcRanges, ReadsOfSolvedVariablesArePreconditions) { // [tc.infer.13, tc.error.17]
  std::string text = "def f(float(N,NM,M) I) -> (O) { O(i,j) = I(i, i+j, j) }";
  Analyzed f(text);
  EXPECT_EQ(f.shape("O"), "0:N, 0:M");
  EXPECT_THAT(f.preconditions(), ElementsAre("N + M - 1 <= NM"));
  EXPECT_EQ(f.messages(),
            "warning tc.error.17: this requires N + M - 1 <= NM, which cannot be proved: "
            "dimension 1 of `I` has the range 0:NM\n");
  EXPECT_THAT(f.unproved(), IsEmpty());
  Analyzed g("def g(float(10,19,10) I) -> (O) { O(i,j) = I(i, i+j, j) }");
  EXPECT_EQ(g.messages(), "");
  Analyzed h(text, {{"N", 2}, {"NM", 2}, {"M", 2}});
  EXPECT_EQ(
      h.messages(),
      "error tc.error.18: `i+j` takes values in 0:3, but dimension 1 of `I` has the range 0:2\n");
  EXPECT_TRUE(Analyzed(text, {{"N", 2}, {"NM", 3}, {"M", 2}}).isCorrect());
}

TEST(TcRanges, RangesAreDividedByFactorsThatAreSizes) { // [tc.infer.14]
  std::string text = "def f(float(N) B, float(M) C) -> (O) { O(i) = B(M * i) }";
  Analyzed f(text);
  EXPECT_EQ(f.shape("O"), "0:floor((N - 1) / M) + 1");
  EXPECT_THAT(f.preconditions(), ElementsAre("1 <= M"));
  EXPECT_EQ(Analyzed(text, {{"N", 5}, {"M", 2}}).shape("O"), "0:3");
  EXPECT_EQ(Analyzed(text, {{"N", 5}, {"M", 0}}).messages(),
            "error tc.error.12: cannot infer the range of `i`\n");
  Analyzed g("def g(float(N) B, int32(M) S) -> (O) { O(i) = B(S(0) * i) }");
  EXPECT_THAT(g.messages(), HasSubstr("error tc.error.12: cannot infer the range of `i`"));
  text = "def h(float(N) B, int32 s) -> (O) { O(i) = B(s * i) }";
  EXPECT_EQ(Analyzed(text, {{"N", 5}, {"s", -2}}).shape("O"), "-2:1");
  Analyzed h(text);
  EXPECT_EQ(h.shape("O"),
            "ceil((1 - N) / max(s, -s)) + floor((N - 1) / max(s, -s))*min(1, max(0, s)):"
            "floor((N - 1) / max(s, -s))*min(1, max(0, s)) + 1");
  EXPECT_EQ(h.inferred->scalars.size(), 1u);
}

TEST(TcRanges, TransposedConvolutionShrinks) { // [tc.infer.4]
  Analyzed f("def f(float(OH) G, float(KH) W) -> (d) { d(h) +=! G(h-k) * W(k) }");
  EXPECT_EQ(f.shape("d"), "KH - 1:OH");
  EXPECT_EQ(f.messages(), "");
}

//===- where -------------------------------------------------------------------------------------

TEST(TcRanges, GivenRangesAreUsedUnchanged) { // [tc.where.1, tc.where.2, tc.where.3, tc.where.7]
  Analyzed f("def f(float(N) A) -> (O) { O(i,j) = A(i) where i in 4:8, j in 1+2:N-2 }");
  EXPECT_EQ(f.shape("O"), "4:8, 3:N - 2");
  EXPECT_THAT(f.preconditions(), ElementsAre("8 <= N"));
  Analyzed g("def g() -> (O) { O(i,j) = 3 where i in 4:8, j in 3:20 }"); // [tc.where.9]
  EXPECT_EQ(g.shape("O"), "4:8, 3:20");
}

TEST(TcRanges, GivenRangesDoNotEndBeforeTheyBegin) { // [tc.where.8]
  EXPECT_EQ(Analyzed("def f() -> (O) { O(i) = 1 where i in 8:4 }").messages(),
            "error tc.where.8: the range of `i` ends before it begins: 8:4\n");
  EXPECT_EQ(Analyzed("def f() -> (O) { O(i) = 1 where i in 4:4 }").shape("O"), "4:4");
  std::string text = "def f(float(N) A) -> (O) { O(i) = A(i) where i in 2:N }";
  EXPECT_EQ(Analyzed(text).messages(), "");
  EXPECT_THAT(Analyzed(text).preconditions(true), ElementsAre("2 <= N"));
  EXPECT_TRUE(Analyzed(text, {{"N", 2}}).isCorrect());
  EXPECT_FALSE(Analyzed(text, {{"N", 1}}).isCorrect());
  // For all sizes.
  EXPECT_FALSE(Analyzed("def f(float(N) A) -> (O) { O(i) = 1 where i in N+1:N }").isCorrect());
}

TEST(TcRanges, BoundsAreSizeExpressions) { // [tc.sizeexpr.1, tc.sizeexpr.7, tc.sizeexpr.8]
  Analyzed f("def f(float(N,M) T) -> (P, O) {"
             "  P(i) = T(i+3, 0)"
             "  O(i,j) = 1 where i in 0:T.0, j in 0:P.0"
             "}");
  EXPECT_EQ(f.shape("P"), "-3:N - 3");
  EXPECT_EQ(f.shape("O"), "0:N, 0:N");      // [tc.sizeexpr.11]
  Analyzed g("def g(float(N,M) T) -> (O) {" // [tc.sizeexpr.12, tc.sizeexpr.13]
             "  O(i,j,k,l) = 1 where i in 0:N/2, j in (0-3)/2:(N % 3), k in min(N,M):max(N,M),"
             "                       l in 0:M/0 }");
  EXPECT_EQ(g.shape("O"), "0:floor(N / 2), -2:N % 3, min(N, M):max(N, M), 0:0");
}

TEST(TcRanges, ScalarParametersMayBeBounds) { // [tc.sizeexpr.5]
  std::string text = "def f(float(N) A, int32 k, int32 step, int32 other) -> (O) {"
                     "  O(i) = A(step*i) + other where i in 0:k }";
  Analyzed f(text);
  EXPECT_EQ(f.shape("O"), "0:k");
  std::vector<std::string> scalars;
  for (auto &[tensor, size] : f.inferred->scalars)
    scalars.push_back(size.str());
  EXPECT_THAT(scalars, ElementsAre("k", "step"));
  EXPECT_THAT(f.preconditions(), ElementsAre("step <= k*step", "1 <= N", "k*step + 1 <= N + step"));
  EXPECT_TRUE(Analyzed(text, {{"N", 5}, {"k", 2}, {"step", 3}}).isCorrect());
  EXPECT_FALSE(Analyzed(text, {{"N", 5}, {"k", 3}, {"step", 3}}).isCorrect());
  EXPECT_FALSE(Analyzed(text, {{"N", 5}, {"k", 3}, {"step", -1}}).isCorrect());
  EXPECT_TRUE(Analyzed(text, {{"N", 5}, {"k", 1}, {"step", -1}}).isCorrect());
}

TEST(TcRanges, ExistsAffectsOnlyRanges) { // [tc.where.10]
  Analyzed f("def f(float(N) A, float c) -> (B) { B(i) = c where exists A(i) }");
  EXPECT_EQ(f.shape("B"), "0:N");
  Analyzed g("def g(float(N) A) -> (B) { B(i) = 1 where i in 0:9, exists A(i) }");
  EXPECT_EQ(g.shape("B"), "0:9");
  EXPECT_THAT(g.preconditions(), IsEmpty());
}

TEST(TcRanges, LetClausesStandForTheirExpressions) { // [tc.where.11]
  Analyzed g("def g(float(N) A) -> (O) { O(i) = x + x where j = i + 2, x = A(j), y = A(i) }");
  EXPECT_EQ(g.shape("O"), "-2:N - 2"); // `y` is not used.
  Analyzed h(
      "def h(float(N) A) -> (O) { O(i) = c ? x : 0.0 where c = i >= 2, x = A(i-2), i in 0:N }");
  EXPECT_EQ(h.messages(), "");
  EXPECT_THAT(h.unproved(), IsEmpty());
}

TEST(TcRanges, UnusedVariablesCannotBeInferred) { // [tc.error.12, tc.error.14, tc.where.4]
  EXPECT_EQ(Analyzed("def f(float(N) A) -> (O) { O(i) = i }").messages(),
            "error tc.error.12: cannot infer the range of `i`\n");
  EXPECT_THAT(Analyzed("def f(float(N) A) -> (O) { O(i,j) = A(i) }").messages(),
              HasSubstr("error tc.where.4"));
}

//===- Data and guards ---------------------------------------------------------------------------

TEST(TcRanges, IndicesReadFromTensorsDetermineNoRange) { // [tc.index.3, tc.index.4, tc.index.8]
  Analyzed f("def f(float(E,D) T, int32(B,L) P) -> (O) { O(b,d) +=! T(P(b,k), d) }");
  EXPECT_EQ(f.variables(), "b in 0:B, d in 0:D, k in 0:L");
  EXPECT_EQ(f.messages(),
            "warning tc.error.17: this requires 0 <= P(b,k) < E, which cannot be proved: it "
            "depends on the elements of a tensor\n");
  EXPECT_THAT(f.unproved(), ElementsAre("P(b,k)"));
  Analyzed g("def g(float(E) T, int32(N) P) -> (O) { O(i,k) = T(P(i) + k) }"); // [tc.index.5]
  EXPECT_EQ(g.messages(), "error tc.error.12: cannot infer the range of `k`\n");
}

TEST(TcRanges, ClampedIndicesAreInRange) { // [tc.index.7]
  Analyzed f("def f(float(10) T, int32(N) P) -> (O) { O(i) = T(max(min(P(i), 9), 0)) }");
  EXPECT_EQ(f.messages(), "");
  EXPECT_THAT(f.unproved(), IsEmpty());
  // A table without elements has none to clamp to.
  Analyzed g("def g(float(J) T, int32(N) P) -> (O) { O(i) = T(max(min(P(i), J-1), 0)) }");
  EXPECT_EQ(g.messages(), "");
  EXPECT_EQ(g.unproved().size(), 1u);
  Analyzed h(
      "def h(float(J) T, int32(N) P) -> (O) { O(i) = T(P(i) < 0 ? 0 : P(i) < J ? P(i) : J-1) }");
  EXPECT_EQ(h.messages(), "");
}

TEST(TcRanges, TypesBoundIndices) { // [tc.index.6]
  Analyzed f("def f(float(256) T, uint8(N) C, int8(N) D) -> (O) { O(i) = T(C(i)) + T(D(i)) }");
  EXPECT_THAT(f.unproved(), ElementsAre("D(i)"));
  EXPECT_THAT(f.messages(), HasSubstr("this requires 0 <= D(i),"));
  // The bounds of operands do not bound a value that wraps around.
  Analyzed g("def g(float(300) T, uint8(N) C) -> (O) { O(i) = T(C(i) - C(i)) + T(uint8(i)) }");
  EXPECT_THAT(g.unproved(), IsEmpty());
  Analyzed h("def h(float(1) T, uint8(N) C) -> (O) { O(i) = T(C(i) + C(i)) where i in 0:N }");
  EXPECT_EQ(h.unproved().size(), 1u);
}

TEST(TcRanges, GuardsAreUsed) { // [tc.infer.15, tc.expr.8]
  Analyzed f("def f(float(R) X, float(D) dummy) -> (Y, Z) {"
             "  Y(r) = r >= D ? X(r-D) : 0.0"
             "  Z(r) = r >= D ? X(r-D) : 0.0 where r in 0:R }");
  EXPECT_EQ(f.shape("Y"), "D:R + D");
  EXPECT_EQ(f.shape("Z"), "0:R");
  EXPECT_THAT(f.messages(), Not(HasSubstr("this requires")));
  EXPECT_THAT(f.unproved(), IsEmpty());
  EXPECT_THAT(f.preconditions(), IsEmpty());
}

TEST(TcRanges, GuardsThatDoNotHelpWarn) { // [tc.error.17]
  Analyzed f("def f(float(R) X) -> (Y) { Y(r) = r > 2 ? X(r-4) : 0.0 where r in 0:R }");
  EXPECT_EQ(f.messages(),
            "warning tc.error.17: this requires 0 <= r-4, which cannot be proved: the "
            "conditions around it do not imply it\n");
  EXPECT_THAT(f.unproved(), ElementsAre("r-4"));
  // With numbers it is decided.
  std::string text = "def f(float(R) X) -> (Y) { Y(r) = r > 2 ? X(r-4) : 0.0 where r in 0:R }";
  EXPECT_EQ(
      Analyzed(text, {{"R", 4}}).messages(),
      "error tc.error.18: `r-4` takes the value -1, but dimension 0 of `X` has the range 0:4\n");
  EXPECT_TRUE(Analyzed(text, {{"R", 3}}).isCorrect());
}

TEST(TcRanges, LogicGuardsItsRightSide) { // [tc.expr.9]
  Analyzed f("def f(float(N) A) -> (O) {"
             "  O(i) = float(i > 0 && A(i-1) > 0.0) + float(i >= N-1 || A(i+1) > 0.0)"
             "    where i in 0:N }");
  EXPECT_EQ(f.messages(), "");
  Analyzed g("def g(float(N) A) -> (O) {"
             "  O(i) = !(i < 1 || i > N) ? A(i-1) : 0 where i in 0:100 }");
  EXPECT_EQ(g.messages(), "");
  Analyzed h("def h(float(N) A, int32(M) P) -> (O) {"
             "  O(i) = P(i) >= 0 && P(i) < N ? A(P(i)) : 0 }");
  EXPECT_EQ(h.messages(), "");
  Analyzed j("def j(float(N) A) -> (O) {"
             "  O(i) = i != 0 ? A(i-1) : 0 where i in 0:N }");
  EXPECT_EQ(j.messages(), "");
}

TEST(TcRanges, InfersConcatenationAndPadding) { // [tc.infer.15]
  Analyzed f("def f(float(N) A, float(M) B) -> (O, P) {"
             "  O(i) = i < N ? A(i) : B(i-N) where i in 0:N+M"
             "  P(i) = i >= 1 && i <= N ? A(i-1) : 0 where i in 0:N+2 }");
  EXPECT_EQ(f.messages(), "");
  EXPECT_EQ(f.shape("O"), "0:N + M");
}

TEST(TcRanges, NonLinearIndicesAreProvedIfPossible) { // [tc.index.1]
  Analyzed f("def f(float(N) A, float(3) B, float(16) C) -> (O, P, Q) {"
             "  O(i) = A(i/2) where i in 0:2*N"
             "  P(i) = B(i % 3) where i in 0:100"
             "  Q(i) = C(i*i) where i in 0:4 }");
  EXPECT_EQ(f.messages(), "");
  EXPECT_THAT(f.unproved(), IsEmpty());
  Analyzed g("def g(float(N) A) -> (O) { O(i) = A(i % N) where i in 0:3*N }");
  EXPECT_EQ(g.messages(), "");
  Analyzed h("def h(float(N) A) -> (O) { O(i) = A(i*i) }");
  EXPECT_EQ(h.messages(), "error tc.error.12: cannot infer the range of `i`\n");
}

//===- Definitions -------------------------------------------------------------------------------

TEST(TcRanges, TheFirstDefinitionFixesTheRange) { // [tc.order.8]
  Analyzed f("def f(float(N) A) -> (O) { O(i) = A(i)  O(i) = O(i) + O(i-1) }");
  EXPECT_EQ(f.variables(1), "i in 1:N");
  EXPECT_EQ(f.shape("O"), "0:N");
  EXPECT_EQ(f.messages(), "");
  Analyzed g("def g(float(4) A) -> (O) { O(i) = A(i) where i in 0:2  O(i) = A(i) where i in 0:3 }");
  EXPECT_EQ(g.messages(), "error tc.order.8: this covers 0:3 in dimension 0 of `O`, which was "
                          "defined with the range 0:2\n");
  Analyzed h("def h(float(N) B, float(M,K) X, float(N,K) W) -> (O) {"
             "  O(b,n) = B(n) where b in 0:M"
             "  O(b,n) += X(b,k) * W(n,k) }");
  EXPECT_EQ(h.messages(), "");
  Analyzed k("def k(float(N) A, float(M) B) -> (O) { O(i) = A(i)  O(i) += B(i) }");
  EXPECT_EQ(k.messages(),
            "warning tc.error.17: this requires M <= N, which cannot be proved: dimension 0 "
            "of `O` was defined with the range 0:N, but this covers 0:M\n");
}

TEST(TcRanges, AnnotatedSizesMustHold) { // [tc.type.12]
  EXPECT_EQ(Analyzed("def f(float(4) A) -> (float(5) O) { O(i) = A(i) }").messages(),
            "error tc.type.12: dimension 0 of `O` is declared as `5`, but has 4 elements\n");
  Analyzed f("def f(float(N) A, float(M) B) -> (float(M) O) { O(i) = A(i) }");
  EXPECT_THAT(f.preconditions(), ElementsAre("M == N"));
  EXPECT_EQ(Analyzed("def f(float(N) A) -> (float(N) O) { O(i) = A(i-1) }").messages(), "");
}

TEST(TcRanges, InferredRangesDoNotEndBeforeTheyBegin) { // [tc.error.13]
  Analyzed f("def f(float(3) A, float(5) W) -> (O) { O(i) +=! A(i + k) * W(k) }");
  EXPECT_EQ(f.messages(),
            "error tc.error.13: no range is left for `i`: it would begin at 0 and end "
            "before -1\n");
  Analyzed g("def g(float(3) A, float(4) W) -> (O) { O(i) +=! A(i + k) * W(k) }");
  EXPECT_EQ(g.shape("O"), "0:0");
}

TEST(TcRanges, EmptyTensorsAreTensors) { // [tc.size.7]
  std::string text = "def f(float(M,K) A, float(K,N) B) -> (C) { C(m,n) +=! A(m,k) * B(k,n) }";
  Analyzed f(text, {{"M", 0}, {"K", 0}, {"N", 3}});
  EXPECT_TRUE(f.isCorrect());
  EXPECT_EQ(f.shape("C"), "0:0, 0:3");
}

TEST(TcRanges, ErrorsAreNotRepeated) {
  Analyzed f("def f(float(N) A) -> (O, P, Q) { O(i,j) = A(i+j)  P(i) = O(i,i)  Q(i) = A(i) }");
  EXPECT_EQ(f.messages(), "error tc.error.12: cannot infer the range of `i` and `j`\n");
  EXPECT_EQ(f.shape("P"), "(none)");
  EXPECT_EQ(f.shape("Q"), "0:N");
}

TEST(TcRanges, SizesDoNotOverflow) { // [tc.limit.3]
  EXPECT_EQ(Analyzed("def f(float(9223372036854775807) A) -> (O) { O(i) = A(i-1) }").messages(),
            "error tc.limit.3: a size in `O(i) = A(i-1)` is too large to be computed in 64 bits\n");
  EXPECT_EQ(Analyzed("def f() -> (O) { O(i) = 1 where i in 0:9223372036854775807*2 }").messages(),
            "error tc.limit.3: a size in `9223372036854775807*2` is too large to be computed in 64 "
            "bits\n");
  EXPECT_EQ(Analyzed("def f(float(N) A) -> (O) { O(i) = A(i) where x = 9223372036854775807*2 }")
                .messages(),
            "");
}

//===- Calls -------------------------------------------------------------------------------------

TEST(TcRanges, CallsBindSizes) { // [tc.call.6, tc.call.8]
  Analyzed f("def f(float(M) A, float(N) B) -> (s) { s = dot(A, B) }"
             "def dot(float(N) X, float(N) Y) -> (s) { s +=! X(i) * Y(i) }");
  EXPECT_THAT(f.preconditions(), ElementsAre("M == N"));
  EXPECT_EQ(f.inferred->frames.size(), 2u);
  Analyzed g("def f(float(4) A, float(5) B) -> (s) { s = dot(A, B) }"
             "def dot(float(N) X, float(N) Y) -> (s) { s +=! X(i) * Y(i) }");
  EXPECT_EQ(g.messages(), "error tc.call.6: size `N` of `dot` is 4 in `A`, but 5 in `B`\n");
  Analyzed h("def f(float(N) A) -> (O) { O = head(A) }"
             "def head(float(4) A) -> (O) { O(i) = A(i) }");
  EXPECT_THAT(h.preconditions(), ElementsAre("4 == N"));
}

TEST(TcRanges, ArgumentsOfCallsBeginAtZero) { // [tc.call.8]
  Analyzed f("def f(float(N) A) -> (O, P) { t(i) = A(i-3)  O = shift(t)  P(i) = O(i) }"
             "def shift(float(N) A) -> (O) { O(i) = A(i-1) }");
  EXPECT_EQ(f.shape("t"), "3:N + 3");
  EXPECT_EQ(f.shape("O"), "1:N + 1");
  EXPECT_EQ(f.shape("P"), "1:N + 1");
}

TEST(TcRanges, CalleesAreReportedOnce) {
  std::string text = "def f(float(N) A) -> (O) { O = g(A) }"
                     "def g(float(N) A) -> (O) { O(i,j) = A(i+j) }";
  EXPECT_EQ(Analyzed(text).messages(), ""); // It is reported at `g`.
  EXPECT_FALSE(Analyzed(text).isCorrect());
  EXPECT_EQ(Analyzed(text, {}, "g").messages(),
            "error tc.error.12: cannot infer the range of `i` and `j`\n");
  Analyzed h("def f(float(2) A) -> (O) { O = head(A) }"
             "def head(float(N) A) -> (O) { O(i) = A(i) where i in 0:3 }");
  EXPECT_EQ(
      h.messages(),
      "error tc.error.18: `i` takes values in 0:3, but dimension 0 of `A` has the range 0:2\n");
  // What is merely unproved is a warning for `head`.
  Analyzed k("def f(float(N) A) -> (O) { O = head(A) }"
             "def head(float(N) A) -> (O) { O(i) = A(i) where i in 0:3 }");
  EXPECT_EQ(k.messages(), "");
  EXPECT_THAT(k.inferred->frames[1]->preconditions[0].text, "3 <= N");
}

TEST(TcRanges, ScalarsPassThroughCalls) { // [tc.sizeexpr.5]
  Analyzed f("def f(int32 k) -> (O) { O = ones(k) }"
             "def ones(int32 n) -> (O) { O(i) = 1 where i in 0:n }");
  EXPECT_EQ(f.shape("O"), "0:k");
  EXPECT_EQ(f.inferred->scalars.size(), 1u);
  Analyzed g("def f(int32 k) -> (O) { t = k + 1  O = ones(t) }"
             "def ones(int32 n) -> (O) { O(i) = 1 where i in 0:n }");
  EXPECT_EQ(g.messages(), "error tc.sizeexpr.5: `n` is computed by the program, so no range can "
                          "depend on it\n");
}

TEST(TcRanges, TheNumberOfCallsIsBounded) { // [tc.limit.4]
  std::string text = "def f0(float(N) A) -> (O) { O(i) = A(i) }";
  for (int i = 1; i != 40; ++i)
    text = llvm::formatv("def f{0}(float(N) A) -> (O) {{ B = f{1}(A)  O = f{1}(B) }\n", i, i - 1)
               .str() +
           text;
  EXPECT_EQ(Analyzed(text).messages(),
            "error tc.limit.4: `f39` makes 1000 calls or more, counting those that its callees "
            "make\n");
}

//===- Printing ----------------------------------------------------------------------------------

TEST(TcRanges, PrintsRanges) {
  Analyzed f("def f(float(N) A, float(M) B, int32(M) P) -> (O, s) {"
             "  t(i) = A(i+1) + B(i)"
             "  O = g(t)"
             "  s +=! A(P(k)) + A(i) where i in 0:3 }"
             "def g(float(K) X) -> (Y) { Y(i) = X(i) }");
  std::string text;
  llvm::raw_string_ostream out(text);
  printRanges(*f.inferred, out);
  EXPECT_EQ(text, R"(def f with N, M
  t(i) =
    i in 0:min(M, N - 1), which is what its reads have in common
  O = g(t)
    def g with K = min(M, N - 1)
      Y(i) =
        i in 0:min(M, N - 1)
      argument X: float32(min(M, N - 1)) from (0)
      result Y: float32(min(M, N - 1)) from (0)
  s +=!
    k in 0:M, reduced over
    i in 0:3, given, reduced over
  argument A: float32(N) from (0)
  argument B: float32(M) from (0)
  argument P: int32(M) from (0)
  temporary t: float32(min(M, N - 1)) from (0)
  result O: float32(min(M, N - 1)) from (0)
  result s: float32
  needs 1 <= N: checked when it is called
  needs 0 <= P(k) < N: not checked when it is called, only by --checked
  needs 3 <= N: checked when it is called
)");
}

} // namespace
