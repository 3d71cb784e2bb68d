/// What people who know other languages write, and the message that says what to write instead.
#include "Checked.h"
#include "Marked.h"

using namespace tessera;
using namespace tessera::weld;

namespace {

/// The text with all fixes of one check applied.
std::string withFixes(llvm::StringRef text) {
  CheckedProgram checked(text);
  std::vector<FixIt> fixes;
  for (const Diagnostic &diagnostic : checked.diagnostics.sorted())
    llvm::append_range(fixes, diagnostic.fixits);
  llvm::sort(fixes, [](auto &a, auto &b) { return a.range.begin > b.range.begin; });
  std::string result = text.str();
  for (const FixIt &fix : fixes)
    result.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
  return result;
}

/// Checks that the fixes give this program, which is correct.
void expectFixed(llvm::StringRef text, llvm::StringRef fixed) {
  EXPECT_EQ(withFixes(text), fixed);
  CheckedProgram checked(fixed);
  EXPECT_TRUE(checked.isCorrect) << fixed.str() << '\n' << checked.messages();
}

/// Checks that no fix is offered, because it might change the meaning.
void expectNoFix(llvm::StringRef text) {
  EXPECT_EQ(withFixes(text), text);
  EXPECT_FALSE(CheckedProgram(text).isCorrect) << text.str();
}

TEST(WeldMistakes, FixesComparators) { // [weld.sort.2]
  expectFixed("|v: vec[i32]| sort(v, |a,b| a < b)", "|v: vec[i32]| sort(v, |a,b| compare(a, b))");
  expectFixed("|v: vec[f64]| sort(v, |a,b| b - a)", "|v: vec[f64]| sort(v, |a,b| compare(b, a))");
  expectFixed("|v: vec[f64]| sort(v, |a,b| a - b)", "|v: vec[f64]| sort(v, |a,b| compare(a, b))");
  expectFixed("sort([1L], |a,b| compare(a, b) < 0)", "sort([1L], |a,b| compare(a, b))");
  expectFixed("macro k(x) = x.$0; sort([{1}], |x, y| k(x) < k(y))",
              "macro k(x) = x.$0; sort([{1}], |x, y| compare(k(x), k(y)))");
  expectNoFix("sort([1], |a,b| a == b)");
  // Where `true` counts as 1, this sorts from small to large.
  expectNoFix("|v: vec[i32]| sort(v, |a,b| a > b)");
  expectNoFix("sort([1L], |a,b| a < 3L)");
  expectMarked(
      "sort([1], |a,b| a > b) #//! error weld.sort.2: `sort` expects a function that "
      "returns `i32`; this one returns `bool` | `compare(a, b)` sorts from small to large, "
      "`compare(b, a)` from large to small");
}

/// A function of one parameter is the key of an element [weld.program.6].
TEST(WeldMistakes, FixesSortingByAKey) {
  expectFixed("|v: vec[{i32,f64}]| sort(v, |x| x.$0)",
              "|v: vec[{i32,f64}]| sort(v, |a, b| compare(a.$0, b.$0))");
  expectFixed("macro k(x) = x.$0; sort([{1}], |x| k(x) + 1)",
              "macro k(x) = x.$0; sort([{1}], |a, b| compare(k(a) + 1, k(b) + 1))");
  // Names that mean something else in the key are not used.
  expectFixed("|a: i32| sort([1], |x| x + a)", "|a: i32| sort([1], |e, f| compare(e + a, f + a))");
  expectFixed("macro a(x) = x.$0; sort([{1}], |x| a(x))",
              "macro a(x) = x.$0; sort([{1}], |e, f| compare(a(e), a(f)))");
}

/// The text of `map` is not shown.
TEST(WeldMistakes, SaysWhatNamesAFunction) { // [weld.program.5]
  expectMarkedLines(R"(
|v: vec[i32]| let f = |x| x + 1; map(v, f) #//! error weld.program.5: the function `|x| x + 1` is not a value | a macro before the program can name it: `macro f(x) = x + 1;` | `|x| f(x)` is then the function, and `f(x)` calls it
let f = |x, y| compare(x, y); sort([1], f) #//! error weld.program.5: the function `|x, y| compare(x, y)` is not a value | a macro before the program can name it: `macro f(x, y) = compare(x, y);` | `|x, y| f(x, y)` is then the function, and `f(x, y)` calls it
map([1], 3) #//! error weld.program.6: `map` expects a function here, found `3` | write the function here: `|x| ...`
macro f(g) = g(1); f(2) #//! error weld.program.6: `f` expects a function here, found `2` | write the function here: `|x| ...`
flatten([1]) #//! error weld.for.5: a loop iterates over a vector or an iterator, not over `i32` | `flatten(v)` takes a vector of vectors
let k = 1; let f = |x| x + k; map([1], f) #//! error weld.program.5: the function `|x| x + k` is not a value | a macro before the program can name it: `macro f(x, k) = x + k;` | `|x| f(x, k)` is then the function, and `f(x, k)` calls it
sum([true]) #//! error weld.op.2: `sum` takes numbers, not `bool` | `sum(v)` takes a vector of numbers
map([1], |x| appender[i32]) #//! error weld.type.4: the result of `map` cannot have elements of type `appender[i32]` | `map(v, |x| ...)` takes a vector or an iterator, and a function
map([1], |b, i, x| x) #//! error weld.program.6: `map` expects a function with 1 parameter; this one has 3 | only `for` passes a builder and an index: `for(vector, builder, |b, i, x| merge(b, x))`
)");
  expectFixed("sort([1], compare)", "sort([1], |x, y| compare(x, y))");
  expectFixed("map([1.0], sqrt)", "map([1.0], |x| sqrt(x))");
  expectFixed("map([1], f64)", "map([1], |x| f64(x))");
  expectFixed("map(|x| x + 1, [1])", "map([1], |x| x + 1)");
}

/// The operand of a comparison that is wrong is marked in the program, not in a macro's file.
TEST(WeldMistakes, MarksArgumentsOfCompare) { // [weld.op.10]
  EXPECT_EQ(typeOf("|d: dict[i8,i8]| compare(d, d)"),
            "1:26 error weld.op.10: `compare` cannot compare values of type `dict[i8,i8]`\n");
  EXPECT_EQ(typeOf("compare(1, 2L)"),
            "1:1 error weld.op.1: the operands of `compare` have different "
            "types, `i32` and `i64`\n");
}

TEST(WeldMistakes, FixesWordsForOperators) { // [weld.expr.1]
  expectFixed("|v: vec[i32]| filter(v, |x| x > 1 and x < 3 or x == 5)",
              "|v: vec[i32]| filter(v, |x| x > 1 && x < 3 || x == 5)");
  expectFixed("|b: bool| not b", "|b: bool| !b");
  expectFixed("|b: bool| not (b)", "|b: bool| !(b)");
  expectFixed("|x: i32| not x > 3 and x < 5", "|x: i32| !(x > 3) && x < 5");
  expectFixed("|x: i32| NOT x > 3 AND x < 5 OR x == 7", "|x: i32| !(x > 3) && x < 5 || x == 7");
  expectFixed("|x: i32| not (x % 2) == 0", "|x: i32| !((x % 2) == 0)");
  expectFixed("|x: bool, y: bool| not (x) < y", "|x: bool, y: bool| !((x) < y)");
  expectFixed("|x: i32| {x <> 3, x === 4, x !== 5, x =< 6}",
              "|x: i32| {x != 3, x == 4, x != 5, x <= 6}");
  expectFixed("|x: i32| (f64)x", "|x: i32| f64(x)");
  expectFixed("|x: i32| (f64)(x + 1)", "|x: i32| f64(x + 1)");
  expectFixed("|x: i32| if(x = 3, 1, 2)", "|x: i32| if(x == 3, 1, 2)");
  expectFixed("|x: i32| return x", "|x: i32| x");
  expectFixed("|x: i32| x & 1 == 0", "|x: i32| (x & 1) == 0");
  // Names may be such words.
  EXPECT_EQ(typeOf("macro not(x) = !x; let and = true; not(and)"), "() => bool");
}

/// `=` may be a comparison, a name, a definition or a change.
TEST(WeldMistakes, DoesNotGuessWhatAssignmentsMean) { // [weld.expr.1, weld.let.1]
  expectNoFix("|x: i64| let r = x = 3L; r");
  expectNoFix("macro is3(x) = x = 3L; is3(2L)");
  expectNoFix("|x: bool, y: bool| let same = x = y && x; same");
  expectMarkedLines(R"(
|a: i32, b: i32| {a = 1, b = 2} #//! error weld.literal.9: expected `,` or `}` in a struct, found `=` | the fields of a struct have no names
|s: {i32,i32}| {x: s.$0, y: s.$1} #//! error weld.literal.9: expected `,` or `}` in a struct, found `.` | the fields of a struct have no names
type t = {a: i32, b: i32}; 1 #//! error weld.type.2: expected `,` or `}` in a type, found `:` | the fields of a struct have no names
macro f(a) = a; f(a = 1) #//! error weld.expr.4: expected `,` or `)` in an argument list, found `=` | arguments have no names
|x: i32| f(x) = x + 1; f(2) #//! error weld.expr.1: unexpected `=`; the operator is `==` | a macro before the program can name a function: `macro f(x) = ...;`
|v: vec[i32]| let s = 0; result(for(v, appender, |b,i,x| s = s + x; merge(b, s))) #//! error weld.let.1: the definition of `s` begins with `let` | `s` is defined before, and variables never change | `result(for(v, merger[i64,+], |b, i, x| merge(b, x)))` is a running sum; `iterate` repeats a step
let mut y = 1; y #//! error weld.let.1: expected `=` in a `let`, found the name `y` | variables never change
|v: vec[i32]| macro f(x) = x; f(1) #//! error weld.macro.1: macros come before the program
let a = 1; type t = i32; a #//! error weld.alias.1: type definitions come before the program
)");
}

/// A division of Python would become a comment.
TEST(WeldMistakes, DoesNotCommentOutOperands) { // [weld.lex.2]
  expectNoFix("|n: i32| n // 2");
  expectFixed("let a = 1; // one\na", "let a = 1; # one\na");
  expectFixed("// one\n1", "# one\n1");
}

TEST(WeldMistakes, KnowsWordsOfOtherLanguages) { // [weld.program.2]
  expectMarkedLines(R"(
|x: i32, v: vec[i32]| x in v #//! error weld.program.2: expected the end of the program, found the name `in` | `keyexists(d, x)` looks for a key; `len(filter(v, |e| e == x)) > 0L` for an element
|x: i32, v: vec[i32]| x not in v #//! error weld.program.2: expected the end of the program, found the name `not` | `keyexists(d, x)` looks for a key; `len(filter(v, |e| e == x)) > 0L` for an element
|x: i32| x as f64 #//! error weld.program.2: expected the end of the program, found the name `as` | a cast is written like a call: `f64(x)`
|c: bool| 1 if c else 2 #//! error weld.program.2: expected the end of the program, found `if` | `if(condition, value, other)` has both values
|x: i32| x << 2 #//! error weld.expr.1: expected an expression, found `<` | a product with a power of 2 shifts the bits to the left, a quotient to the right
|v: vec[i32]| v * 2 #//! error weld.op.1: the operands of `*` have different types, `vec[i32]` and `i32` | vec[i32] | i32 | for each element: `map(v, |x| x * 2)`
"abc" + "def" #//! error weld.op.2: `+` takes numbers, not `vec[i8]` | vec[i8] | `flatten([a, b])` joins texts
)");
}

/// The user's own text is called.
TEST(WeldMistakes, FixesMethods) { // [weld.struct.1]
  expectFixed("|v: vec[i32]| v.map(|x| x + 1)", "|v: vec[i32]| map(v, |x| x + 1)");
  expectFixed("|v: vec[i32]| np.sum(v)", "|v: vec[i32]| sum(v)");
  expectFixed("let b = appender[i32]; result(b.merge(1))",
              "let b = appender[i32]; result(merge(b, 1))");
  expectMarkedLines(R"(
|d: dict[i32,i32]| d.keys() #//! error weld.struct.1: expected a field such as `$0` after `.`, found the name `keys` | `map(tovec(d), |e| e.$0)` has the keys of a dictionary
|d: dict[i32,i32]| d.items() #//! error weld.struct.1: expected a field such as `$0` after `.`, found the name `items` | `tovec(d)` has the pairs of a dictionary
|x: i32| x.frob(1) #//! error weld.struct.1: expected a field such as `$0` after `.`, found the name `frob` | there are no methods; a function is called with the value: `f(x)`
|v: vec[i32]| v.map(|x| x).filter(|x| x > 1) #//! error weld.struct.1: expected a field such as `$0` after `.`, found the name `map` | fix: `map(v, |x| x)` //! error weld.struct.1: expected a field such as `$0` after `.`, found the name `filter` | write `filter(v.map(|x| x), |x| x > 1)`
)");
}

/// A fix is offered only for names that cannot be others, and that fit the call [weld.name.1].
TEST(WeldMistakes, DoesNotConfuseNames) {
  expectFixed("|v: vec[i32]| flatetn([v])", "|v: vec[i32]| flatten([v])");
  for (const char *text :
       {"log2(3.0)", "exp2(3.0)", "asinh(1.0)", "erfc(1.0)", "sgn(1.0)", "cot(1.0)", "coth(1.0)",
        "let sum2 = 1; sum3", "let x20 = 1; x10", "let weight = 1; height", "let bar = 1; baz",
        "|x: f16| x", "sorted([1])", "|x: i32| short(x)", "|a: bool| ifelse(a, 1, 2)",
        "sor(1, 2, 3)", "|d: dict[i32,i32]| get(d, 0, 5)", "atan2(1.0, 2.0)", "lokup([1])"})
    expectNoFix(text);
  expectMarked("let weight = 1; height #//! error weld.name.1: `height` is not defined | did you "
               "mean `weight`?");
}

/// No fix is followed by a question about the same.
TEST(WeldMistakes, AsksNothingBesidesAFix) {
  for (const char *text : {"let total = 1; totl", "|v: vec[i32]| flatetn([v])", "|x: boolean| x",
                           "|n: i64| map(range(n), |x| x)"}) {
    CheckedProgram checked(text);
    for (const Diagnostic &diagnostic : checked.diagnostics.sorted()) {
      EXPECT_EQ(diagnostic.fixits.size(), 1u) << text;
      EXPECT_TRUE(diagnostic.notes.empty()) << text;
    }
  }
}

/// Whatever would not compile is a question, or nothing.
TEST(WeldMistakes, OffersOnlyWhatCompiles) {
  expectMarked("|n: i32| map(range(n), |x| x) #//! error weld.name.1: `range` is not defined | did "
               "you mean `rangeiter(0L, n, 1L)`?");
  expectNoFix("1 and 2");
}

/// In a condition, `=` is a comparison.
TEST(WeldMistakes, FixesAssignmentsInConditions) { // [weld.expr.1]
  expectFixed("|v: vec[i32]| filter(v, |x| x = 3)", "|v: vec[i32]| filter(v, |x| x == 3)");
  expectFixed("|v: vec[i32]| filter(v, |x| x = 3 and not x = 4)",
              "|v: vec[i32]| filter(v, |x| x == 3 && !(x == 4))");
  expectFixed("|x: bool| !(x = true)", "|x: bool| !(x == true)");
  expectMarkedLines(R"(
|c: bool, y: i32| if(c, y = 3, false) #//! error weld.expr.1: unexpected `=`; the operator is `==`
|x: i32, y: i32| x = 3 and not y = 3 #//! error weld.expr.1: unexpected `=`; the operator is `==` //! error weld.expr.1: unexpected `and`; the operator is `&&` | fix: `&&` //! error weld.expr.1: unexpected `not`; the operator is `!` | fix: `!(` | fix: `)` //! error weld.expr.1: unexpected `=`; the operator is `==` | fix: `==`
)");
}

TEST(WeldMistakes, FixesFunctionsAsOtherLanguagesWriteThem) { // [weld.program.6]
  for (const char *function : {"x => x + 1", "(x) => x + 1", "x -> x + 1", "lambda x: x + 1"})
    expectFixed((llvm::Twine("map([1], ") + function + ")").str(), "map([1], |x| x + 1)");
  expectFixed("sort([1], (a, b) -> compare(a, b))", "sort([1], |a, b| compare(a, b))");
  expectFixed("sort([1], lambda a, b: compare(a, b))", "sort([1], |a, b| compare(a, b))");
  expectFixed("(v: vec[i32]) => v", "|v: vec[i32]| v");
  expectNoFix("map([1], (x + 1) => x)");
  expectNoFix("let x = (1) -> 2; x");
  expectMarkedLines(R"(
map([1], x => x + 1) #//! error weld.program.6: a function begins with `|x|`, not with `x =>` | fix: `|x|`
map([1], \x -> x + 1) #//! error weld.lex.8: unexpected `\` | a function is written `|x| x + 1`
)");
}

TEST(WeldMistakes, FixesMissingCommasBeforeFunctions) { // [weld.expr.4]
  expectFixed("|v: vec[i32]| map(v |x| x)", "|v: vec[i32]| map(v, |x| x)");
  expectFixed("result(for([1], appender |b, i, x| merge(b, x)))",
              "result(for([1], appender, |b, i, x| merge(b, x)))");
  EXPECT_EQ(typeOf("|v: i32, x: i32| min(v |x| x, 1)"), "(v: i32, x: i32) => i32");
}

TEST(WeldMistakes, FixesCastsOfNegativeNumbers) { // [weld.cast.1]
  expectFixed("|x: i32| (f64)-x", "|x: i32| f64(-x)");
  expectMarked(
      "|x: i32| (f64)-x + 1 #//! error weld.cast.1: expected `(` in a cast, found `)` | did "
      "you mean `f64(-x)`?");
}

/// A macro has no value of its own.
TEST(WeldMistakes, SaysHowMacrosAreUsed) { // [weld.program.5, weld.macro.3]
  expectMarkedLines(R"(
macro adder(a) = |x| x + a; adder(1, 2)(2) #//! error weld.macro.3: macro `adder` takes 1 argument, found 2 | defined here
macro adder(a) = |x| x + a; iterate(1, adder) #//! error weld.program.5: the macro `adder` is not a value | `adder(a)` is a function
macro adder(a) = |x| x + a; map([1], adder) #//! error weld.program.5: the function `|x| x + a` is not a value | in the text of macro `adder` | `map(v, |x| ...)` takes a vector or an iterator, and a function | where a function is expected, the macro needs its arguments: `adder(...)`
macro less(a, b) = a < b; sort([1], less) #//! error weld.program.5: the macro `less` is not a value | a function can call it
macro twice(a) = {a + a, a < 9}; iterate(1, twice) #//! error weld.program.5: the macro `twice` is not a value | a function can call it | fix: `|a| twice(a)`
macro one() = 1; one #//! error weld.program.5: the macro `one` is not a value | it is called `one()`
)");
}

TEST(WeldMistakes, KnowsWhatSubscriptsMean) { // [weld.lookup.1]
  expectFixed("result(for([1], meger[i32,+], |b,i,x| merge(b, x)))",
              "result(for([1], merger[i32,+], |b,i,x| merge(b, x)))");
  expectMarkedLines(R"(
sum[i32] #//! error weld.lookup.1: values cannot be indexed with `[` | `merger[T,+]` is the builder of a sum; `sum(v)` takes a vector of numbers
|d: dict[i32,i32]| d[1] #//! error weld.lookup.1: values cannot be indexed with `[` | `lookup(v, 0L)` is an element of a vector, `lookup(d, key)` a value of a dictionary, `s.$0` a field of a struct
)");
}

TEST(WeldMistakes, FixesDefinitions) { // [weld.let.1, weld.macro.1]
  expectFixed("|x: i32| y = x + 1; y * 2", "|x: i32| let y = x + 1; y * 2");
  expectFixed("var s = 0; s", "let s = 0; s");
  expectFixed("let y == 3; y", "let y = 3; y");
  expectFixed("let y = 1\nlet z = 2; y + z", "let y = 1;\nlet z = 2; y + z");
  expectFixed("f(x) = x + 1; f(2)", "macro f(x) = x + 1; f(2)");
  expectFixed("def f(x) = x + 1; f(2)", "macro f(x) = x + 1; f(2)");
}

TEST(WeldMistakes, FixesFunctionsOfOtherLanguages) { // [weld.name.1]
  expectFixed("|n: i64| map(range(n), |x| x)", "|n: i64| map(rangeiter(0L, n, 1L), |x| x)");
  expectFixed("|n: i64| map(range(1, n), |x| x)", "|n: i64| map(rangeiter(1L, n, 1L), |x| x)");
  expectFixed("|n: i64| map(range(-3, n), |x| x)", "|n: i64| map(rangeiter(-3L, n, 1L), |x| x)");
  expectFixed("map(range(0x10), |x| x)", "map(rangeiter(0L, 0x10L, 1L), |x| x)");
  expectNoFix("let r = range(10); map(r, |x| x)");
  expectNoFix("|n: i64| len(range(n))");
  expectNoFix("|n: i64| map(range(n, 0, -1), |x| x)");
  expectNoFix("|d: dict[i32,i32], k: i32| get(d, k)");
  expectFixed("|x: f64| abs(x)", "|x: f64| max(x, -x)");
  expectFixed("|n: i64| map(range(0, n, 2), |x| x)", "|n: i64| map(rangeiter(0L, n, 2L), |x| x)");
  expectFixed("|d: dict[i32,f64]| keys(d)", "|d: dict[i32,f64]| map(tovec(d), |e| e.$0)");
  expectFixed("|d: dict[i32,f64]| values(d)", "|d: dict[i32,f64]| map(tovec(d), |e| e.$1)");
  expectFixed("count([1])", "len([1])");
  expectFixed("|x: i32| double(x)", "|x: i32| f64(x)");
  expectMarkedLines(R"(
|x: f64| abs(x + 1.0) #//! error weld.name.1: `abs` is not defined | `max(x, -x)` is the absolute value of a signed or floating-point `x`
|x: f64| int(x) #//! error weld.name.1: `int` is not defined | the integer types are `i8` to `i64` and `u8` to `u64`: `i32(x)`, `i64(x)`
|v: vec[i32]| reduce(v, 0, |a, b| a + b) #//! error weld.name.1: `reduce` is not defined | `result(for(v, merger[i32,+], |b, i, x| merge(b, x)))` combines the elements with `+`; `*`, `min` and `max` work alike
|v: vec[i32]| count(v, |x| x > 1) #//! error weld.name.1: `count` is not defined | `len(filter(v, |x| ...))` counts the elements for which a condition holds
|v: vec[i32]| max(v) #//! error weld.expr.4: `max` takes 2 arguments, found 1 | a `merger[T,max]` finds the largest element of a vector
)");
}

/// An unclosed bracket is reported where it opens [weld.expr.3].
TEST(WeldMistakes, FindsUnclosedBrackets) {
  expectMarked(R"(|v: vec[i32]|
  let a = map(v, |x| (x + 1; #//! error weld.expr.3: this `(` is never closed | expected `)` here
  let b = [1, 2; #//! error weld.expr.3: this `[` is never closed | expected `]` here
  result(for(v, #//! error weld.expr.3: this `(` is never closed | expected `)` here
    appender, |b, i, x| merge(b, x))
)");
  for (const char *text : {"sum(", "map([1],", "sum(1 +"})
    EXPECT_EQ(typeOf(text), "1:4 error weld.expr.3: this `(` is never closed\n") << text;
  EXPECT_EQ(typeOf("[1, 2,"), "1:1 error weld.expr.3: this `[` is never closed\n");
  EXPECT_EQ(typeOf("let a = lookup([1], ; a"),
            "1:15 error weld.expr.3: this `(` is never closed\n");
  EXPECT_EQ(typeOf("cudf[f, i32(1)"), "1:5 error weld.expr.3: this `[` is never closed\n");
  EXPECT_EQ(typeOf("deserialize[i32(1)"), "1:12 error weld.expr.3: this `[` is never closed\n");
  EXPECT_EQ(typeOf("|x: i32| [x + 1)]"),
            "1:16 error weld.literal.7: expected `,` or `]` in a vector, found `)`\n");
  EXPECT_EQ(typeOf("len(\"abc\ndef\")"),
            "1:5 error weld.lex.7: this string is not closed on its line\n");
  EXPECT_EQ(typeOf("|v: vec[i32| v"), "1:8 error weld.expr.3: this `[` is never closed\n");
  EXPECT_EQ(typeOf("map([1], |x| {x, 1)"), "1:14 error weld.expr.3: this `{` is never closed\n");
}

TEST(WeldMistakes, FixesLoopsOverSeveralVectors) { // [weld.macro.3, weld.iter.1]
  expectFixed("|v: vec[i32], w: vec[i32]| map(v, w, |a, b| a + b)",
              "|v: vec[i32], w: vec[i32]| map(zip(v, w), |e| e.$0 + e.$1)");
  expectFixed("|v: vec[i32], w: vec[i32]| let z = zip(v, w); map(z, |e| e.$0 + e.$1)",
              "|v: vec[i32], w: vec[i32]| let z = map(zip(v, w), |e| e); map(z, |e| e.$0 + e.$1)");
  expectNoFix("|v: vec[i32]| let s = simditer(v); 1");
  expectMarkedLines(R"(
|v: vec[i32], f: i32| map(v, v, f) #//! error weld.macro.3: macro `map` takes 2 arguments, found 3 | `zip` iterates over several vectors: `map(zip(v, w), |e| ...)`
map(zip([1], [2]), |a, b| a + b) #//! error weld.program.6: `map` expects a function with 1 parameter; this one has 2 | the elements of `zip(a, b)` are structs: `|e| e.$0 + e.$1`
)");
}

TEST(WeldMistakes, FixesParametersAndTypes) { // [weld.program.6, weld.alias.2]
  expectFixed("|v: vec[i32] w: i32| w", "|v: vec[i32], w: i32| w");
  expectFixed("sort([1], |a b| compare(a, b))", "sort([1], |a, b| compare(a, b))");
  expectFixed("|v: i32[]| v", "|v: vec[i32]| v");
  expectNoFix("|x: int| x");
  expectFixed("macro f(a b) = a + b; f(1, 2)", "macro f(a, b) = a + b; f(1, 2)");
  expectFixed("|v: vec[i32], w: vec[i32]\n map(v, |x| x)",
              "|v: vec[i32], w: vec[i32]|\n map(v, |x| x)");
  expectFixed("map([1], |x x + 1)", "map([1], |x| x + 1)");
  expectFixed("|x: float64, y: uint8, z: boolean| {x, y, z}", "|x: f64, y: u8, z: bool| {x, y, z}");
  expectFixed("|v: Vec<i32>, w: list[i32]| {v, w}", "|v: vec[i32], w: vec[i32]| {v, w}");
  expectFixed("|v: Map<i32,vec<f64>>| v", "|v: dict[i32,vec[f64]]| v");
  expectNoFix("|x: usize| x");
}

TEST(WeldMistakes, FixesMergesWithOperators) { // [weld.op.1]
  expectFixed("result(for([1], merger[i32,+], |b,i,x| b + x))",
              "result(for([1], merger[i32,+], |b,i,x| merge(b, x)))");
  expectNoFix("result(for([1], merger[i32,+], |b,i,x| b * x))");
  expectFixed("result(for([1], merger[i32,+], |b,i,x| x + b))",
              "result(for([1], merger[i32,+], |b,i,x| merge(b, x)))");
  expectFixed("result(for([1], merger[i32,min], |b,i,x| min(b, x)))",
              "result(for([1], merger[i32,min], |b,i,x| merge(b, x)))");
  expectFixed("result(for([1], appender[i32], |b,i,x| b + x))",
              "result(for([1], appender[i32], |b,i,x| merge(b, x)))");
  expectNoFix("result(for([1], appender[i32], |b,i,x| b * x))");
  expectNoFix("result(for([1], appender[i32], |b,i,x| x + b))");
  expectFixed("let b = appender[i32]; merge(b, 1); result(b)",
              "let b = appender[i32]; let b = merge(b, 1); result(b)");
  expectFixed("result(for(merger[i32,+], [1], |b,i,x| merge(b, x)))",
              "result(for([1], merger[i32,+], |b,i,x| merge(b, x)))");
}

/// A number is never converted to a type that may not hold it [weld.op.1].
TEST(WeldMistakes, FixesTypesWithoutLoss) {
  expectFixed("|x: i32| x * 2.5", "|x: i32| f64(x) * 2.5");
  expectFixed("|x: i32, y: i64| x + y", "|x: i32, y: i64| i64(x) + y");
  expectFixed("|x: u8| x + 300", "|x: u8| i32(x) + 300");
  expectFixed("[1, 2.5]", "[1.0, 2.5]");
  expectFixed("[1, 2.5, 3]", "[1.0, 2.5, 3.0]");
  expectNoFix("[1, 2.5, true]");
  expectNoFix("|x: i32, y: f32| x * y");
  expectNoFix("|x: i64, y: f64| x * y");
  expectFixed("|x: i16, y: f32| x * y", "|x: i16, y: f32| f32(x) * y");
  expectNoFix("|x: f32| x + 16777217");
  expectFixed("|x: f32| x + 1.0e39", "|x: f32| f64(x) + 1.0e39");
  expectFixed("|x: f32| x + 0.5", "|x: f32| x + 0.5f");
  expectNoFix("|v: vec[i32], i: f64| lookup(v, i)");
  expectNoFix("|x: i64| result(merge(appender[i32], x))");
  expectNoFix("|x: u32, y: i32| x + y");
}

TEST(WeldMistakes, RejectsCharacters) { // [weld.lex.7, weld.lex.8]
  expectFixed("len('ab')", R"(len("ab"))");
  expectFixed("len(\"a\x07 \xff\")", R"(len("a\x07 \xff"))");
  expectMarkedLines(R"(
|x: i8| x == 'a' #//! error weld.lex.8: unexpected `'a'` | a character is a number, `97c`; a text is written `"a"`
"a\q" #//! error weld.lex.7: `\q` is not an escape sequence | the escape sequences are `\"`, `\\`, `\n`, `\r`, `\t` and `\xNN`; a backslash is `\\`
"a\x4" #//! error weld.lex.7: `\x` is not an escape sequence | the escape sequences are `\"`, `\\`, `\n`, `\r`, `\t` and `\xNN`; a backslash is `\\`
"a\" #//! error weld.lex.7: this string is not closed on its line
)");
}

TEST(WeldMistakes, SaysWhereAValueIsMissing) { // [weld.expr.1]
  EXPECT_EQ(typeOf("[1,,2]"), "1:4 error weld.expr.1: expected an expression, found `,`\n");
  expectMarked("[1,,2] #//! error weld.expr.1: expected an expression, found `,` | a value is "
               "missing before this `,`");
}

/// What follows from a mistake is not reported [weld.name.1].
TEST(WeldMistakes, ReportsOneErrorForEach) {
  EXPECT_EQ(typeOf("|v: vec[i32]| let m = nosuch(v); result(for(m, merger[i32,+], |b,i,x| b + x))"),
            "1:23 error weld.name.1: `nosuch` is not defined\n");
  EXPECT_EQ(typeOf("|d: dict[i32,i32]| sort(keys(d), |a,b| a < b)"),
            "1:25 error weld.name.1: `keys` is not defined\n");
  EXPECT_EQ(
      typeOf("let v = []; len(sort(v, |a,b| a < b))"),
      "1:31 error weld.sort.2: `sort` expects a function that returns `i32`; this one returns "
      "`bool`\n");
}

} // namespace
