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
  expectFixed("|v: vec[i32]| sort(v, |a,b| a > b)", "|v: vec[i32]| sort(v, |a,b| compare(b, a))");
  expectFixed("|v: vec[f64]| sort(v, |a,b| a - b)", "|v: vec[f64]| sort(v, |a,b| compare(a, b))");
  expectFixed("sort([1L], |a,b| compare(a, b) < 0)", "sort([1L], |a,b| compare(a, b))");
  expectFixed("macro k(x) = x.$0; sort([{1}], |x, y| k(x) < k(y))",
              "macro k(x) = x.$0; sort([{1}], |x, y| compare(k(x), k(y)))");
  expectNoFix("sort([1], |a,b| a == b)");
}

/// A function of one parameter is the key of an element [weld.program.6].
TEST(WeldMistakes, FixesSortingByAKey) {
  expectFixed("|v: vec[{i32,f64}]| sort(v, |x| x.$0)",
              "|v: vec[{i32,f64}]| sort(v, |a, b| compare(a.$0, b.$0))");
  expectFixed("macro k(x) = x.$0; sort([{1}], |x| k(x) + 1)",
              "macro k(x) = x.$0; sort([{1}], |a, b| compare(k(a) + 1, k(b) + 1))");
  // The names of the fix mean something else.
  expectNoFix("|a: i32| sort([1], |x| x + a)");
}

/// The text of `map` is not shown.
TEST(WeldMistakes, SaysWhatNamesAFunction) { // [weld.program.5]
  expectMarkedLines(R"(
|v: vec[i32]| let f = |x| x + 1; map(v, f) #//! error weld.program.5: the function `|x| x + 1` is not a value | a macro before the program can name it: `macro f(x) = x + 1;` | `|x| f(x)` is then the function, and `f(x)` calls it
let f = |x, y| compare(x, y); sort([1], f) #//! error weld.program.5: the function `|x, y| compare(x, y)` is not a value | a macro before the program can name it: `macro f(x, y) = compare(x, y);` | `|x, y| f(x, y)` is then the function, and `f(x, y)` calls it
map([1], 3) #//! error weld.program.6: `map` expects a function here, found `3` | write the function here: `|x| ...`
macro f(g) = g(1); f(2) #//! error weld.program.6: `f` expects a function here, found `2` | write the function here: `|x| ...`
flatten([1]) #//! error weld.for.5: a loop iterates over a vector or an iterator, not over `i32` | `flatten(v)` takes a vector of vectors
sum([true]) #//! error weld.builder.3: `merger[bool,+]` is not a type: `bool` is neither a number nor a struct of numbers | `sum(v)` takes a vector of numbers
)");
  expectFixed("sort([1], compare)", "sort([1], |x, y| compare(x, y))");
  expectFixed("map([1.0], sqrt)", "map([1.0], |x| sqrt(x))");
  expectFixed("map([1], f64)", "map([1], |x| f64(x))");
}

/// The operand of a comparison that is wrong is marked in the program, not in a macro's file.
TEST(WeldMistakes, MarksArgumentsOfCompare) { // [weld.op.10]
  EXPECT_EQ(typeOf("|d: dict[i8,i8]| compare(d, d)"),
            "1:18 error weld.op.10: `>` cannot compare values of type `dict[i8,i8]`\n");
}

TEST(WeldMistakes, FixesWordsForOperators) { // [weld.expr.1]
  expectFixed("|v: vec[i32]| filter(v, |x| x > 1 and x < 3 or x == 5)",
              "|v: vec[i32]| filter(v, |x| x > 1 && x < 3 || x == 5)");
  expectFixed("|b: bool| not b", "|b: bool| !b");
  expectFixed("|b: bool| not (b)", "|b: bool| !(b)");
  expectFixed("|x: i32| not x > 3 and x < 5", "|x: i32| !(x > 3) && x < 5");
  expectFixed("|x: i32| if(x = 3, 1, 2)", "|x: i32| if(x == 3, 1, 2)");
  expectFixed("|x: i32| return x", "|x: i32| x");
  expectFixed("|x: i32| x & 1 == 0", "|x: i32| (x & 1) == 0");
  // Names may be such words.
  EXPECT_EQ(typeOf("macro not(x) = !x; let and = true; not(and)"), "() => bool");
}

TEST(WeldMistakes, FixesDefinitions) { // [weld.let.1, weld.macro.1]
  expectFixed("|x: i32| y = x + 1; y * 2", "|x: i32| let y = x + 1; y * 2");
  expectFixed("var s = 0; s", "let s = 0; s");
  expectFixed("let y == 3; y", "let y = 3; y");
  expectFixed("let y = 1\nlet z = 2; y + z", "let y = 1;\nlet z = 2; y + z");
  expectFixed("f(x) = x + 1; f(2)", "macro f(x) = x + 1; f(2)");
  expectFixed("def f(x) = x + 1; f(2)", "macro f(x) = x + 1; f(2)");
  expectNoFix("(v: vec[i32]) => v");
}

TEST(WeldMistakes, FixesFunctionsOfOtherLanguages) { // [weld.name.1]
  expectFixed("|n: i64| map(range(n), |x| x)", "|n: i64| map(rangeiter(0L, n, 1L), |x| x)");
  expectFixed("|n: i64| map(range(1, n), |x| x)", "|n: i64| map(rangeiter(1L, n, 1L), |x| x)");
  expectFixed("|n: i64| map(range(0, n, 2), |x| x)", "|n: i64| map(rangeiter(0L, n, 2L), |x| x)");
  expectFixed("|d: dict[i32,f64]| keys(d)", "|d: dict[i32,f64]| map(tovec(d), |e| e.$0)");
  expectFixed("|d: dict[i32,f64]| values(d)", "|d: dict[i32,f64]| map(tovec(d), |e| e.$1)");
  expectFixed("count([1])", "len([1])");
  expectFixed("|x: i32| double(x)", "|x: i32| f64(x)");
  expectMarkedLines(R"(
|x: f64| abs(x) #//! error weld.name.1: `abs` is not defined | `max(x, -x)` is the absolute value of a signed or floating-point `x`
|x: f64| int(x) #//! error weld.name.1: `int` is not defined | the integer types are `i8` to `i64` and `u8` to `u64`: `i32(x)`, `i64(x)`
|v: vec[i32]| reduce(v, 0, |a, b| a + b) #//! error weld.name.1: `reduce` is not defined | merge into a `merger` to combine elements with `+`, `*`, `min` or `max`
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
}

TEST(WeldMistakes, FixesMergesWithOperators) { // [weld.op.1]
  expectFixed("result(for([1], merger[i32,+], |b,i,x| b + x))",
              "result(for([1], merger[i32,+], |b,i,x| merge(b, x)))");
  expectNoFix("result(for([1], merger[i32,+], |b,i,x| b * x))");
}

/// A number is never converted to a type that may not hold it [weld.op.1].
TEST(WeldMistakes, FixesTypesWithoutLoss) {
  expectFixed("|x: i32| x * 2.5", "|x: i32| f64(x) * 2.5");
  expectFixed("|x: i32, y: i64| x + y", "|x: i32, y: i64| i64(x) + y");
  expectFixed("|x: u8| x + 300", "|x: u8| i32(x) + 300");
  expectFixed("[1, 2.5]", "[1.0, 2.5]");
  expectFixed("|x: f32| x + 0.5", "|x: f32| x + 0.5f");
  expectNoFix("|v: vec[i32], i: f64| lookup(v, i)");
  expectNoFix("|x: i64| result(merge(appender[i32], x))");
  expectNoFix("|x: u32, y: i32| x + y");
}

TEST(WeldMistakes, RejectsCharacters) { // [weld.lex.7, weld.lex.8]
  expectFixed("len('ab')", R"(len("ab"))");
  expectFixed("len(\"a\x07 \xff\")", R"(len("a\x07 \xff"))");
  expectMarkedLines(R"(
|x: i8| x == 'a' #//! error weld.lex.8: unexpected `'a'` | a character is a number: `97c`
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

} // namespace
