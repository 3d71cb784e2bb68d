/// Fixes are offered only where they help, however many errors there are.
#include "Checked.h"

using namespace tessera;
using namespace tessera::weld;

namespace {

/// The diagnostics of a program, all of them or as many as are printed.
class Offered {
public:
  explicit Offered(llvm::StringRef text, bool keepsAll = true)
      : file("test.weld", text.str()), diagnostics(/*warningsAreErrors=*/false, keepsAll) {
    std::unique_ptr<Program> program = parse(file, diagnostics);
    check(*program, {}, diagnostics);
  }

  /// "2:5 `,`", one per fix.
  std::string fixes() {
    std::string list;
    for (const Diagnostic &diagnostic : diagnostics.sorted())
      for (const FixIt &fix : diagnostic.fixits) {
        LineColumn place = file.position(fix.range.begin);
        list += llvm::formatv("{0}:{1} `{2}`\n", place.line, place.column, fix.replacement);
      }
    return list;
  }

  size_t numFixed() {
    return llvm::count_if(diagnostics.sorted(), [](auto &each) { return !each.fixits.empty(); });
  }

private:
  SourceFile file;
  DiagnosticEngine diagnostics;
};

std::string fixesOf(llvm::StringRef text) {
  return Offered(text).fixes();
}

std::string repeated(const char *format, unsigned count) {
  std::string text;
  for (unsigned number = 0; number < count; ++number)
    text += llvm::formatv(format, number).str();
  return text;
}

/// The negative of an unsigned number is large.
TEST(WeldFixes, KeepsNumbersPositive) { // [weld.name.1]
  EXPECT_EQ(fixesOf("|x: u32| abs(x)"), "");
  EXPECT_EQ(fixesOf("|x: u16| abs(x)"), "");
  EXPECT_EQ(fixesOf("|v: vec[u64]| map(v, |x| abs(x))"), "");
  EXPECT_EQ(fixesOf("|x: bool| abs(x)"), "");
  EXPECT_EQ(fixesOf("|x: i8| abs(x)"), "1:9 `max(x, -x)`\n");
  EXPECT_EQ(fixesOf("|v: vec[f32]| map(v, |x: f32| abs(x))"), "1:31 `max(x, -x)`\n");
}

/// The last fix would cause an error that is beyond the limit.
TEST(WeldFixes, JudgesErrorsBeyondTheLimit) {
  std::string many = repeated("let a{0} = lookup(v, 0);\n", 100);
  std::string text = "|v: vec[i32], x: i32|\n" + many +
                     "let q = result(for(range(x), appender, |b, i, e| merge(b, e))); 1";
  EXPECT_EQ(Offered(text).numFixed(), 100u);
}

TEST(WeldFixes, OffersFixesForTheErrorsWithinTheLimit) {
  std::string text = "|v: vec[i32]|\n" + repeated("let a{0} = lookup(v, 0);\n", 101) + "1";
  EXPECT_EQ(Offered(text, /*keepsAll=*/false).numFixed(), size_t(DiagnosticEngine::maxErrors));
  EXPECT_EQ(Offered(text).numFixed(), 101u);
}

/// One bad fix costs few checks, so that the budget suffices for long programs.
TEST(WeldFixes, FindsOneBadFixAmongMany) {
  std::string good = repeated("let a{0} = lookup(v, 0); # A long program has more than one line.\n"
                              "let b{0} = a{0} + 1; # The next line is no different at all.\n",
                              400);
  std::string text = "|v: vec[i32], x: i32|\n" + good +
                     "let q = result(for(range(x), appender, |b, i, e| merge(b, e))); 1";
  EXPECT_EQ(Offered(text).numFixed(), 400u);
}

/// Names up to the next `|`, `,` or `:` are parameters.
TEST(WeldFixes, SeparatesParameters) { // [weld.program.6]
  EXPECT_EQ(fixesOf("result(for([1], appender[i32], |b i x| merge(b, x)))"),
            "1:34 `,`\n1:36 `,`\n");
  EXPECT_EQ(fixesOf("result(for([1], merger[i32,+], |b i x| b + x))"), "1:34 `,`\n1:36 `,`\n");
  EXPECT_EQ(fixesOf("map([1], |x x + 1)"), "1:12 `|`\n");
  EXPECT_EQ(typeOf("map([1], |x x 1)"),
            "1:13 error weld.program.6: expected `|` in a parameter list, found the name `x`\n");
  EXPECT_EQ(fixesOf("map([1], |x x 1)"), "");
}

/// Types are not checked where the parser finds errors; those that a fix uncovers are not its own.
TEST(WeldFixes, MayUncoverErrors) {
  EXPECT_EQ(fixesOf("|v: vec[i32] w: vec[i32]| map(v, |x| abs(x + 1))"), "1:13 `,`\n");
  EXPECT_EQ(fixesOf("|v: vec[i32]| sort(v, |a b| a < b)"), "1:25 `,`\n");
  EXPECT_EQ(fixesOf("|b, i x| b + x"), "1:6 `,`\n");
  EXPECT_EQ(fixesOf("|v: vec[i32], x: i32| if(x = 3, lookup(v, 0), nosuch)"), "1:28 `==`\n");
  EXPECT_EQ(fixesOf("|v: vec[i32]| (f64)lookup(v, 0)"), "1:15 `f64(`\n1:32 `)`\n");
  EXPECT_EQ(fixesOf("1 and 2"), ""); // This error would be its own.
  EXPECT_EQ(fixesOf("|x: i32| if(x = 2.5, 1, 2)"), "");
}

} // namespace
