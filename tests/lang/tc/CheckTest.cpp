/// What the checker and range inference reject or warn of: one def and one diagnostic per mistake.
/// Defs without a mark are correct forms.
#include "Marked.h"

using namespace tessera;
using namespace tessera::tc;

namespace {

LanguageOptions strict() {
  LanguageOptions options;
  options.strict = true;
  return options;
}

LanguageOptions zeroBased() {
  LanguageOptions options;
  options.zeroBased = true;
  return options;
}

TEST(TcCheck, RejectsSignatures) { // [tc.error.2, tc.error.3, tc.error.9]
  expectMarked(R"(
def same_name(float(N) A) -> (O) { O(i) = A(i) }
def [[same_name]](float(N) A) -> (O) { O(i) = A(i) } #//! error tc.grammar.2: `same_name` is defined twice | the first definition is here
def two_arguments(float(N) A, float(N) [[A]]) -> (O) { O(i) = A(i) } #//! error tc.grammar.8: two parameters are named `A` | the other one
def two_returns(float(N) A) -> (O, [[O]]) { O(i) = A(i) } #//! error tc.grammar.8: `O` is returned twice | the first one
def no_statement(float(N) A) -> (O, [[P]]) { O(i) = A(i) } #//! error tc.grammar.9: `P` is returned, but no statement defines it
def misspelt(float(N) A) -> ([[Out]]) { out(i) = A(i) } #//! error tc.grammar.9: `Out` is returned, but no statement defines it | did you mean `out`, which a statement defines?
def argument_returned(float(N) A) -> (O, [[A]]) { O(i) = A(i) } #//! error tc.grammar.9: `A` is a parameter; a returned tensor must be defined by a statement | it is a parameter here
def argument_is_size(float(N) [[N]]) -> (O) { O = 1 } #//! error tc.scope.2: `N` is a size variable and cannot name a tensor | it is a size here
def return_is_size(float(N) A) -> ([[N]]) { N = 1 } #//! error tc.scope.2: `N` is a size variable and cannot name a tensor | it is a size here
def size_is_argument(float(N) A, float([[A]]) B) -> (O) { O(i) = A(i) } #//! error tc.scope.3: `A` is a tensor and cannot be a size variable | it is declared here | sizes are known from the tensors and need no parameter
def argument_is_function(float(N) [[exp]]) -> (O) { O(i) = exp(i) } #//! error tc.scope.9: `exp` is a built-in function and cannot name a tensor
def return_is_function(float(N) A) -> ([[log]]) { log(i) = A(i) } #//! error tc.scope.9: `log` is a built-in function and cannot name a tensor
def temporary_is_function(float(N) A) -> (O) { [[sqrt]](i) = A(i) O(i) = sqrt(i) } #//! error tc.scope.9: `sqrt` is a built-in function and cannot name a tensor
def size_is_function(float(log) A) -> (O) { O(j0) = A(j0) + log }
def size_of_nothing(float(N) A) -> (float([[M]]) O) { O(i) = A(i) } #//! error tc.type.12: no parameter has the size `M`, so a returned tensor cannot have it
def rank_differs(float(N) A) -> (float(N,N) O) { [[O]](i) = A(i) } #//! error tc.type.11: `O` is declared with 2 dimensions, but defined with 1 index | it is declared here
def narrower(float(N) A) -> (int32(N) O) { O(i) = [[A(i)]] } #//! error tc.type.11: `O` is declared as `int32`, but its value has type `float`, and narrowing needs a cast | it is declared here | if that is meant, write `int32(A(i))`
def narrower_and_long(double(N) A) -> (float(N) O) {
  O(i) = [[A(i) + # what is quoted stands on one line]] #//! error tc.type.11: `O` is declared as `float`, but its value has type `double`, and narrowing needs a cast | it is declared here | if that is meant, write `float(A(i) + 2 * A(i))`
      2 * A(i)
}
def wider(float(N) A, int16(N) B) -> (double(N) O, int32(N) P) { O(i) = A(i) P(i) = B(i) }
)");
}

TEST(TcCheck, RejectsNames) { // [tc.error.3, tc.error.4, tc.error.6]
  expectMarked(R"(
def left_is_size(float(N) A) -> (O) { O([[N]]) = A(N) } #//! error tc.scope.5: `N` is a size variable and cannot be an index variable
def left_is_tensor(float(N) A) -> (O) { O([[A]]) = 3 } #//! error tc.scope.5: `A` is a tensor and cannot be an index variable
def left_is_itself(float(N) A) -> (O) { O([[O]]) = 3 where O in 0:2 } #//! error tc.scope.5: `O` is a tensor and cannot be an index variable
def left_twice(float(N) A) -> (O) { O(i,[[i]]) = A(i) } #//! error tc.scope.8: the index `i` occurs twice on the left side | the first one
def writes_argument(float(N) A) -> (O) { [[A]](i) = 2 O(i) = A(i) } #//! error tc.scope.12: `A` is a parameter and cannot be changed | it is declared here
def writes_size(float(N) A) -> (O) { [[N]] = 3 O(i) = A(i) } #//! error tc.size.5: `N` is a size variable and cannot be assigned to | it is a size here
def indexes_size(float(N) A) -> (O) { O(i) = A(i) + [[N]](0) } #//! error tc.size.5: `N` is a size variable and cannot be indexed
def indexes_index(float(N) A) -> (O) { O(i) = A(i) + [[i]](0) } #//! error tc.scope.10: `i` is an index variable and cannot be indexed
def indexes_let(float(N) A) -> (O) { O(i) = [[x]](i) where x = A(i) } #//! error tc.scope.10: `x` is the name of an expression and cannot be indexed
def unknown_tensor(float(N) A) -> (O) { O(i) = A(i) + [[B2]](i) } #//! error tc.scope.10: there is no tensor or function `B2`
def unknown_function(float(N) A) -> (O) { O(i) = [[softplus]](A) } #//! error tc.scope.10: there is no tensor or function `softplus`
def misspelt_function(float(N) A) -> (O) { O(i) = [[Exp]](A(i)) } #//! error tc.scope.10: there is no tensor or function `Exp` | fix: `exp`
def read_before(float(N) A) -> (O, P) {
  P(i) = [[O]](i) #//! error tc.scope.11: `O` is not defined yet | it is defined only here
  O(i) = A(i)
}
def temporary_before(float(N) A) -> (O) {
  O(i) = [[t]](i) #//! error tc.scope.11: `t` is not defined yet | it is defined only here
  t(i) = A(i)
}
def scalar_before(float(N) A) -> (O) {
  O(i) = A(i) / [[t]] #//! error tc.scope.11: `t` is not defined yet | it is defined only here
  t +=! A(i)
}
def index_before(float(N) A) -> (O) {
  O(i) +=! A(t) where i in 0:2
  t +=! A(i)
}
def reads_itself(float(N) A) -> (O) { O(i) = [[O]](i) + A(i) } #//! error tc.scope.11: `O` is not defined yet | this statement is the first that defines it
def bare(float(M,N) A) -> (O) { O(i,j) = [[A]] } #//! error tc.scalar.3: expected a scalar, but `A` is a tensor with 2 dimensions | it is defined here | fix: `A(i, j)`
def bare_with_others(float(N) A, float(M) B) -> (O) { O(i,j) = B(j) + [[A]] } #//! error tc.scalar.3: expected a scalar, but `A` is a tensor with 1 dimension | it is defined here
def indexed_scalar(float(N) A, float a) -> (O) { O(i) = A(i) * [[a(i)]] } #//! error tc.scalar.4: `a` is a scalar and takes no index, but is read with 1 index | it is defined here
def too_few_indices(float(M,N) A) -> (O) { O(i) = [[A(i)]] } #//! error tc.expr.11: `A` has 2 dimensions, but is read with 1 index | it is defined here
def too_many_indices(float(N) A) -> (O) { O(i) = [[A(i,i)]] } #//! error tc.expr.11: `A` has 1 dimension, but is read with 2 indices | it is defined here
def float_index(float(N) A) -> (O) { O(i) = A([[i + 0.5]]) where i in 0:2 } #//! error tc.expr.12: an index must be an integer, but `i + 0.5` has type `float` | write `int32(i + 0.5)` to round towards zero
def bool_index(float(N) A) -> (O) { O(i) = A([[i > 0]]) where i in 0:2 } #//! error tc.expr.12: an index must be an integer, but `i > 0` has type `bool` | write `int32(i > 0)`
def data_index(float(N) A, int32(M) P) -> (O) { O(i) = P([[A(i)]]) } #//! error tc.expr.12: an index must be an integer, but `A(i)` has type `float` | write `int32(A(i))` to round towards zero
)");
}

TEST(TcCheck, RejectsTypes) { // [tc.error.7, tc.error.8]
  expectMarked(R"(
def int_condition(int32(N) A) -> (O) { O(i) = [[A(i)]] ? 1 : 0 } #//! error tc.type.16: the condition of `?:` must be `bool`, but `A(i)` has type `int32` | compare it: `A(i) != 0`
def float_logic(float(N) A) -> (O) { O(i) = A(i) > 0 || [[A(i)]] } #//! error tc.type.16: an operand of `||` must be `bool`, but `A(i)` has type `float` | compare it: `A(i) != 0`
def int_not(int32(N) A) -> (O) { O(i) = ![[A(i)]] } #//! error tc.type.16: the operand of `!` must be `bool`, but `A(i)` has type `int32` | compare it: `A(i) != 0`
def one_for_two(float(N) A) -> (O) { O(i) = [[pow(A(i))]] } #//! error tc.expr.5: `pow` takes 2 arguments, but 1 is given
def none_for_one(float(N) A) -> (O) { O(i) = [[exp()]] where i in 0:N } #//! error tc.expr.5: `exp` takes 1 argument, but 0 are given
def three_for_max(float(N) A) -> (O) { O(i) = [[max(A(i), 1, 2)]] } #//! error tc.expr.2: `max` takes 2 arguments, but 3 are given | fix: `max(max(A(i), 1), 2)`
def one_for_min(float(N) A) -> (O) { O(i) = [[min(A(i))]] } #//! error tc.expr.2: `min` takes 2 arguments, but 1 is given | a statement of its own with `min=!` combines the values over all index variables that are not on its left side
def large_int() -> (a) { a = [[9223372036854775808]] } #//! error tc.lex.10: `9223372036854775808` does not fit `int64`; the largest is 9223372036854775807
def large_float(float(N) A) -> (O) { O(i) = A(i) + [[1e999]] } #//! error tc.lex.10: `1e999` does not fit `float`; the largest is about 3.4e+38
def double_in_float(float(N) A) -> (O) { O(i) = A(i) + [[1e39]] } #//! error tc.lex.10: `1e39` does not fit `float`; the largest is about 3.4e+38 | it fits `double`: `double(1e39)`
def named_float(float(N) A) -> (O) { O(i) = A(i) + x * x where x = [[1e39]] } #//! error tc.lex.10: `1e39` does not fit `float`; the largest is about 3.4e+38 | it fits `double`: `double(1e39)`
def half_cast() -> (a) { a = half([[1e6]]) } #//! error tc.lex.10: `1e6` does not fit `half`; the largest is about 6.55e+4
def fits_double(double(N) A) -> (O) { O(i) = A(i) + 1e39 + double(-1e300) + double((1e300)) }
def later_narrower(int32(N) A, float(N) B) -> (O) {
  O(i) = A(i)
  O(i) += [[B(i)]] #//! error tc.order.7: `O` has type `int32`, but this value has type `float`, and narrowing needs a cast | it was defined here | if that is meant, write `int32(B(i))`
}
def counts_into_bool(bool(N) A) -> (bool s) { s +=! [[A(i)]] } #//! error tc.type.11: `s` is declared as `bool`, but its value has type `int32`, and narrowing needs a cast | it is declared here | `max=` computes whether any is true, `min=` whether all are
def chooses_from_bool(bool(N) A) -> (bool s) { s max=! A(i) }
def other_rank(float(N) A) -> (O) {
  O(i) = A(i)
  [[O]](i,j) = A(i) + A(j) #//! error tc.order.6: `O` has 2 indices, but was defined with 1 index | it was defined here
}
)");
}

TEST(TcCheck, RejectsReductions) { // [tc.error.5, tc.error.14, tc.error.16]
  expectMarked(R"(
def one(float(M,K) A, float(K,N) B) -> (C) { C(m,n) [[=]] A(m,k) * B(k,n) } #//! error tc.reduce.2: `k` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `+=!` adds up | fix: `+=!`
def two(float(M,N) A) -> (s) { s [[=]] A(i,j) } #//! error tc.reduce.2: `i`, `j` are not on the left side, so this is a reduction over them, and `=` cannot reduce | is reduced over | is reduced over | `+=!` adds up | fix: `+=!`
def in_where(float a) -> (s) { s [[=]] a where i in 0:3 } #//! error tc.reduce.2: `i` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `i` occurs only after `where`; leave it out there if it is not needed
def no_such_scalar(float(N) A) -> (O) { O(i) [[=]] A(i) + B } #//! error tc.reduce.2: `B` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | no tensor and no size variable is called `B`, so it is an index variable
def misspelt_scalar(float(N) A, float scale) -> (O) { O(i) [[=]] A(i) * Scale } #//! error tc.reduce.2: `Scale` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | no tensor and no size variable is called `Scale`, so it is an index variable | fix: `scale`
def only_in_range(float a) -> (s) { s +=! a where [[i]] in 0:3 } #//! warning tc.reduce.8: `i` occurs only after `where`: the statement is repeated for each of its values
def only_in_exists(float a, float(N) A) -> (s) { s +=! a where exists A([[i]]) } #//! warning tc.reduce.8: `i` occurs only after `where`: the statement is repeated for each of its values
def in_let(float(N) A) -> (s) { s +=! x where x = A(i) }
def left_only(float(N) A) -> (O) { O(i,[[j]]) = A(i) } #//! error tc.where.4: the range of `j` is unknown: it does not occur on the right side | give it one: `where j in 0:N`
def left_only_by_its_name(float(N) A, float(K) B) -> (O) { O(i,[[k]]) = A(i) } #//! error tc.where.4: the range of `k` is unknown: it does not occur on the right side | give it one: `where k in 0:K`
def left_only_without_sizes() -> (O) { O([[i]]) = 1 } #//! error tc.where.4: the range of `i` is unknown: it does not occur on the right side | give it one: `where i in 0:10`
def left_in_exists(float(N) A, float a) -> (O) { O(i) = a where exists A(i) }
def adds(float(N) A) -> (O) { O(i) [[+=]] A(i) } #//! warning tc.op.5: `O` is combined with what the caller passes in; `+=!` would start from 0 | if that is meant, pass the initial value: `--init O=...` | fix: `+=!`
def multiplies(float(N) A) -> (p) { p [[*=]] A(i) } #//! warning tc.op.5: `p` is combined with what the caller passes in; `*=!` would start from 1 | if that is meant, pass the initial value: `--init p=...` | fix: `*=!`
def minimum(float(N) A) -> (m) { m [[min=]] A(i) } #//! warning tc.op.5: `m` is combined with what the caller passes in; `min=!` would start from the largest value | if that is meant, pass the initial value: `--init m=...` | fix: `min=!`
def maximum(float(N) A) -> (m) { m [[max=]] A(i) } #//! warning tc.op.5: `m` is combined with what the caller passes in; `max=!` would start from the smallest value | if that is meant, pass the initial value: `--init m=...` | fix: `max=!`
def defined_before(float(N) A) -> (O) { O(i) = A(i) O(i) += A(i) }
def temporary(float(N) A) -> (O) { t [[+=]] A(i) O(i) = A(i) / t } #//! error tc.own.2: the temporary tensor `t` is accumulated into before it has a value | fix: `+=!`
def own_read(float(N) A) -> (O) {
  O(i) = A(i)
  O(i) +=! [[O(N-1-i)]] #//! error tc.order.5: this statement initializes `O` and reads it at other indices | `!` discards what `O` held; copy it to another tensor first
}
def own_read_in_lets(float(N) A) -> (O) {
  O(i) = A(i)
  O(i) +=! x40 where x0 = [[O(N-1-i)]], x1 = x0+x0, x2 = x1+x1, x3 = x2+x2, x4 = x3+x3, x5 = x4+x4, x6 = x5+x5, x7 = x6+x6, x8 = x7+x7, x9 = x8+x8, x10 = x9+x9, x11 = x10+x10, x12 = x11+x11, x13 = x12+x12, x14 = x13+x13, x15 = x14+x14, x16 = x15+x15, x17 = x16+x16, x18 = x17+x17, x19 = x18+x18, x20 = x19+x19, x21 = x20+x20, x22 = x21+x21, x23 = x22+x22, x24 = x23+x23, x25 = x24+x24, x26 = x25+x25, x27 = x26+x26, x28 = x27+x27, x29 = x28+x28, x30 = x29+x29, x31 = x30+x30, x32 = x31+x31, x33 = x32+x32, x34 = x33+x33, x35 = x34+x34, x36 = x35+x35, x37 = x36+x36, x38 = x37+x37, x39 = x38+x38, x40 = x39+x39 #//! error tc.order.5: this statement initializes `O` and reads it at other indices | `!` discards what `O` held; copy it to another tensor first
}
def own_read_in_place(float(N) A) -> (O) {
  O(i) = A(i)
  O(i) +=! O(i) + 1
}
)");
}

TEST(TcCheck, RejectsClauses) { // [tc.error.10, tc.error.11]
  expectMarked(R"(
def read(float(N) A, int32(M) S) -> (O) { O(i) = A(i) where i in 0:[[S(0)]] } #//! error tc.sizeexpr.2: a bound cannot read the tensor `S` | bounds are known before tensors are; the sizes of `S` are `S.0`, ...
def read_inside(float(N) A, int32(M) S) -> (O) { O(i) = A(i) where i in N-[[S(0)]]:N } #//! error tc.sizeexpr.2: a bound cannot read the tensor `S` | bounds are known before tensors are; the sizes of `S` are `S.0`, ...
def tensor(float(N) A, int32(M) S) -> (O) { O(i) = A(i) where i in 0:[[S]] } #//! error tc.sizeexpr.2: a bound cannot read the tensor `S` | its sizes are `S.0`, ...
def computed(float(N) A) -> (O) {
  k +=! int32(A(i) > 0)
  O(i) = A(i) where i in 0:[[k]] #//! error tc.sizeexpr.5: `k` is computed by the program, so no range can depend on it
}
def index(float(M,M) A) -> (O) { O(m) +=! A(m,r) where r in [[m]]:M } #//! error tc.sizeexpr.3: the index variable `m` cannot be used in a bound; bounds depend on sizes only | choose with `?:` on the right side which of its values count
def float_literal(float(N) A) -> (O) { O(i) = A(i) where i in 0:[[N*0.5]] } #//! error tc.sizeexpr.4: a bound must be an integer, but `N*0.5` has type `float`
def float_argument(float(N) A, float x) -> (O) { O(i) = A(i) where i in [[x]]:N } #//! error tc.sizeexpr.4: a bound must be an integer, but `x` has type `float`
def unknown(float(M,N) A) -> (O) { O(i) = A(i,0) where i in 0:[[Quot]] } #//! error tc.sizeexpr.6: there is no size variable `Quot` | the parameters have the sizes `M`, `N`
def misspelt(float(N) A) -> (O) { O(i) = A(i) where i in 0:[[n]] } #//! error tc.sizeexpr.6: there is no size variable `n` | fix: `N`
def unknown_without_sizes() -> (O) { O(i) = 1 where i in 0:[[n]] } #//! error tc.sizeexpr.6: there is no size variable `n`
def conditional(float(N) A) -> (O) { O(i) = A(i) where i in 0:([[N > 2 ? 2 : N]]) } #//! error tc.sizeexpr.1: `N > 2 ? 2 : N` is not a size expression; those consist of integers, size variables, `T.0`, `+ - * / %`, `min` and `max`
def comparison(float(N) A) -> (O) { O(i) = A(i) where i in 0:[[N > 2]] } #//! error tc.sizeexpr.1: `N > 2` is not a size expression; those consist of integers, size variables, `T.0`, `+ - * / %`, `min` and `max`
def negation(float(N) A) -> (O) { O(i) = A(i) where i in 0:[[!N]] } #//! error tc.sizeexpr.1: `!N` is not a size expression; those consist of integers, size variables, `T.0`, `+ - * / %`, `min` and `max`
def function(float(N) A) -> (O) { O(i) = A(i) where i in 0:[[sqrt(N)]] } #//! error tc.sizeexpr.1: `sqrt(N)` is not a size expression; those consist of integers, size variables, `T.0`, `+ - * / %`, `min` and `max`
def cast(float(N) A) -> (O) { O(i) = A(i) where i in 0:[[int32(N)]] } #//! error tc.sizeexpr.1: `int32(N)` is not a size expression; those consist of integers, size variables, `T.0`, `+ - * / %`, `min` and `max`
def named(float(N) A) -> (O) { O(i) = A(i) where x = int32(A(0)), i in 0:[[x]] } #//! error tc.sizeexpr.1: `x` is not a size expression; those consist of integers, size variables, `T.0`, `+ - * / %`, `min` and `max`
def size_has_range(float(N) A) -> (O) { O(i) = A(i) where [[N]] in 0:2 } #//! error tc.where.5: `N` is a size variable; only an index variable has a range
def tensor_has_range(float(N) A) -> (O) { O(i) = A(i) where [[A]] in 0:2 } #//! error tc.where.5: `A` is a tensor; only an index variable has a range
def name_has_range(float(N) A) -> (O) { O(i) = A(i) * x where x = 2, [[x]] in 0:2 } #//! error tc.where.5: `x` is the name of an expression; only an index variable has a range
def two_ranges(float(N) A) -> (O) { O(i) = A(i) where i in 0:N, [[i]] in 1:N } #//! error tc.where.6: `i` has two ranges, 0:N and 1:N | the first one
def name_is_tensor(float(N) A, float x) -> (O) { O(i) = A(i) * x where [[x]] = 2.0 } #//! error tc.where.11: `x` is already a tensor and cannot name an expression
def name_is_size(float(N) A) -> (O) { O(i) = A(i) * N where [[N]] = 2.0 } #//! error tc.where.11: `N` is already a size variable and cannot name an expression
def name_is_index(float(N) A) -> (O) { O(i) = A(i) where [[i]] = 2.0 } #//! error tc.where.11: `i` is already an index variable and cannot name an expression
def name_has_range_before(float(N) A) -> (O) { O(i) = A(i) * x where x in 0:2, [[x]] = 2 } #//! error tc.where.11: `x` is already an index variable and cannot name an expression
def name_of_itself(float(N) A) -> (O) { O(i) = A(i) * x where x = [[x]] + 1 } #//! error tc.where.11: `x` cannot be used in the expression that it names | it is named here
def name_twice(float(N) A) -> (O) { O(i) = A(i) * x where x = 2.0, [[x]] = 3.0 } #//! error tc.where.11: `x` is already the name of an expression and cannot name an expression
def size_of_size(float(N) A) -> (O) { O(i) = A(i) / [[N]].0 } #//! error tc.sizeexpr.9: `N` is not a tensor, so it has no dimension 0
def size_of_index(float(N) A) -> (O) { O(i) = A(i) / [[i]].0 } #//! error tc.sizeexpr.9: `i` is not a tensor, so it has no dimension 0
def size_before(float(N) A) -> (O, P) { P(i) = A(i) where i in 0:[[O]].0 O(i) = A(i) } #//! error tc.sizeexpr.9: `O` is not defined yet | it is defined only here
def size_too_far(float(N) A) -> (O) { O(i) = A(i) / A.[[1]] } #//! error tc.sizeexpr.9: `A` has 1 dimension, numbered from 0; there is no dimension 1
def everything(float(N) A, int32 k) -> (O) {
  O(i) +=! A(i) * x where i in max(0, k):min(N, 2*A.0-N%2), j in -1:k/2, x = j * y, y in 0:1
}
)");
}

TEST(TcCheck, RejectsCalls) {
  expectMarked(R"(
def ends(float(N) A) -> (lo, hi) { lo min=! A(i) hi max=! A(i) }
def sum(float(N) A) -> (s) { s +=! A(i) }
def scale(float(N) A, int32 k) -> (O) { O(i) = A(i) * k }
def unknown_def(float(N) X) -> (a, b) { a, b = [[both]](X) } #//! error tc.call.3: there is no function `both`
def misspelt_def(float(N) X) -> (a, b) { a, b = [[end]](X) } #//! error tc.call.3: there is no function `end` | did you mean `ends`?
def twice(float(N) X) -> (a) { a, [[a]] = ends(X) } #//! error tc.call.1: `a` is listed twice among the results
def expression(float(N) X) -> (a, b) { a, b = ends([[2 * X]]) } #//! error tc.call.4: `2 * X` is not a name; a function is called with names of tensors | define a tensor with this value in a statement of its own
def expression_for_one(float(N) X) -> (a) { a = sum([[X(0)]]) } #//! error tc.call.4: `X(0)` is not a name; a function is called with names of tensors | define a tensor with this value in a statement of its own
def unknown_tensor(float(N) X) -> (a, b) { a, b = ends([[Other]]) } #//! error tc.call.4: there is no tensor `Other`
def misspelt_tensor(float(N) X) -> (a, b) { a, b = ends([[x]]) } #//! error tc.call.4: there is no tensor `x` | fix: `X`
def passes_size(float(N) X) -> (a, b) { a, b = ends([[N]]) } #//! error tc.call.4: there is no tensor `N` | `N` is a size variable
def too_early(float(N) X) -> (a) {
  a = sum([[t]]) #//! error tc.scope.11: `t` is not defined yet | it is defined only here
  t(i) = X(i)
}
def too_many_arguments(float(N) X) -> (a, b) { a, b = [[ends]](X, X) } #//! error tc.call.5: `ends` takes 1 argument, but 2 are given | `ends` is defined here
def too_few_arguments(float(N) X) -> (a) { a = [[scale]](X) } #//! error tc.call.5: `scale` takes 2 arguments, but 1 is given | `scale` is defined here
def too_few_results(float(N) X) -> (a) { a = [[ends]](X) } #//! error tc.call.5: `ends` returns 2 tensors, but 1 is named | `ends` is defined here
def too_many_results(float(N) X) -> (a, b) { a, b = [[sum]](X) } #//! error tc.call.5: `sum` returns 1 tensor, but 2 are named | `sum` is defined here
def other_type(int32(N) X) -> (a) { a = sum([[X]]) } #//! error tc.call.5: `X` is `int32` with 1 dimension, but parameter `A` of `sum` is `float` with 1 dimension | it is declared here
def other_rank(float(M,N) X) -> (a) { a = sum([[X]]) } #//! error tc.call.5: `X` is `float` with 2 dimensions, but parameter `A` of `sum` is `float` with 1 dimension | it is declared here
def scalar(float X) -> (a) { a = sum([[X]]) } #//! error tc.call.5: `X` is a scalar `float`, but parameter `A` of `sum` is `float` with 1 dimension | it is declared here
def vector(float(N) X, int32(N) Y) -> (O) { O = scale(X, [[Y]]) } #//! error tc.call.5: `Y` is `int32` with 1 dimension, but parameter `k` of `scale` is a scalar `int32` | it is declared here
def result_type(float(N) X) -> (s) {
  s = 1
  [[s]] = sum(X) #//! error tc.call.8: `s` is a scalar `int32`, but result `s` of `sum` is a scalar `float` | it was defined here
}
def declared_result(float(N) X) -> (double s) { [[s]] = sum(X) } #//! error tc.call.8: `s` is a scalar `double`, but result `s` of `sum` is a scalar `float` | it is declared here
def declared_rank(float(N) X) -> (float(N) s) { [[s]] = sum(X) } #//! error tc.call.8: `s` is `float` with 1 dimension, but result `s` of `sum` is a scalar `float` | it is declared here
def into_argument(float(N) X, float s) -> (O) {
  [[s]] = sum(X) #//! error tc.scope.12: `s` is a parameter and cannot be changed | it is declared here
  O = s
}
def in_expression(float(N) X) -> (a) { a = 2 * [[sum]](X) } #//! error tc.call.9: the function `sum` cannot be called inside an expression | call it in a statement of its own: `t = sum(...)`
def in_expression_with_index(float(N) X) -> (a) { a = 2 * [[sum]](X(i)) } #//! error tc.call.9: the function `sum` cannot be called inside an expression | call it in a statement of its own: `t = sum(...)`
def into_elements(float(N) X) -> (O) { O(i) = [[scale]](X) } #//! error tc.call.9: the function `scale` cannot be called inside an expression | call it in a statement of its own: `t = scale(...)`
def added(float(N) X) -> (a) { a = 0.0 a += [[sum]](X) } #//! error tc.call.9: the function `sum` cannot be called inside an expression | call it in a statement of its own: `t = sum(...)`
def itself(float(N) A) -> (O) { O = [[itself]](A) } #//! error tc.call.10: `itself` calls itself; TC has no recursion
def a(float(N) A) -> (O) { O = b(A) }
def b(float(N) A) -> (O) { O = c(A) }
def c(float(N) A) -> (O) { O = [[a]](A) } #//! error tc.call.10: `a` calls itself through `b`, `c`; TC has no recursion
def accumulate(float(N) A) -> (s) { s [[+=]] A(i) } #//! warning tc.op.5: `s` is combined with what the caller passes in; `+=!` would start from 0 | if that is meant, pass the initial value: `--init s=...` | fix: `+=!`
def passed_on(float(N) A) -> (s) { [[s]] = accumulate(A) } #//! warning tc.op.5: `s` is combined with what the caller passes in, because `accumulate` accumulates into its result | `s` is combined with what it held before | a statement before the call can define `s`
def temporary(float(N) A) -> (O) { [[s]] = accumulate(A) O(i) = s * A(i) } #//! error tc.own.2: the temporary tensor `s` is accumulated into before it has a value | `s` is combined with what it held before | a statement before the call can define `s`
def continued(float(N) A) -> (s) { s = 1.0 s = accumulate(A) }
)");
}

TEST(TcCheck, RejectsRanges) {
  expectMarked(R"(
def sum_of_two(float(N) A) -> (s) { s +=! A([[i]] + j) } #//! error tc.error.12: cannot infer the range of `i` and `j` | and of this | give one of them a range: `where i in 0:10`
def by_its_name(float(N) A, float(K) B) -> (O) { O([[k]],n) = k == 0 ? A(n) : 0 } #//! error tc.error.12: cannot infer the range of `k` | give it a range: `where k in 0:K`
def of_zero(float(N) A) -> (O) { O([[i]]) = A(0 * i) } #//! error tc.error.12: cannot infer the range of `i` | `0 * i` is the same for every `i` | give it a range: `where i in 0:10`
def beside_data(float(N) A, int32(M) P) -> (O) { O(i,[[k]]) = A(P(i) + k) } #//! error tc.error.12: cannot infer the range of `k` | no range can be inferred from an index that depends on the elements of a tensor | give it a range: `where k in 0:10`
def value(float(N) A) -> (s) { s +=! A(i) + [[Missing]] } #//! error tc.error.12: cannot infer the range of `Missing` | no tensor and no size variable is called `Missing`, so it is an index variable | give it a range: `where Missing in 0:10`
def too_wide(float(3) A, float(5) W) -> (O) { O([[i]]) +=! A(i + k) * W(k) } #//! error tc.error.13: no range is left for `i`: it would begin at 0 and end before -1 | `i` is at least 0 | `i` is below -1
def backwards() -> (O) { O(i) = 1 where i in [[8:4]] } #//! error tc.where.8: the range of `i` ends before it begins: 8:4
def always_outside(float(2) A) -> (O) { O(i) = A([[i]]) where i in 0:3 } #//! error tc.error.18: `i` takes values in 0:3, but dimension 0 of `A` has the range 0:2 | `where i in 0:2` limits `i` to where all reads are in range | `(i < 2 ? A(i) : 0)` is 0 where this read is out of range
def not_proved(float(N) A) -> (O) { O(i) = A([[i]]) where i in 0:3 } #//! warning tc.error.17: this requires 3 <= N, which cannot be proved: dimension 0 of `A` has the range 0:N | it is checked in every call
def lookup(float(E) T, int32(N) P) -> (O) { O(i) = T([[P(i)]]) } #//! warning tc.error.17: this requires 0 <= P(i) < E, which cannot be proved: it depends on the elements of a tensor | with --checked, `run` stops where it is violated
def guard_too_weak(float(N) A) -> (O) { O(i) = i >= 1 ? A([[i-2]]) : 0 where i in 0:N } #//! warning tc.error.17: this requires 0 <= i-2, which cannot be proved: the conditions around it do not imply it | it is checked in every call
def guarded(float(N) A) -> (O) { O(i) = i >= 2 ? A(i-2) : 0 where i in 0:N }
def factor(float(N) A, int32 k) -> (O) { O(i) = A([[k*i]]) } #//! warning tc.error.17: this requires 1 <= max(k, -k), which cannot be proved: an index variable is multiplied by k in `k*i` | it is checked in every call
def covers_more(float(4) A) -> (O) {
  O(i) = A(i) where i in 0:2
  [[O]](i) = A(i) where i in 0:3 #//! error tc.order.8: this covers 0:3 in dimension 0 of `O`, which was defined with the range 0:2 | it was defined here
}
def may_cover_more(float(N) A, float(M) B) -> (O) {
  O(i) = A(i)
  [[O]](i) = B(i) #//! warning tc.error.17: this requires M <= N, which cannot be proved: dimension 0 of `O` was defined with the range 0:N, but this covers 0:M | it is checked in every call
}
def declared_size(float(4) A) -> (float([[5]]) O) { O(i) = A(i) } #//! error tc.type.12: dimension 0 of `O` is declared as `5`, but has 4 elements | it is defined here
def maybe_declared_size(float(N) A, float(M) B) -> (float([[M]]) O) { O(i) = A(i) } #//! warning tc.error.17: this requires M == N, which cannot be proved: `O` has N elements in dimension 0 | it is checked in every call
def dot(float(N) X, float(N) Y) -> (s) { s +=! X(i) * Y(i) }
def three(float(3) X) -> (s) { s +=! X(i) }
def sizes_differ(float(4) A, float(5) B) -> (s) { s = dot(A, [[B]]) } #//! error tc.call.6: size `N` of `dot` is 4 in `A`, but 5 in `B` | it is declared here
def maybe_sizes_differ(float(M) A, float(N) B) -> (s) { s = dot(A, [[B]]) } #//! warning tc.error.17: this requires M == N, which cannot be proved: `B` is passed to `dot` | it is checked in every call | this is the size it must have
def size_is_not_three(float(4) A) -> (s) { s = three([[A]]) } #//! error tc.call.6: dimension 0 of parameter `X` of `three` has size 3, but `A` has 4 | it is declared here
def copy(float(N) A) -> (O) { O(i) = A(i) }
def result_range(float(4) A, float(5) B) -> (O) {
  O = copy(A)
  [[O]] = copy(B) #//! error tc.order.8: this result has the range 0:5 in dimension 0, but `O` was defined with 0:4 | it was defined here
}
def maybe_result_range(float(M) A, float(N) B) -> (O) {
  O = copy(A)
  [[O]] = copy(B) #//! warning tc.error.17: this requires N == M, which cannot be proved: dimension 0 of `O` was defined with the range 0:M | it is checked in every call
}
def below_zero(float(N) A) -> (O) { O([[i]]) = A(i+1) } #//! note tc.own.9: the range of `i` begins at -1: element 0 of `O` is the one at index -1
def too_large() -> (O) { O(i) = 1 where i in 0:[[4611686018427387904 * 4]] } #//! error tc.limit.3: a size in `4611686018427387904 * 4` is too large to be computed in 64 bits
def head(float(N) A, int32 n) -> (O) { O(i) = A([[i]]) where i in 0:[[n]] } #//! warning tc.error.17: this requires n <= N, which cannot be proved: dimension 0 of `A` has the range 0:N | it is checked in every call //! error tc.sizeexpr.5: `n` is computed by the program, so no range can depend on it | in this call of `head`
def counted(float(N) A) -> (O) {
  k +=! int32(A(i) > 0)
  O = head(A, k)
}
)");
}

TEST(TcCheck, StrictRejectsExtensions) {
  expectMarked(R"(
def temporary(float(N) A) -> (O) { [[t]](i) = A(i) * 2 O(i) = t(i) + 1 } #//! error tc.ext.1: `t` is neither a parameter nor a result; temporary tensors are an extension, which --strict rejects | return it, too, or write its formula where it is read
def temporary_result(float(N) A) -> (O) { [[t]] = sum(A) O(i) = A(i) / t } #//! error tc.ext.1: `t` is neither a parameter nor a result; temporary tensors are an extension, which --strict rejects | return it, too, or write its formula where it is read
def sum(float(N) A) -> (s) { s +=! A(i) }
def bound(int32 k) -> (O) { O(i) = 1 where i in 0:2*[[k]] } #//! error tc.ext.2: `k` is not a size; scalar parameters in bounds are an extension, which --strict rejects
def exists_clause(float(N) A) -> (O) { O(i) = 1 where [[exists A(i)]] } #//! error tc.ext.3: `exists` is an extension, which --strict rejects
def named(float(N) A) -> (O) { O(i) = x * x where [[x = A(i) + 1]] } #//! error tc.ext.4: `x` names an expression, which is an extension that --strict rejects
def argument_type([[bfloat16(N)]] A) -> (O) { O(i) = float(A(i)) } #//! error tc.ext.5: the type `bfloat16` is an extension, which --strict rejects
def return_type(float(N) A) -> ([[bfloat16(N)]] O) { O(i) = 1 where i in 0:N } #//! error tc.ext.5: the type `bfloat16` is an extension, which --strict rejects
def cast(float(N) A) -> (O) { O(i) = float([[bfloat16(A(i))]]) } #//! error tc.ext.5: the type `bfloat16` is an extension, which --strict rejects
def warning(float(N) A) -> (s) { s [[+=]] A(i) } #//! error tc.op.5: `s` is combined with what the caller passes in; `+=!` would start from 0 | if that is meant, pass the initial value: `--init s=...` | fix: `+=!`
)",
               strict());
}

TEST(TcCheck, StrictRejectsRangesThatDependOnValues) {
  expectMarked(R"(
def factor(float(N) A, int32 [[k]]) -> (O) { O(i) = A(k*i) } #//! error tc.ext.2: ranges depend on the value of `k`; scalar parameters in indices are an extension, which --strict rejects
def offset(float(N) A, int32 [[k]]) -> (O) { O(i) = A(i+k) } #//! error tc.ext.2: ranges depend on the value of `k`; scalar parameters in indices are an extension, which --strict rejects
def clamped(float(10) A, int32 k) -> (O) { O = A(max(min(k, 9), 0)) }
def guarded(float(N) A, int32 k) -> (O) { O = k >= 0 && k < N ? A(k) : 0 }
def warning(float(N) A) -> (O) { O(i) = A([[i]]) where i in 0:3 } #//! error tc.error.17: this requires 3 <= N, which cannot be proved: dimension 0 of `A` has the range 0:N | it is checked in every call
)",
               strict());
}

TEST(TcCheck, ZeroBasedRequiresRangesThatBeginAtZero) {
  expectMarked(R"(
def above(float(N) A) -> (O) { [[O]](i) = A(i-1) } #//! error tc.own.3: dimension 0 of `O` begins at 1; with --zero-based it must begin at 0 | give its index a range: `where ... in 0:...`, with a condition around the read
def second(float(M,N) A) -> (O, P) {
  O(i,j) = A(i,j)
  [[P]](i,j) = A(i,j+N) #//! error tc.own.3: dimension 1 of `P` begins at -N; with --zero-based it must begin at 0 | give its index a range: `where ... in 0:...`, with a condition around the read
}
def temporary(float(N) A) -> (O) { t(i) = A(i-1) O(i) = t(i+1) }
)",
               zeroBased());
}

/// What follows from a mistake is not reported.
TEST(TcCheck, ReportsAMistakeOnce) {
  expectMarked(R"(
def misspelt_index(float(N) A) -> (O) { O([[f]]) = A(i) } #//! error tc.where.4: the range of `f` is unknown: it does not occur on the right side | give it one: `where f in 0:N`
def used_twice(float(N) A) -> (O) { O(i) = [[B2]](i) * B2(i) } #//! error tc.scope.10: there is no tensor or function `B2`
def used_later(float(N) A) -> (O, P) {
  O(i) [[=]] A(i) + shift #//! error tc.reduce.2: `shift` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | no tensor and no size variable is called `shift`, so it is an index variable
  P(i) = A(i) - shift
}
def wrong_rank(float(N) A) -> (O, P) {
  O [[=]] A(i) #//! error tc.reduce.2: `i` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `+=!` adds up | fix: `+=!`
  P(i) = O(i)
  O(i) = A(i) * 10
}
def wrong_target(float(N) A) -> (O) { [[rsqrt]](i) = A(i) * 2 } #//! error tc.scope.9: `rsqrt` is a built-in function and cannot name a tensor
def undefined_twice(float(N) A) -> (O) { O(i) = [[O]](i) + O(N-1-i) } #//! error tc.scope.11: `O` is not defined yet | this statement is the first that defines it
def unknown_size_twice(float(N) A) -> (O) { O(i) = A(i) where i in max(0, [[Q]]-3):Q } #//! error tc.sizeexpr.6: there is no size variable `Q` | the parameters have the sizes `N`
def argument_changed_twice(float(N) A) -> ([[A]]) { #//! error tc.grammar.9: `A` is a parameter; a returned tensor must be defined by a statement | it is a parameter here
  A(i) = 2.0
  A(i) = 3.0
}
def calls_what_is_wrong(float(N) A) -> (O) {
  O = is_wrong(A)
  O(i) = O(i) + 1
}
def is_wrong(float(N) A) -> (O) { O [[=]] A(i) } #//! error tc.reduce.2: `i` is not on the left side, so this is a reduction over it, and `=` cannot reduce | is reduced over | `+=!` adds up | fix: `+=!`
def wrong_argument(float(N) A) -> (s) {
  s = 1
  s = add([[A]]) #//! error tc.call.5: `A` is `float` with 1 dimension, but parameter `A` of `add` is `int32` with 1 dimension | it is declared here
}
def add(int32(N) A) -> (s) { s +=! A(i) }
)");
  expectMarked(R"(
def missing_paren(float(N) A, float(N) B) -> (O) {
  O(i) = A(i) + B [[i]]) #//! error tc.grammar.11: expected an assignment operator after `i`, found `)` | the assignment operators are `=`, `+=`, `*=`, `min=`, `max=`, `+=!`, `*=!`, `min=!` and `max=!` | perhaps an operator is missing before `i`
}
def missing_operator(float(N) A) -> (O) {
  O(i) = 2 [[A(i)]] #//! error tc.grammar.11: expected an assignment operator after `A(i)`, found `}` | the assignment operators are `=`, `+=`, `*=`, `min=`, `max=`, `+=!`, `*=!`, `min=!` and `max=!` | perhaps an operator is missing before `A(i)`
}
def misspelt_target(float(N) A) -> (O) {
  (i, j) = A(i) [[where]] j in 0:2 #//! error tc.grammar.10: expected a statement, found `where` | a comprehension has one `where`; `,` separates its constraints
}
def between_the_lists(float(N) A) -> (O) [[add]] { #//! error tc.grammar.3: expected `{` in the head of a function, found the name `add`
  O(i) = A(i)
}
def returns_half_open(float(N) A) -> [[O]]) { #//! error tc.grammar.3: the list of results needs parentheses | fix: `(`
  O(i) = A(i)
}
def [[float]] result_type(float(N) A) -> (O) { #//! error tc.grammar.3: expected a name in the head of a function, found `float` | the types of results are inferred
  O(i) = A(i)
}
def trailing_comma(float a) -> (b) {
  b = fmax(a[[,]] ) #//! error tc.grammar.22: unexpected trailing `,` | fix: ``
}
def dimension(float([[2*N]] A) -> (b) { #//! error tc.type.7: expected a size variable or an integer as a dimension, found `2*N`
  b = 1
}
def name(float(N) A) -> (O) {
  O(i) = t(3, 2*i) [[=]] 4 #//! error tc.grammar.10: expected a statement, found `=` | `==` compares
}
def calls_it(float(N) A) -> (a, b) {
  a, b = nameless(A)
}
def [[(]]float(N) A) -> (a, b) { #//! error tc.grammar.3: expected a name in the head of a function, found `(`
  a = 1
  b = 1
}
def never_closed(float(N) A) -> (O) {
  O(i) = A(i)
  step
[[def]] after(float(N) A) -> (O) { #//! error tc.grammar.11: expected an assignment operator after `step`, found `def` | the assignment operators are `=`, `+=`, `*=`, `min=`, `max=`, `+=!`, `*=!`, `min=!` and `max=!`
  O(i) = A(i)
}
)");
}

/// Calls are expanded, so their number is bounded.
TEST(TcCheck, RejectsTooManyCalls) {
  std::string program, last = "def f9(float a) -> (b) { b = a + 1 }\n";
  for (unsigned i = 0; i < 9; ++i)
    program += llvm::formatv("def f{0}(float a) -> (b) {{ b = f{1}(a) b = f{1}(b) }\n", i, i + 1);
  Marked first("def [[f0]](float a) -> (b) { b = f1(a) b = f1(b) } #//! error tc.limit.4: `f0` "
               "makes 1000 calls or more, counting those that its callees make");
  EXPECT_EQ(reportedBy(program + last), first.expected);
}

/// The program that a fix leads to is correct, and the one that was meant.
std::string mended(std::string program) {
  SourceFile file("test.tc", program);
  DiagnosticEngine diagnostics;
  tcLanguage.check(file, {}, diagnostics);
  std::vector<FixIt> fixes;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    llvm::append_range(fixes, diagnostic.fixits);
  for (const FixIt &fix : llvm::reverse(fixes))
    program.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
  EXPECT_EQ(reportedBy(program), std::vector<std::string>()) << program;
  return program;
}

TEST(TcCheck, OffersFixes) {
  auto body = [](llvm::StringRef text) {
    std::string head = "def f(float(M,N) A, float scale) -> (O) { ";
    std::string program = mended(head + text.str() + " }");
    llvm::StringRef rest = program;
    EXPECT_TRUE(rest.consume_front(head) && rest.consume_back(" }"));
    return rest.str();
  };
  EXPECT_EQ(body("O(i) = A(i,j)"), "O(i) +=! A(i,j)");
  EXPECT_EQ(body("O(i) += A(i,j)"), "O(i) +=! A(i,j)");
  EXPECT_EQ(body("t max= A(i,j) O = t"), "t max=! A(i,j) O = t");
  EXPECT_EQ(body("O(i,j) = A(i,j) * Scale"), "O(i,j) = A(i,j) * scale");
  EXPECT_EQ(body("O(i,j) = A + 1"), "O(i,j) = A(i, j) + 1");
  EXPECT_EQ(body("O(i,j) = squrt(A(i,j))"), "O(i,j) = sqrt(A(i,j))");
  EXPECT_EQ(body("O(i) = i where i in 0:n"), "O(i) = i where i in 0:N");
  std::string callee = " def total(float(N) A) -> (s) { s +=! A(i) }";
  EXPECT_EQ(mended("def f(float(N) A) -> (s) { (s) = toatl(A) }" + callee),
            "def f(float(N) A) -> (s) { (s) = total(A) }" + callee);
  EXPECT_EQ(mended("def f(float(N) A) -> (s) { s = total(a) }" + callee),
            "def f(float(N) A) -> (s) { s = total(A) }" + callee);
}

/// If two positions disagree, both are shown.
TEST(TcCheck, ShowsBothSides) { // [tc.error.19]
  SourceFile file("test.tc", "def f(float(N) A, float(N) B) -> (s) {\n  s = A(i) * B(i)\n}\n");
  DiagnosticEngine diagnostics;
  tcLanguage.check(file, {}, diagnostics);
  std::string shown;
  llvm::raw_string_ostream out(shown);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    print(out, diagnostic, {});
  EXPECT_EQ(
      shown,
      R"(test.tc:2:5: error: `i` is not on the left side, so this is a reduction over it, and `=` cannot reduce [tc.reduce.2]
   2 |   s = A(i) * B(i)
     |     ~   ~ is reduced over
     = fix: write `+=!` instead of `=` at 2:5
     = note: `+=!` adds up
)");
}

} // namespace
