/// How macros are expanded.
#include "Checked.h"

using namespace tessera::weld;

namespace {

std::string typeOrErrors(llvm::StringRef text) {
  return CheckedProgram(text).type();
}

/// The number of lets around the value.
unsigned numLets(llvm::StringRef text) {
  CheckedProgram checked(text);
  EXPECT_TRUE(checked.isCorrect) << checked.messages();
  unsigned count = 0;
  const Expr *expr = checked.program->value;
  for (; expr->as<Let>(); expr = expr->as<Let>()->body)
    ++count;
  return count;
}

TEST(WeldMacros, EvaluatesArgumentsOnce) { // [weld.macro.4]
  EXPECT_EQ(numLets("macro square(x) = x * x; square(1 + 2)"), 1u);
  EXPECT_EQ(numLets("macro square(x) = x * x; square(3)"), 0u);
  EXPECT_EQ(numLets("macro half(x) = x / 2; half(1 + 2)"), 0u);
  EXPECT_EQ(numLets("macro none(x) = 1; none(1 + 2)"), 1u);
  EXPECT_EQ(numLets("compare(1 + 2, 3)"), 0u);
  // Arguments of a macro that is a function are evaluated before the loop that applies it.
  EXPECT_EQ(numLets("macro twice(a) = |x| x + a * a; map([1], twice(1 + 2))"), 1u);
  EXPECT_EQ(numLets("macro keep(a) = |b, i, x| merge(b, a * a); "
                    "result(for([1], appender, keep(1 + 2)))"),
            0u); // Inside of `result`.
}

TEST(WeldMacros, CaptureNothing) { // [weld.macro.4]
  EXPECT_EQ(typeOrErrors("macro f(x) = (let y = 1; {x, y}); let y = 2.0; f(y)"), "() => {f64,i32}");
  EXPECT_EQ(typeOrErrors("macro f(x) = y + x; let y = 2; f(1)"),
            "1:32 error weld.name.1: `y` is not defined\n");
  EXPECT_EQ(typeOrErrors("|b: vec[i32], i: f64| map(b, |x| i)"),
            "(b: vec[i32], i: f64) => vec[f64]");
}

TEST(WeldMacros, TakeFunctionsAndIterators) { // [weld.macro.5]
  EXPECT_EQ(typeOrErrors("macro inner(d, f) = map(d, |x| f(x)); macro outer(e, g) = inner(e, g); "
                         "outer(zip([1], [2.0]), |p| p.$1)"),
            "() => vec[f64]");
  EXPECT_EQ(typeOrErrors("macro pairs(d) = map(zip(d, d), |x| x); pairs(rangeiter(0L, 5L, 1L))"),
            "() => vec[{i64,i64}]");
  EXPECT_EQ(typeOrErrors("macro apply(f, x) = f(x); macro one(x) = x + 1; apply(one, 2)"),
            "() => i32");
  EXPECT_EQ(typeOrErrors("macro adder(a) = (|x| x + a); adder(2L)(3L)"), "() => i64");
  EXPECT_EQ(typeOrErrors("macro by(k) = |x, y| compare(k(x), k(y)); macro nth() = |x| x.$1; "
                         "sort([{1, 2.0}], by(nth()))"),
            "() => vec[{i32,f64}]");
  EXPECT_EQ(typeOrErrors("macro inner(a) = |x| x + a; macro outer(a) = inner(a); "
                         "map([1], outer(2))"),
            "() => vec[i32]");
  EXPECT_EQ(typeOrErrors("macro id(f) = f; |v: vec[i32]| map(v, id(|x| x + 1))"),
            "(v: vec[i32]) => vec[i32]");
  EXPECT_EQ(typeOrErrors("macro id(f) = f; {id(|x| x + 1)(3), map([id(2)], id(id(|x| f32(x))))}"),
            "() => {i32,vec[f32]}");
  EXPECT_EQ(typeOrErrors("macro pick(f, g) = f; macro inc(a) = |x| x + a; map([1], pick(inc(2), "
                         "|x| true))"),
            "() => vec[i32]");
  EXPECT_EQ(typeOrErrors("macro adder(a) = |x| x + a; let f = adder(1); 2"),
            "1:37 error weld.program.5: the function `adder(1)` is not a value\n");
  EXPECT_EQ(typeOrErrors("map(map([1], |x| map([x], |y| y + x)), |z| len(z))"), "() => vec[i64]");
}

/// An argument that is dropped is still part of the program [weld.name.1, weld.macro.4].
TEST(WeldMacros, CheckNamesInUnusedArguments) {
  EXPECT_EQ(typeOrErrors("macro k(q) = 1; k(nosuch)"),
            "1:19 error weld.name.1: `nosuch` is not defined\n");
  EXPECT_EQ(typeOrErrors("macro k(q) = 1; macro l(q) = k(q); l(|x| x + nosuch)"),
            "1:46 error weld.name.1: `nosuch` is not defined\n");
  EXPECT_EQ(typeOrErrors("macro k(q) = 1; macro one(x) = x + 1; {k(one), k(zip([1], [2]))}"),
            "() => {i32,i32}");
}

} // namespace
