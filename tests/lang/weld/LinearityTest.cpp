/// Valid uses of builders that a simpler check would reject, and invalid ones that it would accept.
#include "Checked.h"

using namespace tessera::weld;

namespace {

void expectAccepted(llvm::StringRef text) {
  CheckedProgram checked(text);
  EXPECT_EQ(checked.messages(), "") << text.str();
}

/// The broken rules, in order.
std::string broken(llvm::StringRef text) {
  CheckedProgram checked(text);
  std::string rules;
  for (const tessera::Diagnostic &diagnostic : checked.diagnostics.sorted())
    rules += (rules.empty() ? "" : " ") + std::string(diagnostic.kind->rule);
  return rules;
}

TEST(WeldLinearity, FollowsPaths) { // [weld.linear.1]
  expectAccepted("|c: bool| let b = appender[i32]; let d = if(c, merge(b, 1), b); result(d)");
  expectAccepted("|c: bool| let b = appender[i32]; if(c, result(b), result(merge(b, 1)))");
  expectAccepted("let b = appender[i32]; let b = merge(b, 1); let b = merge(b, 2); result(b)");
  EXPECT_EQ(broken("|c: bool| let b = appender[i32]; let n = if(c, len(result(b)), 0L); "
                   "{n, result(b)}"),
            "weld.linear.2");
  EXPECT_EQ(broken("let b = appender[i64]; result(merge(b, len(result(b))))"), "weld.linear.1");
}

TEST(WeldLinearity, FollowsFields) { // [weld.linear.1]
  expectAccepted("let s = {appender[i32], {merger[i32,+], 5}}; "
                 "{result(s.$0), result(s.$1.$0), s.$1.$1, s.$1.$1}");
  expectAccepted("|v: vec[i32]| let s = for(v, {appender[i32], merger[i32,+]}, |s, i, x| "
                 "let t = merge(s.$1, x); {if(x > 0, merge(s.$0, x), s.$0), t}); result(s.$1)");
  EXPECT_EQ(broken("let s = {appender[i32], appender[i32]}; let t = s; {result(s.$0), "
                   "result(t.$1)}"),
            "weld.linear.1");
  EXPECT_EQ(broken("let s = {appender[i32], appender[i32]}; let a = result(s.$1); "
                   "let t = s; {a, result(t.$0)}"),
            "weld.linear.2");
}

TEST(WeldLinearity, FollowsLoops) { // [weld.linear.4, weld.linear.5]
  expectAccepted("|v: vec[vec[i32]]| result(for(v, appender[i32], |b, i, row| "
                 "if(len(row) > 2L, for(row, merge(b, 0), |c, j, x| merge(c, x)), b)))");
  expectAccepted("|v: vec[vec[i32]]| map(v, |row| result(for(row, merger[i32,+], |b, i, x| "
                 "merge(b, x))))");
  EXPECT_EQ(broken("|v: vec[i32]| let a = appender[i32]; let c = for(v, appender[i32], |b, i, x| "
                   "merge(a, x)); result(c)"),
            "weld.linear.5");
  EXPECT_EQ(broken("|v: vec[i32]| result(for(v, appender[i32], |b, i, x| for(v, appender[i32], "
                   "|c, j, y| b)))"),
            "weld.linear.4 weld.linear.5");
  EXPECT_EQ(broken("let b = appender[i32]; iterate(1L, |x| {x + len(result(b)), false})"),
            "weld.linear.5");
}

/// Inside an inner loop, the name of the builder that it began with means its own.
TEST(WeldLinearity, ResolvesNamesOfOuterBuilders) { // [weld.linear.6]
  CheckedProgram checked("|v: vec[i32]| result(for(v, appender[i32], |b, i, x| "
                         "for(v, b, |c, j, y| for(v, c, |d, k, z| merge(b, z)))))");
  EXPECT_TRUE(checked.isCorrect);
  const Expr *body = checked.program->value->as<Call>()->arguments[0];
  const Variable *innermost = nullptr;
  while (auto *loop = body->as<For>()) {
    auto *lambda = loop->update->as<Lambda>();
    innermost = lambda->parameters[0];
    body = lambda->body;
  }
  const Expr &merged = *body->as<Call>()->arguments[0];
  EXPECT_EQ(merged.as<Reference>()->variable, innermost);
  EXPECT_EQ(broken("|v: vec[i32]| result(for(v, appender[i32], |b, i, x| "
                   "for(v, merge(b, 1), |c, j, y| merge(b, y))))"),
            "weld.linear.5");
}

TEST(WeldLinearity, LetsStateHoldBuilders) {
  expectAccepted("let s = iterate({appender[i32], 0}, |s| {{merge(s.$0, s.$1), s.$1 + 1}, "
                 "s.$1 < 3}); result(s.$0)");
  EXPECT_EQ(broken("let s = iterate({appender[i32], 0}, |s| {{merge(s.$0, len(result(s.$0))), "
                   "s.$1}, false}); result(s.$0)"),
            "weld.merge.2 weld.linear.1");
}

/// The labels and notes of the first diagnostic: "column text", labels first.
std::string shown(llvm::StringRef text) {
  CheckedProgram checked(text);
  std::string result;
  tessera::Diagnostic diagnostic = checked.diagnostics.sorted().front();
  for (const tessera::Label &label : diagnostic.labels)
    result += std::to_string(label.range.begin + 1) + " " + label.text + "; ";
  for (const tessera::Note &note : diagnostic.notes)
    result += std::to_string(note.range.begin + 1) + " " + note.text + "; ";
  return result;
}

TEST(WeldLinearity,
     ShowsBothPlacesInsideOfAMacro) { // [weld.linear.1, weld.linear.2, weld.linear.4]
  EXPECT_EQ(shown("macro m(b) = {result(b), result(b)}; let c = appender[i32]; m(c)"),
            "1 a macro uses this argument more than once; ");
  EXPECT_EQ(
      shown("macro m(x) = (let b = appender[i32]; {merge(b, x), merge(b, x)}); result(m(1).$0)"),
      "58 in the text of macro `m`; 45 the first use; ");
  EXPECT_EQ(
      shown("macro m(v) = (let b = appender[i32]; for(v, appender[i32], |c, i, x| merge(b, x))); "
            "|v: vec[i32]| result(m(v))"),
      "76 in the text of macro `m`; 19 defined outside the loop; ");
}

} // namespace
