/// What is said about a mistake besides its message: both sides, hints, what would mend it, and
/// what variables of the preprocessor stand for.
#include "Marked.h"

using namespace tessera;
using namespace tessera::tinytc;

namespace {

TEST(TinytcDiagnostics, SuggestsWhatIsNear) {
  expectMarkedLines(R"(
func @f(%alpha: f32) { %b = arith.neg %alhpa : f32 } ; //! error tinytc.name.1: no value is called `%alhpa` here | did you mean `%alpha`? | fix: `%alpha`
func @f(%a: memref<f32x4>, %f: f32) { axby.n %f, %a, %f, %a } ; //! error tinytc.inst.2: `axby` is no instruction | did you mean `axpby`? | fix: `axpby`
func @f(%a: i1) {} ; //! error tinytc.type.1: `i1` is no type | did you mean `bool`? | fix: `bool`
func @f(%a: memref<f32x4> {alignmentt=64}) {} ; //! error tinytc.attr.2: `alignmentt` is no name of an attribute | did you mean `alignment`? | fix: `alignment`
func @f(%a: memref<f32x4> {foo=64}) {} ; //! error tinytc.attr.2: `foo` is no name of an attribute | any other name is a string: `"foo"`
func @f() { constant 1 : i32 } ; //! error tinytc.inst.5: the value of `constant` needs a name | write `%name = constant ...`
func @f() { # } ; //! error tinytc.lex.5: `#` is no token of tinytc | a comment begins with `;`
func @f(%_a: f32) {} ; //! error tinytc.lex.3: `%_a` is no name | a name begins with a letter, or is a number
)");
}

TEST(TinytcDiagnostics, MendsForms) {
  expectMarkedLines(R"(
func @f() {subgroup_size=16} {} ; //! error tinytc.func.4: the attributes of a function stand behind `attributes` | fix: `attributes `
func @f(%a: group<memref<f32x4>>) {} ; //! error tinytc.group.3: a group has a size, or `?` | fix: `x?`
func @f() { %a = alloca : memref<f32x4> } ; //! error tinytc.alloca.3: `alloca` gives local memory, but `memref<f32x4>` is global | fix: `,local`
func @f() { %a = constant 1 : f32 } ; //! error tinytc.constant.2: a constant of type `f32` is a floating-point number, not an integer | fix: `1.0`
)");
}

TEST(TinytcDiagnostics, ShowsBothSides) {
  expectMarkedLines(R"(
func @f(%a: f32, %b: f64) { %c = arith.add %a, %b : f32 } ; //! error tinytc.arith.2: the operands of `arith.add` have different types, `f32` and `f64` | f32 | f64
func @f(%f: f32, %A: memref<f32x8x4>, %B: memref<f32x8x5>) { gemm.n.n %f, %A, %B, %f, %B } ; //! error tinytc.blas.2: `gemm.n.n` multiplies A of 8x4 and B of 8x5, which do not fit | memref<f32x8x4> | memref<f32x8x5>
func @f(%f: f32, %A: memref<f32x?x4>, %B: memref<f32x8x4>) { axpby.n %f, %A, %f, %B } ; //! error tinytc.blas.3: the result of `axpby.n` is ?x4, but `%B` is 8x4 | memref<f32x?x4> | `?` is equal to `?` only; a `subview` gives a type with known sizes
func @f() {} func @f() {} ; //! error tinytc.func.3: two functions are called `@f` | here is the other
func @f(%a: f32) { %a = arith.neg %a : f32 } ; //! error tinytc.name.2: `%a` is defined already | here it is defined
func @f() { parallel { parallel {} } } ; //! error tinytc.region.2: `parallel` is a collective instruction, which an SPMD region cannot have | this region is SPMD
func @f() { %a = builtin.subgroup_id : i32 } ; //! error tinytc.region.3: `builtin.subgroup_id` is an SPMD instruction, which a collective region cannot have | `parallel { ... }` opens an SPMD region
)");
}

TEST(TinytcDiagnostics, ShowsWhatVariablesStandFor) {
  expectMarkedLines(R"(
$t = memref<f32x4> func @f(%a: $t, %b: f32) { axpby.n %b, %a, %b, %b } ; //! error tinytc.inst.8: B of `axpby.n` is a memref, but `%b` is `f32`
$n = 3 func @f(%a: memref<f32x4>) { %b = size %a[$n] : index } ; //! error tinytc.size.2: there is no mode 3 in `memref<f32x4>`, which has 1 mode | `$n` is `3`
$n = 3 $m = !calc($n 2 *) func @f(%a: memref<f32x4>) { %b = subview %a[0:$m] : memref<f32 x $m> } ; //! warning tinytc.subview.4: `0:$m` is out of bounds: the mode has 4 elements | `$m` is `6`
$ty = f32 func @f(%a: memref<$tyx4>) {} ; //! error tinytc.define.2: no variable is called `$tyx4` here | `$ty` needs a blank behind it: `$ty x`
$a = 1 $a = 2 func @f() {} ; //! error tinytc.define.4: `$a` is defined already | it is defined here
$b = 2 $c = !calc(1 b +) func @f() {} ; //! error tinytc.calc.2: `b` is no operator of the calculator | did you mean `$b`? | fix: `$b`
$c = !calc(5 %2) func @f() {} ; //! error tinytc.calc.2: `%2` is no operator of the calculator | a blank behind `%` makes it the remainder
$n = 2 func @f() { %a = arith.neg $n : i32 } ; //! error tinytc.define.7: `$n` stands for a constant, a type or an attribute, not for a value | `%name = constant $n : type` makes a value of it
)");
}

TEST(TinytcDiagnostics, KnowsTheCommandLine) {
  LanguageOptions options;
  options.definitions = {"n=8"};
  expectMarked(
      "$n = 1 ; //! error tinytc.define.5: `$n` is defined on the command line already: `-D n=8`",
      options);
  expectMarked(
      "func @f(%a: memref<f32x4>) { %b = size %a[$n] : index } ; //! error tinytc.size.2: there "
      "is no mode 8 in `memref<f32x4>`, which has 1 mode | `$n` is `8`, from the command line",
      options);
}

/// One mistake does not hide the next, and has no echo.
TEST(TinytcDiagnostics, FindsItsWayBack) {
  expectMarked(R"(func @f(%a: f32, %n: index) {
  %b = arith.add %a : f32 ; //! error tinytc.inst.1: expected `,`, found `:`
  %c = arith.add %b, %a : f32
  for %i = %n { ; //! error tinytc.inst.1: expected `,`, found `{`
    %d = nonsense
  }
  %e = constant 1 : f32 ; //! error tinytc.constant.2: a constant of type `f32` is a floating-point number, not an integer
}
func @g(%a: float) { ; //! error tinytc.type.1: `float` is no type
  %b = nonsense
}
func @h() {
  %a = constant true : f32 ; //! error tinytc.constant.2: a constant of type `f32` is a floating-point number, not a boolean
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
                 " ; //! error tinytc.limit.1: regions and attributes are nested deeper than "
                 "256 levels");
}

TEST(TinytcDiagnostics, KnowsVersions) {
  LanguageOptions seed, legacy;
  seed.standard = "seed";
  legacy.standard = "legacy";
  expectMarked(
      "func @f(%a: f32) { %b = add %a, %a : f32 } ; //! error tinytc.std.1: the name `add` is "
      "not in the language description that `--std=seed` stands for",
      seed);
  expectMarked(
      "func @f(%a: i32) { %b = cmp.lt %a, 16 : bool } ; //! error tinytc.std.2: a number as an "
      "operand is legacy syntax",
      seed);
  expectMarked(
      "func @f(%a: i32) { %b = cmp.lt %a, 16 : bool } ; //! warning tinytc.std.2: a number as "
      "an operand is legacy syntax | `--std=legacy` accepts it without a warning");
  expectMarked("func @f(%a: i32) { %b = cmp.lt %a, 16 : bool }", legacy);
}

} // namespace
