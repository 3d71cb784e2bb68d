/// What newcomers write, and what they are told: with a fix where it certainly is what they mean.
#include "../MarkedLines.h"

namespace tessera {
extern const Language ttlLanguage;
} // namespace tessera

using namespace tessera;
using llvm::StringRef;

namespace {

/// Each line is the body of `main`.
void expectMarkedBodies(StringRef lines) {
  for (StringRef line : llvm::split(lines.trim(), '\n')) {
    auto [body, marks] = line.split(" //! ");
    std::string text = ("function void main() { " + body + " } //! " + marks).str();
    expectMarked(ttlLanguage, SourceFile("test.ttl", text), {});
  }
}

/// Types of other languages. [ttl.var.1, ttl.type.9]
TEST(TtlMistakes, RejectsTypes) {
  expectMarkedBodies(R"(
var bool b = 1 < 2; print(b); //! error ttl.var.1: TTL has no type `bool` | conditions have the type `int`: 0 is false, everything else is true | fix: `int`
var float[2, 2] m = 0.0; print(m); //! error ttl.type.9: a matrix type begins with `matrix<float>` | fix: `matrix<float>`
var int[3] v = [1, 2, 3]; print(v); //! error ttl.type.9: a matrix type begins with `matrix<int>` | fix: `matrix<int>`
var double d = 1.0; //! error ttl.var.1: TTL has no type `double` | `float` has 32 bits
var long n = 1; //! error ttl.var.1: TTL has no type `long` | `int` has 32 bits and a sign
var string s; //! error ttl.var.1: TTL has no type `string` | the types are `int`, `float` and matrices of them
var auto x = 1; //! error ttl.var.1: TTL has no type `auto` | a definition names its type: `var int x = 1;`
var x = 1; print(x); //! error ttl.var.1: expected a type, found the name `x` | fix: `int `
var x = 1.5; print(x); //! error ttl.var.1: expected a type, found the name `x` | fix: `float `
var x = [1, 2]; //! error ttl.var.1: expected a type, found the name `x` | a definition names its type: `var int x = ...;`
var x: int = 1; //! error ttl.var.1: expected a type, found the name `x` | a definition names its type: `var int x = ...;`
var matrix a = [1, 2]; //! error ttl.type.9: expected `<` in a matrix type, found the name `a` | a matrix type has an element type and sizes: `matrix<float>[2, 3]`
var matrix<float> a = [1.0, 2.0]; //! error ttl.type.9: expected `[` in a matrix type, found the name `a` | a matrix type has an element type and sizes: `matrix<float>[2, 3]`
var int x, y; //! error ttl.scope.1: expected `;` after a definition, found `,` | each variable needs a definition of its own
var int x = 1 2; print(x); //! error ttl.scope.1: expected `;` after a definition, found `2`
)");
}

/// Strings, members and conversions. [ttl.lex.19, ttl.type.18]
TEST(TtlMistakes, RejectsValues) {
  expectMarkedBodies(R"(
print("hello"); //! error ttl.lex.19: TTL has no strings | `print` takes one number or one matrix
print('hello'); //! error ttl.lex.19: TTL has no strings | `print` takes one number or one matrix
var matrix<int>[2, 2] a = 1; print(a.T); //! error ttl.lex.19: TTL has no `.T`; values have no members | transpose with two loops: `b[j, i] = a{i, j};`
var matrix<int>[2, 2] a = 1; var matrix<int>[2, 2] b = a.T; print(b); //! error ttl.lex.19: TTL has no `.T`; values have no members | transpose with two loops: `b[j, i] = a{i, j};`
var matrix<int>[2, 2] a = 1; print(a.shape); //! error ttl.lex.19: TTL has no `.shape`; values have no members | `a $ 0` is the size of dimension 0 of `a`
var int b = true; print(b); //! error ttl.syntax.6: TTL has no boolean literal `true` | 0 is false, every other `int` is true | fix: `1`
var int b = False; print(b); //! error ttl.syntax.6: TTL has no boolean literal `False` | 0 is false, every other `int` is true | fix: `0`
var float w = -3; print(w); //! error ttl.var.3: `w` has type `float`, but its initialiser is `int` | fix: `.0`
print(9x); //! error ttl.lex.14: the name `9x` starts with a digit
print((int) 3.5); //! error ttl.type.18: TTL has no conversion to `int`
print(float(3)); //! error ttl.type.18: TTL has no conversion to `float`
)");
}

/// Operators of other languages. [ttl.lex.19, ttl.syntax.5]
TEST(TtlMistakes, RejectsOperators) {
  expectMarkedBodies(R"(
var matrix<float>[2, 2] a = 1.0; print(a @ a); //! error ttl.lex.19: unexpected `@` | `#` multiplies matrices | fix: `#`
print(5 % 3); //! error ttl.lex.19: unexpected `%` | `a - a / b * b` is the remainder of `a / b`
print(2 ^ 3); //! error ttl.lex.19: unexpected `^`
var int i; i++; print(i); //! error ttl.syntax.5: TTL has no operator `++` | fix: `= i + 1`
var int i; i--; print(i); //! error ttl.syntax.5: TTL has no operator `--` | fix: `= i - 1`
var int i; i += 2; print(i); //! error ttl.syntax.5: TTL has no operator `+=` | write `i = i + ...` | fix: `= i +`
print(1 and 2); //! error ttl.syntax.5: TTL has no operator `and` | `&` is TTL's logical and | fix: `&`
print(1 or 2); //! error ttl.syntax.5: TTL has no operator `or` | `|` is TTL's logical or | fix: `|`
print(1 > 2 ? 3 : 4); //! error ttl.syntax.5: TTL has no operator `?:` | assign to a variable in both branches of `if`
# comment //! error ttl.scope.2: expected a statement, found `#` | a comment begins with `//`
)");
}

/// Loops of other languages. [ttl.for.1, ttl.for.6, ttl.program.7]
TEST(TtlMistakes, RejectsLoops) {
  expectMarkedBodies(R"(
var int i; for (i in 0...3) print(i); //! error ttl.for.6: expected `by` and a step, found `)` | fix: ` by 1`
for i in range(3) { print(i); } //! error ttl.for.1: expected `(` in a loop, found the name `i` | loops have the form `for (i in a...b by s)`
var int i; for (i in range(3) by 1) print(i); //! error ttl.program.7: there is no function `range` | a range is written `0...n`, and its end is excluded
)");
}

/// Functions of other languages. [ttl.program.7]
TEST(TtlMistakes, RejectsFunctions) {
  expectMarkedBodies(R"(
print(len([1, 2])); //! error ttl.program.7: there is no function `len` | `m $ 0` is the size of dimension 0 of `m`
print(zeros(2, 2)); //! error ttl.program.7: there is no function `zeros` | a scalar fills a matrix: `var matrix<float>[2, 3] m = 0.0;`
print(transpose([1, 2])); //! error ttl.program.7: there is no function `transpose` | transpose with two loops: `b[j, i] = a{i, j};`
print(matmul([1], [2])); //! error ttl.program.7: there is no function `matmul` | `a # b` multiplies matrices
print(sqrt(2.0)); //! error ttl.program.7: there is no function `sqrt` | TTL has no built-in function except `print`
printf(1); //! error ttl.program.7: there is no function `printf` | `print` shows one number or one matrix
)");
}

} // namespace
