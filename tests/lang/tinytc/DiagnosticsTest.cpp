/// The parts of a diagnostic besides its message: labels of both sides, hints, fixes, and what
/// variables of the preprocessor stand for.
#include "Marked.h"

using namespace tessera;
using namespace tessera::tinytc;

namespace {

TEST(TinytcDiagnostics, SuggestsSimilarNames) {
  expectMarkedLines(R"(
func @f(%alpha: f32) { %b = arith.neg %alhpa : f32 } ; //! error tinytc.name.1: undefined value `%alhpa` | fix: `%alpha`
func @f(%a: memref<f32x4>, %f: f32) { axby.n %f, %a, %f, %a } ; //! error tinytc.inst.2: unknown instruction `axby` | fix: `axpby`
func @f(%a: i1) {} ; //! error tinytc.type.1: unknown type `i1` | fix: `bool`
func @f(%a: memref<f32x4> {alignmentt=64}) {} ; //! error tinytc.attr.2: unknown attribute `alignmentt` | fix: `alignment`
func @f(%a: memref<f32x4> {foo=64}) {} ; //! error tinytc.attr.2: unknown attribute `foo` | any other name is a string: `"foo"`
func @f() { constant 1 : i32 } ; //! error tinytc.inst.5: the result of `constant` needs a name | write `%name = constant ...`
func @f() { # } ; //! error tinytc.lex.5: unexpected `#` | a comment begins with `;`
func @f(%_a: f32) {} ; //! error tinytc.lex.3: invalid name `%_a` | a name is a number or begins with a letter
)");
}

TEST(TinytcDiagnostics, FixesForms) {
  expectMarkedLines(R"(
func @f() {subgroup_size=16} {} ; //! error tinytc.func.4: the attributes of a function must follow the word `attributes` | fix: `attributes `
func @f(%a: group<memref<f32x4>>) {} ; //! error tinytc.group.3: a group needs a size or `?` | version 0.3 had groups without a size | fix: `x?`
func @f() { %a = alloca : memref<f32x4> } ; //! error tinytc.alloca.3: `alloca` allocates local memory, but `memref<f32x4>` is global | fix: `,local`
func @f() { %a = constant 1 : f32 } ; //! error tinytc.constant.2: a constant of type `f32` must be a floating-point number, not an integer | fix: `1.0`
)");
}

TEST(TinytcDiagnostics, ShowsBothSides) {
  expectMarkedLines(R"(
func @f(%f: f32, %A: memref<f32x8x4>, %B: memref<f32x8x5>) { gemm.n.n %f, %A, %B, %f, %B } ; //! error tinytc.blas.2: `gemm.n.n` cannot multiply A (8x4) and B (8x5) | memref<f32x8x4> | memref<f32x8x5>
func @f(%f: f32, %A: memref<f32x?x4>, %B: memref<f32x8x4>) { axpby.n %f, %A, %f, %B } ; //! error tinytc.blas.3: the result of `axpby.n` is ?x4, but `%B` is 8x4 | memref<f32x?x4> | `?` is equal to `?` only; a `subview` gives a type with known sizes
func @f() {} func @f() {} ; //! error tinytc.func.3: two functions are named `@f` | first defined here
func @f(%a: f32) { %a = arith.neg %a : f32 } ; //! error tinytc.name.2: `%a` is already defined | first defined here
func @f() { parallel { parallel {} } } ; //! error tinytc.region.2: `parallel` is a collective instruction, which is not allowed in an SPMD region | the SPMD region begins here
func @f() { %a = builtin.subgroup_id : i32 } ; //! error tinytc.region.3: `builtin.subgroup_id` is an SPMD instruction, which is not allowed in a collective region | put it into `parallel { ... }`, an SPMD region
)");
}

TEST(TinytcDiagnostics, ShowsWhatVariablesStandFor) {
  expectMarkedLines(R"(
$t = memref<f32x4> func @f(%a: $t, %b: f32) { axpby.n %b, %a, %b, %b } ; //! error tinytc.inst.8: B of `axpby.n` must be a memref, but `%b` has type `f32`
$n = 3 func @f(%a: memref<f32x4>) { %b = size %a[$n] : index } ; //! error tinytc.size.2: `memref<f32x4>` has no mode 3; it has 1 mode, counted from 0 | `$n` is `3`
$n = 3 $m = !calc($n 2 *) func @f(%a: memref<f32x4>) { %b = subview %a[0:$m] : memref<f32 x $m> } ; //! warning tinytc.subview.4: `0:$m` is out of bounds: the size of the mode is 4 | `$m` is `6`
$ty = f32 func @f(%a: memref<$tyx4>) {} ; //! error tinytc.define.2: undefined variable `$tyx4` | write a blank after `$ty`: `$ty x`
$a = 1 $a = 2 func @f() {} ; //! error tinytc.define.4: `$a` is already defined | it is defined here
$b = 2 $c = !calc(1 b +) func @f() {} ; //! error tinytc.calc.2: unknown operator `b` in `!calc` | fix: `$b`
$c = !calc(5 %2) func @f() {} ; //! error tinytc.calc.2: unknown operator `%2` in `!calc` | write a blank after `%` for the remainder
$n = 2 func @f() { %a = arith.neg $n : i32 } ; //! error tinytc.define.7: `$n` stands for a constant, a type or an attribute, not for a value | `%name = constant $n : type` makes a value of it
)");
}

TEST(TinytcDiagnostics, KnowsTheCommandLine) {
  LanguageOptions options;
  options.definitions = {"n=8"};
  expectMarked(
      "$n = 1 ; //! error tinytc.define.5: `$n` is already defined on the command line: `-D n=8`",
      options);
  expectMarked(
      "func @f(%a: memref<f32x4>) { %b = size %a[$n] : index } ; //! error tinytc.size.2: "
      "`memref<f32x4>` has no mode 8; it has 1 mode, counted from 0 | `$n` is `8`, from the "
      "command line",
      options);
}

TEST(TinytcDiagnostics, NamesOtherVersions) {
  expectMarkedLines(R"(
func @f(%a: f32) { %b = exp2 %a : f32 } ; //! error tinytc.std.4: `exp2` is an instruction of version 0.4, which Tessera does not support | `math.exp` of x times 0.6931471805599453 is 2 to the power of x
func @f(%a: f32) { %b = math.log %a : f32 } ; //! error tinytc.std.4: `math.log` is an instruction of version 0.4, which Tessera does not support | there are no logarithms; compute them outside of the kernel and pass the result
func @f(%a: f32, %A: memref<f32>) { parallel { atomic_min %a, %A[] } } ; //! error tinytc.std.4: `atomic_min` is an instruction of version 0.4, which Tessera does not support | only additions are atomic; combine the values of a subgroup with `subgroup_min.reduce` and let one work-item store the result
func @f(%a: i32) { %b = bitcast %a : f32 } ; //! error tinytc.std.4: `bitcast` is an instruction of version 0.5, which Tessera does not support | `cast` converts the value; nothing reinterprets its bits
func @f() { %b = constant inf : f32 } ; //! error tinytc.std.4: `inf` is a literal of version 0.4, which Tessera does not support | `arith.div` of 1.0 by 0.0 gives it
func @f() { %b = constant -inf : f32 } ; //! error tinytc.std.4: `-inf` is a literal of version 0.4, which Tessera does not support | `arith.div` of -1.0 by 0.0 gives it
func @f() { %b = constant nan : f32 } ; //! error tinytc.std.4: `nan` is a literal of version 0.4, which Tessera does not support | `arith.div` of 0.0 by 0.0 gives it
func @f(%A: memref<f32x4>, %i: index) { %b = load %A[%i] : memref<f32x4> } ; //! error tinytc.std.4: the operand's type in place of the result's is syntax of version 0.3, which Tessera does not support | fix: `f32`
func @f(%A: memref<f32x8>) { %b = subview %A[0:4] : memref<f32x8> } ; //! error tinytc.view.4: mode 0 of the result of this `subview` has size 4, not 8 | the type of the result is `memref<f32x4>` | version 0.3 had the operand's type here
func @f(%i: i32) { %b = cast %i : i32 -> f32 } ; //! error tinytc.std.4: the operand's type before `->` is syntax of version 0.3, which Tessera does not support | fix: ``
func @f(%a: f32, %A: memref<f32x4>) { axpby.n %a, %A, %a, %A : f32 } ; //! error tinytc.std.4: `:` after `axpby` is syntax of version 0.3, which Tessera does not support | `axpby` is not followed by types
func @f() subgroup_size(16) { } ; //! error tinytc.std.4: `subgroup_size` without `attributes` is syntax of version 0.3, which Tessera does not support | write `attributes {subgroup_size=16, work_group_size=[16, 1]}`, with your numbers
)");
}

/// A similar name is not offered as a fix if it might change the meaning.
TEST(TinytcDiagnostics, FixesOnlyTypos) {
  expectMarkedLines(R"(
func @f(%a: f32) { atomic_addd %a, %a } ; //! error tinytc.inst.2: unknown instruction `atomic_addd` | did you mean `atomic_add`?
func @f(%a: f32) { %b = cmp.slt %a, %a : bool } ; //! error tinytc.inst.2: unknown instruction `cmp.slt` | did you mean `cmp.lt`?
func @f(%a: f32) { %b = arith.mod %a, %a : f32 } ; //! error tinytc.inst.2: unknown instruction `arith.mod` | `arith.rem` is the remainder
func @f(%a: f32) { return } ; //! error tinytc.inst.2: unknown instruction `return` | a kernel has no result: it writes to its arguments and ends at its `}`
func @f(%b1: f32) { %c = arith.neg %b2 : f32 } ; //! error tinytc.name.1: undefined value `%b2` | did you mean `%b1`?
func @f(%a: u8) {} ; //! error tinytc.type.1: unknown type `u8` | there are no unsigned integers; `i8`, `i16`, `i32`, `i64` and `index` are signed
func @f(%a: int) {} ; //! error tinytc.type.1: unknown type `int` | write `i32` or `i64`
func @f(%a: double) {} ; //! error tinytc.type.1: unknown type `double` | fix: `f64`
func @f(%a: tensor<4xf32>) {} ; //! error tinytc.type.1: unknown type `tensor` | a tensor is a `memref`, such as `memref<f32x4x?>`
func @f(%a: memref<4xf32>) {} ; //! error tinytc.inst.1: expected a scalar type, found `4` | the type of the elements precedes the sizes: `memref<f32x4x8>`
func @f(%a: memref<f32 4>) {} ; //! error tinytc.inst.1: expected `x`, `,` or `>`, found `4`
func @f(%a: memref<f32x?> {align=64}) {} ; //! error tinytc.attr.2: unknown attribute `align` | fix: `alignment`
)");
}

/// The hints and fixes of the first diagnostic of a program; marks would take the names suggested.
static std::string remarksOn(llvm::StringRef text) {
  SourceFile file("test.tinytc", text.str());
  DiagnosticEngine diagnostics;
  tinytcLanguage.check(file, {}, diagnostics);
  Diagnostic first = diagnostics.sorted().front();
  first.labels.clear();
  return remarksOf(first);
}

/// A cast that loses nothing is written before the instruction, under a name that is free.
TEST(TinytcDiagnostics, SuggestsCasts) {
  EXPECT_EQ(remarksOn("func @f(%A: memref<f32x16>, %i: i32) { %v = load %A[%i] : f32 }"),
            " | convert it first: `%i_index = cast %i : index`");
  EXPECT_EQ(remarksOn("func @f(%A: memref<f32x16>, %x: f32) { %v = load %A[%x] : f32 }"), "");
  EXPECT_EQ(remarksOn("func @f(%x: f32, %y: f64) { %z = arith.mul %y, %x : f64 }"),
            " | convert it first: `%x_f64 = cast %x : f64`");
  EXPECT_EQ(
      remarksOn("func @f(%x: f32, %A: memref<f64>) {\n  parallel {\n    store %x, %A[]\n}\n}"),
      " | fix: `    %x_f64 = cast %x : f64\n` | fix: `%x_f64`");
  EXPECT_EQ(
      remarksOn("func @f(%A: memref<f32x16>, %7: i32, %v7_index: f32) {\n  %v = load %A[%7] : "
                "f32\n}"),
      " | fix: `  %v7_index_2 = cast %7 : index\n` | fix: `%v7_index_2`");
}

TEST(TinytcDiagnostics, OffersTypesOfViews) {
  expectMarkedLines(R"(
func @f(%A: memref<f32x8x8>) { %b = subview %A[0:4,0:4] : memref<f32x4x4> } ; //! error tinytc.view.5: mode 1 of the result of this `subview` has stride 8, not 4 | fix: `memref<f32x4x4,strided<1,8>>`
func @f(%A: memref<f32x8x8>) { %b = subview %A[0:4,0:4] : memref<f32x4x5> } ; //! error tinytc.view.4: mode 1 of the result of this `subview` has size 4, not 5 | the type of the result is `memref<f32x4x4,strided<1,8>>`
func @f(%A: memref<f32x8x8>) { %b = subview %A[0:4,0] : memref<f32x4x1> } ; //! error tinytc.view.3: the result of this `subview` has order 1, but `memref<f32x4x1>` has order 2 | the type of the result is `memref<f32x4>`
$t = memref<f32x4x4> func @f(%A: memref<f32x8x8>) { %b = subview %A[0:4,0:4] : $t } ; //! error tinytc.view.5: mode 1 of the result of this `subview` has stride 8, not 4 | `$t` is `memref<f32x4x4>` | write `memref<f32x4x4,strided<1,8>>`
func @f(%A: memref<f32x8x?>) { %b = expand %A[0->2x4] : memref<f32x2x4x?,strided<1,2,9>> } ; //! error tinytc.view.5: mode 2 of the result of this `expand` has stride 8, not 9 | fix: `memref<f32x2x4x?>`
)");
}

TEST(TinytcDiagnostics, ReadsInfixCalculations) {
  expectMarkedLines(R"(
$a = !calc(4 * 2) func @f() {} ; //! error tinytc.calc.3: the operators of `!calc` follow their operands, in reverse Polish notation | fix: `4 2 *`
$n = 4 $a = !calc($n+2) func @f() {} ; //! error tinytc.calc.3: the operators of `!calc` follow their operands, in reverse Polish notation | fix: `$n 2 +`
$a = !calc((1 + 2) * 3 - 4) func @f() {} ; //! error tinytc.calc.3: the operators of `!calc` follow their operands, in reverse Polish notation | fix: `1 2 + 3 * 4 -`
$a = !calc(2 + 3 * 4) func @f() {} ; //! error tinytc.calc.3: the operators of `!calc` follow their operands, in reverse Polish notation | fix: `2 3 4 * +`
$a = !calc(4 min 2) func @f() {} ; //! error tinytc.calc.3: `min` takes two operands, found 1 | in reverse Polish notation, operators follow their operands: `4 2 min`
$a = !calc(8 -2 +) $b = !calc(7) $c = !calc(8 4 2//) func @f() {}
)");
}

TEST(TinytcDiagnostics, ReadsHabitsOfOtherLanguages) {
  expectMarkedLines(R"(
func @f(a: f32) {} ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `a` | fix: `%`
func f() {} ; //! error tinytc.inst.1: expected a global identifier such as `@f`, found `f` | fix: `@`
func @f() -> f32 {} ; //! error tinytc.inst.1: expected `{`, found `->` | a kernel has no result: it writes to its arguments
func @f(%c: bool) { if (%c) {} } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `(` | fix: `` | fix: ``
func @f(%i: i32) { if %i < %i {} } ; //! error tinytc.inst.1: expected `{`, found `<` | a condition is one value of type `bool`, such as the result of `cmp.lt`
func @f(%c: bool) { if %c {} else if %c {} } ; //! error tinytc.inst.1: expected `{`, found `if` | fix: `{ ` | fix: ` }`
func @f(%a: f32) { %b = %a + %a } ; //! error tinytc.inst.1: expected an instruction, found `%a` | write `arith.add %a, ... : type`
func @f(%a: f32) { %b = %a } ; //! error tinytc.inst.1: expected an instruction, found `%a` | a value has one name: use `%a` itself
func @f() { %b = 1.0 : f32 } ; //! error tinytc.inst.1: expected an instruction, found `1.0` | fix: `constant `
func @f(%a: f32) { %b: f32 = arith.neg %a } ; //! error tinytc.inst.1: expected `=`, found `:` | the type follows the operands: `%name = instruction ... : type`
func @f(%a: f32) { %b = arith.neg(%a) : f32 } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `(` | operands have no parentheses around them
func @f(%A: memref<f32>, %a: f32) { store %A[], %a } ; //! error tinytc.inst.1: expected `,`, found `[` | write `store %value, %tensor[...]`
func @f(%c: bool, %a: f32) { %b = if %c -> (f32) { yield %a } else { yield (%a) } } ; //! error tinytc.inst.1: expected `(`, found `%a` | fix: `(` | fix: `)`
func @f() { %a = constant 1.0 : c32 } ; //! error tinytc.constant.2: a constant of type `c32` must be a complex number, not a floating-point number | fix: `[1.0,0.0]`
func @f() { %a = constant 1 : bool } ; //! error tinytc.constant.2: a constant of type `bool` must be a boolean, not an integer | fix: `true`
func @f(%a: f32, %A: memref<f32x4x4>) { gemm.nt %a, %A, %A, %a, %A } ; //! error tinytc.inst.3: unexpected modifier `.nt` after `gemm` | fix: `.n.t`
func @f(%a: f32, %A: memref<f32x4>) { axpby.T %a, %A, %a, %A } ; //! error tinytc.inst.3: unexpected modifier `.T` after `axpby` | fix: `.t`
func @f() { barrier.shared } ; //! error tinytc.inst.3: unexpected modifier `.shared` after `barrier` | possible here: `.global`, `.local`
func @f(%a: f32) { %b = arith.neg.fast %a : f32 } ; //! error tinytc.inst.3: unexpected modifier `.fast` after `arith.neg` | `arith.neg` takes no further modifiers
)");
}

TEST(TinytcDiagnostics, ReadsHabitsInHeads) {
  expectMarkedLines(R"(
def @f() {} ; //! error tinytc.func.2: expected `func` or a definition, found `def` | fix: `func`
N = 4 func @f() {} ; //! error tinytc.func.2: expected `func` or a definition, found `N` | fix: `$`
$n = 2 * 3 func @f() {} ; //! error tinytc.inst.1: expected the end of the definition, found `*` | `!calc(1 2 *)` computes, in reverse Polish notation
#define N 4 ; //! error tinytc.lex.5: unexpected `#` | `$name = value` defines a variable of the preprocessor
func @f(f32 %x) {} ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `f32` | fix: `%x: f32`
func @f(%x: memref<f32xN>) {} ; //! error tinytc.type.1: unknown type `f32xN` | `x` is followed by a number, `?` or a variable: `f32 x $n`
func @f() attributes {work_group_size=16} {} ; //! error tinytc.attr.6: `work_group_size` must be an array of integers, found an integer | write `[16, 1]`
func @f(%n: index) { for %i = %n, %n step %n {} } ; //! error tinytc.inst.1: expected `,`, found `step` | fix: `,`
func @f(%n: index) { for (%i = %n, %n) {} } ; //! error tinytc.inst.1: expected a local identifier such as `%a`, found `(` | write `for %i = %from, %to { ... }`
func @f(%n: index) { foreach (%i) = %n, %n {} } ; //! error tinytc.inst.1: expected `(`, found `%n` | bounds are lists: `(%n), (...)`
func @f(%n: index) { %s = for %i = %n, %n init(%t=%n) -> index { yield (%t) } } ; //! error tinytc.inst.1: expected `(`, found `index` | fix: `(` | fix: `)`
func @f(%n: index) { for %i = %n, %n { %n = arith.add %n, %i : index } } ; //! error tinytc.name.2: `%n` is already defined | first defined here | values cannot change; a loop carries one with `init(%a=%b) -> (type)` and `yield`
func @f(%c: bool, %n: index) { %a = if %c { yield (%n) } else { yield (%n) } } ; //! error tinytc.inst.4: `if` has no result | types of results are written `-> (type, ...)`
)");
}

TEST(TinytcDiagnostics, ReadsHabitsInInstructions) {
  expectMarkedLines(R"(
func @f() { %a = constant 0xff : i32 } ; //! error tinytc.inst.1: expected a decimal integer, found `0xff`
func @f() { %a = constant 0x1p4 : f32 }
func @f(%a: f32) { %b = arith.exp %a : f32 } ; //! error tinytc.inst.2: unknown instruction `arith.exp` | fix: `math.exp`
func @f(%a: f32) { %b = arith.pow %a, %a : f32 } ; //! error tinytc.inst.2: unknown instruction `arith.pow`
func @f(%a: f32) { %b = cmp %a, %a : bool } ; //! error tinytc.inst.2: unknown instruction `cmp` | comparisons are `cmp.eq`, `cmp.ne`, `cmp.lt`, `cmp.le`, `cmp.gt` and `cmp.ge`
func @f(%a: f32) { %b = cast %a f64 } ; //! error tinytc.inst.7: expected `:` and the type of the result, found `f64` | fix: `: `
func @f(%a: f32, %A: group<memref<f32x4>x?>) { axpby.n %a, %A, %a, %A } ; //! error tinytc.inst.8: A of `axpby.n` must be a memref, but `%A` has type `group<memref<f32x4>x?>` | load a member first: `%name = load %A[%index] : memref<f32x4>` //! error tinytc.inst.8: B of `axpby.n` must be a memref, but `%A` has type `group<memref<f32x4>x?>` | load a member first: `%name = load %A[%index] : memref<f32x4>`
func @f(%a: f32, %A: memref<f32x4x8>, %C: memref<f32x4x4>) { gemm.n.n %a, %A, %A, %a, %C } ; //! error tinytc.blas.2: `gemm.n.n` cannot multiply A (4x8) and B (4x8) | memref<f32x4x8> | memref<f32x4x8> | the transpose of B would fit: `gemm.n.t`
func @f(%a: coopmatrix<f32x8x8>) {} ; //! error tinytc.inst.1: expected `,matrix_a`, `,matrix_b` or `,matrix_acc`, found `>`
func @f(%i: i32) { parallel { %b = subgroup_broadcast %i : i32 } } ; //! error tinytc.inst.1: `subgroup_broadcast` takes 2 operands (value, lane), found 1
func @f(%a: f32, %A: memref<f32>) { parallel { store.atomic.add %a, %A[] } } ; //! error tinytc.inst.3: unexpected modifier `.add` after `store.atomic` | fix: `.atomic_add`
func @f(%A: memref<f32x8x8>, %i: index) { parallel { %a = cooperative_matrix_load.n.checked %A[%i,%i] : coopmatrix<f32x8x8,matrix_a> } } ; //! error tinytc.inst.3: unexpected modifier `.checked` after `cooperative_matrix_load.n` | possible here: `.rows_checked`, `.cols_checked`, `.both_checked`
func @f(%A: group<memref<f32x4>x?>) { %g = builtin.group_id : i32 %a = load %A[%g] : memref<f32x4> } ; //! error tinytc.inst.10: the result of `builtin.group_id` has type `index`, not `i32`
)");
}

/// Comments of other languages are skipped; what is missing is reported on its own line.
TEST(TinytcDiagnostics, ReportsPositionsOfMissingParts) {
  expectMarked(
      R"(// A kernel. //! error tinytc.lex.5: unexpected `//` | a comment begins with `;` | fix: `;`
func @f(%a: f32, // the factor //! error tinytc.lex.5: unexpected `//` | a comment begins with `;` | fix: `;`
        %A: memref<f32x4x4>) {
  /* It's a block. */ ; //! error tinytc.lex.5: unexpected `/*` | a comment begins with `;`
  gemm.n.n %a, %A, %A, %a ; //! error tinytc.inst.1: `gemm.n.n` takes 5 operands (alpha, A, B, beta, C), found 4
  gemm.n.n %a, %A, %A, %a, %A, %A ; //! error tinytc.inst.1: `gemm.n.n` takes 5 operands (alpha, A, B, beta, C), found more
  gemm.n.n %a %A, %A, %a, %A ; //! error tinytc.inst.1: expected `,`, found `%A` | fix: `,`
  %b = arith.add %a ; //! error tinytc.inst.1: `arith.add` takes 2 operands, found 1
  %c = load %A ; //! error tinytc.inst.1: expected `[`, found the end of the line
  %d = constant 1 : f32 ; //! error tinytc.constant.2: a constant of type `f32` must be a floating-point number, not an integer | fix: `1.0`
})");
}

/// The closing brace of the function closes the branch instead; indentation shows which is open.
TEST(TinytcDiagnostics, FindsOpenRegions) {
  expectMarked(R"(func @f(%c: bool) {
  if %c {
  }
  if %c {
    barrier
}
func @g() { ; //! error tinytc.region.1: expected an instruction or `}`, found `func` | opened here | judging by its indentation, this one is not closed
})");
}

TEST(TinytcDiagnostics, ListsLocalMemory) {
  expectMarked(
      R"(func @f(%A: memref<f32x4>) { ; //! error tinytc.alloca.6: `@f` needs 1572864 bytes of local memory at a time, but the device has 1048576 | 1048576 bytes | 524288 bytes
  %one = constant 1.0 : f32
  %before = alloca : memref<f32x4,local>
  axpby.n %one, %A, %one, %before
  lifetime_stop %before
  %a = alloca : memref<f32x512x256,local>
  %b = alloca : memref<f32x512x512,local>
  axpby.n %one, %a, %one, %a
  axpby.n %one, %b, %one, %b
})");
}

/// One mistake neither hides the next nor causes echoes.
TEST(TinytcDiagnostics, RecoversAfterMistakes) {
  expectMarked(R"(func @f(%a: f32, %n: index) {
  %b = arith.add %a : f32 ; //! error tinytc.inst.1: `arith.add` takes 2 operands, found 1
  %c = arith.add %b, %a : f32
  for %i = %n { ; //! error tinytc.inst.1: `for` takes 2 operands (from, to), found 1
    %d = nonsense
  }
  %e = constant 1 : f32 ; //! error tinytc.constant.2: a constant of type `f32` must be a floating-point number, not an integer
}
func @g(%a: float) { ; //! error tinytc.type.1: unknown type `float`
  %b = nonsense
}
func @h() {
  %a = constant true : f32 ; //! error tinytc.constant.2: a constant of type `f32` must be a floating-point number, not a boolean
}
)");
}

TEST(TinytcDiagnostics, BoundsNesting) {
  std::string regions = "func @f(%c: bool) {";
  for (int i = 0; i < 300; ++i)
    regions += "if %c {";
  std::string attributes = "$a = " + std::string(300, '[');
  for (const std::string &text : {regions, attributes})
    expectMarked(text +
                 " ; //! error tinytc.limit.1: regions and attributes are nested more than 256 "
                 "levels deep");
}

TEST(TinytcDiagnostics, KnowsVersions) {
  LanguageOptions seed, legacy;
  seed.standard = "seed";
  legacy.standard = "legacy";
  expectMarked(
      "func @f(%a: f32) { %b = add %a, %a : f32 } ; //! error tinytc.std.1: the name `add` is "
      "syntax of version 0.4, which `--std=seed` rejects",
      seed);
  expectMarked(
      "func @f(%a: i32) { %b = cmp.lt %a, 16 : bool } ; //! error tinytc.std.2: a number as an "
      "operand is syntax of version 0.3",
      seed);
  expectMarked(
      "func @f(%a: i32) { %b = cmp.lt %a, 16 : bool } ; //! warning tinytc.std.2: a number as "
      "an operand is syntax of version 0.3 | `--std=legacy` accepts it without a warning");
  expectMarked("func @f(%a: i32) { %b = cmp.lt %a, 16 : bool }", legacy);
}

} // namespace
