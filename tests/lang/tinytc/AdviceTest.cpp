/// Mistakes of those who know another version or another language: one diagnostic each, on the line
/// of the mistake, that says what to write.
#include "Marked.h"

using namespace tessera;
using namespace tessera::tinytc;

namespace {

/// What is missing at the end of a line is reported there, after a comma, too.
TEST(TinytcAdvice, CountsOperands) {
  expectMarked(R"(func @f(%a: f32, %A: memref<f32x4x4>) {
  gemm.n.n %a, %A, %A, %a, ; //! error tinytc.inst.1: `gemm.n.n` takes 5 operands (alpha, A, B, beta, C), found 4
  %b = arith.neg %a : f32
  gemm.n.n ; //! error tinytc.inst.1: `gemm.n.n` takes 5 operands (alpha, A, B, beta, C), found 0
  %c = arith.neg %b : f32
  gemm.n.n %a, ; //! error tinytc.inst.1: `gemm.n.n` takes 5 operands (alpha, A, B, beta, C), found 1
  barrier
  lifetime_stop ; //! error tinytc.inst.1: `lifetime_stop` takes 1 operand, found 0
  %d = arith.add %c, ; //! error tinytc.inst.1: `arith.add` takes 2 operands, found 1
  %e = arith.neg ; //! error tinytc.inst.1: `arith.neg` takes 1 operand, found 0
  %g = arith.neg %d : f32
  if ; //! error tinytc.inst.1: `if` takes 1 operand (condition), found 0
  %h = arith.neg %e : f32
  parallel {
    store %a, ; //! error tinytc.inst.1: `store` takes 2 operands (value, tensor), found 1
    store ; //! error tinytc.inst.1: `store` takes 2 operands (value, tensor), found 0
    %l = load ; //! error tinytc.inst.1: `load` takes 1 operand (tensor), found 0
    %m = size ; //! error tinytc.inst.1: `size` takes 1 operand (tensor), found 0
    yield ; //! error tinytc.inst.1: expected `(`, found the end of the line | write `yield (%value)`, or `yield ()` without values
    for %n = %a { ; //! error tinytc.inst.1: `for` takes 2 operands (from, to), found 1
    }
    for %o = %a, { ; //! error tinytc.inst.1: `for` takes 2 operands (from, to), found 1
    }
    %i = cast %h : ; //! error tinytc.inst.1: expected a type, found the end of the line
    barrier
  }
  %j = arith.add %a, ; The operand is on the next line.
    %a : f32
  %k = arith.neg
    %a : f32
  gemm.n.n %1alpha, %A, %A, %a, %A ; //! error tinytc.lex.3: invalid name `%1alpha` | a name is a number or begins with a letter
})");
  expectMarked("func @f(%a: f32, %A: memref<f32x4x4>) {\n"
               "  gemm.n.n %a, %A, ; //! error tinytc.inst.1: `gemm.n.n` takes 5 operands (alpha, "
               "A, B, beta, C), found 2\n");
}

/// `{ word =` begins a region, unless another one follows.
TEST(TinytcAdvice, FindsForgottenSigns) {
  expectMarked(R"(func @f(%v: f32) {
  y = arith.neg %v : f32 ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `y` | fix: `%`
  %z = arith.neg %y : f32
  n = 4 ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `n` | write `%n = constant 4 : type` for a value, or `$n = 4` for a variable of the preprocessor
  %new = arith.add %n, %v : f32
  "w" = arith.neg %v : f32 ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `"w"` | names have no quotes: `%w`
}
func @g(%A: memref<f32x4>, %c: f32 { ; //! error tinytc.inst.1: expected `,` or `)`, found `{`
  parallel {
  }
}
func @h(f32, f32) { ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `f32` | a parameter has a name: `%name: f32`
})");
}

TEST(TinytcAdvice, FindsDefinitions) {
  expectMarked(R"(func @f(%x: f32, %A: memref<f32x4>, %n: index) {
  %s = arith.neg %b : f32 ; //! error tinytc.name.1: undefined value `%b` | `%b` is defined later, here
  %b = arith.neg %x : f32
  for %i = %n, %n {
  }
  %t = cast %i : f32 ; //! error tinytc.name.1: undefined value `%i` | this one is in a region that has ended
  %u = arith.neg %a : f32 ; //! error tinytc.name.1: undefined value `%a`
  axpby.n %N, %A, %x, %A ; //! error tinytc.name.1: undefined value `%N`
})");
}

/// A result whose written type is wrong causes no errors where it is used.
TEST(TinytcAdvice, ReportsOneError) {
  expectMarkedLines(R"(
func @f(%x: f32) { %s = arith.add %x, %x : f64 %t = arith.mul %x, %s : f32 } ; //! error tinytc.inst.10: the result of `arith.add` has type `f32`, not `f64`
func @f(%A: memref<f32x4>) { %n = size %A[0] : i32 %v = load %A[%n] : f32 } ; //! error tinytc.inst.10: the result of `size` has type `index`, not `i32` | fix: `index`
func @f(%A: memref<f32x4>, %x: f32) { %n = alloca : f32 axpby.n %x, %A, %x, %n } ; //! error tinytc.inst.11: the result of `alloca` is a memref, not `f32`
func @f(%A: memref<f32x4>, %x: f32) { %n = subview %A[0:2] : f32 axpby.n %x, %n, %x, %A } ; //! error tinytc.inst.11: the result of `subview` is a memref, not `f32`
func @f(%A: memref<f32x4>, %x: f32) { %n = subview %A[0:2] : memref<f32x3> axpby.n %x, %n, %x, %n %v = arith.neg %n : f64 } ; //! error tinytc.view.4: mode 0 of the result of this `subview` has size 2, not 3
func @f(%a: i32, %n: index) { for %i = %a, %n {} } ; //! error tinytc.inst.8: a bound of `for` must be `i32`, but `%n` has type `index` | the first bound decides: `i32` | or convert the first bound: `%name = cast %a : index`
$m = constant 4 : i32 func @f() { %a = constant $m : i32 } ; //! error tinytc.inst.1: expected a constant, a type, an attribute or `!calc(...)`, found `constant` | a variable stands for the constant itself: `$name = 4`
)");
}

TEST(TinytcAdvice, KnowsInfinity) {
  expectMarked(
      R"($a = inf ; //! error tinytc.std.4: `inf` is a literal of version 0.4, which Tessera does not support | `arith.div` of 1.0 by 0.0 gives it
$b = -inf ; //! error tinytc.std.4: `-inf` is a literal of version 0.4, which Tessera does not support | `arith.div` of -1.0 by 0.0 gives it
func @f(%x: f32) {
  %a = constant $a : f32
  %b = constant $b : f32
})");
  expectMarkedLines(R"(
func @f() { %c = constant [inf,0.0] : c32 } ; //! error tinytc.std.4: `inf` is a literal of version 0.4, which Tessera does not support | `arith.div` of 1.0 by 0.0 gives it
func @f() { %c = constant [0.0,-inf] : c32 } ; //! error tinytc.std.4: `-inf` is a literal of version 0.4, which Tessera does not support | `arith.div` of -1.0 by 0.0 gives it
func @f(%x: f32) { %c = arith.max %x, -inf : f32 } ; //! error tinytc.std.4: `-inf` is a literal of version 0.4, which Tessera does not support | `arith.div` of -1.0 by 0.0 gives it
func @f() { %c = constant NaN : f32 } ; //! error tinytc.std.4: `nan` is a literal of version 0.4, which Tessera does not support | `arith.div` of 0.0 by 0.0 gives it
func @f() { %c = constant INF : i32 } ; //! error tinytc.std.4: `inf` is a literal of version 0.4, which Tessera does not support | `i32` has no infinities and no NaN
)");
}

TEST(TinytcAdvice, NamesVersions) {
  expectMarkedLines(R"(
func @f() { %0 = group_id } ; //! error tinytc.std.4: `group_id` without the type of its result is syntax of version 0.3, which Tessera does not support | fix: ` : index`
func @f(%A: memref<f32x4>) { %0 = size %A[0] : memref<f32x4> } ; //! error tinytc.std.4: the operand's type in place of the result's is syntax of version 0.3, which Tessera does not support | fix: `index`
func @f(%a: i16) { for %i=%a,%a : i16 {} } ; //! error tinytc.std.4: the type of a loop after its bounds is syntax of version 0.3, which Tessera does not support | fix: `: i16` | fix: ``
func @f(%a: index) { foreach %k=%a,%a {} } ; //! error tinytc.std.4: `foreach` without parentheses around its lists is syntax of version 0.3, which Tessera does not support | fix: `(` | fix: `)` | fix: `(` | fix: `)` | fix: `(` | fix: `)`
func @f(%c: bool, %a: f32) { %x = if %c -> (f32) { yield %a : f32 } else { yield (%a) } } ; //! error tinytc.std.4: `yield` with types is syntax of version 0.3, which Tessera does not support | fix: `(` | fix: `)`
)");
  expectMarked(R"(func @f(%a: f32, %A: memref<f32x4x4>) {
  gemm.n.n %a, %A, %A, %a, %A
    : f32, memref<f32x4x4> ; //! error tinytc.std.4: `:` after `gemm` is syntax of version 0.3, which Tessera does not support | `gemm` is not followed by types
})");
}

/// Names that `--std=seed` rejects are not suggested there.
TEST(TinytcAdvice, KnowsTheSeedDescription) {
  LanguageOptions seed;
  seed.standard = "seed";
  expectMarkedLines(R"(
func @f(%a: f32) { %b = mull %a, %a : f32 } ; //! error tinytc.inst.2: unknown instruction `mull`
func @f(%a: f32) { %b = subgroup_reduce_ad %a : f32 } ; //! error tinytc.inst.2: unknown instruction `subgroup_reduce_ad`
func @f(%a: f32, %A: memref<f32x4x4>) { gemm.nn %a, %A, %A, %a, %A } ; //! error tinytc.inst.3: unexpected modifier `.nn` after `gemm` | fix: `.n.n`
)",
                    seed);
}

TEST(TinytcAdvice, OrdersModifiers) {
  expectMarked(R"(func @f(%m: memref<f32x8x8>, %n: index, %x: f32) {
  parallel {
    %a = cooperative_matrix_load.n %m[%n, %n] : coopmatrix<f32x8x8,matrix_acc>
    cooperative_matrix_store.atomic.both_checked %a, %m[%n, %n] ; //! error tinytc.inst.3: unexpected modifier `.both_checked` after `cooperative_matrix_store.atomic` | `.both_checked` precedes `.atomic`
    cooperative_matrix_store.atomic.t %a, %m[%n, %n] ; //! error tinytc.inst.3: unexpected modifier `.t` after `cooperative_matrix_store.atomic` | `.t` precedes `.atomic`
    cooperative_matrix_store.atomic.x %a, %m[%n, %n] ; //! error tinytc.inst.3: unexpected modifier `.x` after `cooperative_matrix_store.atomic` | `cooperative_matrix_store.atomic` takes no further modifiers
    barrier.local.local ; //! error tinytc.inst.3: unexpected modifier `.local` after `barrier.local` | possible here: `.global`
  }
})");
}

TEST(TinytcAdvice, KnowsOtherLanguages) {
  expectMarkedLines(R"(
func @f(%a: f32) { dot %a } ; //! error tinytc.inst.2: unknown instruction `dot` | `hadamard_product` and `sum` compute the inner product of two vectors
func @f() { ret } ; //! error tinytc.inst.2: unknown instruction `ret` | a kernel has no result: it writes to its arguments and ends at its `}`
func @f() { end } ; //! error tinytc.inst.2: unknown instruction `end` | a region ends with `}`
func @f(%a: i32) { %b = cmp.ult %a, %a : bool } ; //! error tinytc.inst.2: unknown instruction `cmp.ult` | comparisons are signed: `cmp.lt`, `cmp.le`, `cmp.gt`, `cmp.ge`
func @f(%a: f32, %A: memref<f32x4>) { axpy %a, %A, %A } ; //! error tinytc.inst.2: unknown instruction `axpy` | `axpby.n %alpha, %A, %beta, %B` computes B = alpha A + beta B
func @f() { barrier local } ; //! error tinytc.inst.1: expected a modifier such as `.local`, found `local` | fix: `.local`
func @f() { barrier() } ; //! error tinytc.inst.1: expected the end of the instruction, found `(` | write `barrier.local`, `barrier.global` or `barrier.global.local`
func @f() { barrier_local } ; //! error tinytc.inst.2: unknown instruction `barrier_local` | write `barrier.local`
func @f(%A: memref<f32x4>, %i: index) { %x = memref.load %A[%i] : memref<f32x4> } ; //! error tinytc.inst.2: unknown instruction `memref.load` | write `load %tensor[%index] : type`, with the type of the result
func @f(%i: index) { scf.for %j = %i to %i {} } ; //! error tinytc.inst.2: unknown instruction `scf.for` | write `for %i = %from, %to { ... }`
func @f(%i: index) { %a = arith.index_cast %i : i32 } ; //! error tinytc.inst.2: unknown instruction `arith.index_cast` | `cast` converts between all types of numbers
func @f(%v: f32) { %d = cast %v : f32 to f64 } ; //! error tinytc.inst.1: expected the type of the result alone, found `f32 to` | fix: ``
func @f(%i: i32) { if cmp.lt %i, %i {} } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `cmp` | a condition is one value of type `bool`, such as the result of `cmp.lt`
func @f(%a: bool) { if %a {} elif %a {} else {} } ; //! error tinytc.inst.1: expected `else`, found `elif` | write `else { if %condition { ... } }`
func @f(%a: bool) { if !%a {} } ; //! error tinytc.lex.5: unexpected `!` | `arith.not` negates a value of type `bool`
func @f(%n: index, %A: memref<f32x%n>) {} ; //! error tinytc.inst.1: expected an integer or `?`, found `%n` | write `?` for a size that is known only at run time
func @f(%A: memref<u8x?>) {} ; //! error tinytc.type.1: unknown type `u8` | there are no unsigned integers; `i8`, `i16`, `i32`, `i64` and `index` are signed
func @f(float %A) {} ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `float` | the type follows the name: `%A: type`
)");
}

TEST(TinytcAdvice, KnowsAttributes) {
  expectMarkedLines(R"(
func @f() attributes {subgroup=16} {} ; //! error tinytc.attr.2: unknown attribute `subgroup` | did you mean `subgroup_size`?
func @f(%a: memref<f32x4> {gcd=[4]}) {} ; //! error tinytc.attr.2: unknown attribute `gcd` | did you mean `shape_gcd` or `stride_gcd`?
func @f(%a: memref<f32x4> {shape=4}) {} ; //! error tinytc.attr.2: unknown attribute `shape` | did you mean `shape_gcd`?
func @f() attributes {align=4} {} ; //! error tinytc.attr.2: unknown attribute `align` | `alignment` is an attribute of parameters and of `alloca`
func @f(%a: memref<f32x4> {alignment=0}) {} ; //! error tinytc.promise.1: the alignment must be positive, found 0
func @f(%a: memref<f32x4> {alignment=-4}) {} ; //! error tinytc.promise.1: the alignment must be positive, found -4
)");
}

TEST(TinytcAdvice, ExplainsCalculations) {
  expectMarkedLines(R"(
$a = !calc(8 -2) func @f() {} ; //! error tinytc.calc.4: a calculation must leave one number, but this one leaves 2 | an operator follows its operands: `4 2 +`
$a = !calc(4 2 foo) func @f() {} ; //! error tinytc.calc.2: unknown operator `foo` in `!calc` | the operators are `+`, `-`, `*`, `/`, `%`, `^`, `min` and `max`
$n = 1 func @f() { %a = constant $n : f32 } ; //! error tinytc.constant.2: a constant of type `f32` must be a floating-point number, not an integer | `$n` is `1` | write `1.0`
$a = !calc(4 * 2 ; //! error tinytc.inst.1: expected `)`, found the end of the file
)");
}

/// Sizes beyond what is counted are shown as they are.
TEST(TinytcAdvice, CountsLargeTensors) {
  expectMarked(
      R"(func @f() { ; //! error tinytc.alloca.6: `@f` needs at least 281474976710657 bytes of local memory at a time, but the device has 1048576 | 9223372036854775800 bytes | 1 byte
  %x = alloca : memref<f64x1152921504606846975,local>
  %y = alloca : memref<i8x1,local>
})");
}

TEST(TinytcAdvice, ReportsOneErrorForAStatement) {
  expectMarkedLines(R"(
func @f() { barrier {} } ; //! error tinytc.inst.1: expected the end of the instruction, found `{` | write `barrier.local`, `barrier.global` or `barrier.global.local`
func @f() { barrier local global } ; //! error tinytc.inst.1: expected a modifier such as `.local`, found `local global` | fix: `.global.local`
func @f(%n: index) { foreach %k in (%n), (%n) {} } ; //! error tinytc.inst.1: expected `(`, found `%k` | write `foreach (%k) = (%from), (%to) { ... }`
func @f(%n: index) { foreach %k = (%n), (%n) {} } ; //! error tinytc.inst.1: expected `(`, found `%k` | write `foreach (%k) = (%from), (%to) { ... }`
func @f() { %c = constant 8//2 : i32 } ; //! error tinytc.lex.5: unexpected `//` | a comment begins with `;` | `!calc(8 2 /)` divides, in reverse Polish notation
$a = [64//2] func @f() {} ; //! error tinytc.lex.5: unexpected `//` | a comment begins with `;` | `!calc(8 2 /)` divides, in reverse Polish notation
func @f() { %t = alloca {alignment=64//2} : memref<f32x8,local> } ; //! error tinytc.lex.5: unexpected `//` | a comment begins with `;` | `!calc(8 2 /)` divides, in reverse Polish notation
func @f(%v: f32) { %y = arith.div %v//%v : f32 } ; //! error tinytc.lex.5: unexpected `//` | a comment begins with `;` | `arith.div` divides values
func @f(%v: f32) { %y = arith.neg %v : f32//isn't ; //! error tinytc.lex.5: unexpected `//` | a comment begins with `;` | `!calc(8 2 /)` divides, in reverse Polish notation
func @f(%y: f32) { arith.neg %y : f32 -> %z } ; //! error tinytc.inst.1: expected the end of the instruction, found `->` | the result comes first: `%z = arith.neg ...`
func @f(%n: index) { n = 4 } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `n` | write `%n = constant 4 : type` for a value, or `$n = 4` for a variable of the preprocessor
)");
}

TEST(TinytcAdvice, NamesResults) {
  expectMarkedLines(R"(
func @f(%v: f32) { y = exp2 %v : f32 } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `y` | write `%y` //! error tinytc.std.4: `exp2` is an instruction of version 0.4, which Tessera does not support | `math.exp` of x times 0.6931471805599453 is 2 to the power of x
func @f(%v: f32) { z = foo %v : f32 } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `z` | write `%z` //! error tinytc.inst.2: unknown instruction `foo`
func @f(%v: f32) { q = %v } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `q` | write `%q` //! error tinytc.inst.1: expected an instruction, found `%v` | a value has one name: use `%v` itself
func @f() { const %a = constant 1 : i32 } ; //! error tinytc.inst.2: unknown instruction `const` | fix: ``
func @f(%v: f32) { var %a = arith.neg %v : f32 } ; //! error tinytc.inst.2: unknown instruction `var` | a value is defined by `%a = ...`
func @f(%x: f32) {} w = arith.neg %x : f32 ; //! error tinytc.func.2: expected `func` or a definition, found `w` | instructions belong in the region of a function
)");
}

TEST(TinytcAdvice, ExplainsViews) {
  expectMarkedLines(R"(
func @f(%A: memref<f32x8>, %i: index) { %h = subview %A[%i:4] : memref<f32x8> } ; //! error tinytc.view.4: mode 0 of the result of this `subview` has size 4, not 8 | the type of the result is `memref<f32x4>` | version 0.3 had the operand's type here
func @f(%A: memref<f32x8x8>) { %h = expand %A[0 -> 2x4] : memref<f32x8x8> } ; //! error tinytc.view.3: the result of this `expand` has order 3, but `memref<f32x8x8>` has order 2 | the type of the result is `memref<f32x2x4x8>` | version 0.3 had the operand's type here
)");
}

TEST(TinytcAdvice, KnowsAtomicUpdates) {
  expectMarkedLines(R"(
func @f(%a: f32, %A: memref<f32>) { parallel { store.atomic_min %a, %A[] } } ; //! error tinytc.inst.3: unexpected modifier `.atomic_min` after `store` | only additions are atomic; combine the values of a subgroup with `subgroup_min.reduce` and let one work-item store the result
func @f(%a: f32, %A: memref<f32>) { parallel { store.atomic.max %a, %A[] } } ; //! error tinytc.inst.3: unexpected modifier `.max` after `store.atomic` | only additions are atomic; combine the values of a subgroup with `subgroup_max.reduce` and let one work-item store the result
func @f(%a: memref<f32x4> {align=64, alignment=4}) {} ; //! error tinytc.attr.2: unknown attribute `align` | `alignment` is already given
)");
}

} // namespace
