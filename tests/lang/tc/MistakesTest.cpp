/// What newcomers write, and what they are told, with a fix if it is certain what they mean.
#include "Marked.h"
#include <chrono>

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {

/// The program with its fixes applied, about which nothing is reported.
std::string fixed(std::string program) {
  SourceFile file("test.tc", program);
  DiagnosticEngine diagnostics;
  tcLanguage.check(file, {}, diagnostics);
  std::vector<FixIt> fixes;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    llvm::append_range(fixes, diagnostic.fixits);
  EXPECT_FALSE(fixes.empty()) << program;
  llvm::stable_sort(fixes,
                    [](const FixIt &a, const FixIt &b) { return a.range.begin < b.range.begin; });
  for (const FixIt &fix : llvm::reverse(fixes))
    program.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
  EXPECT_EQ(reportedBy(program), std::vector<std::string>());
  return program;
}

std::string fixedBody(const std::string &body) {
  std::string head = "def f(float(N, M) A) -> (o) { ";
  std::string text = fixed(head + body + " }");
  return text.substr(head.size(), text.size() - head.size() - 2);
}

TEST(TcMistakes, FixesMakeProgramsCorrect) {
  EXPECT_EQ(fixed("def f(N, float(N) A) -> (O) { O(i) = A(i) }"),
            "def f(float(N) A) -> (O) { O(i) = A(i) }");
  EXPECT_EQ(fixed("def f(float(N) A, N) -> (O) { O(i) = A(i) }"),
            "def f(float(N) A) -> (O) { O(i) = A(i) }");
  EXPECT_EQ(fixedBody("o = sum(A(i, j))"), "o +=! A(i, j)");
  EXPECT_EQ(fixedBody("o + =! A(i, j)"), "o +=! A(i, j)");
  EXPECT_EQ(fixedBody("o(i) max=! max(A(i, j))"), "o(i) max=! A(i, j)");
  EXPECT_EQ(fixedBody("o(i, j) = 2 * sigmoid(A(i, j) - 1)"),
            "o(i, j) = 2 * (1 / (1 + exp(-(A(i, j) - 1))))");
  EXPECT_EQ(fixedBody("o(i, j) = relu(A(i, j)) + abs(i - 1)"),
            "o(i, j) = max(A(i, j), 0) + max(i - 1, -(i - 1))");
  EXPECT_EQ(fixedBody("o(i, j) = where(A(i, j) > 0, i, j)"), "o(i, j) = A(i, j) > 0 ? i : j");
  EXPECT_EQ(fixedBody("o(i, j) = 1 + if A(i, j) > 0 then i else j"),
            "o(i, j) = 1 + (A(i, j) > 0 ? i : j)");
  EXPECT_EQ(fixedBody("o(i) = i where 0 < i <= N"), "o(i) = i where i in 1:N + 1");
  EXPECT_EQ(fixedBody("o(i) = i where i in range(2, N)"), "o(i) = i where i in 2:N");
  EXPECT_EQ(fixedBody("o(i) = i where -1 < i < N"), "o(i) = i where i in 0:N");
  EXPECT_EQ(fixedBody("o(i) = i where i > 0, i < N"), "o(i) = i where i in 1:N");
  EXPECT_EQ(fixedBody("o(i) = i where i > 0 and N > i"), "o(i) = i where i in 1:N");
  EXPECT_EQ(fixedBody("o(i) = i | i in 0:N"), "o(i) = i where i in 0:N");
  EXPECT_EQ(fixedBody("o(i, j) = i + j where (i in 0:N), j in 0:3"),
            "o(i, j) = i + j where i in 0:N, j in 0:3");
  EXPECT_EQ(fixedBody("o(i, j) = i + j where i in 0:N; j in 0:3"),
            "o(i, j) = i + j where i in 0:N, j in 0:3");
  EXPECT_EQ(fixedBody("o(i, j) = not A(i, j) < 1 and A(i, j) > 0"),
            "o(i, j) = !(A(i, j) < 1) && A(i, j) > 0");
  EXPECT_EQ(fixedBody("o(i, j) = (A(i, j) > 0) & (A(i, j) < 1) | (A(i, j) == 3)"),
            "o(i, j) = (A(i, j) > 0) && (A(i, j) < 1) || (A(i, j) == 3)");
  EXPECT_EQ(fixedBody("o(i) = i where for i in 0:N"), "o(i) = i where i in 0:N");
  EXPECT_EQ(fixedBody("o(i) = i where (0 <= i, i + 2 < N)"), "o(i) = i where i in 0:N - 2");
  EXPECT_EQ(fixedBody("o(i) = i where !(i < 1) && i - 1 < N"), "o(i) = i where i in 1:N + 1");
  EXPECT_EQ(fixedBody("o(i, j) = if (A(i, j) > 0) { i } else { j }"),
            "o(i, j) = (A(i, j) > 0) ? i : j");
  EXPECT_EQ(fixedBody("o(i, j) = sigmoid(int32(A(i, j)))"),
            "o(i, j) = 1 / (1 + exp(-float(int32(A(i, j)))))");
  EXPECT_EQ(fixedBody("o = max(A)"), "o max=! A(i, j)");
  EXPECT_EQ(fixedBody("o=max(A)"), "o max=!A(i, j)");
  EXPECT_EQ(fixedBody("o +=!! A(i, j)"), "o +=! A(i, j)");
  EXPECT_EQ(fixedBody("o(i, j) =! A(i, j)"), "o(i, j) = A(i, j)");
  EXPECT_EQ(fixed("def f(float(N) A, N,) -> (O) { O(i) = A(i) }"),
            "def f(float(N) A) -> (O) { O(i) = A(i) }");
  EXPECT_EQ(fixed("def f(int N, const float(N) A) -> (O) { O(i) = A(i) × 2 }"),
            "def f(float(N) A) -> (O) { O(i) = A(i) * 2 }");
}

/// Where it is not certain that the result compiles and means the same. [tc.lex.2, tc.grammar.14,
/// tc.grammar.17, tc.reduce.2]
TEST(TcMistakes, DoesNotGuess) {
  auto expectNoFix = [](StringRef body) {
    std::string program =
        ("def f(int32(N, M) A, bool(N) B, uint8(N) C, int32 k) -> (o) {\n" + body + "\n}").str();
    SourceFile file("test.tc", program);
    DiagnosticEngine diagnostics;
    tcLanguage.check(file, {}, diagnostics);
    EXPECT_TRUE(diagnostics.hasErrors()) << program;
    for (const Diagnostic &diagnostic : diagnostics.sorted())
      EXPECT_TRUE(diagnostic.fixits.empty()) << program << diagnostic.fixits[0].replacement;
  };
  for (StringRef body : {
           "o(i, j) = A(i, j)//2 + 1",
           "o(i, j) = A(i, j) // 2",
           "o(i, j) = A(i, j) // k",
           "o(i, j) = A(i, j) // k where i in 0:3",
           "o(i) = i where i >= 0 && i < N && i != 3",
           "o(i) = i where i >= 0 && i < N && B(i)",
           "o(i) = i where i >= 0 && i < N && (i < 3 || i > 5)",
           "o(i, j) = 1 where 0 <= i < j",
           "o(i) = i where 0 <= k < N",
           "o(i) = i where 0 <= i < k",
           "o(i) = i where 0.5 <= i < N",
           "o(i) = i where 0 <= i < (N > 3 ? 3 : N)",
           "o(i) = i where 0 <= i <= 9223372036854775807",
           "o(i) = i where 5 <= i < 2",
           "o(i) = i where 0 <= i < N, i in 0:N",
           "o(i, j) = A(i, j) & 1",
           "o(i, j) = A(i, j) | 1",
           "o(i, j) = A(i, j) and A(i, j)",
           "o(i, j) = not A(i, j)",
           "o(i) = B(i) & B(i) == B(i)",
           "o(i) = B(i) && B(i) | B(i)",
           "o max= A(i, j) o |= A(i, j)",
           "o = any(A(i, j))",
           "o = all(A)",
           "o(i) = abs(C(i) - C(i))",
           "o(i) = if k then 1 else 2",
           "o(i) = A(i, j) + 1",
           "o(i) = max(A(i, j), B(i))",
           "o(i) = C(i) * C(j)",
           "o(i) = B(i) where j in 0:3",
           "o(i) = C(ii) where i in 0:3",
           "o(i) = select(C(i), C(i), C(i) > 3)",
           "o(i) = where(C(i), 1, 0)",
           "o(i) = if(C(i), 1, 0)",
           "o = sum(C)",
           "o = sum(C(i))",
           "o = prod(C(i))",
           "o(C) = C",
           "o(i, i) = A",
           "o(i) = i where i in 0:N and i > 3",
       })
    expectNoFix(body);
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = A(i) [[//]]2 #//! error tc.lex.2: unexpected `//`; comments begin with `#` | `/` divides integers as Python's `//` does; for floats, write `floor(x / y)`
})");
  EXPECT_EQ(fixed("def f(float(N) A) -> (O) { O(i) = A(i) // as in C\n}"),
            "def f(float(N) A) -> (O) { O(i) = A(i) # as in C\n}");
}

/// A token that is missing at the end of a line is not looked for on the next one.
/// [tc.grammar.15, tc.grammar.19, tc.grammar.22]
TEST(TcMistakes, ReportsAtTheEndOfTheLine) {
  expectMarked(R"(def f(float(N) A) -> (O) {
  O(i) = A(i) where i in N[[]] #//! error tc.grammar.15: expected `:` in a constraint, found `}` | a range has two ends, and the upper one is excluded: `i in 0:N`
})");
  expectMarked(R"(def f(float(N) A) -> (O) {
  O(i) = A(i) > 0 ? A(i)[[]] #//! error tc.grammar.19: expected `:` and the second value of the conditional, found `}`
})");
  expectMarked(R"(def f(float(N) A) -> (O) {
  O(i) = A(i)[[(]]i) #//! error tc.grammar.10: expected a statement, found `(` | an element is read with all its indices at once: `A(i, j)`
  P(i) = A(i)
})");
}

/// Sizes and types of heads as other languages write them. [tc.type.3, tc.type.7, tc.grammar.1,
/// tc.grammar.3, tc.grammar.5, tc.scope.3]
TEST(TcMistakes, RejectsHeads) {
  expectMarked(
      R"(def any_rank(float([[...]]) A) -> (O) { O(i) = A(i) } #//! error tc.type.7: expected a size variable or an integer as a dimension, found `...` | each dimension has a name, which is its size: `float(N, M)`)");
  expectMarked(
      R"(def any_size(float([[?]]) A, float(*, N) B) -> (O) { O(i) = A(i) } #//! error tc.type.7: expected a size variable or an integer as a dimension, found `?` | each dimension has a name, which is its size: `float(N, M)`)");
  expectMarked(
      R"(def any_size_too(float([[:]]) A) -> (O) { O(i) = A(i) } #//! error tc.type.7: expected a size variable or an integer as a dimension, found `:` | each dimension has a name, which is its size: `float(N, M)`)");
  expectMarked(
      R"(def size_first([[N]], float(N) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.5: parameter `N` has no type | `N` is a size: leave it out here, it is known from the tensors | fix: ``)");
  expectMarked(
      R"(def size_last(float(N) A, [[N]]) -> (O) { O(i) = A(i) } #//! error tc.grammar.5: parameter `N` has no type | `N` is a size: leave it out here, it is known from the tensors | fix: ``)");
  expectMarked(
      R"(def no_type(float(N) A, [[b]]) -> (O) { O(i) = A(i) * b } #//! error tc.grammar.5: parameter `b` has no type | a parameter is a type and a name: `float b`, or `float(N) b` for a tensor)");
  expectMarked(
      R"(def typed_size(int32 N, float([[N]]) A) -> (O) { O(i) = A(i) } #//! error tc.scope.3: `N` is a tensor and cannot be a size variable | it is declared here | sizes are known from the tensors and need no parameter)");
  expectMarked(
      R"(def tensor([[tensor]](N) A) -> (O) { O(i) = A(i) } #//! error tc.type.3: unknown type `tensor` | a tensor is written with the type of its elements: `float(N)`, `int32(N, M)`)");
  expectMarked(
      R"(def bare_result(float(N) A) -> [[float(N) O]] { O(i) = A(i) } #//! error tc.grammar.3: the list of results needs parentheses | fix: `(` | fix: `)`)");
  expectMarked(
      R"(def no_result(float(N) A) [[{]] O(i) = A(i) } #//! error tc.grammar.3: expected `->` in the head of a function, found `{` | a function names what it returns: `-> (O) {`)");
  expectMarked(
      R"(def colon(float(N) A) -> (O)[[:]] O(i) = A(i) #//! error tc.grammar.3: expected `{` in the head of a function, found `:` | the statements of a function are enclosed in braces)");
  expectMarked(
      R"([[fn]] other(float(N) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.1: expected `def` at the top level, found the name `fn` | fix: `def`)");
  expectMarked(
      R"([[f]](float(N) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.1: expected `def` at the top level, found the name `f` | fix: `def `)");
  expectMarked(
      R"(def only_size([[N]]) -> (O) { O(i) = 1 where i in 0:3 } #//! error tc.grammar.5: parameter `N` has no type | a parameter is a type and a name: `float N`, or `float(M) N` for a tensor)");
  expectMarked(
      R"(def unknown_size([[N]], float(M) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.5: parameter `N` has no type | a parameter is a type and a name: `float N`, or `float(M) N` for a tensor)");
  expectMarked(
      R"(def in_bound([[K]], float(N) A) -> (O) { O(i) = A(i) where i in 0:K } #//! error tc.grammar.5: parameter `K` has no type | a parameter is a type and a name: `int32 K`)");
  expectMarked(
      R"(def c_size([[int]] N, float(N) A) -> (O) { O(i) = A(i) } #//! error tc.type.3: unknown type `int` | `N` is a size: leave it out here, it is known from the tensors | fix: ``)");
  expectMarked(
      R"(def c_const([[const]] float(N) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.5: expected a parameter (a type and a name), found the name `const` | fix: ``)");
  expectMarked(
      R"(def last_comma(float(N) A, [[N]][[,]]) -> (O) { O(i) = A(i) } #//! error tc.grammar.5: parameter `N` has no type | `N` is a size: leave it out here, it is known from the tensors | fix: `` //! error tc.grammar.4: unexpected `,` at the end of the parameter list)");
  expectMarked(
      R"(def rust([[f32]](N) A) -> (O) { O(i) = A(i) } #//! error tc.type.3: unknown type `f32` | fix: `float`)");
  expectMarked(
      R"(def c_long([[long]](N) A) -> (O) { O(i) = A(i) } #//! error tc.type.3: unknown type `long` | write `int64` if that is meant)");
  expectMarked(
      R"(def arrow(float(N) A) [[=>]] (O) { O(i) = A(i) } #//! error tc.grammar.3: expected `->` in the head of a function, found `=>` | fix: `->`)");
}

/// Operators with a space or the wrong order, and tensors as a whole. [tc.lex.13, tc.grammar.11,
/// tc.scalar.3]
TEST(TcMistakes, RejectsAssignments) {
  expectMarked(
      R"(def f(float(N) A) -> (o) { o [[+ =!]] A(i) } #//! error tc.lex.13: `+ =!` is not an operator; the reduction is written `+=!`, without a space | fix: `+=!`)");
  expectMarked(
      R"(def f(float(N) A) -> (o) { o [[* =!]] A(i) } #//! error tc.lex.13: `* =!` is not an operator; the reduction is written `*=!`, without a space | fix: `*=!`)");
  expectMarked(
      R"(def f(float(N) A) -> (o) { o [[=+]]! A(i) } #//! error tc.grammar.11: TC has no assignment operator `=+` | `+=` and `+=!` add up; TC has no unary `+`)");
  expectMarked(
      R"(def f(float(M, N) A) -> (O) { O = [[A]] } #//! error tc.scalar.3: expected a scalar, but `A` is a tensor with 2 dimensions | it is defined here | a statement defines each element: `O(i, j) = A(i, j)`)");
  expectMarked(
      R"(def f(float(N) A, float(N) B) -> (O) { O(i) = A(i) + [[B]] } #//! error tc.scalar.3: expected a scalar, but `B` is a tensor with 1 dimension | it is defined here | fix: `B(i)`)");
}

/// Functions of other languages. [tc.scope.10, tc.expr.2, tc.expr.5]
TEST(TcMistakes, RejectsFunctions) {
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[relu]](A(i)) } #//! error tc.scope.10: there is no tensor or function `relu` | fix: `max(A(i), 0)`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = 2 * [[sigmoid]](A(i) + 1) } #//! error tc.scope.10: there is no tensor or function `sigmoid` | fix: `(1 / (1 + exp(-(A(i) + 1))))`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[select]](A(i) > 0, A(i), 0) } #//! error tc.scope.10: there is no tensor or function `select` | fix: `A(i) > 0 ? A(i) : 0`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = 1 + [[where]](A(i) > 0, A(i), 0) } #//! error tc.scope.10: there is no tensor or function `where` | fix: `(A(i) > 0 ? A(i) : 0)`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[clamp]](A(i), 0, 1) } #//! error tc.scope.10: there is no tensor or function `clamp` | fix: `min(max(A(i), 0), 1)`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[clamp]](A(i), 0) } #//! error tc.scope.10: there is no tensor or function `clamp`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[abs]](A(i)) } #//! error tc.scope.10: there is no tensor or function `abs` | fix: `fabs(A(i))`)");
  expectMarked(
      R"(def f(int32(N) A) -> (O) { O(i) = [[abs]](A(i) - 1) } #//! error tc.scope.10: there is no tensor or function `abs` | fix: `max(A(i) - 1, -(A(i) - 1))`)");
  expectMarked(
      R"(def f(uint8(N) A) -> (O) { O(i) = [[abs]](A(i)) } #//! error tc.scope.10: there is no tensor or function `abs` | fix: `A(i)`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[int]](A(i)) } #//! error tc.scope.10: there is no tensor or function `int` | fix: `int32(A(i))`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[square]](A(i) - 1) } #//! error tc.scope.10: there is no tensor or function `square` | fix: `(A(i) - 1) * (A(i) - 1)`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = [[max(A(i), 0, 1)]] } #//! error tc.expr.2: `max` takes 2 arguments, but 3 are given | fix: `max(max(A(i), 0), 1)`)");
  expectMarked(
      R"(def f(float(N) A) -> (o) { o = [[mean]](A(i)) } #//! error tc.scope.10: there is no tensor or function `mean` | use two statements: `s +=! A(i)`, then `m = s / N`)");
  expectMarked(
      R"(def f(float(M, K) A, float(K, N) B) -> (C) { C = [[matmul]](A, B) } #//! error tc.scope.10: there is no tensor or function `matmul` | a product is a reduction: `C(i, j) +=! A(i, k) * B(k, j)`)");
  expectMarked(
      R"(def f(float(M, K) A, float(K, N) B) -> (C) { C = A [[@]] B } #//! error tc.lex.15: unexpected `@` | a product of matrices is a reduction: `C(i, j) +=! A(i, k) * B(k, j)`)");
  expectMarked(
      R"(def f(float(M, N) A) -> (O) { O(i, j) = A.[[T]](i, j) } #//! error tc.sizeexpr.7: expected the number of a dimension after `.`, found the name `T` | to transpose, exchange the indices: `A(j, i)`)");
  expectMarked(
      R"(def f(float(N) A) -> (O) { O(i) = A(i) + A.[[shape]] } #//! error tc.sizeexpr.7: expected the number of a dimension after `.`, found the name `shape` | `A.0` is the size of dimension 0 of `A`)");
  expectMarked(
      R"(def signless(uint8(N) A) -> (O) { O(i) = [[sigmoid]](A(i)) } #//! error tc.scope.10: there is no tensor or function `sigmoid` | fix: `1 / (1 + exp(-float(A(i))))`)");
  expectMarked(
      R"(def difference(uint8(N) A, uint8(N) B) -> (O) { O(i) = [[abs]](A(i) - B(i)) } #//! error tc.scope.10: there is no tensor or function `abs` | unsigned values wrap around: compare before you subtract, `a > b ? a - b : b - a`)");
  expectMarked(
      R"(def any_number(int32(N) A) -> (s) { s = [[any]](A(i)) } #//! error tc.scope.10: there is no tensor or function `any` | `max=!` computes that for values of type `bool`; a number is compared: `A(i) != 0`)");
  expectMarked(
      R"(def all_of(float(N) A) -> (s) { s = [[all]](A) } #//! error tc.scope.10: there is no tensor or function `all` | `min=!` computes that for values of type `bool`; a number is compared: `A(i) != 0`)");
  expectMarked(
      R"(def number(float(N) A) -> (O) { O(i) = [[select]](A(i), 1, 0) } #//! error tc.scope.10: there is no tensor or function `select` | `condition ? a : b` chooses a value; a number is compared: `A(i) != 0`)");
  expectMarked(
      R"(def called_if(float(N) A) -> (O) { O(i) = [[if]](A(i) > 0, A(i), 0) } #//! error tc.scope.10: there is no tensor or function `if` | fix: `A(i) > 0 ? A(i) : 0`)");
  expectMarked(
      R"(def nested(float(N) A) -> (O) { O(i) = [[relu]](A(i) * [[sigmoid]](A(i))) } #//! error tc.scope.10: there is no tensor or function `relu` | write `max(A(i) * sigmoid(A(i)), 0)` //! error tc.scope.10: there is no tensor or function `sigmoid` | fix: `(1 / (1 + exp(-A(i))))`)");
  expectMarked(
      R"(def whole(float(N) A) -> (O) { O(i) = [[relu]](A) } #//! error tc.scope.10: there is no tensor or function `relu` | write `max(A(i), 0)`)");
  expectMarked(
      R"(def each(float(N) A) -> (O) { O = [[relu]](A) } #//! error tc.scope.10: there is no tensor or function `relu` | a statement defines each element: `O(i) = max(A(i), 0)`)");
  expectMarked(
      R"(def each_and_more(float(N) A) -> (O) { O = 1 + [[relu]](A) } #//! error tc.scope.10: there is no tensor or function `relu` | a statement defines each element: write `O(i)` and `max(A(i), 0)`)");
  expectMarked(
      R"(def chosen(float(N) A) -> (O) { O = [[where]]([[A]] > 0, A, 0) } #//! error tc.scope.10: there is no tensor or function `where` | a statement defines each element: `O(i) = A(i) > 0 ? A(i) : 0` //! error tc.scalar.3: expected a scalar, but `A` is a tensor with 1 dimension | it is defined here | a statement defines each element: write `O(i)` and `A(i)`)");
  expectMarked(
      R"(def other_order(float(N) A) -> (O) { O(i) = [[select]](A(i), 1, A(i) > 0) } #//! error tc.scope.10: there is no tensor or function `select` | `condition ? a : b` chooses a value; a number is compared: `A(i) != 0`)");
  expectMarked(
      R"(def sign_of(float(N) A) -> (O) { O(i) = [[sign]](A(i)) } #//! error tc.scope.10: there is no tensor or function `sign` | `A(i) > 0 ? 1 : A(i) < 0 ? -1 : 0` is the sign)");
  expectMarked(
      R"(def module(float(N) A) -> (O) { O(i) = math.[[exp]](A(i)) } #//! error tc.sizeexpr.7: expected the number of a dimension after `.`, found the name `exp` | functions are called by their names alone: `exp(...)` | fix: ``)");
  expectMarked(
      R"(def cast(int32(N) A) -> (O) { O(i) = float [[A]](i) } #//! error tc.type.19: expected `(` in a cast, found the name `A` | a cast is written like a function: `float(x)`)");
  expectMarked(
      R"(def shadowed(float(N) j0, float(N) A) -> (O) { O(i) = j0([[A(i)]]) } #//! error tc.expr.12: an index must be an integer, but `A(i)` has type `float` | `j0` is this tensor here, not the function)");
  expectMarked(
      R"(def scaled(float(N) A) -> (O) { O = 2 * [[A]] + 1 } #//! error tc.scalar.3: expected a scalar, but `A` is a tensor with 1 dimension | it is defined here | a statement defines each element: write `O(i)` and `A(i)`)");
}

/// Reductions as functions, with a fix if the statement's own operator can do it. [tc.scope.10,
/// tc.expr.2, tc.grammar.11]
TEST(TcMistakes, RejectsReductions) {
  expectMarked(
      R"(def sum_twice(float(N) A) -> (o) { o +=! [[sum]](A(i)) } #//! error tc.scope.10: there is no tensor or function `sum` | `+=!` combines the values over all index variables that are not on the left side | fix: `A(i)`)");
  expectMarked(
      R"(def sum_equals(float(M, N) A) -> (O) { O(i) = [[sum]](A(i, j)) } #//! error tc.scope.10: there is no tensor or function `sum` | `+=!` combines the values over all index variables that are not on the left side | fix: `+=!` | fix: `A(i, j)`)");
  expectMarked(
      R"(def max_equals(float(N) A) -> (o) { o = [[max(A(i))]] } #//! error tc.expr.2: `max` takes 2 arguments, but 1 is given | `max=!` combines the values over all index variables that are not on the left side | fix: `max=!` | fix: `A(i)`)");
  expectMarked(
      R"(def max_twice(float(N) A) -> (o) { o max=! [[max(A(i))]] } #//! error tc.expr.2: `max` takes 2 arguments, but 1 is given | `max=!` combines the values over all index variables that are not on the left side | fix: `A(i)`)");
  expectMarked(
      R"(def part(float(M, N) A) -> (O) { O(i) = 2 * [[sum]](A(i, j)) } #//! error tc.scope.10: there is no tensor or function `sum` | a statement of its own with `+=!` combines the values over all index variables that are not on its left side)");
  expectMarked(
      R"(def other_operator(float(N) A) -> (o) { o *=! [[sum]](A(i)) } #//! error tc.scope.10: there is no tensor or function `sum` | a statement of its own with `+=!` combines the values over all index variables that are not on its left side)");
  expectMarked(
      R"(def nothing_to_reduce(float(N) A) -> (O) { O(i) = [[sum]](A(i)) } #//! error tc.scope.10: there is no tensor or function `sum` | a statement of its own with `+=!` combines the values over all index variables that are not on its left side)");
  expectMarked(
      R"(def no_operator(float(N) A) -> (o) { o [[=!]] A(i) } #//! error tc.grammar.11: TC has no assignment operator `=!` | `=` assigns; the reductions are `+=!`, `*=!`, `min=!` and `max=!`)");
  expectMarked(R"(def logical_not(bool(N) A) -> (O) { O(i) =!A(i) })");
  expectMarked(
      R"(def whole(float(M, N) A) -> (s) { s = [[sum]](A) } #//! error tc.scope.10: there is no tensor or function `sum` | `+=!` combines the values over all index variables that are not on the left side | fix: `+=!` | fix: `A(i, j)`)");
  expectMarked(
      R"(def whole_max(float(N) A) -> (s) { s = [[max(A)]] } #//! error tc.expr.2: `max` takes 2 arguments, but 1 is given | `max=!` combines the values over all index variables that are not on the left side | fix: `max=!` | fix: `A(i)`)");
  expectMarked(
      R"(def whole_row(float(M, N) A) -> (O) { O(i) = [[sum]](A) } #//! error tc.scope.10: there is no tensor or function `sum` | a statement of its own with `+=!` combines the values over all index variables that are not on its left side)");
  expectMarked(
      R"(def with_axis(float(M, N) A) -> (O) { O(i) = [[sum]](A(i, j), j) } #//! error tc.scope.10: there is no tensor or function `sum` | `+=!` combines the values over all index variables that are not on the left side | write `O(i) +=! A(i, j)`)");
  expectMarked(
      R"(def axis_first(float(N) A) -> (o) { o = [[sum]](i, A(i)) } #//! error tc.scope.10: there is no tensor or function `sum` | `+=!` combines the values over all index variables that are not on the left side | write `o +=! A(i)`)");
  expectMarked(
      R"(def generator(float(N) A) -> (o) { o = sum(A(i) [[for]] i in 0:N) } #//! error tc.grammar.10: TC has no `for` | a statement of its own combines values: `s +=! A(i) where i in 0:N`)");
  expectMarked(
      R"(def nothing(float(N) A) -> (O) { O(i) [[=!]] A(i) } #//! error tc.grammar.11: TC has no assignment operator `=!` | nothing is reduced here | fix: `=`)");
  expectMarked(
      R"(def whole_init(float(N) A) -> (O) { O [[=!]] A } #//! error tc.grammar.11: TC has no assignment operator `=!` | `=` assigns; the reductions are `+=!`, `*=!`, `min=!` and `max=!` | an element is read as `A(i)`)");
  expectMarked(
      R"(def twice(float(N) A) -> (o) { o [[+=!!]] A(i) } #//! error tc.grammar.11: TC has no assignment operator `+=!!` | fix: `+=!`)");
  expectMarked(
      R"(def minus(float(N) A) -> (o) { o [[-=!]] A(i) } #//! error tc.grammar.11: TC has no assignment operator `-=!` | `+=!` with the negated value starts from 0 and subtracts)");
  expectMarked(
      R"(def bar(bool(N) A) -> (s) { s [[|=]] A(i) } #//! error tc.grammar.11: TC has no assignment operator `|=` | `max=` of values of type `bool` says whether any is true)");
  expectMarked(
      R"(def small(uint8(N) A) -> (s) { s = [[sum]](A(i)) } #//! error tc.scope.10: there is no tensor or function `sum` | `+=!` combines the values over all index variables that are not on the left side | write `s +=! int32(A(i))`: a small integer would wrap around)");
  expectMarked(
      R"(def misspelt(float(N) A) -> (O) { O(i) [[=]] A(ii) where i in 0:3 } #//! error tc.reduce.2: `ii` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `i` does not occur on the right side; perhaps it is meant in place of `ii`)");
  expectMarked(
      R"(def sum_and_more(float(M, N) A, float(N) B) -> (O) { O(i) [[=]] A(i, j) * B(j) + 1 } #//! error tc.reduce.2: `j` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `+=!` adds up, `*=!` multiplies, and `min=!` and `max=!` keep the smallest and the largest value)");
  expectMarked(
      R"(def maximum_of_both(float(N) A, float(N) B) -> (O) { O(i) [[=]] fmax(A(i), B(k)) } #//! error tc.reduce.2: `k` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `+=!` adds up, `*=!` multiplies, and `min=!` and `max=!` keep the smallest and the largest value)");
  expectMarked(
      R"(def other_index(float(N) A, float(N) B) -> (O) { O(i) [[=]] A(i) * B(k) } #//! error tc.reduce.2: `k` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `+=!` adds up, `*=!` multiplies, and `min=!` and `max=!` keep the smallest and the largest value)");
  expectMarked(
      R"(def only_in_where(float(N) A) -> (O) { O(i) [[=]] A(i) where j in 0:3 } #//! error tc.reduce.2: `j` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `j` occurs only after `where`; leave it out there if it is not needed)");
}

/// Logic in words and by bits. [tc.grammar.17, tc.scope.10, tc.grammar.4]
TEST(TcMistakes, RejectsLogic) {
  expectMarked(
      R"(def bits(int32(N) A) -> (O) { O(i) = A(i) [[&]] 1 } #//! error tc.grammar.17: TC has no operator `&` | there are no bitwise operators; `&&` combines conditions, and binds looser than comparisons)");
  expectMarked(
      R"(def bits_2(int32(N) A, int32(N) B) -> (O) { O(i) = A(i) [[|]] B(i) } #//! error tc.grammar.17: TC has no operator `|` | there are no bitwise operators; `||` combines conditions, and binds looser than comparisons)");
  expectMarked(
      R"(def grouping(bool(N) A, bool(N) B, bool(N) C) -> (O) { O(i) = A(i) [[&]] B(i) == C(i) } #//! error tc.grammar.17: TC has no operator `&` | there are no bitwise operators; `&&` combines conditions, and binds looser than comparisons)");
  expectMarked(
      R"(def numpy(float(N) A) -> (O) { O(i) = (A(i) > 0) [[&]] (A(i) < 5) } #//! error tc.grammar.17: TC has no operator `&` | fix: `&&`)");
  expectMarked(
      R"(def reference(float(N) [[&]]A) -> (O) { O(i) = A(i) } #//! error tc.grammar.17: TC has no operator `&` | `&&` is the logical and; there are no bitwise operators)");
  expectMarked(
      R"(def such_that(float(N) A) -> (O) { O(i) = A(i) [[|]] i in 0:N } #//! error tc.grammar.17: TC has no operator `|` | fix: `where`)");
  expectMarked(
      R"(def words(float(N) A) -> (O) { O(i) = A(i) > 0 [[and]] A(i) < 5 } #//! error tc.grammar.17: TC has no operator `and` | fix: `&&`)");
  expectMarked(
      R"(def numbers(float(N) A) -> (O) { O(i) = A(i) [[or]] A(i) } #//! error tc.grammar.17: TC has no operator `or` | `||` combines conditions; a number is compared: `A(i) != 0`)");
  expectMarked(
      R"(def comparison(float(N) A, float(N) B) -> (O) { O(i) = [[not]] A(i) < B(i) } #//! error tc.grammar.17: TC has no operator `not` | fix: `!(` | fix: `)`)");
  expectMarked(
      R"(def number(float(N) A) -> (O) { O(i) = [[not]] A(i) } #//! error tc.grammar.17: TC has no operator `not` | `!` negates a `bool`; a number is compared: `A(i) == 0`)");
  expectMarked(
      R"(def call(bool(N) A) -> (O) { O(i) = [[not]] (A(i) && A(i)) } #//! error tc.scope.10: there is no tensor or function `not` | fix: `!(A(i) && A(i))`)");
}

/// Constants and signs that TC does not have. [tc.reduce.2, tc.error.12, tc.lex.15]
TEST(TcMistakes, RejectsConstants) {
  expectMarked(
      R"(def constant(float(N) A) -> (O) { O(i) = A(i) > 0 ? [[true]] : false } #//! error tc.reduce.2: TC has no constant `true`, so this is an index variable | there are no literals of type `bool`; `1 == 1` is true)");
  expectMarked(
      R"(def reduced(float(N) A) -> (o) { o max=! A(i) > [[inf]] ? 1 : 0 } #//! error tc.error.12: cannot infer the range of `inf` | there is no literal for infinity; `1.0 / 0.0` computes it)");
  expectMarked(
      R"(def times(float(N) A) -> (O) { O(i) = A(i) [[×]] 2 } #//! error tc.lex.15: unexpected `×` | fix: `*`)");
}

/// `if` where `?:` is meant. [tc.grammar.19, tc.grammar.10]
TEST(TcMistakes, RejectsConditionals) {
  expectMarked(
      R"(def then(float(N) A) -> (O) { O(i) = [[if]] A(i) > 0 then A(i) else 0 } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b` | fix: `A(i) > 0 ? A(i) : 0`)");
  expectMarked(
      R"(def parentheses(float(N) A) -> (O) { O(i) = [[if]] (A(i) > 0) A(i) else 0 } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b` | fix: `(A(i) > 0) ? A(i) : 0`)");
  expectMarked(
      R"(def operand(float(N) A) -> (O) { O(i) = 2 * [[if]] A(i) > 0 then A(i) else 0 } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b` | fix: `(A(i) > 0 ? A(i) : 0)`)");
  expectMarked(
      R"(def after(float(N) A) -> (O) { O(i) = A(i) [[if]] A(i) > 0 else 0 } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b` | fix: `A(i) > 0 ? A(i) : 0`)");
  expectMarked(
      R"(def chain(float(N) A) -> (O) { O(i) = [[if]] A(i) > 0 then 1 else if A(i) < 0 then 2 else 3 } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b`)");
  expectMarked(
      R"(def no_else(float(N) A) -> (O) { O(i) = [[if]] A(i) > 0 then A(i) } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b`)");
  expectMarked(
      R"(def statement(float(N) A) -> (O) { [[if]] (A(i) > 0) O(i) = A(i) } #//! error tc.grammar.10: TC has no `if` | `condition ? a : b` chooses a value)");
  expectMarked(
      R"(def loop(float(N) A) -> (O) { [[for]] i in 0:N { O(i) = A(i) } } #//! error tc.grammar.10: TC has no `for` | loops are implied by index variables)");
  expectMarked(
      R"(def generator(float(N) A) -> (O) { O(i) = A(i) [[for]] i in 0:N } #//! error tc.grammar.10: TC has no `for` | fix: `where`)");
  expectMarked(
      R"(def returns(float(N) A) -> (O) { [[return]] A(i) } #//! error tc.grammar.10: TC has no `return` | a function returns the tensors that its head names: assign to them)");
  expectMarked(
      R"(def names(float(N) if, float(N) then, float else) -> (O) { O(i) = if (i) + then(i) - if(i) * else })");
  expectMarked(
      R"(def braces(float(N) A) -> (O) { O(i) = [[if]] (A(i) > 0) { A(i) } else { 0 } } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b` | fix: `(A(i) > 0) ? A(i) : 0`)");
  expectMarked(
      R"(def number(float(N) A) -> (O) { O(i) = [[if]] A(i) then 1 else 0 } #//! error tc.grammar.19: TC has no `if`; a value is chosen with `condition ? a : b` | a condition is a `bool`; a number is compared: `A(i) != 0`)");
  expectMarked(
      R"(def c_loop(float(N) A) -> (O) { [[for]] (int i = 0; i < N; i++) { O(i) = A(i) } } #//! error tc.grammar.10: TC has no `for` | loops are implied by index variables)");
}

/// Conditions and ranges after `where`. [tc.grammar.14, tc.grammar.15]
TEST(TcMistakes, RejectsConditions) {
  expectMarked(
      R"(def range_1(float(N) A) -> (O) { O(i) = A(i) where i in [[range(N)]] } #//! error tc.grammar.15: TC has no `range`; a range is written `lower:upper` | fix: `0:N`)");
  expectMarked(
      R"(def range_2(float(N) A) -> (O) { O(i) = A(i) where i in [[range(1, N)]] } #//! error tc.grammar.15: TC has no `range`; a range is written `lower:upper` | fix: `1:N`)");
  expectMarked(
      R"(def less(float(N) A) -> (O) { O(i) = A(i) where [[i < N]] } #//! error tc.grammar.14: `i < N` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N`)");
  expectMarked(
      R"(def greater(float(N) A) -> (O) { O(i) = A(i) where [[N > i]] } #//! error tc.grammar.14: `N > i` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N`)");
  expectMarked(
      R"(def from_3(float(N) A) -> (O) { O(i) = A(i) where [[i > 3]] } #//! error tc.grammar.14: `i > 3` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 4:N`)");
  expectMarked(
      R"(def chained(float(N) A) -> (O) { O(i) = A(i) where [[0 <= i < N]] } #//! error tc.grammar.14: `0 <= i < N` is a condition; `where` gives index variables a range | fix: `i in 0:N`)");
  expectMarked(
      R"(def both(float(N) A) -> (O) { O(i) = A(i) where [[i >= 0 && i < N]] } #//! error tc.grammar.14: `i >= 0 && i < N` is a condition; `where` gives index variables a range | fix: `i in 0:N`)");
  expectMarked(
      R"(def closed(float(N) A) -> (O) { O(i) = A(i) where [[0 < i <= N - 1]] } #//! error tc.grammar.14: `0 < i <= N - 1` is a condition; `where` gives index variables a range | fix: `i in 1:N`)");
  expectMarked(
      R"(def data(float(N) A) -> (O) { O(i) = A(i) where [[A(i) > 0]] } #//! error tc.grammar.14: `A(i) > 0` is a condition; `where` gives index variables a range | a condition chooses between values: `condition ? a : b`)");
  expectMarked(
      R"(def one_end(float(N) A) -> (O) { O(i) = A(i) where i in N [[}]] #//! error tc.grammar.15: expected `:` in a constraint, found `}` | a range has two ends, and the upper one is excluded: `i in 0:N`)");
  expectMarked(
      R"(def to(float(N) A) -> (O) { O(i) = A(i) where i in 0 [[to]] N } #//! error tc.grammar.15: expected `:` in a constraint, found the name `to` | a range has two ends, and the upper one is excluded: `i in 0:N`)");
  expectMarked(
      R"(def from_to(float(N) A) -> (O) { O(i) = A(i) where i [[from]] 0 to N } #//! error tc.grammar.15: expected `in` in a constraint, found the name `from` | a constraint is written `i in 0:N`)");
  expectMarked(
      R"(def colon(float(N) A) -> (O) { O([[:]]) = A(:) } #//! error tc.grammar.22: expected an expression, found `:` | an index variable stands for all positions: `O(i) = A(i)`)");
  expectMarked(
      R"(def third(float(N) A) -> (O) { O(i) = A(i) where [[i >= 0 && i < N && i != 3]] } #//! error tc.grammar.14: `i >= 0 && i < N && i != 3` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N` | a condition chooses between values: `condition ? a : b`)");
  expectMarked(
      R"(def data_too(float(N) A) -> (O) { O(i) = A(i) where [[i >= 0 && i < N && A(i) == 1]] } #//! error tc.grammar.14: `i >= 0 && i < N && A(i) == 1` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N` | a condition chooses between values: `condition ? a : b`)");
  expectMarked(
      R"(def words(float(N) A) -> (O) { O(i) = A(i) where [[i > 0 and i < N]] } #//! error tc.grammar.14: `i > 0 and i < N` is a condition; `where` gives index variables a range | fix: `i in 1:N`)");
  expectMarked(
      R"(def commas(float(N) A) -> (O) { O(i) = A(i) where [[i > 0, i < N]] } #//! error tc.grammar.14: `i > 0, i < N` is a condition; `where` gives index variables a range | fix: `i in 1:N`)");
  expectMarked(
      R"(def two(float(N, M) A) -> (O) { O(i, j) = A(i, j) where [[i > 0 && j < M]] } #//! error tc.grammar.14: `i > 0 && j < M` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 1:N, j in 0:M`)");
  expectMarked(
      R"(def two_ranges(float(N, M) A) -> (O) { O(i, j) = A(i, j) where [[0 <= i < N, 0 <= j < M]] } #//! error tc.grammar.14: `0 <= i < N, 0 <= j < M` is a condition; `where` gives index variables a range | fix: `i in 0:N, j in 0:M`)");
  expectMarked(
      R"(def from_1(float(N) A) -> (O) { O(i) = A(i) where [[1 <= i]] } #//! error tc.grammar.14: `1 <= i` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 1:N`)");
  expectMarked(
      R"(def below(float(N, N) A) -> (O) { O(i) +=! A(i, j) where [[j <= i]] } #//! error tc.grammar.14: `j <= i` is a condition; `where` gives index variables a range | bounds depend on sizes only; on the right side, a guard can compare index variables: `j <= i ? ... : 0`)");
  expectMarked(
      R"(def between(float(N, N) A) -> (O) { O(i) +=! A(i, j) where [[0 <= i < j]] } #//! error tc.grammar.14: `0 <= i < j` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N` | bounds depend on sizes only; on the right side, a guard can compare index variables: `i < j ? ... : 0`)");
  expectMarked(
      R"(def argument(float(N) A, int32 k) -> (O) { O(i) = A(i) where [[k > i]] } #//! error tc.grammar.14: `k > i` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:k`)");
  expectMarked(
      R"(def negated(float(N) A) -> (O) { O(i) = A(i) where [[not i < 3]] } #//! error tc.grammar.14: `not i < 3` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 3:N`)");
  expectMarked(
      R"(def negated_too(float(N) A) -> (O) { O(i) = A(i) where [[not (i < 3)]] } #//! error tc.grammar.14: `not (i < 3)` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 3:N`)");
  expectMarked(
      R"(def inside(float(N) A) -> (O) { O(i) = A(i) where i in 0:([[N && i > 3]]) } #//! error tc.sizeexpr.1: `N && i > 3` is not a size expression; those consist of integers, size variables, `T.0`, `+ - * / %`, `min` and `max`)");
  expectMarked(
      R"(def for_each(float(N) A) -> (O) { O(i) = A(i) where [[for]] i in 0:N } #//! error tc.grammar.10: TC has no `for` | fix: ``)");
  expectMarked(
      R"(def range_and(float(N) A) -> (O) { O(i) = A(i) where i in 0:9 and [[i > 3]] } #//! error tc.grammar.14: `i > 3` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 4:9`)");
  expectMarked(
      R"(def range_and_too(float(N) A) -> (O) { O(i) = A(i) where i in 1:N && [[i < 3]] } #//! error tc.grammar.14: `i < 3` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 1:3`)");
  expectMarked(
      R"(def shifted(float(N) A) -> (O) { O(i) = A(i) where [[i + 1 < N]] } #//! error tc.grammar.14: `i + 1 < N` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N - 1`)");
  expectMarked(
      R"(def in_parentheses(float(N) A) -> (O) { O(i) = A(i) where [[(0 <= i, i < N)]] } #//! error tc.grammar.14: `(0 <= i, i < N)` is a condition; `where` gives index variables a range | fix: `i in 0:N`)");
  expectMarked(
      R"(def no_index(float(N) A, int32 k) -> (O) { O(i) = A(i) where [[0 <= k < N]] } #//! error tc.grammar.14: `0 <= k < N` is a condition; `where` gives index variables a range | a condition chooses between values: `condition ? a : b`)");
  expectMarked(
      R"(def fraction(float(N) A) -> (O) { O(i) = A(i) where [[0.5 <= i < N]] } #//! error tc.grammar.14: `0.5 <= i < N` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N` | a condition chooses between values: `condition ? a : b`)");
  expectMarked(
      R"(def huge(float(N) A) -> (O) { O(i) = A(i) where [[0 <= i <= 9223372036854775807]] } #//! error tc.grammar.14: `0 <= i <= 9223372036854775807` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N` | a condition chooses between values: `condition ? a : b`)");
  expectMarked(
      R"(def given(float(N) A) -> (O) { O(i) = A(i) where [[0 <= i < N]], i in 0:N } #//! error tc.grammar.14: `0 <= i < N` is a condition; `where` gives index variables a range | a range has two ends, and the upper one is excluded: `i in 0:N`)");
  expectMarked(
      R"(def negative(float(N) A) -> (O) { O(i) = A(i) where [[-1 < i < N]] } #//! error tc.grammar.14: `-1 < i < N` is a condition; `where` gives index variables a range | fix: `i in 0:N`)");
  expectMarked(
      R"(def step(float(N) A) -> (O) { O(i) = A(i) where i in range(0, N, [[2]]) } #//! error tc.grammar.15: unexpected step in the range of `i`; ranges have none in TC | multiply the index where it is used: `A(2 * i)`)");
  expectMarked(
      R"(def semicolon(float(N) A) -> (s) { s +=! A(i) * j where i in 0:N[[;]] j in 0:3 } #//! error tc.grammar.14: `,` separates constraints, not `;` | fix: `,`)");
  expectMarked(
      R"(def parentheses(float(N) A) -> (O) { O(i) = A(i) where [[(]]i in 0:N) } #//! error tc.grammar.14: expected a constraint after `where`, found `(` | fix: `` | fix: ``)");
  expectMarked(
      R"(def comma_before(float(N) A) -> (O) { O(i) = A(i)[[,]] where i in 0:N } #//! error tc.grammar.22: unexpected trailing `,` | fix: ``)");
}

/// A tensor whose definition is in error counts as defined: no warning follows, and no fix that
/// would mend what is not wrong. [tc.op.5, tc.own.2, tc.order.7]
TEST(TcMistakes, ReportsNothingAfterAWrongDefinition) {
  for (StringRef first : {"O(i) = relu(A(i))", "O(i) =! A(i)", "O(i) = A + B", "O(i) = no(i)"})
    for (StringRef name : {"O", "t"}) {
      std::string line = first.str();
      line.replace(0, 1, name.str());
      std::string use = name == "t" ? "\n O(i) = t(i)" : "";
      SourceFile file("test.tc", "def f(float(N) A, float(N) B) -> (O) { " + line + "\n " +
                                     name.str() + "(i) += B(i)\n " + name.str() +
                                     "(i) max= int32(A(i))\n " + name.str() + "(i) = A(i)" + use +
                                     " }");
      DiagnosticEngine diagnostics;
      tcLanguage.check(file, {}, diagnostics);
      for (const Diagnostic &diagnostic : diagnostics.sorted())
        EXPECT_EQ(file.position(diagnostic.range.begin).line, 1u) << diagnostic.message;
    }
}

/// Names of elements are not repeated, and are no names of other things. [tc.scope.10]
TEST(TcMistakes, NamesElementsOfAnyRank) {
  auto hintFor = [](unsigned rank) {
    std::string sizes;
    for (unsigned i = 0; i < rank; ++i)
      sizes += (i ? ", N" : "N") + std::to_string(i);
    SourceFile file("test.tc", "def f(float(" + sizes + ") A) -> (s) { s = sum(A) }");
    DiagnosticEngine diagnostics;
    tcLanguage.check(file, {}, diagnostics);
    const Diagnostic &diagnostic = diagnostics.sorted().front();
    return diagnostic.fixits.empty() ? "" : diagnostic.fixits.back().replacement;
  };
  EXPECT_EQ(hintFor(20), "A(i, j, k, l, m, n, o, p, q, r, t, u, v, w, x, y, z, a, b, c)");
  EXPECT_EQ(hintFor(25), "A(i, j, k, l, m, n, o, p, q, r, t, u, v, w, x, y, z, a, b, c, d, e, f, "
                         "g, h)");
  EXPECT_EQ(hintFor(26), "");
}

/// The meaning of a name is found once, not for every condition.
TEST(TcMistakes, ReadsLongConditionsInLinearTime) {
  std::string program = "def f(float(N) A) -> (O) { O(i) = A(i) where i > 0";
  for (int i = 0; i < 9000; ++i)
    program += " && i > 0";
  SourceFile file("test.tc", program + " }");
  DiagnosticEngine diagnostics;
  auto begin = std::chrono::steady_clock::now();
  tcLanguage.check(file, {}, diagnostics);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

/// The range that suits all reads, or a condition around one. [tc.error.18]
TEST(TcMistakes, AdvisesOnStencils) {
  expectMarked(
      R"(def forward(float(N) A) -> (O) { O(i) = A(i) + A([[i + 1]]) where i in 0:N } #//! error tc.error.18: `i + 1` takes values in 1:N + 1, but dimension 0 of `A` has the range 0:N | `where i in 0:N - 1` limits `i` to where all reads are in range | `(i + 1 < N ? A(i + 1) : 0)` is 0 where this read is out of range)");
  expectMarked(
      R"(def both(float(N) A) -> (O) { O(i) = A([[i - 1]]) + A([[i + 1]]) where i in 0:N } #//! error tc.error.18: `i - 1` takes values in -1:N - 1, but dimension 0 of `A` has the range 0:N | `where i in 1:N - 1` limits `i` to where all reads are in range | `(i - 1 >= 0 ? A(i - 1) : 0)` is 0 where this read is out of range //! error tc.error.18: `i + 1` takes values in 1:N + 1, but dimension 0 of `A` has the range 0:N | `where i in 1:N - 1` limits `i` to where all reads are in range | `(i + 1 < N ? A(i + 1) : 0)` is 0 where this read is out of range)");
  expectMarked(
      R"(def numbers(float(10) A) -> (O) { O(i) = A([[i + 2]]) where i in 0:9 } #//! error tc.error.18: `i + 2` takes values in 2:11, but dimension 0 of `A` has the range 0:10 | `where i in 0:8` limits `i` to where all reads are in range | `(i + 2 < 10 ? A(i + 2) : 0)` is 0 where this read is out of range)");
  expectMarked(
      R"(def window(float(N) A) -> (O) { O(i) +=! A([[i + k]]) where i in 0:N, k in 0:3 } #//! error tc.error.18: `i + k` takes values in 0:N + 2, but dimension 0 of `A` has the range 0:N | `where i in 0:N - 2` limits `i` to where all reads are in range | `(i + k < N ? A(i + k) : 0)` is 0 where this read is out of range)");
  expectMarked(
      R"(def guarded(float(N) A) -> (O) { O(i) = A(i) + (i + 1 < N ? A(i + 1) : 0) where i in 0:N })");
  expectMarked(
      R"(def reversed(float(N) A) -> (O) { O(i) = A([[N - i]]) where i in 0:N } #//! error tc.error.18: `N - i` takes values in 1:N + 1, but dimension 0 of `A` has the range 0:N | `where i in 1:N` limits `i` to where all reads are in range | `(N - i < N ? A(N - i) : 0)` is 0 where this read is out of range)");
  expectMarked(
      R"(def scaled(float(N) A) -> (O) { O(i) = A([[2 * i]]) where i in 0:N } #//! warning tc.error.17: this requires N <= 1, which cannot be proved: dimension 0 of `A` has the range 0:N | it is checked in every call | `where i in 0:(N + 1) / 2` limits `i` to where all reads are in range | `(2 * i < N ? A(2 * i) : 0)` is 0 where this read is out of range)");
  expectMarked(
      R"(def alone(float(5) A) -> (o) { o = A([[8]]) } #//! error tc.error.18: `8` takes values in 8:9, but dimension 0 of `A` has the range 0:5 | the indices of `A` go from 0 to 4)");
}

} // namespace
