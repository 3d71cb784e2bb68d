/// What newcomers write, and what they are told, with a fix if it is certain what they mean.
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
bool b = 1 < 2; print(b); //! error ttl.var.1: TTL has no type `bool` | conditions have the type `int`: 0 is false, everything else is true | fix: `var int`
double d = 1.0; print(d); //! error ttl.var.1: TTL has no type `double` | `float` has 32 bits
var Float x = 1.0; print(x); //! error ttl.var.1: TTL has no type `Float` | fix: `float`
var matrix<bool>[2] m = 1; print(m); //! error ttl.var.1: TTL has no type `bool` | conditions have the type `int`: 0 is false, everything else is true
var matrix<double>[2] m; //! error ttl.var.1: TTL has no type `double` | `float` has 32 bits
var bool[2] m = 1; print(m); //! error ttl.var.1: TTL has no type `bool` | conditions have the type `int`: 0 is false, everything else is true
var bool[2] m = !1; print(m); //! error ttl.var.1: TTL has no type `bool` | conditions have the type `int`: 0 is false, everything else is true | fix: `matrix<int>`
var bool b; print(b); //! error ttl.var.1: TTL has no type `bool` | conditions have the type `int`: 0 is false, everything else is true | fix: `int`
var int n = 7; var bool b = n; print(b == true); //! error ttl.var.1: TTL has no type `bool` | conditions have the type `int`: 0 is false, everything else is true //! error ttl.syntax.6: TTL has no boolean literal `true` | 0 is false, every other `int` is true
var int b = 7; if (true != b) print(b); //! error ttl.syntax.6: TTL has no boolean literal `true` | 0 is false, every other `int` is true
var float m[2, 2]; print(m $ 0); //! error ttl.type.9: a matrix type begins with `matrix<float>` | fix: `matrix<float>[2, 2]` | fix: ``
var int m[2][2] = 1; print(m); //! error ttl.type.9: a matrix type begins with `matrix<int>` | fix: `matrix<int>[2, 2]` | fix: ``
var int n = 2; var int m[n]; //! error ttl.type.9: a matrix type begins with `matrix<int>` | matrices have any number of dimensions: `matrix<float>[2, 3]`
var float(2, 2) m = 1.0; print(m); //! error ttl.type.9: a matrix type begins with `matrix<float>` | fix: `matrix<float>[2, 2]`
var int b = true; print(b); //! error ttl.syntax.6: TTL has no boolean literal `true` | 0 is false, every other `int` is true | fix: `1`
var int b = False; print(b); //! error ttl.syntax.6: TTL has no boolean literal `False` | 0 is false, every other `int` is true | fix: `0`
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
print((int) 3.5); //! error ttl.type.18: TTL has no conversion to `int` | fix: `3`
print((int) 3000000000.0); //! error ttl.type.18: TTL has no conversion to `int`
print(float(3)); //! error ttl.type.18: TTL has no conversion to `float` | fix: `3.0`
print((float) 3); //! error ttl.type.18: TTL has no conversion to `float` | fix: `3.0`
var int z = 1; var float w = (float) z; print(w); //! error ttl.type.18: TTL has no conversion to `float`
var float w = 2.0 * (float) 3; print(w); //! error ttl.type.18: TTL has no conversion to `float`
var float w = -3; print(w); //! error ttl.var.3: `w` has type `float`, but its initializer is `int` | fix: `.0`
var int s = "a\"b"; print(s); //! error ttl.lex.19: TTL has no strings
var matrix<int>[2, 2] a = 1; print(a' # a'); //! error ttl.lex.19: unexpected `'` | transpose with two loops: `b[j, i] = a{i, j};` //! error ttl.lex.19: unexpected `'` | transpose with two loops: `b[j, i] = a{i, j};`
var matrix<int>[2, 2] a = 1; print(a.transpose()); //! error ttl.lex.19: TTL has no `.transpose`; values have no members | transpose with two loops: `b[j, i] = a{i, j};`
var matrix<int>[2, 2] a = 1; print(a.dot(a)); //! error ttl.lex.19: TTL has no `.dot`; values have no members | `a # b` multiplies matrices
var matrix<int>[2, 2] a = 1; print(a.shape[0]); //! error ttl.lex.19: TTL has no `.shape`; values have no members | `a $ 0` is the size of dimension 0 of `a`
var matrix<int>[2, 2] a = 1; print(a.size() + 1); //! error ttl.lex.19: TTL has no `.size`; values have no members | `a $ 0` is the size of dimension 0 of `a`
var matrix<int>[2, 2] a = 1; print(a . T); //! error ttl.lex.19: TTL has no `.T`; values have no members | transpose with two loops: `b[j, i] = a{i, j};`
var matrix<int>[2] a = 1; a.sort(); //! error ttl.lex.19: TTL has no `.sort`; values have no members
print(0xFF); //! error ttl.lex.6: `0xFF` is not a number in TTL, which has decimal digits with or without a point | fix: `255`
print(1_000); //! error ttl.lex.6: `1_000` is not a number in TTL, which has decimal digits with or without a point | fix: `1000`
print(1.5f); //! error ttl.lex.6: `1.5f` is not a number in TTL, which has decimal digits with or without a point | fix: `1.5`
print(0xFFFFFFFF); //! error ttl.lex.6: `0xFFFFFFFF` is not a number in TTL, which has decimal digits with or without a point | `int` has 32 bits and a sign
print(9x); //! error ttl.lex.14: the name `9x` starts with a digit
var matrix<int>[1e3] m = 1; print(m); //! error ttl.lex.11: `1e3` uses exponent notation, which TTL does not have | write all digits: `1000.0`
print(10L); //! error ttl.lex.6: `10L` is not a number in TTL, which has decimal digits with or without a point | write `10`: `int` and `float` have 32 bits
print(1e3); //! error ttl.lex.11: `1e3` uses exponent notation, which TTL does not have | write all digits: `1000.0`
print(2.5E-3); //! error ttl.lex.11: `2.5E-3` uses exponent notation, which TTL does not have | write all digits: `0.0025`
var matrix<int>[3] v = {1, 2, 3}; print(v); //! error ttl.basic.1: expected an expression, found `{` | a list has brackets | fix: `[` | fix: `]`
var matrix<int>[2, 2] m = {{1, 2}, {3, 4}}; print(m); //! error ttl.basic.1: expected an expression, found `{` | one list fills a matrix of any rank, row by row: `[1, 2, 3, 4]`
)");
}

/// Operators of other languages. [ttl.lex.19, ttl.syntax.5]
TEST(TtlMistakes, RejectsOperators) {
  expectMarkedBodies(R"(
var matrix<float>[2, 2] a = 1.0; print(a @ a); //! error ttl.lex.19: unexpected `@` | `#` multiplies matrices | fix: `#`
print(5 % 3); //! error ttl.lex.19: unexpected `%` | `a - a / b * b` is the remainder of `a / b`
print(2 ^ 3); //! error ttl.lex.19: unexpected `^`
var int i; i++; print(i); //! error ttl.syntax.5: TTL has no operator `++` | fix: ` = i + 1`
var int i; i--; print(i); //! error ttl.syntax.5: TTL has no operator `--` | fix: ` = i - 1`
var float x; x ++; print(x); //! error ttl.syntax.5: TTL has no operator `++` | fix: `= x + 1.0`
var int i; i += 2; print(i); //! error ttl.syntax.5: TTL has no operator `+=` | fix: `= i +`
var int i; i+=2; print(i); //! error ttl.syntax.5: TTL has no operator `+=` | fix: ` = i + `
var float x; x += 2; print(x); //! error ttl.syntax.5: TTL has no operator `+=` | write `x = x + 2`
var int x; x -= 1 + 2; print(x); //! error ttl.syntax.5: TTL has no operator `-=` | write `x = x - (...)`
var int x; x <<= 1; print(x); //! error ttl.syntax.5: TTL has no operator `<<=` | `x * 2` shifts `x` by one place
var int x; x >>= 1; print(x); //! error ttl.syntax.5: TTL has no operator `>>=` | `x / 2` shifts an `x` that is not negative by one place
var int x; x &= 3; print(x); //! error ttl.syntax.5: TTL has no operator `&=` | TTL has no operators for bits: `&` and `|` are logical
var matrix<int>[2] v = 1; v[0] += 2; print(v); //! error ttl.syntax.5: TTL has no operator `+=` | write `v[0] = v{0} + 2`
print(1 and 2); //! error ttl.syntax.5: TTL has no operator `and` | `&` is TTL's logical and; it always evaluates both sides | fix: `&`
print(1 or 2); //! error ttl.syntax.5: TTL has no operator `or` | `|` is TTL's logical or; it always evaluates both sides | fix: `|`
print(not 1 == 2); //! error ttl.syntax.5: TTL has no operator `not` | fix: `!` //! warning ttl.warning.2: `!` applies to the whole comparison after it | write `!(1 == 2)` or `(!...)`
print(1 <> 2); //! error ttl.syntax.5: TTL has no operator `<>` | fix: `!=`
print(1 =< 2); //! error ttl.syntax.5: TTL has no operator `=<` | fix: `<=`
print(1 => 2); //! error ttl.syntax.5: TTL has no operator `=>` | `>=` is greater or equal
print(1 === 2); //! error ttl.syntax.5: TTL has no operator `===` | fix: `==`
print(8 >> 2); //! error ttl.syntax.5: TTL has no operator `>>` | `x / 2` shifts an `x` that is not negative by one place
print(8 ** 2); //! error ttl.syntax.5: TTL has no operator `**` | write a power as a product: `x * x`
var int x; print(1 + x++); //! error ttl.syntax.5: TTL has no operator `++` | write `x = x + 1;` as a statement of its own
print(1 > 2 ? 3 : 4); //! error ttl.syntax.5: TTL has no operator `?:` | assign to a variable in both branches of `if`
# comment //! error ttl.scope.2: expected a statement, found `#` | a comment begins with `//`
)");
}

/// The right side of `&` is always evaluated: no fix where that may stop the program or print.
/// [ttl.syntax.5, ttl.defined.6]
TEST(TtlMistakes, OffersLogicOnlyWhereNothingCanFail) {
  expectMarkedBodies(R"(
var int x; if (x != 0 && 10 / x > 1) print(x); //! error ttl.syntax.5: TTL has no operator `&&` | `&` is TTL's logical and; it always evaluates both sides | if the right side may fail, test it in an `if` of its own
var int i; var matrix<int>[2] v = 1; if (i < 2 && v{i} > 0) print(i); //! error ttl.syntax.5: TTL has no operator `&&` | `&` is TTL's logical and; it always evaluates both sides | if the right side may fail, test it in an `if` of its own
var int i; if (i < 2 || 5 / i > 0) print(i); //! error ttl.syntax.5: TTL has no operator `||` | `|` is TTL's logical or; it always evaluates both sides | if the right side may fail, test it in an `if` of its own
var int i; var matrix<int>[2] v = 1; if (i > 0 && !(i < v $ 0 - 1)) print(i); //! error ttl.syntax.5: TTL has no operator `&&` | `&` is TTL's logical and; it always evaluates both sides | fix: `&`
var int i; if (i > 1 && i < 3 || i == 5) print(i); //! error ttl.syntax.5: TTL has no operator `&&` | `&` is TTL's logical and; it always evaluates both sides | fix: `&` //! error ttl.syntax.5: TTL has no operator `||` | `|` is TTL's logical or; it always evaluates both sides | fix: `|`
var int i; if (1 && i | 0) print(i); //! error ttl.syntax.5: TTL has no operator `&&` | `&` is TTL's logical and; it always evaluates both sides
)");
}

/// Elements as other languages write them. [ttl.slice.1, ttl.assign.6]
TEST(TtlMistakes, RejectsBrackets) {
  expectMarkedBodies(R"(
var matrix<int>[2, 2] a = 1; print(a[0][1]); //! error ttl.slice.1: `a[0][1]` cannot be read: braces read elements, brackets only assign them | fix: `{` | fix: `, ` | fix: `}`
var matrix<int>[2, 2] a = 1; print(a[0]); //! error ttl.slice.1: `a[0]` cannot be read: braces read elements, brackets only assign them | each of the 2 dimensions needs an index
var matrix<int>[2, 2] a = 1; a[0][1] = 5; print(a); //! error ttl.assign.6: expected `,` between two indices in an assignment, found `][` | fix: `, `
var matrix<int>[2, 2] a = 1; a[0][1] += 5; print(a); //! error ttl.syntax.5: TTL has no operator `+=` | write `a[0, 1] = a{0, 1} + 5`
var matrix<int>[2] a = 1; a[0][1] = 5; print(a); //! error ttl.assign.8: `a` has 1 dimension, but 2 indices are given
var matrix<int>[2] a = 1; a{0:1}; //! error ttl.syntax.5: TTL has no operator `:` | a range is written `a...b`, and `b` is excluded
var int x = 1; print(x[0]); //! error ttl.slice.2: a value of type `int` has no slices; expected a matrix
var matrix<int>[3] a = 1; print(a{1:3}); print(j); //! error ttl.syntax.5: TTL has no operator `:` | a range is written `a...b`, and `b` is excluded //! error ttl.scope.5: there is no variable `j`
var matrix<int>[3, 2] a = 1; print(a{:, 0}); print(j); //! error ttl.syntax.5: TTL has no operator `:` | `0...m $ 0` has all indices of dimension 0 of `m` //! error ttl.scope.5: there is no variable `j`
)");
}

/// Loops of other languages. [ttl.for.1, ttl.for.6, ttl.program.7]
TEST(TtlMistakes, RejectsLoops) {
  expectMarkedBodies(R"(
var int i; for (i in 0...3) print(i); //! error ttl.for.6: expected `by` and a step, found `)` | fix: ` by 1`
for i in range(3) { print(i); } //! error ttl.for.1: expected `(` in a loop, found the name `i` | loops have the form `for (i in a...b by s)`
var int i; for (i in range(3) by 1) print(i); //! error ttl.program.7: there is no function `range` | a range is written `0...n`, and its end is excluded
for (int j in 0...3 by 1) print(j); //! error ttl.for.2: a loop does not define its variable; define `j` before the loop | write `var int j;` before the loop
for (bool b in 0...3 by 1) print(b); //! error ttl.for.2: a loop does not define its variable; define `b` before the loop | write `var int b;` before the loop
var float j = 1.0; for (int j in 0...3 by 1) print(j); //! error ttl.for.2: a loop does not define its variable; define `j` before the loop | write `var int j;` before the loop
var int j; for (int j in 0...3 by 1) print(j); //! error ttl.for.2: a loop does not define its variable; define `j` before the loop | without its type, `j` is the variable that is visible here, whose value changes
var int j; for (j in 0...3 by 1) { print(j); break; } //! error ttl.syntax.6: TTL has no `break` | a loop runs to its end: put what it does into an `if`
)");
}

/// A missing `)`, with a fix only where it can belong to one place. [ttl.call.1, ttl.basic.3,
/// ttl.if.1]
TEST(TtlMistakes, ClosesParentheses) {
  expectMarkedBodies(R"(
print(1; //! error ttl.call.1: expected `,` or `)` in a call, found `;` | fix: `)`
print(0 | 8 * 10 + (0 | 0); //! error ttl.call.1: expected `,` or `)` in a call, found `;` | a `(` before it has no `)`
print(-1 == -2147483648; //! error ttl.call.1: expected `,` or `)` in a call, found `;` | a `(` before it has no `)`
print((1; //! error ttl.basic.3: expected `)`, found `;` | a `(` before it has no `)`
var int x; if (x == 1 { print(x); } //! error ttl.if.1: expected `)` in a condition, found `{` | fix: `)`
)");
}

/// Branches and ends of functions as other languages write them. [ttl.if.1, ttl.syntax.6,
/// ttl.return.4]
TEST(TtlMistakes, RejectsBranches) {
  expectMarkedBodies(R"(
var int x; if (x) print(1); elif (x == 2) { print(2); } else print(3); //! error ttl.syntax.6: TTL has no `elif` | fix: `else if`
var int x; if (x) then print(1); //! error ttl.syntax.6: TTL has no `then` | fix: ``
var int x; if x == 1 { print(x); } //! error ttl.if.1: expected `(` in a condition, found the name `x` | a condition stands in parentheses: `if (x == 1)`
print(1); return; //! error ttl.return.4: `main` returns `void` and cannot contain `return` | `void` is here
)");
}

/// Whole programs. [ttl.function.1, ttl.function.6, ttl.program.5]
TEST(TtlMistakes, RejectsFunctionForms) {
  for (StringRef text : {
           "function main() { return 0; } //! error ttl.function.1: `main` has no result type | "
           "fix: `int `",
           "function main() { print(0); } //! error ttl.function.1: `main` has no result type | a "
           "function without a result returns `void` | fix: `void `",
           "function int f(int x, y) { return x + y; } //! error ttl.function.6: expected a type "
           "in a parameter, found the name `y` | each parameter has a type of its own: `int x, int "
           "y`",
           "# comment //! error ttl.program.5: expected `function` at the top level, found `#` | a "
           "comment begins with `//`",
       })
    expectMarked(ttlLanguage, SourceFile("test.ttl", text.str()), {});
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
