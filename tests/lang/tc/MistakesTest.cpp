/// What newcomers write, and what they are told, with a fix if it is certain what they mean.
#include "Marked.h"

using namespace tessera;
using namespace tessera::tc;

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
            "def f( float(N) A) -> (O) { O(i) = A(i) }");
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
      R"(def no_type(float(N) A, [[b]]) -> (O) { O(i) = A(i) * b } #//! error tc.grammar.5: parameter `b` has no type | a parameter is a type and a name: `float(N) b`)");
  expectMarked(
      R"(def typed_size(int32 N, float([[N]]) A) -> (O) { O(i) = A(i) } #//! error tc.scope.3: `N` is a tensor and cannot be a size variable | it is declared here | sizes are known from the tensors and need no parameter)");
  expectMarked(
      R"(def tensor([[tensor]](N) A) -> (O) { O(i) = A(i) } #//! error tc.type.3: unknown type `tensor` | a tensor is written with the type of its elements: `float(N)`, `int32(N, M)`)");
  expectMarked(
      R"(def bare_result(float(N) A) -> [[float(N) O]] { O(i) = A(i) } #//! error tc.grammar.3: the list of returned names needs parentheses | fix: `(` | fix: `)`)");
  expectMarked(
      R"(def no_result(float(N) A) [[{]] O(i) = A(i) } #//! error tc.grammar.3: expected `->` in the head of a function, found `{` | a function names what it returns: `-> (O) {`)");
  expectMarked(
      R"(def colon(float(N) A) -> (O)[[:]] O(i) = A(i) #//! error tc.grammar.3: expected `{` in the head of a function, found `:` | the statements of a function are enclosed in braces)");
  expectMarked(
      R"([[fn]] other(float(N) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.1: expected `def` at the top level, found the name `fn` | fix: `def`)");
  expectMarked(
      R"([[f]](float(N) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.1: expected `def` at the top level, found the name `f` | fix: `def `)");
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
      R"(def whole(float(N) A) -> (o) { o = [[sum]](A) } #//! error tc.scope.10: there is no tensor or function `sum` | a statement of its own with `+=!` combines the values over all index variables that are not on its left side)");
  expectMarked(
      R"(def no_operator(float(N) A) -> (o) { o [[=!]] A(i) } #//! error tc.grammar.11: TC has no assignment operator `=!` | the reductions are written `+=!`, `*=!`, `min=!` and `max=!`)");
  expectMarked(R"(def logical_not(bool(N) A) -> (O) { O(i) =!A(i) })");
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
      R"(def guarded(float(N) A) -> (O) { O(i) = A(i) + (i + 1 < N ? A(i + 1) : 0) where i in 0:N })");
}

} // namespace
